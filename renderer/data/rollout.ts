// Data of one rollout: hooks that return what the engine knows and keep it current. The only place of the Rollout screen
// that knows procedures, query keys and invalidation.

import { isDefinedError } from '@orpc/client';
import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { z } from 'zod';
import type { EstimatorRun, ItemRow, RolloutVerification, TokenSeries } from '../../app/contract/index.ts';
import { type Api, useApi, useConnectionState } from './api.ts';
import { isActive, useJobs } from './jobs.ts';

/** Items per page; the contract allows 100. */
const pageSize = 40;
/** Pages that nobody shows any more are dropped after this. */
const pageLifeMs = 90_000;

/** The rollout with its segments, markers, labels and group. */
export function useRolloutDetail(id: string) {
  const { query } = useApi();
  return useQuery(query.rollouts.get.queryOptions({ input: { id } }));
}

/** Outlines of all items. */
export function useOutline(id: string) {
  const { query } = useApi();
  return useQuery(query.rollouts.outline.queryOptions({ input: { id } }));
}

/** The stored estimator runs of a rollout, newest first. */
export function useRuns(id: string) {
  const { query } = useApi();
  return useQuery(query.advantages.runs.queryOptions({ input: { rollout: id } }));
}

/** The estimators and presets there are. */
export function useEstimators() {
  const { query } = useApi();
  return useQuery(query.advantages.estimators.queryOptions());
}

/**
 * The items [start, end) with the mean advantages of `run`, by page, as far as they are loaded; pages around the range are
 * fetched ahead. A change of `run` keeps the texts on screen until the new figures are there.
 */
export function useItems(
  id: string,
  run: string | undefined,
  total: number,
  range: { readonly start: number; readonly end: number },
): { readonly get: (index: number) => ItemRow | undefined; readonly failed: Error | null; readonly retry: () => void } {
  const { query } = useApi();
  const client = useQueryClient();
  const first = Math.max(0, Math.floor(range.start / pageSize) - 1);
  const last = Math.min(
    Math.ceil(total / pageSize) - 1,
    Math.floor(Math.max(range.start, range.end - 1) / pageSize) + 1,
  );
  const pages = useMemo(
    () => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at),
    [first, last],
  );
  const input = (page: number) => ({
    id,
    start: page * pageSize,
    count: pageSize,
    ...(run === undefined ? {} : { run }),
  });
  const results = useQueries({
    queries: pages.map((page) => ({
      ...query.rollouts.items.queryOptions({ input: input(page) }),
      gcTime: pageLifeMs,
      placeholderData: () =>
        anyRun(client, query.rollouts.items.key({ type: 'query', input: { id, start: page * pageSize } })),
    })),
  });
  const failed = results.find((result) => result.error !== null)?.error ?? null;
  const byPage = new Map(pages.map((page, at) => [page, results[at]?.data]));
  return {
    get: (index) => byPage.get(Math.floor(index / pageSize))?.[index % pageSize],
    failed,
    retry: () => {
      for (const result of results) if (result.error !== null) void result.refetch();
    },
  };
}

/** What was loaded ahead is kept for so long without being shown. */
const aheadLifeMs = 20 * 60_000;
/** Most pages of items that are loaded ahead. */
const mostPagesAhead = 12;

/**
 * Loads what a screen needs to show a rollout at once: segments, outline, the task's contract, and the items around `places`,
 * at the beginning and at the end. What is there already is not read again.
 */
export async function prepareRollout(api: Api, cache: QueryClient, id: string, places: readonly number[]) {
  const { query } = api;
  const gcTime = aheadLifeMs;
  const [outline] = await Promise.all([
    cache.ensureQueryData({ ...query.rollouts.outline.queryOptions({ input: { id } }), gcTime }),
    cache.ensureQueryData({ ...query.rollouts.get.queryOptions({ input: { id } }), gcTime }),
    cache.prefetchQuery({ ...query.taskContracts.get.queryOptions({ input: { rollout: id } }), gcTime }),
  ]);
  const last = outline.length - 1;
  const around = [0, ...places.flatMap((place) => [place - 2, place, place + 2]), last - 4, last];
  const pages = new Set(around.map((place) => Math.floor(Math.min(Math.max(0, place), Math.max(0, last)) / pageSize)));
  await Promise.all(
    [...pages].slice(0, mostPagesAhead).map((page) => {
      const input = { id, start: page * pageSize, count: pageSize };
      return cache.ensureQueryData({ ...query.rollouts.items.queryOptions({ input }), gcTime });
    }),
  );
}

/** The same page with the figures of any other run. */
function anyRun(client: ReturnType<typeof useQueryClient>, key: readonly unknown[]): ItemRow[] | undefined {
  for (const [, data] of client.getQueriesData<ItemRow[]>({ queryKey: key })) if (data !== undefined) return data;
  return undefined;
}

