// What the library's inspector shows of one rollout beyond its row: detail, newest estimator run, advantage curve.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useApi } from './api.ts';

/** Segments, markers, labels and group of a rollout; undefined id asks nothing. */
export function useRolloutDetail(id: string | undefined) {
  const { query } = useApi();
  return useQuery({ ...query.rollouts.get.queryOptions({ input: { id: id ?? '' } }), enabled: id !== undefined });
}

/** The newest stored estimator run of a rollout; null when there is none. */
export function useNewestRun(id: string | undefined) {
  const { query } = useApi();
  const runs = useQuery({
    ...query.advantages.runs.queryOptions({ input: { rollout: id ?? '' } }),
    enabled: id !== undefined,
  });
  return runs.data === undefined ? undefined : (runs.data[0] ?? null);
}

/** A token column of a rollout in buckets, over its whole axis. */
export function useSeries(id: string | undefined, column: string | null, tokens: number, buckets: number) {
  const { query } = useApi();
  const input = { id: id ?? '', column: column ?? '', start: 0, end: tokens, buckets };
  return useQuery({
    ...query.rollouts.series.queryOptions({ input, placeholderData: keepPreviousData }),
    enabled: id !== undefined && column !== null && tokens > 0,
  }).data;
}
