// Estimators: what there is, computing one, and the stored runs.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { estimatorInfo, presetInfo, rolloutAdvantages } from './estimator.ts';
import { criticStandIn } from './verify.ts';

export const estimatorRun = z.object({
  id: z.string(),
  rollout: z.string(),
  estimator: z.string(),
  estimatorVersion: z.string(),
  preset: z.string().nullable(),
  params: z.record(z.string(), z.unknown()),
  /** Where critic values came from, and the same in words. */
  critic: criticStandIn,
  criticLabel: z.string(),
  createdAt: z.string(),
  /** The estimator's version or the inputs changed since. */
  stale: z.boolean(),
  result: rolloutAdvantages,
});
export type EstimatorRun = z.infer<typeof estimatorRun>;

/** What an advantages job gives: results, and the ids under which they are stored, in the same order. */
export const advantagesReport = z.object({
  estimator: z.string(),
  params: z.record(z.string(), z.unknown()),
  criticLabel: z.string(),
  runs: z.array(z.string()),
  rollouts: z.array(rolloutAdvantages),
});
export type AdvantagesReport = z.infer<typeof advantagesReport>;

export const computeRequest = z.object({
  rollout: z.string(),
  estimator: z.string().optional(),
  preset: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  critic: criticStandIn.default({ kind: 'logged' }),
});

/** A stored run without its numbers, for lists over the whole workspace. */
export const runRow = estimatorRun.omit({ result: true }).extend({
  externalId: z.string(),
  /** Why it could not be computed; null when it was. */
  error: z.string().nullable(),
});
export type RunRow = z.infer<typeof runRow>;

export const advantagesContract = {
  estimators: oc.output(z.object({ estimators: z.array(estimatorInfo), presets: z.array(presetInfo) })),
  /** Computes and stores for one rollout (with its group where the estimator needs it). A refusal is a result with `error`. */
  compute: oc.input(computeRequest).output(estimatorRun),
  /** The stored runs of a rollout, newest first. */
  runs: oc.input(z.object({ rollout: z.string() })).output(z.array(estimatorRun)),
  /** Stored runs of all rollouts, newest first. */
  allRuns: oc
    .input(
      z.object({
        start: z.number().int().nonnegative().default(0),
        count: z.number().int().min(1).max(500).default(200),
      }),
    )
    .output(z.object({ total: z.number(), rows: z.array(runRow) })),
  /** Deletes stored runs by id; unknown ids are passed over. */
  removeRuns: oc
    .input(z.object({ ids: z.array(z.string()).min(1).max(10_000) }))
    .output(z.object({ removed: z.number() })),
};
