// Jobs that this workspace has seen, so that after a crash one can tell what was interrupted.

import type { JobRequest, JobState } from '../../app/contract/jobs.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { storedJson } from '../row.ts';

export interface StoredJob {
  readonly id: string;
  readonly kind: JobState['kind'];
  readonly title: string;
  /** `interrupted`: the process ended before the job did. */
  readonly status: JobState['status'] | 'interrupted';
  readonly request: JobRequest;
  readonly error: JobState['error'];
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Records a job that starts. */
export function insertJob(db: WriteDb, state: JobState, request: JobRequest): void {
  db.run(
    'INSERT INTO jobs (id, kind, title, status, request, error, started_at, ended_at) VALUES (?, ?, ?, ?, ?, NULL, ?, NULL)',
    state.id,
    state.kind,
    state.title,
    state.status,
    JSON.stringify(request),
    state.startedAt,
  );
}

/** Records how a job stands now. */
export function updateJob(db: WriteDb, state: JobState): void {
  db.run(
    'UPDATE jobs SET title = ?, status = ?, error = ?, started_at = ?, ended_at = ? WHERE id = ?',
    state.title,
    state.status,
    state.error === null ? null : JSON.stringify(state.error),
    state.startedAt,
    state.endedAt,
    state.id,
  );
}

/** The newest jobs first. */
export function listJobs(db: ReadDb, limit = 100): StoredJob[] {
  return db
    .all<Omit<StoredJob, 'request' | 'error'> & { request: string; error: string | null }>(
      `SELECT id, kind, title, status, request, error, started_at AS startedAt, ended_at AS endedAt
       FROM jobs ORDER BY started_at DESC, rowid DESC LIMIT ?`,
      limit,
    )
    .map((row) => ({
      ...row,
      request: storedJson<JobRequest>(row.request),
      error: row.error === null ? null : storedJson<NonNullable<JobState['error']>>(row.error),
    }));
}

/** Marks jobs that were still running when an earlier process ended. Call it once after opening. Gives their number. */
export function interruptJobs(db: WriteDb): number {
  return db.run(
    "UPDATE jobs SET status = 'interrupted', ended_at = ? WHERE status IN ('queued', 'running')",
    new Date().toISOString(),
  ).changes;
}
