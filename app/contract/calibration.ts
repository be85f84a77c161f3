// How well rollout scores and people's labels agree as probabilities, and the threshold that goes with the pack.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, proportion } from './records.ts';

/** A map from score to the probability of a hack. */
export const calibrationMap = z.discriminatedUnion('method', [
  /** Steps: the probability at `scores[i]` and above, up to the next; below the first it is the first. */
  z.object({ method: z.literal('isotonic'), scores: z.array(z.number()), probabilities: z.array(z.number()) }),
  /** 1 / (1 + exp(a · score + b)). */
  z.object({ method: z.literal('platt'), a: z.number(), b: z.number() }),
]);
export type CalibrationMap = z.infer<typeof calibrationMap>;

export const calibrationReport = z.object({
  hack: z.number(),
  clean: z.number(),
  /** Least number of labels of either sort for Platt and for isotonic. */
  needed: z.object({ platt: z.number(), isotonic: z.number() }),
  /** Fitted to all labels; null when there are too few. */
  map: calibrationMap.nullable(),
  /** Folds of the cross-validation behind every figure below; null when there is no map. */
  folds: nullableNumber,
  /** Mean squared error of the probabilities: of the raw score, calibrated (held out), and of the base rate alone. */
  brier: z.object({ raw: nullableNumber, calibrated: nullableNumber, baseRate: nullableNumber }),
  /** Expected calibration error over the bins below. */
  ece: z.object({ raw: nullableNumber, calibrated: nullableNumber }),
  /** Bins of [low, high): mean predicted probability and the share of hacks with its interval. Empty bins are left out. */
  raw: z.array(z.object({ low: z.number(), high: z.number(), mean: z.number(), share: proportion })),
  calibrated: z.array(z.object({ low: z.number(), high: z.number(), mean: z.number(), share: proportion })),
});
export type CalibrationReport = z.infer<typeof calibrationReport>;

/** What a change of the pack's threshold did, and what takes it back. */
export const thresholdChange = z.object({
  pack: z.string(),
  version: z.string(),
  threshold: z.number(),
  previous: z.object({ version: z.string(), threshold: z.number() }),
  /** Row of the earlier pack, for `undoThreshold`. */
  undo: z.number(),
  /** The job that marks the rollouts anew. */
  job: z.string(),
});
export type ThresholdChange = z.infer<typeof thresholdChange>;

export const calibrationContract = {
  report: oc.output(calibrationReport),
  /** Stores a threshold as a new version of the pack in force and marks the rollouts anew. */
  setThreshold: oc.input(z.object({ threshold: z.number().min(0).max(1) })).output(thresholdChange),
  /** Puts an earlier pack in force again. */
  undoThreshold: oc.input(z.object({ pack: z.number() })).output(thresholdChange),
};
