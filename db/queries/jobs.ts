// Jobs that this workspace has seen, so that after a crash one can tell what was interrupted.

import type { InterruptedJob, JobRequest, JobState } from '../../app/contract/jobs.ts';
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

/** Followings that ended with the program that ran them and were not started again since; newest first, each request once. */
export function interruptedFollowings(db: ReadDb): InterruptedJob[] {
  const rows = db.all<{ id: string; title: string; request: string; startedAt: string | null; status: string }>(
    // With MAX(rowid) SQLite takes the bare columns from the newest row of each request.
    `SELECT id, title, request, started_at AS startedAt, status, MAX(rowid) FROM jobs
     WHERE kind = 'follow' GROUP BY request ORDER BY MAX(rowid) DESC`,
  );
  return rows
    .filter(({ status }) => status === 'interrupted')
    .map(({ id, title, request, startedAt }) => ({ id, title, request: storedJson<JobRequest>(request), startedAt }));
}

/** Forgets that a job was interrupted. Gives whether it was. */
export function dismissJob(db: WriteDb, id: string): boolean {
  return db.run("UPDATE jobs SET status = 'cancelled' WHERE id = ? AND status = 'interrupted'", id).changes > 0;
}

/** Marks jobs that were still running when an earlier process ended. Call it once after opening. Gives their number. */
export function interruptJobs(db: WriteDb): number {
  return db.run(
    "UPDATE jobs SET status = 'interrupted', ended_at = ? WHERE status IN ('queued', 'running')",
    new Date().toISOString(),
  ).changes;
}
