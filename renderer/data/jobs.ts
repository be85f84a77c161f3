// Jobs: the running and finished ones as the engine streams them, starting and cancelling.

import { create } from 'zustand';
import type { JobRequest, JobState } from '../../app/contract/index.ts';
import { messageOf } from '../../app/shared/errors.ts';
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
