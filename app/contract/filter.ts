// The filter language of the library and of `--where`, as data. The text form is parsed in domain/filter.

import { z } from 'zod';

/** Columns of the rollout list that can be filtered and sorted. */
export const rolloutColumns = [
  'id',
  'externalId',
  'source',
  'format',
  'runId',
  'task',
  'group',
  'trainingStep',
  'model',
  'agent',
  'split',
  'attempt',
  'status',
  'reward',
  'segments',
  'executionSegments',
  'summarySegments',
  'compactions',
  'steps',
  'tokens',
  'trainableTokens',
  'markers',
  'topKind',
  'score',
  'marked',
  'maxAbsAdvantage',
  'label',
  'labels',
  'alerts',
  'preview',
] as const;
export type RolloutColumn = (typeof rolloutColumns)[number];

export const filterOps = ['=', '!=', '<', '<=', '>', '>=', '~', '!~', 'none', 'some'] as const;
/** `~` is "contains, ignoring case"; `none` and `some` ask whether there is a value. */
export type FilterOp = (typeof filterOps)[number];

export const condition = z.object({
  column: z.enum(rolloutColumns),
  op: z.enum(filterOps),
  value: z.union([z.number(), z.string(), z.boolean()]).nullable(),
});
export type Condition = z.infer<typeof condition>;

/** All conditions must hold. */
export const filter = z.array(condition).max(40);
export type Filter = z.infer<typeof filter>;

export const sortKey = z.object({ column: z.enum(rolloutColumns), descending: z.boolean() });
export type SortKey = z.infer<typeof sortKey>;
