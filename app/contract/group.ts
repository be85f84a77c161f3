// The group board: the rollouts that share a baseline in aligned lanes, and where their actions part.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';
import { rolloutStatuses, segmentKinds, verdicts } from './vocabulary.ts';

export const boardSegment = z.object({
  index: z.number(),
  kind: z.enum(segmentKinds),
  tokens: z.number(),
  trainable: z.number(),
  /** Steps of this segment; copied context counts none. */
  steps: z.number(),
  axisStart: z.number(),
});
export type BoardSegment = z.infer<typeof boardSegment>;

/** One sibling. The arrays of steps are parallel, one entry per step of the rollout, in order. */
export const boardMember = z.object({
  id: z.string(),
  externalId: z.string(),
  reward: nullableNumber,
  status: z.enum(rolloutStatuses),
  statusDetail: nullableString,
  model: nullableString,
  trainingStep: nullableNumber,
  excludedFromLoss: z.boolean(),
  score: nullableNumber,
  marked: z.boolean(),
  label: z.enum([...verdicts, 'disputed']).nullable(),
  tokens: z.number(),
  trainable: z.number(),
  tokensEstimated: z.boolean(),
  /** Versions of the weights that sampled it, in order of first use. */
  weightVersions: z.array(z.string()),
  segments: z.array(boardSegment),
  /** Two siblings have the same number at a step exactly when they took the same actions up to and with it. */
  actions: z.array(z.number()),
  /** Item of the rollout that each step is. */
  stepItems: z.array(z.number()),
  /** Segment index of each step. */
  stepSegments: z.array(z.number()),
  /** Token of the rollout's axis at which each step begins; null where the log does not say. */
  stepTokens: z.array(nullableNumber),
  markers: z.array(
    z.object({
      id: z.string(),
      kind: z.string(),
      title: z.string(),
      score: z.number(),
      weak: z.boolean(),
      item: z.number(),
      /** Place in the arrays of steps: the step it is in, or the last one before it; -1 before the first. */
      step: z.number(),
    }),
  ),
});
export type BoardMember = z.infer<typeof boardMember>;

export const groupBoard = z.object({
  /** Id under which the board can be asked for again. */
  group: z.string(),
  title: nullableString,
  run: nullableString,
  trainingStep: nullableNumber,
  task: nullableString,
  members: z.array(boardMember),
  /** The newest weight version of the training step, where versions are numbers; null otherwise. */
  newestVersion: nullableNumber,
});
export type GroupBoard = z.infer<typeof groupBoard>;

/** One line of a side-by-side text: the line on either side, null where the other side has none. */
export const diffLine = z.object({
  kind: z.enum(['same', 'changed', 'left', 'right']),
  left: nullableString,
  right: nullableString,
});
export type DiffLine = z.infer<typeof diffLine>;

/** The steps of two siblings at which their actions first differ. */
export const groupDivergence = z.object({
  /** Steps that both took alike. */
  common: z.number(),
  /** The step of either side; null when that rollout had ended. */
  left: z.object({ item: z.number(), segment: z.number() }).nullable(),
  right: z.object({ item: z.number(), segment: z.number() }).nullable(),
  lines: z.array(diffLine),
  /** Lines left out of a very long comparison. */
  more: z.number(),
});
export type GroupDivergence = z.infer<typeof groupDivergence>;

export const groupContract = {
  /** The group of a rollout (by either of its ids), or a group by its id (`g-` and a number). */
  board: oc.input(z.object({ id: z.string() })).output(groupBoard),
  /** Where two rollouts part, with both actions line by line. */
  divergence: oc.input(z.object({ left: z.string(), right: z.string() })).output(groupDivergence),
};
