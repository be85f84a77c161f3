// Loss normalisation: the weight of one trainable token in the batch loss, under each normaliser in use.

import { z } from 'zod';
import { acceptedPositions, rejectionSchema } from './accepted.ts';
import { defineEstimator } from './define.ts';
import {
  type Computed,
  prepareBatch,
  refusedRollout,
  rolloutOutput,
  segmentOutput,
  warnIncomplete,
} from './outputs.ts';
import { placeOf, refuse } from './refusal.ts';
import { sum } from './sums.ts';
import type { PreparedRollout } from './tokens.ts';
import type { EstimatorInput, RolloutOutput } from './types.ts';

const modes = [
  'token_mean',
  'segment_mean',
  'segment_sum_mean',
  'rollout_mean',
  'constant_length',
  'token_mean_per_microbatch',
] as const;

const count = z.int().nonnegative();

export const weightsSchema = z
  .strictObject({
    mode: z.enum(modes).default('token_mean'),
    count_empty: z.boolean().default(false),
    length: z.number().positive().nullable().default(null),
    mean_over_segments: z.boolean().default(true),
    /** Micro-batches as lists of [rollout, segment] places in the batch. */
    microbatches: z
      .array(z.array(z.tuple([count, count])).min(1))
      .min(1)
      .nullable()
      .default(null),
    scale: z.enum(['equal', 'samples']).default('equal'),
    /** Tokens that a rejection drops have weight 0; null: none are dropped. */
    rejection: rejectionSchema.nullable().default(null),
    /** After a rejection: all trainable tokens still count in what is divided by, or only those that stay. */
    denominator: z.enum(['mask', 'accepted']).default('mask'),
  })
  .refine((p) => p.mode !== 'constant_length' || p.length !== null, {
    path: ['length'],
    error: 'the mode constant_length divides by this length: give a number above 0',
  })
  .refine((p) => p.mode !== 'token_mean_per_microbatch' || p.microbatches !== null, {
    path: ['microbatches'],
    error: 'the mode token_mean_per_microbatch needs the micro-batches as lists of [rollout, segment]',
  });
export type WeightParams = z.output<typeof weightsSchema>;

/** A rollout with the tokens that carry a weight, and how many tokens of each segment its denominators count. */
interface Weighed {
  readonly rollout: PreparedRollout;
  readonly kept: readonly ArrayLike<number>[];
  readonly counts: readonly number[];
}

function weigh(params: WeightParams, rollout: PreparedRollout): Weighed {
  const { rejection } = params;
  const kept = rollout.segments.map((segment) =>
    rejection === null ? segment.positions : acceptedPositions(rejection, rollout, segment),
  );
  const counted = params.denominator === 'accepted' ? kept : rollout.segments.map(({ positions }) => positions);
  return { rollout, kept, counts: counted.map(({ length }) => length) };
}

/** Counts that the normalisers divide by. */
interface Totals {
  /** M: trainable tokens of the batch. */
  readonly tokens: number;
  /** S+: segments with a trainable token, and all segments. */
  readonly segments: number;
  readonly allSegments: number;
  /** B+: rollouts with a trainable token, and all rollouts. */
  readonly rollouts: number;
  readonly allRollouts: number;
}

function totalsOf(batch: readonly Weighed[]): Totals {
  let tokens = 0;
  let segments = 0;
  let allSegments = 0;
  let rollouts = 0;
  for (const { counts } of batch) {
    const own = sum(counts);
    tokens += own;
    allSegments += counts.length;
    if (own > 0) rollouts += 1;
    segments += counts.filter((n) => n > 0).length;
  }
  return { tokens, segments, allSegments, rollouts, allRollouts: batch.length };
}

/** The weight of every micro-batch's tokens, by "rollout/segment": scale_m / M_m. */
function microbatchWeights(params: WeightParams, batch: ReadonlyMap<number, Weighed>): Map<string, number> {
  const microbatches = params.microbatches ?? [];
  const samples = microbatches.reduce((total, members) => total + members.length, 0);
  const weights = new Map<string, number>();
  for (const members of microbatches) {
    const tokens = members.reduce((total, [r, s]) => total + (batch.get(r)?.counts[s] ?? 0), 0);
    const scale = params.scale === 'samples' ? members.length / samples : 1 / microbatches.length;
    for (const [r, s] of members) {
      const key = `${r}/${s}`;
      if (weights.has(key)) {
        refuse('parameter_invalid', `"microbatches" names segment ${s} of rollout ${r} more than once.`, [
          'microbatches',
        ]);
      }
      weights.set(key, scale / tokens);
    }
  }
  return weights;
}

