// What is known of the newest scan of a rollout: with which pack, over which texts, and which rules were left out. With it a scan
// with another pack runs only the rules that differ.

import type { ReadDb, WriteDb } from '../connection.ts';
import { shortHash } from '../ids.ts';
import { storedJson } from '../row.ts';

/** The newest scan of a rollout. `packId` is null where it cannot be gone by: there was none, or what it read has changed. */
export interface ScanState {
  readonly rolloutId: number;
  /** What a scan reads now, hashed. */
  readonly input: string;
  readonly packId: number | null;
  /** Rules without a result. */
  readonly leftOut: readonly string[];
}

/** What a scan of one rollout went by. */
export interface ScanBasis {
  readonly input: string;
  readonly leftOut: readonly string[];
}

interface StoredScan {
  readonly packId: number;
  readonly input: string;
  readonly leftOut: string;
}

/** The state of each rollout, in the order given. Rollouts that are gone have one as well, with nothing to go by. */
export function scanStates(db: ReadDb, rolloutIds: readonly number[]): ScanState[] {
  return rolloutIds.map((rolloutId) => {
    const input = inputOf(db, rolloutId);
    const stored = db.get<StoredScan>(
      `SELECT pack_id AS packId, input, left_out AS leftOut FROM rollout_scans
       WHERE rollout_id = ? AND app_version = (SELECT value FROM settings WHERE key = 'app_version')`,
      rolloutId,
    );
    if (stored?.input !== input) return { rolloutId, input, packId: null, leftOut: [] };
    return { rolloutId, input, packId: stored.packId, leftOut: storedJson<string[]>(stored.leftOut) };
  });
}

/** Items are written once and never changed: their number and the newest of them tell one content from another. */
function inputOf(db: ReadDb, rolloutId: number): string {
  const items = db.get<{ count: number; newest: number | null }>(
    'SELECT COUNT(*) AS count, MAX(i.id) AS newest FROM segments s JOIN items i ON i.segment_id = s.id WHERE s.rollout_id = ?',
    rolloutId,
  );
  const contract = db.value<string | null>(
    `SELECT t.contract FROM rollouts r JOIN task_contracts t ON t.task = coalesce(nullif(r.task, ''), r.uid)
     WHERE r.id = ? ORDER BY t.version DESC LIMIT 1`,
    rolloutId,
  );
  return shortHash(JSON.stringify([items, contract ?? null]));
}

/** Remembers with what a rollout was scanned; with null it is forgotten. */
export function rememberScan(db: WriteDb, packId: number, rolloutId: number, basis: ScanBasis | null): void {
  if (basis === null) {
    db.run('DELETE FROM rollout_scans WHERE rollout_id = ?', rolloutId);
    return;
  }
  db.run(
    `INSERT INTO rollout_scans (rollout_id, pack_id, input, app_version, left_out)
     VALUES (?, ?, ?, COALESCE((SELECT value FROM settings WHERE key = 'app_version'), ''), ?)
     ON CONFLICT (rollout_id) DO UPDATE SET
       pack_id = excluded.pack_id, input = excluded.input, app_version = excluded.app_version, left_out = excluded.left_out`,
    rolloutId,
    packId,
    basis.input,
    JSON.stringify(basis.leftOut),
  );
}
