// Full-text search over all texts of the workspace. Answers are the same whether the texts are indexed or not.

import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { filter } from './filter.ts';
import { nullableNumber, nullableString } from './records.ts';
import { itemKinds, itemRoles, partKinds } from './vocabulary.ts';

/** One part of a rollout in which the text occurs. */
export const searchHit = z.object({
  rollout: z.string(),
  externalId: z.string(),
  task: nullableString,
  segment: z.number(),
  /** Index of the item in the rollout, from 0. */
  item: z.number(),
  /** Number of the step in the rollout, from 1; null for what is not a step. */
  step: nullableNumber,
  itemKind: z.enum(itemKinds),
  role: z.enum(itemRoles),
  /** Context carried over from an earlier segment. */
  copied: z.boolean(),
  part: z.number(),
  partKind: z.enum(partKinds),
  /** Name of the tool, for calls and observations. */
  name: nullableString,
  /** UTF-16 offsets of the first occurrence in the part's view text, end exclusive. */
  start: z.number(),
  end: z.number(),
  /** Occurrences in this part. */
  count: z.number(),
  snippet: z.object({
    before: z.string(),
    match: z.string(),
    after: z.string(),
    cutBefore: z.boolean(),
    cutAfter: z.boolean(),
  }),
});
export type SearchHit = z.infer<typeof searchHit>;

/** What a search has found since its last update, and its figures so far. */
export const searchUpdate = z.object({
  hits: z.array(searchHit),
  /** Parts found in a rollout so far, for rollouts with listed hits whose figure changed. */
  rollouts: z.array(z.object({ rollout: z.string(), places: z.number() })),
  /** Parts in which the text occurs, and occurrences; hits are listed up to `limit`, figures count all. */
  places: z.number(),
  occurrences: z.number(),
  rolloutCount: z.number(),
  /** Hits listed so far, over all updates. */
  listed: z.number(),
  /** Where the search looks: rollouts in scope, and rollouts of the workspace. */
  scope: z.object({ rollouts: z.number(), all: z.number() }),
  /** How far it is, in distinct texts: `done` of `total`. */
  done: z.number(),
  total: z.number(),
  /** The last update: everything in scope was looked at. */
  finished: z.boolean(),
});
export type SearchUpdate = z.infer<typeof searchUpdate>;

export const searchRequest = z.object({
  /** Found literally, ignoring case. */
  query: z.string().min(1).max(400),
  /** Only rollouts of this filter and search of the library. */
  where: filter.default([]),
  search: z.string().max(400).default(''),
  /** Hits listed in all, and of each rollout. */
  limit: z.number().int().min(1).max(10_000).default(500),
  perRollout: z.number().int().min(1).max(10_000).default(500),
  /** Lists an equal text once in a rollout (contexts carried over repeat many); every place is counted all the same. */
  distinct: z.boolean().default(false),
});
export type SearchRequest = z.infer<typeof searchRequest>;

/** How far the index is, in distinct texts. */
export const searchIndexState = z.object({ indexed: z.number(), total: z.number() });
export type SearchIndexState = z.infer<typeof searchIndexState>;

export const searchContract = {
  /** Streams what it finds, at most 20 updates a second; ends with the update that is `finished`. Stop reading to cancel. */
  texts: oc.input(searchRequest).output(eventIterator(searchUpdate)),
  state: oc.output(searchIndexState),
};
