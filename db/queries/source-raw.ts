// Where a source stood, and what the workspace itself kept of its bytes at a place.

import type { ReadDb } from '../connection.ts';
import { body } from './bodies.ts';

export interface SourcePlace {
  readonly path: string;
  readonly size: number | null;
  readonly mtimeMs: number | null;
}

/** Path, size and time of change of a source as it was imported; null for an unknown id. */
export function sourcePlace(db: ReadDb, id: number): SourcePlace | null {
  return db.get<SourcePlace>('SELECT path, size, mtime_ms AS mtimeMs FROM sources WHERE id = ?', id) ?? null;
}

/** What was kept of the record at a byte offset: the excerpt of an alert, else the record that was not understood. */
export function storedRaw(db: ReadDb, sourceId: number, offset: number): string | null {
  const quoted = db.value<string>(
    'SELECT raw FROM alerts WHERE source_id = ? AND first_offset = ? AND raw IS NOT NULL ORDER BY LENGTH(raw) DESC LIMIT 1',
    sourceId,
    offset,
  );
  if (quoted !== undefined) return quoted;
  const bodyId = db.value<number>(
    `SELECT p.body_id FROM rollouts r JOIN items i ON i.rollout_id = r.id JOIN parts p ON p.item_id = i.id
     WHERE r.source_id = ? AND i.byte_offset = ? AND p.kind = 'raw' ORDER BY i.id, p.idx LIMIT 1`,
    sourceId,
    offset,
  );
  return bodyId === undefined ? null : body(db, bodyId);
}
