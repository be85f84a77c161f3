// Stored results of estimators: one run per rollout, estimator and parameters; a newer one replaces it.

import type { EstimatorRun } from '../../app/contract/advantages.ts';
import type { RolloutAdvantages } from '../../app/contract/estimator.ts';
import { invariant } from '../../app/shared/assert.ts';
import { packColumn } from '../codec.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { shortHash } from '../ids.ts';
import { buildPyramid } from '../pyramid.ts';
import { storedJson } from '../row.ts';
import { columnOf } from './tokens.ts';

/** One column of a run over all tokens of a segment; a masked token is 0. */
export interface RunColumn {
  /** Row id of the segment. */
  readonly segmentId: number;
  readonly name: 'advantages' | 'returns' | 'weights';
  readonly data: ArrayLike<number>;
}

export interface RunDraft {
  readonly rolloutId: number;
  readonly estimator: string;
  readonly estimatorVersion: string;
  readonly preset: string | null;
  /** All parameters with their values, defaults included. */
  readonly params: Readonly<Record<string, unknown>>;
  /** See `inputsHash`. */
  readonly inputsHash: string;
  /** The result; per-token arrays in it are left out, they belong into `columns`. */
  readonly result: RolloutAdvantages;
  readonly columns: readonly RunColumn[];
}

/** JSON with the keys of every object in order, so that equal parameters have equal text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/**
 * Stores a run with its columns as float32, replacing the rollout's older run of the same estimator and parameters. Its public
 * id (`a-` and 12 hex digits) is made of rollout, estimator and parameters. The list's largest |advantage| follows the newest
 * run that gave advantages. Gives the id.
 */
export function insertRun(db: WriteDb, draft: RunDraft): string {
  return db.transaction(() => {
    const rollout = db.value<string>('SELECT uid FROM rollouts WHERE id = ? AND uid IS NOT NULL', draft.rolloutId);
    invariant(rollout !== undefined, `rollout ${draft.rolloutId} of the run is not in the workspace`);
    const params = canonicalJson(draft.params);
    const uid = `a-${shortHash(JSON.stringify([rollout, draft.estimator, params]))}`;
    db.run('DELETE FROM estimator_runs WHERE uid = ?', uid);
    const { lastId } = db.run(
      `INSERT INTO estimator_runs (uid, rollout_id, estimator, estimator_version, preset, params, inputs_hash, result, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      uid,
      draft.rolloutId,
      draft.estimator,
      draft.estimatorVersion,
      draft.preset,
      params,
      draft.inputsHash,
      JSON.stringify(withoutTokens(draft.result)),
      new Date().toISOString(),
    );
    for (const column of draft.columns) insertColumn(db, lastId, column);
    updateLargest(db, draft);
    return uid;
  });
}

function withoutTokens(result: RolloutAdvantages): RolloutAdvantages {
  const segments = result.segments.map(({ advantages: _advantages, returns: _returns, ...segment }) => segment);
  return { ...result, segments };
}

function insertColumn(db: WriteDb, runId: number, column: RunColumn): void {
  const data = column.data instanceof Float32Array ? column.data : new Float32Array(column.data);
  db.run(
    'INSERT INTO estimator_columns (run_id, segment_id, name, length, data, pyramid) VALUES (?, ?, ?, ?, ?, ?)',
    runId,
    column.segmentId,
    column.name,
    data.length,
    packColumn(data).data,
    buildPyramid(data, 0, columnOf(db, column.segmentId, 'loss_mask')),
  );
}

function updateLargest(db: WriteDb, draft: RunDraft): void {
  const magnitudes = draft.result.segments.flatMap((segment) => segment.stats.maxAbs ?? []);
  const givesAdvantages = draft.columns.some((column) => column.name === 'advantages');
  if (!givesAdvantages || magnitudes.length === 0) return;
  db.run('UPDATE rollouts SET max_abs_advantage = ? WHERE id = ?', Math.max(...magnitudes), draft.rolloutId);
}

/** What makes a stored run current: the estimator's version now (undefined: no longer there), the hash of its inputs now. */
export interface RunCurrency {
  version(estimator: string): string | undefined;
  inputsHash(estimator: string): string;
}

interface StoredRun extends Omit<EstimatorRun, 'params' | 'result' | 'stale'> {
  readonly params: string;
  readonly result: string;
  readonly inputsHash: string;
}

const runSql = `
  SELECT e.uid AS id, r.uid AS rollout, e.estimator, e.estimator_version AS estimatorVersion, e.preset, e.params,
    e.inputs_hash AS inputsHash, e.result, e.created_at AS createdAt
  FROM estimator_runs e JOIN rollouts r ON r.id = e.rollout_id`;

function runOf(stored: StoredRun, now: RunCurrency): EstimatorRun {
  const { inputsHash, ...run } = stored;
  return {
    ...run,
    params: storedJson<Record<string, unknown>>(run.params),
    result: storedJson<RolloutAdvantages>(run.result),
    stale: now.version(run.estimator) !== run.estimatorVersion || now.inputsHash(run.estimator) !== inputsHash,
  };
}

/** The runs of a rollout, newest first; `stale` when the estimator's version or the inputs changed since. */
export function listRuns(db: ReadDb, rolloutId: number, now: RunCurrency): EstimatorRun[] {
  return db
    .all<StoredRun>(`${runSql} WHERE e.rollout_id = ? ORDER BY e.id DESC`, rolloutId)
    .map((run) => runOf(run, now));
}

/** One run by its public id, or null. */
export function runByUid(db: ReadDb, uid: string, now: RunCurrency): EstimatorRun | null {
  const stored = db.get<StoredRun>(`${runSql} WHERE e.uid = ?`, uid);
  return stored === undefined ? null : runOf(stored, now);
}

/** Deletes a run by its public id. */
export function deleteRun(db: WriteDb, uid: string): void {
  db.run('DELETE FROM estimator_runs WHERE uid = ?', uid);
}
