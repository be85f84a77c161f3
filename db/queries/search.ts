// The full-text index over bodies and what a search needs to know: which bodies may contain a text, and where a body stands.
// The index only proposes; whoever asks reads the candidates and decides. Texts are prepared by the caller, since this layer
// knows neither folding nor views.

import type { ItemKind, ItemRole, PartKind } from '../../app/contract/vocabulary.ts';
import { decodeBody } from '../codec.ts';
import type { ReadDb, WriteDb } from '../connection.ts';

/** Larger bodies (UTF-8 bytes) are not indexed but always candidates. The partial index `bodies_large` (migration 2) has the same figure. */
const indexedBytesMax = 524_288;

/** Deleted bodies that the index may hold before it is made anew: then when they are more than half of it. */
const staleKept = 500;

/** A body's text as the index takes it: folded, as stored and, where that differs, as tool-call arguments read. */
export interface IndexText {
  readonly raw: string;
  readonly view: string | null;
}

export interface IndexLimits {
  /** UTF-8 bytes after which a batch ends. */
  readonly bytes: number;
  /** Milliseconds after which a batch ends. */
  readonly milliseconds: number;
}

/** How far the index is, in bodies. */
export interface IndexState {
  readonly indexed: number;
  readonly total: number;
}

interface Stored {
  readonly id: number;
  readonly codec: 0 | 1;
  readonly bytes: number;
  readonly data: Uint8Array;
}

/** Every body up to this id is in the index or large; 0 when the index was made with another folding. */
function reach(db: ReadDb, folding: string): number {
  return db.value<number>('SELECT indexed_to FROM search_state WHERE folding = ?', folding) ?? 0;
}

function lastBody(db: ReadDb): number {
  return db.value<number>('SELECT MAX(id) FROM bodies') ?? 0;
}

/** How far the index made with this folding is. Cheap: body ids are dense but for deletions. */
export function indexState(db: ReadDb, folding: string): IndexState {
  return db.snapshot(() => ({ indexed: reach(db, folding), total: lastBody(db) }));
}

/**
 * Indexes the next bodies in one transaction, until a limit is passed; at least one, so that it always gets on. An index of
 * another folding is thrown away first. The reach moves in the same transaction, so that a crash loses a batch and no more.
 */
export function indexBodies(
  db: WriteDb,
  prepare: (text: string) => IndexText,
  folding: string,
  limits: IndexLimits,
): IndexState {
  return db.transaction(() => {
    if (!isWorthKeeping(db, folding)) {
      db.run("INSERT INTO body_trigrams (body_trigrams) VALUES ('delete-all')");
      db.run('UPDATE search_state SET indexed_to = 0, entries = 0, stale = 0, folding = ?', folding);
    }
    const total = lastBody(db);
    let entries = 0;
    let indexed = reach(db, folding);
    const until = performance.now() + limits.milliseconds;
    for (let bytes = 0; indexed < total && bytes < limits.bytes; ) {
      const body = db.get<Stored>(
        'SELECT id, codec, bytes, data FROM bodies WHERE id > ? ORDER BY id LIMIT 1',
        indexed,
      );
      if (body === undefined) break;
      if (body.bytes <= indexedBytesMax) {
        const { raw, view } = prepare(decodeBody(body));
        // A deleted body may have had this id.
        db.run('INSERT OR REPLACE INTO body_trigrams (rowid, raw, "view") VALUES (?, ?, ?)', body.id, raw, view);
        entries += 1;
        bytes += body.bytes;
      }
      indexed = body.id;
      if (performance.now() > until) break;
    }
    if (indexed > 0) db.run('UPDATE search_state SET indexed_to = ?, entries = entries + ?', indexed, entries);
    return { indexed, total };
  });
}

function isWorthKeeping(db: ReadDb, folding: string): boolean {
  const kept = 'SELECT 1 FROM search_state WHERE folding = ? AND (stale <= ? OR stale * 2 <= entries)';
  return db.value(kept, folding, staleKept) !== undefined;
}

/** A trigram as an FTS5 string: nothing in it is syntax. */
function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}

export interface CandidateQuery {
  /** Folded trigrams that must all occur; null when the index cannot help. */
  readonly trigrams: readonly string[] | null;
  readonly folding: string;
  /** Ids in (after, upTo]. */
  readonly after: number;
  readonly upTo: number;
  /** At most so many. */
  readonly count: number;
}

/**
 * The next bodies that may contain a text, by id: what the index proposes, every large body, and every body that the index
 * does not reach yet. Fewer than `count` means that there are no more.
 */
export function candidateBodies(db: ReadDb, query: CandidateQuery): number[] {
  const { trigrams, folding, after, upTo, count } = query;
  const indexed = trigrams === null ? 0 : Math.min(reach(db, folding), upTo);
  const found = new Set<number>();
  if (trigrams !== null && after < indexed) {
    const match = trigrams.map(quoted).join(' AND ');
    const within = [after, indexed, count] as const;
    for (const id of db.column<number>(
      'SELECT rowid FROM body_trigrams WHERE body_trigrams MATCH ? AND rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ?',
      match,
      ...within,
    ))
      found.add(id);
    for (const id of db.column<number>(
      `SELECT id FROM bodies WHERE bytes > ${indexedBytesMax} AND id > ? AND id <= ? ORDER BY id LIMIT ?`,
      ...within,
    ))
      found.add(id);
  }
  if (found.size < count) {
    const rest = 'SELECT id FROM bodies WHERE id > ? AND id <= ? ORDER BY id LIMIT ?';
    for (const id of db.column<number>(rest, Math.max(after, indexed), upTo, count)) found.add(id);
  }
  return [...found].sort((a, b) => a - b).slice(0, count);
}

/** Whether a body is the arguments of a tool call anywhere: then its view counts too. */
export function isArguments(db: ReadDb, bodyId: number): boolean {
  return db.value("SELECT 1 FROM parts WHERE body_id = ? AND kind = 'tool_call' LIMIT 1", bodyId) !== undefined;
}

/** A part that a body is the text of, in a rollout that is in force. */
export interface BodyPlace {
  readonly rolloutId: number;
  readonly rollout: string;
  readonly externalId: string;
  readonly task: string | null;
  readonly segmentId: number;
  /** Order within the segment. */
  readonly itemIdx: number;
  readonly itemKind: ItemKind;
  /** Number in the segment, from 1; null for what is not a step. */
  readonly step: number | null;
  readonly role: ItemRole;
  readonly copied: number;
  readonly part: number;
  readonly partKind: PartKind;
  readonly name: string | null;
}

/** Where a body stands, in order of rollout, segment, item and part. */
export function bodyPlaces(db: ReadDb, bodyId: number): BodyPlace[] {
  return db.all<BodyPlace>(
    `SELECT i.rollout_id AS rolloutId, r.uid AS rollout, r.external_id AS externalId, r.task, i.segment_id AS segmentId,
       i.idx AS itemIdx, i.kind AS itemKind, i.step, i.role, i.copied, p.idx AS part, p.kind AS partKind, p.name
     FROM parts p JOIN items i ON i.id = p.item_id JOIN segments s ON s.id = i.segment_id JOIN rollouts r ON r.id = i.rollout_id
     WHERE p.body_id = ? AND r.uid IS NOT NULL AND cancelled() = 0 ORDER BY r.id, s.idx, i.idx, p.idx`,
    bodyId,
  );
}