/** One request for a bucketed series. */
export interface SeriesRequest {
  readonly start: number;
  readonly end: number;
  readonly buckets: number;
}

/** Bucketed series of one column for several stretches of the axis; `series` is in order and lacks what is not loaded. */
export function useSeries(id: string, column: string | null, requests: readonly SeriesRequest[]) {
  const { query } = useApi();
  const results = useQueries({
    queries: (column === null ? [] : requests).map((request) => ({
      ...query.rollouts.series.queryOptions({ input: { id, column: column ?? '', ...request } }),
      gcTime: pageLifeMs,
    })),
    combine: combineSeries,
  });
  return results;
}

function combineSeries(
  results: readonly {
    readonly data: TokenSeries | undefined;
    readonly error: Error | null;
    readonly isPending: boolean;
  }[],
): { readonly series: readonly TokenSeries[]; readonly complete: boolean; readonly error: Error | null } {
  return {
    series: results.flatMap((result) => (result.data === undefined ? [] : [result.data])),
    complete: results.every((result) => !result.isPending),
    error: results.find((result) => result.error !== null)?.error ?? null,
  };
}

/** All figures of one token; the last one stays until the next is there. */
export function useToken(id: string, axis: number | null, run: string | undefined) {
  const { query } = useApi();
  return useQuery({
    ...query.rollouts.token.queryOptions({
      input: { id, axis: axis ?? 0, ...(run === undefined ? {} : { run }) },
    }),
    enabled: axis !== null,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  });
}

/** Hits of a text in the rollout; the last ones stay while the next are looked for. */
export function useFind(id: string, text: string) {
  const { query } = useApi();
  return useQuery({
    ...query.rollouts.find.queryOptions({ input: { id, query: text === '' ? ' ' : text.slice(0, 400) } }),
    enabled: text !== '',
    gcTime: pageLifeMs,
    placeholderData: keepPreviousData,
  });
}

/** A whole stored text, fetched from the host when `wanted`. */
export function useBody(body: number, wanted: boolean) {
  const { connection } = useApi();
  return useQuery({
    queryKey: ['body', body],
    queryFn: ({ signal }) => connection.fetchBody(body, signal),
    enabled: wanted,
    gcTime: pageLifeMs,
  });
}

export interface ComputeInput {
  readonly estimator?: string;
  readonly preset?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Computes and stores an estimator for the rollout. The new run is in `useRuns` when the promise resolves. */
export function useCompute(id: string) {
  const { client, query } = useApi();
  const cache = useQueryClient();
  return useMutation<EstimatorRun, Error, ComputeInput>({
    mutationFn: (input) =>
      client.advantages.compute({
        rollout: id,
        params: { ...input.params },
        ...(input.estimator === undefined ? {} : { estimator: input.estimator }),
        ...(input.preset === undefined ? {} : { preset: input.preset }),
      }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: query.advantages.runs.key() });
      void cache.invalidateQueries({ queryKey: query.rollouts.get.key({ input: { id } }) });
    },
  });
}

/** A rollout must have been open for so long before its training step is compared: who walks over siblings waits for none. */
const checkAfterMs = 500;
/** Comparing reads a whole training step and its answer is small, so it is kept for long. */
const checkLifeMs = 60 * 60_000;

/**
 * Logged against recomputed advantages of a rollout that has them (`logged`), in the background once the screen is up. Kept
 * until the connection is another or an import has ended, for it is compared with its whole training step.
 */
export function useTrainerCheck(
  id: string,
  logged: boolean,
): { readonly check: RolloutVerification | undefined; readonly error: Error | null; readonly retry: () => void } {
  const { query } = useApi();
  const open = useConnectionState().status === 'open';
  const imports = useJobs().filter((job) => job.kind === 'import' || job.kind === 'demo');
  const lastImport = imports.findLast((job) => !isActive(job))?.id ?? null;
  const rested = useRested(checkAfterMs);
  const options = query.verify.run.queryOptions({ input: { rollouts: [id] } });
  const result = useQuery({
    queryKey: [...options.queryKey, { lastImport }],
    queryFn: options.queryFn,
    // What was lost with the connection is asked again when it is back.
    enabled: logged && rested && open,
    gcTime: checkLifeMs,
  });
  return {
    check: result.data?.rollouts.find((one) => one.id === id),
    error: result.error,
    retry: () => void result.refetch(),
  };
}

/** True from `ms` after the component came up. */
function useRested(ms: number): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return rested;
}

const refusal = z.object({ hint: z.string().nullable().optional() });

/** What a failed call tells a person: what happened and, where the engine knows, what to do. */
export function explain(error: unknown): { readonly message: string; readonly hint: string | null } {
  const message = error instanceof Error ? error.message : String(error);
  const data =
    isDefinedError(error) || (error instanceof Error && 'data' in error) ? refusal.safeParse(error.data) : null;
  return { message, hint: data?.success === true ? (data.data.hint ?? null) : null };
}
