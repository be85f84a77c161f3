// The loss weight of a token from counts alone, so that a screen need not hold the masks of a whole training step. The same
// numbers as the estimator `token_weights` (a property test holds them equal).

import type { WhatIfNormaliser } from '../../../contract/what-if.ts';

/**
 * Weight of one trainable token of each segment. `counts[r][s]` are the trainable tokens of segment s of rollout r, all
 * segments of the batch. M tokens, S segments with any (S' all), B rollouts with any, n_s of the segment, N_r of the rollout:
 * token_mean 1/M, segment_mean 1/(S n_s), segment_sum_mean 1/S, rollout_mean 1/(B N_r), constant_length 1/S' (length 1).
 * Sources: CompactionRL eq. 12; verl, slime, TRL, DAPO and Dr. GRPO normalisers (ADVANTAGES.md section 3).
 * A segment without trainable tokens weighs 0.
 */
export function weightsFromCounts(normaliser: WhatIfNormaliser, counts: readonly (readonly number[])[]): number[][] {
  let tokens = 0;
  let segments = 0;
  let all = 0;
  let rollouts = 0;
  for (const ofRollout of counts) {
    const total = ofRollout.reduce((sum, n) => sum + n, 0);
    tokens += total;
    all += ofRollout.length;
    if (total > 0) rollouts += 1;
    for (const n of ofRollout) if (n > 0) segments += 1;
  }
  return counts.map((ofRollout) => {
    const inRollout = ofRollout.reduce((sum, n) => sum + n, 0);
    const divisor = (n: number): number =>
      ({
        token_mean: tokens,
        segment_mean: segments * n,
        segment_sum_mean: segments,
        rollout_mean: rollouts * inRollout,
        constant_length: all,
      })[normaliser];
    return ofRollout.map((n) => (n === 0 ? 0 : 1 / divisor(n)));
  });
}
