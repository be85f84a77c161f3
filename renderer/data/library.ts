// The library's rows: a result set (ordered ids, fixed by the engine) and pages of it as they come into view.

import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import type { Filter, ResultSet, RolloutColumn, RolloutRow, SortKey } from '../../app/contract/index.ts';
import { type Api, useApi } from './api.ts';

/** Rows per page; the contract allows 200. */
const pageSize = 100;
/** Largest set whose rows are all read at once (grouping). */
export const wholeSetLimit = 5000;
const wholeSetPage = 200;

export interface LibraryQuery {
  readonly where: Filter;
  readonly sort: SortKey[];
  readonly search: string;
}

/** Rows [first, last) on screen; the range to have ready before a refreshed set is shown. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The result set of a query. While a new one is made the old one stays, and the new one arrives together with the rows
 * that are on screen, so that nothing flickers.
 */
export function useResultSet(input: LibraryQuery, visible: { readonly current: RowRange }) {
  const api = useApi();
  const cache = useQueryClient();
  const { queryKey } = api.query.rollouts.query.queryOptions({ input });
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<ResultSet> => {
      const set = await api.client.rollouts.query(input, { signal });
      await Promise.all(
        pageStarts(visible.current, set.total).map((start) => cache.fetchQuery(pageOptions(api, set, start))),
      );
      return set;
    },
    placeholderData: keepPreviousData,
  });
}

function pageStarts(range: RowRange, total: number): number[] {
  const starts: number[] = [];
  const end = Math.min(range.last, total);
  for (
    let start = Math.floor(Math.min(range.first, Math.max(0, total - 1)) / pageSize) * pageSize;
    start < end;
    start += pageSize
  ) {
    starts.push(start);
  }
  return starts;
}

function pageInput(set: ResultSet, start: number) {
  return { set: set.set, start, count: Math.min(pageSize, set.total - start) };
}

function pageOptions(api: Api, set: ResultSet, start: number) {
  // Pages of old sets are of no use once a newer one is shown.
  return api.query.rollouts.page.queryOptions({ input: pageInput(set, start), gcTime: 30_000 });
}

/** A page that is on screen: when it fails, the engine may have forgotten its set, so a new one is made. */
function shownPageOptions(api: Api, cache: QueryClient, set: ResultSet, start: number) {
  return {
    ...pageOptions(api, set, start),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      try {
        return await api.client.rollouts.page(pageInput(set, start), { signal });
      } catch (error) {
        if (!signal.aborted) void cache.invalidateQueries({ queryKey: api.query.rollouts.query.key() });
        throw error;
      }
    },
  };
}

/** The rows of a range, by their index in the set; rows that have not come yet are missing. */
export function useRows(set: ResultSet | undefined, range: RowRange): (index: number) => RolloutRow | undefined {
  const api = useApi();
  const cache = useQueryClient();
  const starts = set === undefined ? [] : pageStarts(range, set.total);
  const pages = useQueries({
    queries: set === undefined ? [] : starts.map((start) => shownPageOptions(api, cache, set, start)),
    combine: combinePages,
  });
  return useMemo(() => {
    const byStart = new Map(pages.map((page) => [page.start, page.rows]));
    return (index) => byStart.get(Math.floor(index / pageSize) * pageSize)?.[index % pageSize];
  }, [pages]);
}

function combinePages(
  results: readonly { readonly data?: { readonly start: number; readonly rows: RolloutRow[] } | undefined }[],
) {
  return results.flatMap((result) => (result.data === undefined ? [] : [result.data]));
}

/** All rows of a set of at most `wholeSetLimit` rows, for grouping; undefined while they come or for a larger set. */
export function useWholeSet(set: ResultSet | undefined, enabled: boolean) {
  const { client, query } = useApi();
  const wanted = enabled && set !== undefined && set.total <= wholeSetLimit;
  return useQuery({
    queryKey: [...query.rollouts.page.key(), 'whole', set?.set],
    enabled: wanted,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<RolloutRow[]> => {
      const rows: RolloutRow[] = [];
      for (let start = 0; set !== undefined && start < set.total; start += wholeSetPage) {
        const count = Math.min(wholeSetPage, set.total - start);
        rows.push(...(await client.rollouts.page({ set: set.set, start, count }, { signal })).rows);
      }
      return rows;
    },
  }).data;
}

/** Values of a column with their counts, for the filter menu. */
export function useFacets(column: RolloutColumn | null) {
  const { query } = useApi();
  const options = query.rollouts.facets.queryOptions({ input: { column: column ?? 'status' } });
  return useQuery({ ...options, enabled: column !== null });
}

/** At most `count` rollouts that match a search text, for the palette. */
export function useQuickSearch(
  search: string,
  count: number,
): { readonly rows: readonly RolloutRow[]; readonly total: number } {
  const { client, query } = useApi();
  const none = useRef({ rows: [], total: 0 }).current;
  const result = useQuery({
    queryKey: [...query.rollouts.page.key(), 'quick', search, count],
    enabled: search !== '',
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const set = await client.rollouts.query({ search }, { signal });
      if (set.total === 0) return { rows: [], total: 0 };
      const page = await client.rollouts.page(
        { set: set.set, start: 0, count: Math.min(count, set.total) },
        { signal },
      );
      return { rows: page.rows, total: set.total };
    },
  });
  return search === '' ? none : (result.data ?? none);
}
