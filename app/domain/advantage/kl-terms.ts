// Estimates of the KL divergence to a reference policy from one sampled token.

import { z } from 'zod';

export const klKinds = ['k1', 'k2', 'k3'] as const;
export type KlKind = (typeof klKinds)[number];

/** Lower and upper bound of a KL term; null leaves it as it is. */
export const clampRange = z
  .tuple([z.number(), z.number()], { error: 'must be [low, high]' })
  .refine(([low, high]) => low <= high, { error: 'low must not be above high' })
  .nullable()
  .default(null);
export type ClampRange = z.output<typeof clampRange>;

const klObject = z.strictObject({ kind: z.enum(klKinds), beta: z.number(), clamp: clampRange });
export type KlSpec = z.output<typeof klObject>;

const shorthandBeta = 0.05;

/** KL shaping: {kind, beta, clamp}, or a kind alone with beta 0.05, or `none`. */
export const klSpec = z
  .union([z.enum(['none', ...klKinds]), klObject], {
    error:
      'must be "none", "k1", "k2", "k3" or {"kind": "k1" | "k2" | "k3", "beta": number, "clamp": [low, high] or null}',
  })
  .nullable()
  .default(null)
  .transform((spec): KlSpec | null => {
    if (spec === null || spec === 'none') return null;
    return typeof spec === 'string' ? { kind: spec, beta: shorthandBeta, clamp: null } : spec;
  });

/**
 * With `d = logprob_policy - logprob_ref`: k1 = d, k2 = d^2/2, k3 = exp(-d) - 1 + d (Schulman, "Approximating KL
 * divergence"). Clamped only where the trainer clamps.
 */
export function klTerm(d: number, kind: KlKind, clamp: ClampRange): number {
  // expm1 keeps k3 accurate for small d, where exp(-d) - 1 cancels.
  const k = kind === 'k1' ? d : kind === 'k2' ? (d * d) / 2 : Math.expm1(-d) + d;
  return clamp === null ? k : Math.min(clamp[1], Math.max(clamp[0], k));
}
