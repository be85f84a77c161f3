// Joined files of critic values: their columns by segment, and what was joined.

import type { TokenColumn, TokenDtype } from '../../app/contract/ingest.ts';
import type { ValueSet, ValuesReport } from '../../app/contract/values.ts';
import { Refusal } from '../../app/shared/errors.ts';
import { packColumn, unpackColumn } from '../codec.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { storedJson } from '../row.ts';

/** One column of a joined file. */
export interface ValueColumn {
  /** Row id of the segment. */
  readonly segmentId: number;
  /** First token that the column describes. */
  readonly start: number;
  readonly data: Float32Array | Float64Array;
}

/** A segment as a values file can name it. */
export interface JoinTarget {
  readonly segmentId: number;
  readonly rolloutId: number;
  readonly uid: string;
  readonly externalId: string;
  readonly index: number;
  readonly tokens: number;
  readonly promptLength: number | null;
}

/** Every segment of every rollout in force. */
export function joinTargets(db: ReadDb): JoinTarget[] {
  return db.all<JoinTarget>(
    `SELECT s.id AS segmentId, r.id AS rolloutId, r.uid, r.external_id AS externalId, s.idx AS "index", s.tokens,
       s.prompt_length AS promptLength
     FROM rollouts r JOIN segments s ON s.rollout_id = r.id WHERE r.uid IS NOT NULL ORDER BY r.id, s.idx`,
  );
}

/** Opens a set that is not in force yet: it has no report, and its name is not one that could be asked for. Gives the row id. */
export function openValueSet(db: WriteDb): number {
  // What a crash left half way goes first.
  db.run("DELETE FROM value_sets WHERE format = ''");
  return db.run(
    "INSERT INTO value_sets (uid, name, format, report, joined_at) VALUES (?, '', '', '{}', ?)",
    `joining ${process.pid} ${process.hrtime.bigint()}`,
    new Date().toISOString(),
  ).lastId;
}

/** Puts a set in force under the id of its report, in place of what an earlier joining of the same values left. */
export function closeValueSet(db: WriteDb, setId: number, report: ValuesReport): void {
  db.transaction(() => {
    db.run('DELETE FROM value_sets WHERE uid = ?', report.id);
    db.run(
      'UPDATE value_sets SET uid = ?, name = ?, format = ?, report = ? WHERE id = ?',
      report.id,
      report.name,
      report.format,
      JSON.stringify(report),
      setId,
    );
  });
}

/** Takes out a set that was not put in force. */
export function dropValueSet(db: WriteDb, setId: number): void {
  db.run('DELETE FROM value_sets WHERE id = ?', setId);
}

/** Adds columns to a set. Segments that are gone meanwhile are passed over. */
export function addValueColumns(db: WriteDb, setId: number, columns: readonly ValueColumn[]): void {
  for (const { segmentId, start, data } of columns) {
    const packed = packColumn(data);
    db.run(
      `INSERT OR REPLACE INTO value_columns (set_id, segment_id, dtype, start, data)
       SELECT ?, id, ?, ?, ? FROM segments WHERE id = ?`,
      setId,
      packed.dtype,
      start,
      packed.data,
      segmentId,
    );
  }
}

/** The joined files, newest first. */
export function listValueSets(db: ReadDb): ValueSet[] {
  return db
    .all<{ report: string; joinedAt: string }>(
      "SELECT report, joined_at AS joinedAt FROM value_sets WHERE format <> '' ORDER BY joined_at DESC, id DESC",
    )
    .map(({ report, joinedAt }) => ({ ...storedJson<ValuesReport>(report), joinedAt }));
}

/** Takes a set out; false when there is none such. */
export function removeValueSet(db: WriteDb, uid: string): boolean {
  return db.run('DELETE FROM value_sets WHERE uid = ?', uid).changes > 0;
}

/** Row id and name of a set. Refuses `values-unknown`. */
export function valueSetOf(db: ReadDb, uid: string): { readonly setId: number; readonly name: string } {
  const found = db.get<{ setId: number; name: string }>('SELECT id AS setId, name FROM value_sets WHERE uid = ?', uid);
  if (found !== undefined) return found;
  throw new Refusal('values-unknown', `No joined values are called ${uid}.`, 'Join the file again.');
}

/** A set's column of a segment, or null. */
export function valueColumn(db: ReadDb, setId: number, segmentId: number): TokenColumn | null {
  const row = db.get<{ dtype: TokenDtype; start: number; data: Uint8Array }>(
    'SELECT dtype, start, data FROM value_columns WHERE set_id = ? AND segment_id = ?',
    setId,
    segmentId,
  );
  return row === undefined ? null : { name: 'values', start: row.start, data: unpackColumn(row.dtype, row.data) };
}
