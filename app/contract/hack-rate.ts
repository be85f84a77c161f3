// The hack rate: the share of rollouts that are marked, and of those that people call hacks, over the training or by task.

import { z } from 'zod';
import { filter } from './filter.ts';
import { nullableString, proportion } from './records.ts';

/** What the rate is drawn over. */
export const hackRateAxes = ['trainingStep', 'task', 'model', 'runId'] as const;
export type HackRateOver = (typeof hackRateAxes)[number];
/** What splits it into series. */
export const hackRateSeries = ['model', 'runId'] as const;
export type HackRateSeries = (typeof hackRateSeries)[number];

export const hackRateRequest = z.object({
  over: z.enum(hackRateAxes),
  by: z.enum(hackRateSeries).nullable().default(null),
  where: filter.default([]),
});

export const hackRatePoint = z.object({
  /** Training step, or name of the task, model or run; null where the log does not say. */
  key: z.union([z.string(), z.number()]).nullable(),
  series: nullableString,
  rollouts: z.number(),
  /** Marked among the scanned. */
  marked: proportion,
  /** Labelled hack among those labelled hack or clean. People look at suspects first, so this is no share of all rollouts. */
  labelled: proportion,
});
export type HackRatePoint = z.infer<typeof hackRatePoint>;

export const hackRateReport = z.object({
  over: z.enum(hackRateAxes),
  by: z.enum(hackRateSeries).nullable(),
  /** In the order of the axis: steps ascending; names with the highest marked share first. */
  points: z.array(hackRatePoint),
  /** Points beyond those listed. */
  more: z.number(),
});
export type HackRateReport = z.infer<typeof hackRateReport>;
