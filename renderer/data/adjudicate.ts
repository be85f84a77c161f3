// Disputes: page by page, one with all that was said of it, and deciding. A decision is on disk before the screen shows it.

import type { InferContractRouterInputs } from '@orpc/contract';
import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Contract, Dispute, DisputeFilter, LabelTarget } from '../../app/contract/index.ts';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';
import { explain } from './rollout.ts';

const pageSize = 100;
/** Pages that nobody shows any more are dropped after this. */
const pageLifeMs = 90_000;

type Decision = InferContractRouterInputs<Contract>['review']['adjudicate'];

/** How many there are, what the filter may be narrowed by, and the place of `find` (a target's id) in the list. */
export function useDisputeCounts(filter: DisputeFilter, find: string | undefined) {
  const { query } = useApi();
  return useQuery({
    ...query.review.disputes.queryOptions({ input: { ...filter, count: 1, ...(find === undefined ? {} : { find }) } }),
    placeholderData: keepPreviousData,
  });
}

/** The disputes of the rows [first, last) and around `also`, as far as they are loaded. */
export function useDisputes(filter: DisputeFilter, total: number, range: readonly [number, number], also: number) {
  const { query } = useApi();
  const [first, last] = range;
  const pages = useMemo(() => {
    const wanted = new Set<number>();
    for (let page = Math.floor(first / pageSize); page * pageSize < Math.min(last, total); page += 1) wanted.add(page);
    if (also < total) wanted.add(Math.floor(also / pageSize));
    return [...wanted];
  }, [first, last, total, also]);
  const results = useQueries({
    queries: pages.map((page) => ({
      ...query.review.disputes.queryOptions({ input: { ...filter, start: page * pageSize, count: pageSize } }),
      gcTime: pageLifeMs,
    })),
  });
  const byPage = new Map(pages.map((page, at) => [page, results[at]?.data?.disputes]));
  return {
    get: (index: number): Dispute | undefined => byPage.get(Math.floor(index / pageSize))?.[index % pageSize],
    error: results.find((result) => result.error !== null)?.error ?? null,
  };
}

/** Everything said of one target; the one before stays until it is there. */
export function useDispute(target: LabelTarget | undefined) {
  const { query } = useApi();
  return useQuery({
    ...query.review.dispute.queryOptions({ input: { target: target ?? { type: 'rollout', rollout: '' } } }),
    enabled: target !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** Items of a rollout by their index, as far as they are loaded. */
export function useItemsAt(rollout: string, items: readonly number[]) {
  const { query } = useApi();
  const results = useQueries({
    queries: items.map((item) => ({
      ...query.rollouts.items.queryOptions({ input: { id: rollout, start: item, count: 1 } }),
      gcTime: pageLifeMs,
    })),
  });
  return new Map(items.map((item, at) => [item, results[at]?.data?.[0]]));
}

/** Decides, takes back and gives again. Resolves to the target of the act, null when nothing was done; told as toasts. */
export function useAdjudicating() {
  const { client, query } = useApi();
  const cache = useQueryClient();
  const act = useMutation({
    mutationFn: (run: () => ReturnType<typeof client.review.adjudicate>) => run(),
    onSuccess: async (result) => {
      cache.setQueryData(query.labels.state.queryKey(), result.undo);
      // The lists are true before the screen goes on to the next dispute.
      await Promise.all([
        cache.invalidateQueries({ queryKey: query.review.disputes.key() }),
        cache.invalidateQueries({ queryKey: query.review.dispute.key() }),
      ]);
    },
    onError: (error) => {
      const { message, hint } = explain(error);
      toast({
        title: 'The decision was not saved',
        description: hint === null ? message : `${message} ${hint}`,
        tone: 'error',
      });
    },
  });
  const run = async (
    call: () => ReturnType<typeof client.review.adjudicate>,
    empty: string,
  ): Promise<LabelTarget | null> => {
    try {
      const { act: done } = await act.mutateAsync(call);
      if (done === null) toast({ title: empty });
      return done?.target ?? null;
    } catch {
      // Told by onError above.
      return null;
    }
  };
  return {
    decide: (decision: Decision) => run(() => client.review.adjudicate(decision), 'Nothing was decided'),
    undo: () => run(() => client.labels.undo(), 'There is nothing to undo'),
    redo: () => run(() => client.labels.redo(), 'There is nothing to redo'),
    saving: act.isPending,
  };
}
