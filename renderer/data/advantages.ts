// Data of the Advantages screen: what verify jobs found, joined values files, stored runs by set, and files taken away.

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportFormat, Filter, JobState, ValuesReport } from '../../app/contract/index.ts';
import { valuesReport } from '../../app/contract/index.ts';
import { useApi, useConnectionState } from './api.ts';
import { isActive, useJobs } from './jobs.ts';
import { saveFile } from './save-file.ts';

/** A job by id as far as this window knows it. */
export function useJob(id: string | undefined): JobState | undefined {
  return useJobs().find((job) => job.id === id);
}

/** The sum of a verify job; asked for when the job is done, or when this window never saw it. */
export function useVerification(job: string | undefined) {
  const { query } = useApi();
  const open = useConnectionState().status === 'open';
  const known = useJob(job);
  const options = query.verification.overview.queryOptions({ input: { job: job ?? '' } });
  return useQuery({
    ...options,
    // A job that ran when it was asked for is asked for again when it has ended.
    queryKey: [...options.queryKey, { status: known?.status ?? 'unknown' }],
    enabled: open && job !== undefined && (known === undefined || known.status === 'done'),
  });
}

/** One rollout of a verify job in full; the last one stays until the next is there. */
export function useVerifiedRollout(job: string | undefined, rollout: string | undefined) {
  const { query } = useApi();
  return useQuery({
    ...query.verification.rollout.queryOptions({ input: { job: job ?? '', rollout: rollout ?? '' } }),
    enabled: job !== undefined && rollout !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** How many rollouts a filter lets through, and how many there are. */
export function useFilterCount(where: Filter) {
  const { client, query } = useApi();
  return useQuery({
    queryKey: [...query.rollouts.query.key(), 'count', where],
    queryFn: async ({ signal }) => {
      const { total, all } = await client.rollouts.query({ where }, { signal });
      return { total, all };
    },
    placeholderData: keepPreviousData,
  }).data;
}

/** The joined files of critic values, newest first. */
export function useValueSets() {
  const { query } = useApi();
  return useQuery(query.values.list.queryOptions());
}

/** Joins a file of values, a path of the host's machine, and takes one out again. */
export function useJoining() {
  const { client, query } = useApi();
  const cache = useQueryClient();
  const changed = (): Promise<void> => cache.invalidateQueries({ queryKey: query.values.key() });
  const join = useMutation({
    mutationFn: async (path: string): Promise<ValuesReport> => {
      const { id } = await client.jobs.start({ kind: 'values', path });
      let last: JobState | undefined;
      for await (const state of await client.jobs.watch({ id })) last = state;
      if (last?.status !== 'done') {
        const { message = 'The file was not joined.', hint = null } = last?.error ?? {};
        throw new Error(hint === null ? message : `${message} ${hint}`);
      }
      return valuesReport.parse(last.result);
    },
    onSuccess: changed,
  });
  const remove = useMutation(query.values.remove.mutationOptions({ onSuccess: changed }));
  return { join, remove };
}

/** The stored runs by set, newest first. */
export function useRunSets() {
  const { query } = useApi();
  return useQuery({ ...query.runSets.list.queryOptions(), placeholderData: keepPreviousData });
}

/** Deletes the runs of a set, or the stale ones of it. */
export function useRemoveRunSet() {
  const { query } = useApi();
  const cache = useQueryClient();
  return useMutation(
    query.runSets.remove.mutationOptions({
      onSuccess: () =>
        Promise.all(
          [query.runSets.key(), query.advantages.runs.key(), query.rollouts.key()].map((queryKey) =>
            cache.invalidateQueries({ queryKey }),
          ),
        ),
    }),
  );
}

/** Two sets token by token. The engine stops when the choice changes or the screen goes. */
export function useRunSetComparison(a: string | undefined, b: string | undefined) {
  const { query } = useApi();
  return useQuery({
    ...query.runSets.compare.queryOptions({ input: { a: a ?? '', b: b ?? '' } }),
    enabled: a !== undefined && b !== undefined && a !== b,
    gcTime: 60_000,
  });
}

/** Whether some job still computes advantages or compares them. */
export function useAdvantagesJob(): JobState | undefined {
  return useJobs().find((job) => job.kind === 'advantages' && isActive(job));
}

export interface ExportRequest {
  readonly format: ExportFormat;
  readonly where: Filter;
  /** A set of runs; the newest run of each rollout when absent. */
  readonly set: string | undefined;
}

export interface ExportState {
  readonly bytes: number;
  readonly rollouts: number;
  readonly total: number;
}

export interface Exported extends ExportState {
  readonly rows: number;
  readonly stale: number;
  readonly name: string;
}

const mimeTypes: Readonly<Record<ExportFormat, string>> = {
  parquet: 'application/vnd.apache.parquet',
  npz: 'application/zip',
  jsonl: 'application/jsonl',
};

/** Takes a file of advantages part by part and hands it to the browser, which asks where to put it or downloads it. */
export function useExport() {
  const { client } = useApi();
  const [state, setState] = useState<ExportState | null>(null);
  const [stop, setStop] = useState<AbortController | null>(null);
  const mutation = useMutation<Exported | null, Error, ExportRequest>({
    mutationFn: async ({ format, where, set }) => {
      const aborting = new AbortController();
      setStop(aborting);
      const parts: Uint8Array<ArrayBuffer>[] = [];
      let bytes = 0;
      const { id } = await client.runSets.open({ format, where, ...(set === undefined ? {} : { set }) });
      try {
        for (;;) {
          const { base64, rollouts, rows, stale, total, last } = await client.runSets.next({ id });
          if (aborting.signal.aborted) return null;
          const part = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          parts.push(part);
          bytes += part.length;
          setState({ bytes, rollouts, total });
          if (!last) continue;
          const name = `advantages.${format}`;
          saveFile(new Blob(parts, { type: mimeTypes[format] }), name);
          return { bytes, rollouts, rows, stale, total, name };
        }
      } finally {
        setState(null);
        setStop(null);
        // After the last part it is closed already.
        void client.runSets.close({ id }).catch(() => undefined);
      }
    },
  });
  return { ...mutation, progress: state, cancel: () => stop?.abort() };
}
