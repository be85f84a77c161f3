// Stored results of estimators: one run per rollout, estimator and parameters; a newer one replaces it.

import type { EstimatorRun, RunRow } from '../../app/contract/advantages.ts';
import type { RolloutAdvantages } from '../../app/contract/estimator.ts';
import type { CriticStandIn } from '../../app/contract/verify.ts';
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
  /** Where critic values came from, and the same in words. */
  readonly critic: CriticStandIn;
  readonly criticLabel: string;
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
 * id (`a-` and 12 hex digits) is made of rollout, estimator, parameters and a critic other than the logged one. The list's largest |advantage| follows the newest
 * run that gave advantages. Gives the id.
 */
export function insertRun(db: WriteDb, draft: RunDraft): string {
  return db.transaction(() => {
    const rollout = db.value<string>('SELECT uid FROM rollouts WHERE id = ? AND uid IS NOT NULL', draft.rolloutId);
    invariant(rollout !== undefined, `rollout ${draft.rolloutId} of the run is not in the workspace`);
    const params = canonicalJson(draft.params);
    const critic = canonicalJson(draft.critic);
    const standIn = draft.critic.kind === 'logged' ? [] : [critic];
    const uid = `a-${shortHash(JSON.stringify([rollout, draft.estimator, params, ...standIn]))}`;
    db.run('DELETE FROM estimator_runs WHERE uid = ?', uid);
    const { lastId } = db.run(
      `INSERT INTO estimator_runs
         (uid, rollout_id, estimator, estimator_version, preset, params, critic, critic_label, inputs_hash, result, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      uid,
      draft.rolloutId,
      draft.estimator,
      draft.estimatorVersion,
      draft.preset,
      params,
      critic,
      draft.criticLabel,
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

/** Shorter columns are drawn from the column itself: reading them costs less than building and storing a pyramid. */
const pyramidFromTokens = 65_536;

/** Only the curve of a run is drawn (see `runCurve` in tokens.ts), never its returns. */
function pyramidOf(db: WriteDb, { name, segmentId }: RunColumn, data: Float32Array): Uint8Array | null {
  if (name === 'returns' || data.length < pyramidFromTokens) return null;
  return buildPyramid(data, 0, columnOf(db, segmentId, 'loss_mask'));
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
    pyramidOf(db, column, data),
  );
}

function updateLargest(db: WriteDb, draft: RunDraft): void {
  const magnitudes = draft.result.segments.flatMap((segment) => segment.stats.maxAbs ?? []);
  const givesAdvantages = draft.columns.some((column) => column.name === 'advantages');
  if (!givesAdvantages || magnitudes.length === 0) return;
  db.run('UPDATE rollouts SET max_abs_advantage = ? WHERE id = ?', Math.max(...magnitudes), draft.rolloutId);
}

/** What a run was made with, as far as that decides what it depends on. */
export interface RunChoice {
  readonly estimator: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly critic: CriticStandIn;
}

/** What makes a stored run current: the estimator's version now (undefined: no longer there), the hash of its inputs now. */
export interface RunCurrency {
  version(estimator: string): string | undefined;
  inputsHash(rolloutId: number, choice: RunChoice): string;
}

interface StoredRun extends Omit<EstimatorRun, 'params' | 'critic' | 'result' | 'stale'> {
  readonly rolloutId: number;
  readonly params: string;
  readonly critic: string;
  readonly result: string;
  readonly inputsHash: string;
}

const runSql = `
  SELECT e.uid AS id, r.id AS rolloutId, r.uid AS rollout, e.estimator, e.estimator_version AS estimatorVersion, e.preset,
    e.params, e.critic, e.critic_label AS criticLabel, e.inputs_hash AS inputsHash, e.result, e.created_at AS createdAt
  FROM estimator_runs e JOIN rollouts r ON r.id = e.rollout_id`;

function runOf(stored: StoredRun, now: RunCurrency): EstimatorRun {
  const { inputsHash, rolloutId, ...run } = stored;
  const params = storedJson<Record<string, unknown>>(run.params);
  const critic = storedJson<CriticStandIn>(run.critic);
  const { estimator } = run;
  return {
    ...run,
    params,
    critic,
    result: storedJson<RolloutAdvantages>(run.result),
    stale:
      now.version(estimator) !== run.estimatorVersion ||
      now.inputsHash(rolloutId, { estimator, params, critic }) !== inputsHash,
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

/** A page of the runs of all rollouts, newest first, and how many there are. */
export function pageRuns(
  db: ReadDb,
  page: { readonly start: number; readonly count: number },
  now: RunCurrency,
): { total: number; rows: RunRow[] } {
  return db.snapshot(() => {
    const total = db.value<number>('SELECT COUNT(*) FROM estimator_runs') ?? 0;
    const stored = db.all<StoredRun & { externalId: string }>(
      `${runSql.replace('r.uid AS rollout,', 'r.uid AS rollout, r.external_id AS externalId,')}
       ORDER BY e.id DESC LIMIT ? OFFSET ?`,
      page.count,
      page.start,
    );
    const rows = stored.map(({ externalId, ...run }) => {
      const { result, ...row } = runOf(run, now);
      return { ...row, externalId, error: result.error?.code ?? null };
    });
    return { total, rows };
  });
}

/** Deletes runs by their public ids and gives how many there were. The list's largest |advantage| follows what is left. */
export function deleteRuns(db: WriteDb, uids: readonly string[]): number {
  return db.transaction(() => {
    const list = JSON.stringify(uids);
    const rollouts = db.column<number>(
      'SELECT DISTINCT rollout_id FROM estimator_runs WHERE uid IN (SELECT value FROM json_each(?))',
      list,
    );
    const { changes } = db.run('DELETE FROM estimator_runs WHERE uid IN (SELECT value FROM json_each(?))', list);
    for (const id of rollouts) {
      const results = db.column<string>(
        `SELECT result FROM estimator_runs e WHERE rollout_id = ? AND EXISTS (
           SELECT 1 FROM estimator_columns c WHERE c.run_id = e.id AND c.name = 'advantages') ORDER BY id DESC LIMIT 1`,
        id,
      );
      const newest = results.flatMap((text) => storedJson<RolloutAdvantages>(text).segments);
      const magnitudes = newest.flatMap((segment) => segment.stats.maxAbs ?? []);
      const largest = magnitudes.length === 0 ? null : Math.max(...magnitudes);
      db.run('UPDATE rollouts SET max_abs_advantage = ? WHERE id = ?', largest, id);
    }
    return changes;
  });
}
