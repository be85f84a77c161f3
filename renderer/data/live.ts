// Keeps the cache true: follows jobs, labels and the connection, and marks as stale what they changed. Mounted once.

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JobState } from '../../app/contract/index.ts';
import { useApi, useConnectionState } from './api.ts';
import { isActive, jobsStore } from './jobs.ts';

/** How often a running import refreshes the lists. */
const liveRefreshMs = 2000;
const resubscribeMs = 1000;

/** Follows the engine's streams while mounted. */
export function useLiveUpdates(): void {
  const { client, query } = useApi();
  const cache = useQueryClient();
  const open = useConnectionState().status === 'open';

  useEffect(() => {
    if (!open) return;
    const stop = new AbortController();
    const { signal } = stop;
    const changedData = (): void => {
      for (const key of [
        query.rollouts.key(),
        query.imports.list.key(),
        query.workspace.hello.key(),
        query.advantages.runs.key(),
        query.runSets.key(),
        query.values.key(),
        query.scan.key(),
        query.tuning.key(),
        query.calibration.key(),
        query.judge.key(),
        query.taskContracts.key(),
        query.agreement.key(),
        query.annotators.key(),
        query.labels.key(),
        query.whatIf.key(),
        query.group.key(),
        query.review.key(),
      ]) {
        void cache.invalidateQueries({ queryKey: key });
      }
    };
    const changedLabels = (rollout: string | null): void => {
      // Result sets stay as they are: rows keep their places while a person labels, only their cells are read again.
      void cache.invalidateQueries({ queryKey: query.rollouts.page.key() });
      const one = rollout === null ? query.rollouts.get.key() : query.rollouts.get.key({ input: { id: rollout } });
      for (const key of [
        one,
        query.rollouts.facets.key(),
        query.labels.key(),
        query.calibration.key(),
        query.tuning.key(),
        query.agreement.key(),
        query.review.disputes.key(),
        query.review.dispute.key(),
        query.annotators.list.key(),
        query.scan.markers.key(),
        query.workspace.hello.key(),
        query.whatIf.members.key(),
        query.whatIf.compare.key(),
        query.group.board.key(),
        query.review.queues.key(),
      ]) {
        void cache.invalidateQueries({ queryKey: key });
      }
    };

    // Whatever happened while there was no connection was missed.
    changedData();
    const onJobs = createJobsFollower(changedData);
    void follow(signal, (options) => client.jobs.watchAll(undefined, options), onJobs);
    void follow(
      signal,
      (options) => client.labels.changes(undefined, options),
      (change) => changedLabels(change.rollout),
    );
    return () => stop.abort();
  }, [client, query, cache, open]);
}

/** Stores each state of the jobs; calls `changed` when one ended, and now and then while one brings rows. */
function createJobsFollower(changed: () => void): (jobs: JobState[]) => void {
  let lastRefresh = 0;
  return (jobs) => {
    const before = new Map(jobsStore.getState().jobs.map((job) => [job.id, job]));
    jobsStore.setState({ jobs });
    const ended = jobs.some((job) => {
      const old = before.get(job.id);
      return old !== undefined && isActive(old) && !isActive(job);
    });
    const growing = jobs.some((job) => job.status === 'running' && job.rows > (before.get(job.id)?.rows ?? 0));
    // A following tells new rows when they are in force: nothing more comes for them.
    const followed = jobs.some((job) => job.kind === 'follow' && job.rows > (before.get(job.id)?.rows ?? 0));
    const now = Date.now();
    if (ended || followed || (growing && now - lastRefresh > liveRefreshMs)) {
      lastRefresh = now;
      changed();
    }
  };
}

/** Reads a stream of the engine until `signal`; a broken one is opened again while the connection holds. */
async function follow<T>(
  signal: AbortSignal,
  open: (options: { signal: AbortSignal }) => Promise<AsyncIterable<T>>,
  onValue: (value: T) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const value of await open({ signal })) {
        if (signal.aborted) return;
        onValue(value);
      }
    } catch (error) {
      if (signal.aborted) return;
      console.warn('A stream of the engine ended and is opened again.', error);
    }
    await new Promise((resolve) => setTimeout(resolve, resubscribeMs));
  }
}
