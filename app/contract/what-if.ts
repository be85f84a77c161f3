// What if: a rollout, its group or its training step under two settings, side by side.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';
import { segmentKinds, verdicts } from './vocabulary.ts';

/** Normalisers of the loss that need nothing but token counts. `constant_length` divides by 1: shares do not depend on it. */
export const whatIfNormalisers = [
  'token_mean',
  'segment_mean',
  'segment_sum_mean',
  'rollout_mean',
  'constant_length',
] as const;
export type WhatIfNormaliser = (typeof whatIfNormalisers)[number];

/** Which rollouts are left out of the batch: none, those the rule pack marked, or those that people labelled as hacks. */
export const hackExclusions = ['none', 'marked', 'labelled'] as const;
export type HackExclusion = (typeof hackExclusions)[number];

/** Where critic values come from: the log, nothing (GAE is then refused), a constant, or the mean reward of the group. */
export const whatIfCritic = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('logged') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('constant'), value: z.number() }),
  z.object({ kind: z.literal('group-mean') }),
]);

/** One side of the comparison: an estimator with everything that decides what a token's gradient is multiplied with. */
export const whatIfSetting = z.object({
  estimator: z.string(),
  /** The preset that the parameters start from; parameters given beside it win. */
  preset: nullableString.default(null),
  params: z.record(z.string(), z.unknown()).default({}),
  critic: whatIfCritic.default({ kind: 'logged' }),
  normaliser: z.enum(whatIfNormalisers).default('token_mean'),
  withoutHacks: z.enum(hackExclusions).default('none'),
  /** Segments of these kinds are masked: neither trained nor a step of the recursion. */
  withoutKinds: z.array(z.enum(segmentKinds)).default([]),
  /** Reward of the rollout in focus instead of the logged one; null keeps it. */
  reward: nullableNumber.default(null),
});
export type WhatIfSetting = z.infer<typeof whatIfSetting>;

export const whatIfScopes = ['group', 'step'] as const;
export type WhatIfScope = (typeof whatIfScopes)[number];

/** A rollout of the batch without token columns: all that baselines and normalisers need. */
export const whatIfMember = z.object({
  id: z.string(),
  externalId: z.string(),
  /** Key of the group; equal for siblings. */
  group: z.string(),
  status: z.enum(['terminated', 'truncated', 'aborted', 'env_crash']),
  reward: nullableNumber,
  marked: z.boolean(),
  score: nullableNumber,
  label: z.enum([...verdicts, 'disputed']).nullable(),
  tokens: z.number(),
  segments: z.array(
    z.object({ index: z.number(), kind: z.enum(segmentKinds), tokens: z.number(), trainable: z.number() }),
  ),
});
export type WhatIfMember = z.infer<typeof whatIfMember>;

/** A token column as base64 of its little-endian numbers. One array may serve under several names. */
export const packedColumn = z.object({
  names: z.array(z.string()),
  dtype: z.enum(['u8', 'i32', 'f32', 'f64']),
  data: z.string(),
});
export type PackedColumn = z.infer<typeof packedColumn>;

/** What an estimator reads of one rollout, packed. NaN in a column means that the log has no value there. */
export const packedRollout = z.object({
  id: z.string(),
  groupId: z.string(),
  status: whatIfMember.shape.status,
  reward: nullableNumber,
  bootstrapValue: nullableNumber,
  segments: z.array(
    z.object({
      index: z.number(),
      kind: z.enum(segmentKinds),
      tokens: z.number(),
      columns: z.array(packedColumn),
    }),
  ),
});
export type PackedRollout = z.infer<typeof packedRollout>;

/** One rollout under both settings. A side is null where the rollout is left out or refused there. */
export const whatIfRow = z.object({
  id: z.string(),
  externalId: z.string(),
  group: z.string(),
  reward: nullableNumber,
  marked: z.boolean(),
  score: nullableNumber,
  label: whatIfMember.shape.label,
  /** Tokens trained under either setting. */
  tokens: z.number(),
  /** Tokens whose advantage is above zero on one side and below on the other; that fall to zero; that rise from it. */
  flips: z.number(),
  lost: z.number(),
  gained: z.number(),
  /** Mean advantage over the tokens trained on that side. */
  meanA: nullableNumber,
  meanB: nullableNumber,
  /** Sum of |weight × advantage|, and its share of the scope's. */
  signalA: nullableNumber,
  signalB: nullableNumber,
  shareA: nullableNumber,
  shareB: nullableNumber,
  /** Why a side has no result: left out by the setting, or the estimator's refusal. */
  whyA: nullableString,
  whyB: nullableString,
});
export type WhatIfRow = z.infer<typeof whatIfRow>;

/** The same shares by kind of segment, and for each summary. */
export const whatIfKindRow = z.object({
  kind: z.enum(segmentKinds),
  segments: z.number(),
  tokens: z.number(),
  shareA: z.number(),
  shareB: z.number(),
});
export const whatIfSummaryRow = z.object({
  rollout: z.string(),
  externalId: z.string(),
  segment: z.number(),
  tokens: z.number(),
  shareA: z.number(),
  shareB: z.number(),
});
export type WhatIfSummaryRow = z.infer<typeof whatIfSummaryRow>;

export const whatIfComparison = z.object({
  scope: z.enum(whatIfScopes),
  rows: z.array(whatIfRow),
  kinds: z.array(whatIfKindRow),
  summaries: z.array(whatIfSummaryRow),
  totals: z.object({
    rollouts: z.number(),
    tokens: z.number(),
    flips: z.number(),
    lost: z.number(),
    gained: z.number(),
    /** Share of the update that moves between rollouts: half the sum of |share B − share A|. */
    moved: z.number(),
    marked: z.number(),
    markedShareA: z.number(),
    markedShareB: z.number(),
  }),
  /** What a reader of the numbers must know, each once. */
  notesA: z.array(z.string()),
  notesB: z.array(z.string()),
  elapsedMs: z.number(),
});
export type WhatIfComparison = z.infer<typeof whatIfComparison>;

export const whatIfContract = {
  /** The rollouts that share a baseline (group) or an update (training step, with the group) with one. */
  members: oc
    .input(z.object({ rollout: z.string(), scope: z.enum(whatIfScopes) }))
    .output(z.object({ focus: z.string(), members: z.array(whatIfMember) })),
  /** The columns of one rollout that estimators read. */
  columns: oc.input(z.object({ rollout: z.string() })).output(packedRollout),
  /** Both settings over a group or training step. Ends when the caller aborts. */
  compare: oc
    .input(z.object({ rollout: z.string(), scope: z.enum(whatIfScopes), a: whatIfSetting, b: whatIfSetting }))
    .output(whatIfComparison),
};
