// The lambda of GAE: a number, or one that grows with the length of what is trained.

import { z } from 'zod';

const lambdaLengths = ['segment_trainable', 'rollout_trainable', 'segment_tokens'] as const;

/** `1 - 1/(alpha * length)`, clamped to [0, max]. */
const adaptiveLambda = z.strictObject({
  mode: z.literal('length_adaptive').default('length_adaptive'),
  alpha: z.number().positive(),
  length: z.enum(lambdaLengths).default('segment_trainable'),
  max: z.number().min(0).max(1).default(1),
});

export const lambdaSpec = z.union([z.number().min(0).max(1), adaptiveLambda], {
  error:
    'must be a number in 0..1 or {"alpha": > 0, "length": "segment_trainable" | "rollout_trainable" | "segment_tokens", "max": 0..1}',
});
export type LambdaSpec = z.output<typeof lambdaSpec>;

/** The paper's preset: alpha 1.5 over the trainable tokens of the segment. */
export const paperLambda = { mode: 'length_adaptive', alpha: 1.5, length: 'segment_trainable', max: 1 } as const;

/** Token counts that an adaptive lambda may refer to: n_s, T_s and N. */
export interface Lengths {
  readonly segmentTrainable: number;
  readonly segmentTokens: number;
  readonly rolloutTrainable: number;
}

/**
 * The lambda in force. Adaptive: `min(max, max(0, 1 - 1/(alpha*l)))` (length-adaptive GAE of VAPO; CompactionRL and SAO
 * with alpha 1.5), and 0 when nothing is counted. What `l` counts is not settled in CompactionRL, hence the option.
 */
export function resolveLambda(spec: LambdaSpec, lengths: Lengths): number {
  if (typeof spec === 'number') return spec;
  const length = {
    segment_trainable: lengths.segmentTrainable,
    segment_tokens: lengths.segmentTokens,
    rollout_trainable: lengths.rolloutTrainable,
  }[spec.length];
  if (length === 0) return 0;
  return Math.min(spec.max, Math.max(0, 1 - 1 / (spec.alpha * length)));
}
