// Stored runs as people make them: one estimator with its parameters over many rollouts. Listing, deleting, comparing two, and
// taking their numbers away.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { filter } from './filter.ts';
import { nullableNumber, nullableString } from './records.ts';
import { criticStandIn } from './verify.ts';

/** The runs of one estimator, parameters, critic and preset. */
export const runSet = z.object({
  /** `s-` and 12 hex digits of what makes it one. */
  id: z.string(),
  estimator: z.string(),
  preset: nullableString,
  params: z.record(z.string(), z.unknown()),
  critic: criticStandIn,
  criticLabel: z.string(),
  /** Runs, one a rollout; those that are refusals; those that no longer hold and why (one can be both). */
  rollouts: z.number(),
  refused: z.number(),
  stale: z.number(),
  staleByVersion: z.number(),
  staleByInputs: z.number(),
  /** Versions of the estimator in it, newest last, and the one there is now (null: the estimator is gone). */
  versions: z.array(z.string()),
  currentVersion: nullableString,
  /** When its newest run was made. */
  createdAt: z.string(),
});
export type RunSet = z.infer<typeof runSet>;

/** Two sets over one rollout. Differences are B − A, over the tokens that are not masked. */
export const comparedRollout = z.object({
  id: z.string(),
  externalId: z.string(),
  tokens: z.number(),
  differing: z.number(),
  signFlips: z.number(),
  meanAbsA: nullableNumber,
  meanAbsB: nullableNumber,
  meanAbsDifference: nullableNumber,
  largest: z.object({ segment: z.number(), token: z.number(), a: z.number(), b: z.number() }).nullable(),
});
export type ComparedRollout = z.infer<typeof comparedRollout>;

export const runSetComparison = z.object({
  /** Rollouts with a result in both sets, and in one of them only. */
  rollouts: z.number(),
  onlyA: z.number(),
  onlyB: z.number(),
  tokens: z.number(),
  differing: z.number(),
  signFlips: z.number(),
  meanAbsA: nullableNumber,
  meanAbsB: nullableNumber,
  meanAbsDifference: nullableNumber,
  /** Pearson's, over tokens; null where one side does not vary. */
  correlation: nullableNumber,
  /** Largest differences first, at most 1000. */
  rows: z.array(comparedRollout),
});
export type RunSetComparison = z.infer<typeof runSetComparison>;

export const exportFormats = ['parquet', 'npz', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A part of a file on its way. */
export const exportPart = z.object({
  base64: z.string(),
  /** So far. */
  rollouts: z.number(),
  rows: z.number(),
  stale: z.number(),
  /** Rollouts that are looked at in all. */
  total: z.number(),
  last: z.boolean(),
});
export type ExportPart = z.infer<typeof exportPart>;

export const runSetsContract = {
  list: oc.output(z.array(runSet)),
  /** Deletes the runs of a set; `stale` only those that no longer hold. */
  remove: oc
    .input(z.object({ set: z.string(), stale: z.boolean().default(false) }))
    .output(z.object({ removed: z.number() })),
  /** Two sets of advantages token by token. Ends when whoever asked is gone. */
  compare: oc.input(z.object({ a: z.string(), b: z.string() })).output(runSetComparison),
  /**
   * Opens a file of advantages, returns and weights: those of a set, or of the newest run of each rollout. Its parts are taken one
   * by one with `next`, so that a slow connection slows down the reading; a file nobody reads on is closed after a while.
   */
  open: oc
    .input(z.object({ format: z.enum(exportFormats), where: filter.default([]), set: z.string().optional() }))
    .output(z.object({ id: z.string() })),
  next: oc.input(z.object({ id: z.string() })).output(exportPart),
  close: oc.input(z.object({ id: z.string() })).output(z.object({ closed: z.boolean() })),
};
