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
  'kind',
  'rule',
  'attempted',
  'succeeded',
  'used',
  'standing',
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

/** Alternatives: all clauses of at least one of these lists must hold. */
export interface Alternatives {
  readonly any: readonly Filter[];
}
export type Clause = Condition | Alternatives;

/** All clauses must hold. */
export type Filter = readonly Clause[];

/** Most conditions of a filter in all, and how deep alternatives may stand in each other. */
export const filterLimits = { conditions: 40, depth: 12 } as const;

const clause: z.ZodType<Clause, Clause> = z.lazy(() =>
  z.union([condition, z.object({ any: z.array(z.array(clause).min(1)).min(1) })]),
);

export const filter: z.ZodType<Filter, Filter> = z.array(clause).refine((clauses) => fits(clauses), {
  error: `a filter has at most ${filterLimits.conditions} conditions, ${filterLimits.depth} deep`,
});

function fits(where: Filter): boolean {
  return conditionsOf(where).length <= filterLimits.conditions && depthOf(where) <= filterLimits.depth;
}

/** All conditions of a filter, those of alternatives included. */
export function conditionsOf(where: Filter): Condition[] {
  return where.flatMap((one) => ('any' in one ? one.any.flatMap(conditionsOf) : [one]));
}

/** How deep alternatives stand in each other; 0 for conditions only. */
function depthOf(where: Filter): number {
  return where.reduce((most, one) => ('any' in one ? Math.max(most, 1 + Math.max(...one.any.map(depthOf))) : most), 0);
}

export const sortKey = z.object({ column: z.enum(rolloutColumns), descending: z.boolean() });
export type SortKey = z.infer<typeof sortKey>;
