// Diagnoses in words: a title for each code, and what to look at.

import type { DiagnosisCode } from '../../../contract/verify.ts';

/** In the order of likelihood in which equally good explanations are preferred: the special before the general. */
export const likelihood: readonly DiagnosisCode[] = [
  'clean',
  'observations-as-transitions',
  'whitened-globally',
  'summaries-left-out',
  'siblings-counted-twice',
  'siblings-missing',
  'values-shifted',
  'mask-shifted',
  'mask-inverted',
  'return-reset-at-observations',
  'reward-on-masked-tail',
  'whitened-per-shard',
  'scaled-globally',
  'wrong-discount',
  'other-estimator',
  'normaliser-per-rollout',
  'reward-differs',
  'factor-per-segment',
  'trained-twice',
  'unexplained',
  'refused',
  'not-logged',
];

export const titles: Readonly<Record<DiagnosisCode, string>> = {
  clean: 'clean',
  'observations-as-transitions': 'observations are transitions',
  'whitened-globally': 'whitened over the batch',
  'whitened-per-shard': 'whitened per shard',
  'scaled-globally': 'one factor over the batch',
  'summaries-left-out': 'summaries left out of the tokens after',
  'siblings-missing': 'siblings missing',
  'siblings-counted-twice': 'siblings counted twice in the group mean',
  'factor-per-segment': 'a factor per segment',
  'normaliser-per-rollout': 'a normaliser per rollout',
  'reward-on-masked-tail': 'reward on a masked tail',
  'reward-differs': 'another reward',
  'return-reset-at-observations': 'return reset at observations',
  'values-shifted': 'values shifted by one',
  'mask-shifted': 'mask shifted by one',
  'mask-inverted': 'mask inverted',
  'wrong-discount': 'another γ or λ',
  'trained-twice': 'tokens trained twice',
  'other-estimator': 'another estimator',
  unexplained: 'unexplained',
  'not-logged': 'nothing logged',
  refused: 'cannot be compared',
};

/** What to look at in the trainer. */
export const advice: Readonly<Partial<Record<DiagnosisCode, string>>> = {
  'observations-as-transitions':
    'Every observation token costs a step of γ·λ and its value enters the sums. Compress to trainable tokens first if that is not meant.',
  'whitened-globally': 'Expected of trainers that normalise advantages; undo it before comparing segments.',
  'whitened-per-shard': 'Mean and deviation must be reduced over all ranks before they are used.',
  'scaled-globally': 'Look for a learning-rate-like factor or a loss denominator applied to the advantages.',
  'summaries-left-out': 'Summary tokens are sampled and trained, so they must count: the factors are too large now.',
  'siblings-missing':
    'Look whether segments or rollouts were dropped or sent to another rank before the advantages were made.',
  'siblings-counted-twice': "Take each rollout's reward once, however many segments it was cut into.",
  'factor-per-segment': 'Look at what multiplies the advantages of a segment after the recursion.',
  'normaliser-per-rollout': 'Look for a loss normaliser that was applied to the advantages.',
  'reward-on-masked-tail': 'Put the reward on the last trainable token.',
  'reward-differs': 'Look for shaping, scaling or a penalty between the logged reward and the estimator.',
  'return-reset-at-observations':
    'Carry the running sum across masked tokens; now earlier actions never see the reward.',
  'values-shifted': 'The value of a token must be read before it is produced; check the slice of the critic output.',
  'mask-shifted': 'Align mask and tokens: index t of the mask describes token t.',
  'mask-inverted': 'Swap the mask: 1 is trained.',
  'wrong-discount': 'Compare the running configuration with the one in the log.',
  'trained-twice':
    'Copied summaries and carried-over turns must have mask 0 in the segments after the one they were sampled in.',
  unexplained: 'Start at the first divergence: walking backwards, everything before it in time inherits its error.',
};
