// Which trainable tokens a rejection leaves, for what divides a loss by them. A rejection is per optimiser step: it never
// rewrites the mask, which says where tokens came from.

import { z } from 'zod';
import { ratioOf } from './ratio-terms.ts';
import { type PreparedRollout, type PreparedSegment, readLogprobs } from './tokens.ts';

export const rejectionSchema = z.discriminatedUnion('rule', [
  z.strictObject({
    rule: z.literal('dis'),
    eps_low: z.number().nonnegative().default(0.3),
    eps_high: z.number().nonnegative().default(5),
    numerator: z.enum(['policy', 'train_old']).default('policy'),
  }),
  z.strictObject({ rule: z.literal('icepop'), beta: z.number().min(1).default(2) }),
]);
type Rejection = z.output<typeof rejectionSchema>;

/**
 * Trainable tokens of a segment that stay, as raw positions: `dis` keeps ratios of trainer to engine inside the open interval
 * (1-eps_low, 1+eps_high), `icepop` mismatches inside the closed [1/beta, beta]. Refuses when log-probs are missing.
 */
export function acceptedPositions(
  rejection: Rejection,
  rollout: PreparedRollout,
  segment: PreparedSegment,
): readonly number[] {
  const read = (name: 'policy' | 'train_old' | 'rollout' | 'infer_old') => readLogprobs(rollout, segment, name);
  const positions = [...segment.positions];
  if (positions.length === 0) return positions;
  if (rejection.rule === 'dis') {
    const ratio = ratioOf(read(rejection.numerator), read('rollout'));
    const [low, high] = [1 - rejection.eps_low, 1 + rejection.eps_high];
    return positions.filter((_, i) => low < (ratio[i] ?? 0) && (ratio[i] ?? 0) < high);
  }
  const mismatch = ratioOf(read('train_old'), read('infer_old'));
  return positions.filter((_, i) => 1 / rejection.beta <= (mismatch[i] ?? 0) && (mismatch[i] ?? 0) <= rejection.beta);
}
