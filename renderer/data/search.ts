// Full-text search while a person types: one running search at a time, its hits gathered as they stream in.

import { useEffect, useRef, useState } from 'react';
import type { Filter, SearchHit, SearchUpdate } from '../../app/contract/index.ts';
import { useApi } from './api.ts';
import { explain } from './rollout.ts';

/** A search starts when nothing was typed for so long. */
const settleMs = 180;
/** Longest query of the contract. */
const queryMax = 400;

export interface TextScope {
  readonly where: Filter;
  readonly search: string;
}

/** The hits of one rollout, in reading order, and in how many parts the text occurs there. */
export interface TextGroup {
  readonly rollout: string;
  readonly externalId: string;
  readonly task: string | null;
  readonly places: number;
  readonly hits: readonly SearchHit[];
}

export interface TextSearch {
  /** What these hits are of; what is typed may be further. */
  readonly query: string;
  readonly groups: readonly TextGroup[];
  /** Figures so far; null until the first update. */
  readonly last: SearchUpdate | null;
  /** What went wrong, in words; null when nothing did. */
  readonly failed: string | null;
}

const nothing: TextSearch = { query: '', groups: [], last: null, failed: null };

/** `groups` with the hits and figures of one more update. Rollouts keep the order in which they were found. */
export function withUpdate(groups: readonly TextGroup[], update: SearchUpdate): readonly TextGroup[] {
  if (update.hits.length === 0 && update.rollouts.length === 0) return groups;
  const added = Map.groupBy(update.hits, (hit) => hit.rollout);
  const places = new Map(update.rollouts.map((one) => [one.rollout, one.places]));
  const known = groups.map((group) => {
    const more = added.get(group.rollout);
    added.delete(group.rollout);
    const hits = more === undefined ? group.hits : inReadingOrder([...group.hits, ...more]);
    return { ...group, hits, places: places.get(group.rollout) ?? group.places };
  });
  const found = [...added].flatMap(([rollout, hits]): TextGroup[] => {
    const [first] = hits;
    if (first === undefined) return [];
    const { externalId, task } = first;
    return [{ rollout, externalId, task, hits: inReadingOrder(hits), places: places.get(rollout) ?? hits.length }];
  });
  return [...known, ...found];
}

function inReadingOrder(hits: readonly SearchHit[]): readonly SearchHit[] {
  return hits.toSorted((a, b) => a.item - b.item || a.part - b.part);
}

/**
 * Searches for `query` while it is not empty; a new query, another scope and unmounting cancel what runs. Hits are listed up
 * to `limits`, figures count all. `scope` null means the whole workspace.
 */
export function useTextSearch(
  query: string,
  scope: TextScope | null,
  limits: { readonly limit: number; readonly perRollout: number },
): TextSearch {
  const { client } = useApi();
  const [state, setState] = useState(nothing);
  const { limit, perRollout } = limits;
  // By content, so that an equal scope made anew does not search again.
  const within = JSON.stringify(scope);
  const latest = useRef(scope);
  latest.current = scope;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `within` stands for the scope in the ref
  useEffect(() => {
    if (query === '') {
      setState(nothing);
      return;
    }
    const stop = new AbortController();
    const run = async (): Promise<void> => {
      let groups: readonly TextGroup[] = [];
      try {
        const updates = await client.search.texts(
          { query: query.slice(0, queryMax), limit, perRollout, distinct: true, ...latest.current },
          { signal: stop.signal },
        );
        for await (const update of updates) {
          if (stop.signal.aborted) return;
          groups = withUpdate(groups, update);
          setState({ query, groups, last: update, failed: null });
        }
      } catch (error) {
        if (!stop.signal.aborted) setState({ query, groups, last: null, failed: explain(error).message });
      }
    };
    const timer = setTimeout(() => void run(), settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [client, query, within, limit, perRollout]);
  return query === '' ? nothing : state;
}
