// Estimators: what there is, computing one, and the stored runs.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { estimatorInfo, presetInfo, rolloutAdvantages } from './estimator.ts';

export const estimatorRun = z.object({
  id: z.string(),
  rollout: z.string(),
  estimator: z.string(),
  estimatorVersion: z.string(),
  preset: z.string().nullable(),
  params: z.record(z.string(), z.unknown()),
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
  runs: z.array(z.string()),
  rollouts: z.array(rolloutAdvantages),
});
export type AdvantagesReport = z.infer<typeof advantagesReport>;

export const computeRequest = z.object({
  rollout: z.string(),
  estimator: z.string().optional(),
  preset: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
});

export const advantagesContract = {
  estimators: oc.output(z.object({ estimators: z.array(estimatorInfo), presets: z.array(presetInfo) })),
  /** Computes and stores for one rollout (with its group where the estimator needs it). A refusal is a result with `error`. */
  compute: oc.input(computeRequest).output(estimatorRun),
  /** The stored runs of a rollout, newest first. */
  runs: oc.input(z.object({ rollout: z.string() })).output(z.array(estimatorRun)),
};
