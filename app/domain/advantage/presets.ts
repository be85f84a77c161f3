// Published and trainer-specific settings by name, each saying what its source settles and what is our choice.

import type { PresetInfo } from '../../contract/estimator.ts';

const adaptive = (alpha: number, length: string) => ({ mode: 'length_adaptive', alpha, length, max: 1 });

/** The presets of ADVANTAGES.md section 8; every one is a valid set of parameters of its estimator (tested). */
export const presets: readonly PresetInfo[] = [
  {
    name: 'compactionrl-paper',
    title: 'CompactionRL (paper)',
    estimator: 'gae_cross',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), factor: 'own', returns: 'local' },
    note:
      'Settled: γ 1, α 1.5, token-mean loss, no KL. Unsettled: what the length in λ counts, own or product factor, return ' +
      'targets; here as the public reproductions read it. With segment lengths a short summary before much text is hardly trained.',
  },
  {
    name: 'compactionrl-rollout-length',
    title: 'CompactionRL (one λ per rollout)',
    estimator: 'gae_cross',
    params: { gamma: 1, lambda: adaptive(1.5, 'rollout_trainable'), factor: 'own', returns: 'local' },
    note:
      'The other reading of the paper: the length in λ counts the whole rollout, which is the only one under which equation ' +
      '15 holds literally; no factor is below exp(-1/α) by much.',
  },
  {
    name: 'compactionrl-naive',
    title: 'CompactionRL (naive variant)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), reward_placement: 'every_segment' },
    note:
      'Settled: the baseline of the paper, every segment its own episode with the full reward. It is also what a trainer ' +
      'computes that flattens the segments of a compacted rollout. Unsettled: the length in λ.',
  },
  {
    name: 'compactionrl-stitched',
    title: 'CompactionRL (exact reference)',
    estimator: 'gae_stitched',
    params: { gamma: 1, lambda: adaptive(1.5, 'rollout_trainable') },
    note: 'Our choice: not in the paper. The exact quantity its factor approximates, with one λ per rollout.',
  },
  {
    name: 'sao-math',
    title: 'SAO (maths, tool use)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), lambda_critic: 1 },
    note:
      'Settled: α 1.5, critic λ 1, rejection interval (0.3, 5.0), see "sao-math-dis". Our choice: γ 1 (no value found) and ' +
      'that the length counts trainable tokens, not the raw response.',
  },
  {
    name: 'sao-coding',
    title: 'SAO (coding)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(1.5, 'segment_trainable'), lambda_critic: 1 },
    note: 'The same advantages as "sao-math"; only the rejection interval differs, (0.8, 3.0), see "sao-coding-dis".',
  },
  {
    name: 'sao-math-dis',
    title: 'SAO rejection (maths, tool use)',
    estimator: 'dis',
    params: { eps_low: 0.3, eps_high: 5 },
    note: 'Settled: the interval (0.7, 6.0), open as printed. Our choice: the gradient of the weight is stopped.',
  },
  {
    name: 'sao-coding-dis',
    title: 'SAO rejection (coding)',
    estimator: 'dis',
    params: { eps_low: 0.8, eps_high: 3 },
    note: 'Settled: the interval (0.2, 4.0), open as printed. Our choice: the gradient of the weight is stopped.',
  },
  {
    name: 'glm5-reasoning',
    title: 'GLM-5 reasoning',
    estimator: 'group',
    params: { kind: 'grpo', ddof: 1, eps: 1e-6 },
    note:
      'Settled: group-normalised rewards, IcePop β 2, clip 0.2 / 0.28, no KL, mean per sequence (segment_mean weights); see ' +
      '"glm5-icepop". Our choice: ddof 1 and ε 1e-6, as in most trainers.',
  },
  {
    name: 'glm5-icepop',
    title: 'GLM-5 IcePop',
    estimator: 'icepop_ppo',
    params: { beta: 2, eps_low: 0.2, eps_high: 0.28 },
    note: 'Settled: β 2 with closed ends, clip 0.2 / 0.28, no KL.',
  },
  {
    name: 'glm45-agentic',
    title: 'GLM-4.5 agentic',
    estimator: 'group',
    params: { kind: 'center' },
    note: 'Settled: rewards minus the group mean. The printed objective lacks the score function; the usual one is meant.',
  },
  {
    name: 'vapo',
    title: 'VAPO',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: adaptive(0.05, 'segment_trainable'), lambda_critic: 1 },
    note:
      'Settled: length-adaptive λ for the policy, λ 1 for the critic. From memory and not checked: α 0.05 and clip 0.2 / ' +
      '0.28. Under 20 tokens the formula is negative and λ is 0.',
  },
  {
    name: 'webrl',
    title: 'WebRL',
    estimator: 'gae_local',
    params: { gamma: 0.9, lambda: 0.5 },
    note: 'Settled: γ 0.9, λ 0.5.',
  },
  {
    name: 'vc-ppo',
    title: 'VC-PPO (decoupled λ)',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95, lambda_critic: 1 },
    note: 'From memory and not checked: λ 0.95 for the policy, 1 for the critic.',
  },
  {
    name: 'slime-ppo@624b824',
    title: 'slime PPO',
    estimator: 'gae_all_tokens',
    params: { gamma: 1, lambda: 0.95, terminal_at: 'last_token' },
    note:
      'Settled by its code: observations are transitions, the reward is on the very last token. γ and λ are options of the ' +
      'trainer; here are common values.',
  },
  {
    name: 'openrlhf-gae',
    title: 'OpenRLHF GAE',
    estimator: 'gae_all_tokens',
    params: { gamma: 1, lambda: 0.95, zero_masked: true, terminal_at: 'last_trainable', whiten: 'openrlhf' },
    note:
      'Settled by its code: observations are transitions of value 0, the reward is on the last trained token, whitening with ' +
      'ddof 0 and the variance at least ε. γ and λ are options of the trainer.',
  },
  {
    name: 'verl-gae',
    title: 'verl GAE',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95, whiten: 'verl' },
    note: 'Settled by its code: observations are skipped, always whitened (ddof 1, ε added). γ and λ are options of the trainer.',
  },
  {
    name: 'nemo-gae',
    title: 'NeMo RL GAE',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95 },
    note: 'Settled by its code: observations are skipped; whitening is optional. γ and λ are options of the trainer.',
  },
  {
    name: 'miles-gae',
    title: 'miles GAE',
    estimator: 'gae_local',
    params: { gamma: 1, lambda: 0.95 },
    note: 'Settled by its code: observations are skipped; whitening is optional. γ and λ are options of the trainer.',
  },
];

/** The preset with this name, or undefined. */
export function presetByName(name: string): PresetInfo | undefined {
  return presets.find((preset) => preset.name === name);
}
