// Queues and the label schemas that they ask by; what a review reads beside its session (review-session.ts).

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Judgement, QueueInput, QueueRow, ReviewItem, SegmentRow } from '../../app/contract/index.ts';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';
import { createReviewSession, type ReviewSession } from './review-session.ts';
import { explain, useOutline, useRolloutDetail } from './rollout.ts';

/** All queues, newest first, with how far they are. */
export function useQueues() {
  const { query } = useApi();
  return useQuery(query.review.queues.queryOptions({ input: {} }));
}

/** One queue. */
export function useQueue(queue: string) {
  const { query } = useApi();
  return useQuery(query.review.queue.queryOptions({ input: { queue } }));
}

/** A version of a label schema; versions never change. */
export function useSchemaVersion(id: string | undefined, version: string | undefined) {
  const { query } = useApi();
  return useQuery({
    ...query.schemas.get.queryOptions({ input: { id: id ?? '', version: version ?? '' } }),
    enabled: id !== undefined && version !== undefined,
  });
}

/** Whether this connection may make and close queues. */
export function useMayManageQueues(): boolean {
  const { query } = useApi();
  const role = useQuery(query.annotators.me.queryOptions()).data?.role;
  return role === 'adjudicator' || role === 'admin';
}

/** What a plan would draw; the last answer stays while the next one is worked out. */
export function useQueuePreview(input: QueueInput, wanted: boolean) {
  const { query } = useApi();
  return useQuery({
    ...query.review.preview.queryOptions({ input }),
    enabled: wanted,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
}

/** Makes, closes, opens and deletes queues. Failures are told as toasts. */
export function useQueueChanges() {
  const { query } = useApi();
  const cache = useQueryClient();
  const options = (title: string) => ({
    onSuccess: () => cache.invalidateQueries({ queryKey: query.review.key() }),
    onError: (error: unknown) => {
      const { message, hint } = explain(error);
      toast({ title, description: hint === null ? message : `${message} ${hint}`, tone: 'error' });
    },
  });
  return {
    create: useMutation<QueueRow, Error, QueueInput>(
      query.review.create.mutationOptions(options('The queue was not made')),
    ),
    close: useMutation(query.review.close.mutationOptions(options('The queue was not changed'))),
    remove: useMutation(query.review.delete.mutationOptions(options('The queue was not deleted'))),
  };
}

const noSegments: readonly SegmentRow[] = [];

/** Segments and outline of an item's rollout. The session loads them before it shows an item, so they are there at once. */
export function useReviewedRollout(item: ReviewItem) {
  const id = item.target.rollout;
  const segments = useRolloutDetail(id).data?.segments ?? noSegments;
  const outline = useOutline(id).data ?? [];
  return { segments, outline };
}

/** The annotator's own labels on spans of a rollout. */
export function useOwnSpans(rollout: string, annotator: string) {
  const { query } = useApi();
  const labels = useQuery(query.labels.of.queryOptions({ input: { rollout } })).data ?? [];
  return labels.filter((label) => label.target.type === 'span' && label.annotator === annotator);
}

/** Judgements of a decided item; null while they may not be read (the engine refuses them during a blind queue). */
export function useRevealedJudgements(rollout: string | null): readonly Judgement[] | null {
  const { query } = useApi();
  const answer = useQuery({
    ...query.judge.of.queryOptions({ input: { rollout: rollout ?? '' } }),
    enabled: rollout !== null,
  });
  return answer.data ?? null;
}

/** A sitting at a queue while the calling component is mounted; null until it began. `entry` is the item of a link. */
export function useReviewSession(queue: QueueRow, entry: string | undefined): ReviewSession | null {
  const api = useApi();
  const cache = useQueryClient();
  const [session, setSession] = useState<ReviewSession | null>(null);
  const first = useRef(entry);
  const { id, leaseSeconds } = queue;
  const latest = useRef(api);
  latest.current = api;
  useEffect(() => {
    const { query } = latest.current;
    const begun = createReviewSession(latest.current, cache, id, leaseSeconds, (undo) =>
      cache.setQueryData(query.labels.state.queryKey(), undo),
    );
    setSession(begun);
    void begun.start(first.current);
    return () => begun.stop();
  }, [cache, id, leaseSeconds]);
  return session;
}
