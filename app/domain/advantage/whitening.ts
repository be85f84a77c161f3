// Whitening of a token column over the trainable tokens of a batch: the step, its parameters and how an estimator applies it.

import { z } from 'zod';
import { warnAll, warnIncomplete } from './outputs.ts';
import { allEqual, mean, variance } from './sums.ts';
import type { EstimatorWarning, RolloutOutput, SegmentOutput, TokenColumn } from './types.ts';

export const whitenFields = {
  ddof: z.union([z.literal(0), z.literal(1)], { error: 'must be 0 or 1' }).default(1),
  eps: z.number().nonnegative().default(1e-8),
  eps_mode: z.enum(['add', 'clamp']).default('add'),
  shift_mean: z.boolean().default(true),
};
const whitenObject = z.strictObject(whitenFields);
export type WhitenSpec = z.output<typeof whitenObject>;

/** Conventions of two trainers by name (ADVANTAGES.md section 7). */
const named: Readonly<Record<'verl' | 'openrlhf', WhitenSpec>> = {
  verl: { ddof: 1, eps: 1e-8, eps_mode: 'add', shift_mean: true },
  openrlhf: { ddof: 0, eps: 1e-8, eps_mode: 'clamp', shift_mean: true },
};
export const whitenChoices = ['none', 'verl', 'openrlhf'] as const;

/** An optional whitening step: a convention by name or {ddof, eps, eps_mode, shift_mean}. */
export const whitenSpec = z
  .union([z.enum(whitenChoices), whitenObject], {
    error:
      'must be "none", "verl", "openrlhf" or {"ddof": 0 | 1, "eps": number, "eps_mode": "add" | "clamp", "shift_mean": boolean}',
  })
  .nullable()
  .default(null)
  .transform((spec): WhitenSpec | null => {
    if (spec === null || spec === 'none') return null;
    return typeof spec === 'string' ? named[spec] : spec;
  });

interface Statistics {
  readonly mean: number;
  readonly scale: number;
  readonly constant: boolean;
}

/**
 * Whitens column `name` of every computed rollout over all their trainable tokens: `(x - mean)/sqrt(var + eps)` (`add`) or
 * `(x - mean)/sqrt(max(var, eps))` (`clamp`), the mean added back when `shift_mean` is false. Where the variance is
 * undefined (count <= ddof) the column stays as it is, with a warning. The old column is kept as `keepAs`.
 * Masked tokens stay 0. Whitening commutes with nothing before it: always the last step.
 */
export function whitenRollouts(
  rollouts: readonly RolloutOutput[],
  spec: WhitenSpec,
  name: TokenColumn,
  keepAs: TokenColumn | null,
): readonly RolloutOutput[] {
  const flat = gather(rollouts, name);
  const warnings: EstimatorWarning[] = [];
  const statistics = flat.length - spec.ddof <= 0 ? null : statisticsOf(flat, spec);
  if (statistics === null && flat.length > 0) {
    const message = `Whitening needs more than ${spec.ddof} trainable tokens; there are ${flat.length}, so nothing was whitened.`;
    warnings.push({ code: 'whitening_skipped', message });
  } else if (rollouts.length === 1 && flat.length > 0) {
    const message =
      'Whitened over this rollout alone; a trainer whitens over its whole batch, so the numbers differ from its own.';
    warnings.push({ code: 'whitening_one_rollout', message });
  }
  const whitened = rollouts.map((rollout) => ({
    ...rollout,
    segments: rollout.segments.map((segment) => whitenSegment(segment, statistics, spec, name, keepAs)),
  }));
  return warnIncomplete(warnings.reduce<readonly RolloutOutput[]>(warnAll, whitened));
}

function whitenSegment(
  segment: SegmentOutput,
  statistics: Statistics | null,
  spec: WhitenSpec,
  name: TokenColumn,
  keepAs: TokenColumn | null,
): SegmentOutput {
  const before = segment.columns[name];
  if (before === undefined) return segment;
  const after = new Float64Array(before.length);
  const back = spec.shift_mean ? 0 : (statistics?.mean ?? 0);
  for (const t of segment.positions) {
    const x = before[t] ?? 0;
    if (statistics === null) after[t] = x;
    else after[t] = (statistics.constant ? 0 : (x - statistics.mean) / statistics.scale) + back;
  }
  return {
    ...segment,
    columns: { ...segment.columns, ...(keepAs === null ? {} : { [keepAs]: before }), [name]: after },
  };
}

function gather(rollouts: readonly RolloutOutput[], name: TokenColumn): Float64Array {
  let count = 0;
  for (const rollout of rollouts) for (const segment of rollout.segments) count += segment.positions.length;
  const flat = new Float64Array(count);
  let i = 0;
  for (const rollout of rollouts) {
    for (const segment of rollout.segments) {
      const column = segment.columns[name];
      for (const t of segment.positions) {
        flat[i] = column?.[t] ?? 0;
        i += 1;
      }
    }
  }
  return flat;
}

function statisticsOf(flat: Float64Array, spec: WhitenSpec): Statistics {
  const spreadOf = variance(flat, spec.ddof);
  const scale = spec.eps_mode === 'add' ? Math.sqrt(spreadOf + spec.eps) : Math.sqrt(Math.max(spreadOf, spec.eps));
  // A constant column whitens to exactly 0, also with eps 0.
  return { mean: mean(flat), scale, constant: allEqual(flat) };
}
