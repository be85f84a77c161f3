// Jobs: the running and finished ones as the engine streams them, starting and cancelling.

import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { create } from 'zustand';
import type { JobRequest, JobState } from '../../app/contract/index.ts';
import { messageOf } from '../../app/shared/errors.ts';
import type { Client } from '../client.ts';
import { toast } from '../ui/toast.tsx';
import { useApi } from './api.ts';

interface JobsStore {
  readonly jobs: readonly JobState[];
}

/** Filled by data/live.ts. */
export const jobsStore = create<JobsStore>(() => ({ jobs: [] }));

/** Whether a job has not ended yet. */
export function isActive(job: JobState): boolean {
  return job.status === 'queued' || job.status === 'running';
}

/** The job to show in the status bar: a running one, else a queued one. */
export function activeJob(jobs: readonly JobState[]): JobState | undefined {
  return jobs.find((job) => job.status === 'running') ?? jobs.find((job) => job.status === 'queued');
}

// The part of an import's result that is told in one line; the report itself is a screen.
const importResult = z.object({
  totals: z.object({ files: z.number(), rollouts: z.number(), refused: z.number(), failed: z.number() }),
});

export interface ImportOutcome {
  readonly files: number;
  readonly rollouts: number;
  /** Files that were refused or failed. */
  readonly problems: number;
}

/** What an ended import brought; null for other jobs. The list of jobs carries no results, so it is asked for. */
export async function importOutcome(client: Client, id: string): Promise<ImportOutcome | null> {
  let result: unknown = null;
  for await (const state of await client.jobs.watch({ id })) result = state.result;
  const parsed = importResult.safeParse(result);
  if (!parsed.success) return null;
  const { files, rollouts, refused, failed } = parsed.data.totals;
  return { files, rollouts, problems: refused + failed };
}

/** The outcome of a job that is done; null until it is known and for jobs that import nothing. */
export function useImportOutcome(job: JobState | undefined): ImportOutcome | null {
  const { client } = useApi();
  const imports = job !== undefined && job.status === 'done' && (job.kind === 'import' || job.kind === 'demo');
  const outcome = useQuery({
    queryKey: ['import-outcome', job?.id],
    queryFn: () => (job === undefined ? null : importOutcome(client, job.id)),
    enabled: imports,
  });
  return imports ? (outcome.data ?? null) : null;
}

/** All jobs of the engine's process, kept current. */
export function useJobs(): readonly JobState[] {
  return jobsStore((state) => state.jobs);
}

/** Starts and cancels jobs; failures to do so are told as toasts. */
export function useJobControl(): {
  readonly start: (request: JobRequest) => Promise<string | null>;
  readonly cancel: (id: string) => Promise<void>;
} {
  const { client } = useApi();
  return {
    async start(request) {
      try {
        return (await client.jobs.start(request)).id;
      } catch (error) {
        toast({ title: 'The job could not be started', description: messageOf(error), tone: 'error' });
        return null;
      }
    },
    async cancel(id) {
      try {
        await client.jobs.cancel({ id });
      } catch (error) {
        toast({ title: 'The job could not be cancelled', description: messageOf(error), tone: 'error' });
      }
    },
  };
}
