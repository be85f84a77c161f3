// Sources that grow or were interrupted: where reading can go on, taking back what came after that place, and putting what was
// added in force. A checkpoint is stored in the transaction of the rows before it, so the two never disagree.

import type { SourceRow } from '../../app/contract/imports.ts';
import type { Checkpoint } from '../../app/contract/ingest.ts';
import { defined } from '../../app/shared/assert.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { storedJson } from '../row.ts';
import { attributeAlerts } from './ingest-alerts.ts';
import { giveUids } from './rollout-uids.ts';
import { rolloutRemoval } from './source-removal.ts';

/** A checkpoint with the last rows that were written before it: rows of the source with larger ids came after. */
export interface StoredCheckpoint extends Checkpoint {
  readonly lastRollout: number;
  readonly lastAlert: number;
}

/** What an import added to a file that had grown. */
export type Growth = NonNullable<SourceRow['growth']>;

/** The source in force of a path as the next import of the path needs it. */
export interface EarlierSource {
  readonly id: number;
  readonly format: string | null;
  /** Size that the fingerprint and the content hash describe. */
  readonly size: number | null;
  readonly fingerprint: string | null;
  readonly contentHash: Uint8Array | null;
  readonly incomplete: boolean;
  readonly resume: StoredCheckpoint | null;
  /** Files that are part of it. */
  readonly parts: number;
  readonly rollouts: number;
}

/** A file as it is now, for the row of its source. */
export interface GrownFile {
  readonly size: number | null;
  readonly mtimeMs: number | null;
  readonly fingerprint: string | null;
}

/** The main source in force of a path; null when there is none. */
export function earlierSource(db: ReadDb, path: string): EarlierSource | null {
  const row = db.get<Omit<EarlierSource, 'incomplete' | 'resume'> & { incomplete: 0 | 1; resume: string | null }>(
    `SELECT id, format, size, fingerprint, content_hash AS contentHash, incomplete, resume,
       (SELECT COUNT(*) FROM sources p WHERE p.main_source_id = s.id) AS parts,
       (SELECT COUNT(*) FROM rollouts r WHERE r.source_id = s.id) AS rollouts
     FROM sources s WHERE path = ? AND status = 'imported' ORDER BY id DESC LIMIT 1`,
    path,
  );
  if (row === undefined) return null;
  return { ...row, incomplete: row.incomplete === 1, resume: checkpointOf(row.resume) };
}

/** The stored checkpoint of a source; null when it is read from the start. */
export function resumePlace(db: ReadDb, sourceId: number): StoredCheckpoint | null {
  return checkpointOf(db.value<string | null>('SELECT resume FROM sources WHERE id = ?', sourceId));
}

/** Stores a checkpoint; call it in the transaction of the rows before it. */
export function storeCheckpoint(db: WriteDb, sourceId: number, checkpoint: StoredCheckpoint): void {
  db.run('UPDATE sources SET resume = ? WHERE id = ?', JSON.stringify(checkpoint), sourceId);
}

function checkpointOf(json: string | null | undefined): StoredCheckpoint | null {
  return json === null || json === undefined ? null : storedJson<StoredCheckpoint>(json);
}

/**
 * Opens a source in force for what was added to its file: what an earlier import wrote after the checkpoint (a last line that
 * was cut, notes about the whole file) is taken back, and until `finishGrowth` the source counts as incomplete.
 */
export function openGrowth(db: WriteDb, sourceId: number, file: GrownFile, owner: string): StoredCheckpoint {
  const place = defined(resumePlace(db, sourceId), 'a place to go on');
  takeBack(db, sourceId, place);
  db.run(
    'UPDATE sources SET incomplete = 1, owner = ?, size = ?, mtime_ms = ?, fingerprint = ?, content_hash = NULL WHERE id = ?',
    owner,
    file.size,
    file.mtimeMs,
    file.fingerprint,
    sourceId,
  );
  return place;
}

export interface GrowthOutcome {
  readonly contentHash: Uint8Array | null;
  /** Of the file as it was when the growth was opened; null where it cannot be told any more. */
  readonly fingerprint: string | null;
  readonly elapsedMs: number;
  /** Null, as `growth`, when there was nothing new: what was said of the import before then stands. */
  readonly message: string | null;
  readonly growth: Growth | null;
}