/** The weight of one trainable token of a segment with n_s > 0, of n_s and N_k tokens (ADVANTAGES.md section 3). */
function weightOf(
  params: WeightParams,
  totals: Totals,
  trainable: number,
  ofRollout: number,
  microbatch: number | undefined,
): number | undefined {
  switch (params.mode) {
    case 'token_mean':
      return 1 / totals.tokens;
    case 'segment_mean':
      return 1 / (totals.segments * trainable);
    case 'segment_sum_mean':
      return 1 / totals.segments;
    case 'rollout_mean':
      return 1 / ((params.count_empty ? totals.allRollouts : totals.rollouts) * ofRollout);
    case 'constant_length':
      return 1 / ((params.mean_over_segments ? totals.allSegments : 1) * (params.length ?? 1));
    case 'token_mean_per_microbatch':
      return microbatch;
  }
}

/**
 * Token weights of a batch: column `weights`, and per segment `tokenWeight` and `share`. Masks are all it reads
 * without a rejection, and log-probs with one: rejected tokens have weight 0, and the denominators count all trainable tokens
 * (as slime and miles do) or only the accepted ones. Refuses
 * `no_trainable_tokens` for a batch without any; a rollout with a bad mask is left out and the others are told.
 */
export function computeWeights(params: WeightParams, input: EstimatorInput): Computed {
  const prepared = prepareBatch(input);
  const usable = new Map<number, Weighed>();
  for (const [i, entry] of prepared.entries()) if (entry.ok) usable.set(i, weigh(params, entry.rollout));
  const firstError = prepared.find((entry) => !entry.ok);
  const totals = totalsOf([...usable.values()]);
  if (totals.tokens === 0) {
    if (firstError !== undefined && !firstError.ok)
      refuse(firstError.error.code, firstError.error.message, firstError.error.where);
    const which = params.denominator === 'accepted' && params.rejection !== null ? 'an accepted' : 'a trainable';
    refuse('no_trainable_tokens', `No rollout of the batch has ${which} token: there is no loss to normalise.`, []);
  }
  const microbatches = microbatchWeights(params, usable);
  const rollouts = prepared.map((entry, r): RolloutOutput => {
    if (!entry.ok) return refusedRollout(entry.id, entry.error);
    const { rollout } = entry;
    const { kept, counts } = usable.get(r) ?? weigh(params, rollout);
    const ofRollout = sum(counts);
    const shares: number[] = [];
    const segments = rollout.segments.map((segment, s) => {
      const weights = new Float64Array(segment.length);
      const positions = Array.from(kept[s] ?? []);
      const counted = counts[s] ?? 0;
      if (counted === 0) {
        shares.push(0);
        return segmentOutput(segment, { weights }, { tokenWeight: 0, share: 0 });
      }
      const weight = weightOf(params, totals, counted, ofRollout, microbatches.get(`${r}/${s}`));
      if (weight === undefined) {
        const message = `"microbatches" does not name ${placeOf(rollout.input.id, segment.index)}, which has trainable tokens.`;
        return refuse('parameter_invalid', message, ['microbatches']);
      }
      for (const t of positions) weights[t] = weight;
      const share = weight * positions.length;
      shares.push(share);
      return segmentOutput(segment, { weights }, { tokenWeight: weight, share });
    });
    return rolloutOutput(rollout, segments, { share: sum(shares) });
  });
  return { rollouts: warnIncomplete(rollouts), batch: { total: sum(rollouts.map((rollout) => rollout.share ?? 0)) } };
}

export const tokenWeights = defineEstimator({
  id: 'token_weights',
  version: '1',
  title: 'Loss weight of a token',
  summary: 'How much one trainable token weighs in the batch loss, and the share of each segment and rollout.',
  source:
    'CompactionRL eq. 12 (token_mean); verl, slime, TRL, DAPO and Dr. GRPO normalisers (ADVANTAGES.md section 3).',
  needsValues: false,
  scope: 'batch',
  output: 'weights',
  column: 'weights',
  schema: weightsSchema,
  form: [
    {
      name: 'mode',
      label: 'Normaliser',
      type: 'choice',
      choices: [...modes],
      help: 'What one loss is a mean over: tokens, segments, rollouts, a constant length, or tokens of a micro-batch.',
    },
    {
      name: 'count_empty',
      label: 'Count empty rollouts',
      type: 'boolean',
      help: 'rollout_mean divides by all rollouts, not only by those with a trainable token.',
    },
    {
      name: 'length',
      label: 'Constant length',
      type: 'number',
      min: 1,
      help: 'The divisor of constant_length, in tokens.',
    },
    {
      name: 'mean_over_segments',
      label: 'Mean over segments',
      type: 'boolean',
      help: 'constant_length also divides by the number of segments, empty ones counted.',
    },
    {
      name: 'scale',
      label: 'Scale of a micro-batch',
      type: 'choice',
      choices: ['equal', 'samples'],
      help: 'token_mean_per_microbatch: every micro-batch weighs the same, or by its number of samples.',
    },
  ],
  compute: computeWeights,
});