/** Puts what was added in force. The rollouts that were there keep their ids, rows and labels. */
export function finishGrowth(db: WriteDb, sourceId: number, outcome: GrowthOutcome): void {
  db.transaction(() => {
    enforceNew(db, sourceId, outcome.contentHash);
    db.run(
      `UPDATE sources SET incomplete = 0, owner = NULL, message = COALESCE(?, message), hint = NULL, content_hash = ?,
         fingerprint = ?, growth = COALESCE(?, growth),
         bytes_read = MAX(bytes_read, ?), elapsed_ms = ?, imported_at = ? WHERE id = ?`,
      outcome.message,
      outcome.contentHash,
      outcome.fingerprint,
      outcome.growth === null ? null : JSON.stringify(outcome.growth),
      resumePlace(db, sourceId)?.offset ?? 0,
      outcome.elapsedMs,
      new Date().toISOString(),
      sourceId,
    );
  });
}

/** How much of a source was read: the place of its checkpoint, and the rollouts before it. */
export function readSoFar(db: ReadDb, sourceId: number): { readonly offset: number; readonly rollouts: number } {
  return {
    offset: resumePlace(db, sourceId)?.offset ?? 0,
    rollouts: db.value<number>('SELECT COUNT(*) FROM rollouts WHERE source_id = ?', sourceId) ?? 0,
  };
}

/** Takes back what was added to a source since `openGrowth`; the next import looks at the file again. */
export function undoGrowth(db: WriteDb, sourceId: number, earlier: EarlierSource): void {
  const place = defined(earlier.resume, 'the place before');
  takeBack(db, sourceId, place);
  db.transaction(() => {
    storeCheckpoint(db, sourceId, place);
    db.run(
      'UPDATE sources SET incomplete = ?, owner = NULL, size = ?, mtime_ms = NULL, fingerprint = ?, content_hash = ? WHERE id = ?',
      earlier.incomplete ? 1 : 0,
      earlier.size,
      earlier.fingerprint,
      earlier.contentHash,
      sourceId,
    );
  });
}

/**
 * Ends an import in the middle: what was committed up to the checkpoint comes into force and stays, what came after it goes.
 * Gives false when nothing can stay (no checkpoint, nothing before it, or an older version of the file is in force); the
 * caller then deletes the source.
 */
export function settleInterrupted(db: WriteDb, sourceId: number): boolean {
  const place = resumePlace(db, sourceId);
  if (place === null) return false;
  takeBack(db, sourceId, place);
  return db.transaction(() => {
    const source = defined(
      db.get<{ path: string; status: string; size: number | null }>(
        'SELECT path, status, size FROM sources WHERE id = ?',
        sourceId,
      ),
      `source ${sourceId}`,
    );
    const rollouts = defined(
      db.value<number>('SELECT COUNT(*) FROM rollouts WHERE source_id = ?', sourceId),
      'a number of rollouts',
    );
    const isNew = source.status === 'importing';
    const rival = "SELECT 1 FROM sources WHERE path = ? AND id <> ? AND status IN ('imported', 'part')";
    if (isNew && (rollouts === 0 || db.value<number>(rival, source.path, sourceId) !== undefined)) return false;
    attributeAlerts(db, sourceId);
    enforceNew(db, sourceId, null);
    const of = source.size === null ? '' : ` of ${source.size}`;
    db.run(
      `UPDATE sources SET status = 'imported', incomplete = 1, owner = NULL, imported_at = COALESCE(imported_at, ?),
         message = ?, hint = ? WHERE id = ?`,
      new Date().toISOString(),
      `The import was interrupted at byte ${place.offset}${of}; the ${rollouts} rollouts before it are here.`,
      'Import the file again: it goes on where it stopped.',
      sourceId,
    );
    return true;
  });
}

function enforceNew(db: WriteDb, sourceId: number, contentHash: Uint8Array | null): void {
  const path = defined(db.value<string>('SELECT path FROM sources WHERE id = ?', sourceId), `source ${sourceId}`);
  giveUids(db, sourceId, path, contentHash, new Map());
}

/** Removes the rows of a source that were written after a checkpoint. */
function takeBack(db: WriteDb, sourceId: number, place: StoredCheckpoint): void {
  for (const _ of rolloutRemoval(db, sourceId, place.lastRollout)) {
    // Each step is one transaction; nothing to do between them here.
  }
  db.transaction(() => {
    const touched = db.column<number>(
      'SELECT DISTINCT rollout_id FROM alerts WHERE source_id = ? AND id > ? AND rollout_id IS NOT NULL',
      sourceId,
      place.lastAlert,
    );
    db.run('DELETE FROM alerts WHERE source_id = ? AND id > ?', sourceId, place.lastAlert);
    for (const id of touched) {
      db.run(
        `UPDATE rollouts SET alerts = (SELECT TOTAL(count) FROM alerts WHERE rollout_id = rollouts.id AND severity <> 'info')
         WHERE id = ?`,
        id,
      );
    }
  });
}
