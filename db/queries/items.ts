// Items of a rollout: outlines for laying out a list, pages with texts up to a cap, and all parts for the rule filter.

import type { ItemOutline, ItemRow, PartRow } from '../../app/contract/records.ts';
import type { ItemKind, ItemRole, PartKind, SegmentKind } from '../../app/contract/vocabulary.ts';
import { decodeBody } from '../codec.ts';
import type { ReadDb } from '../connection.ts';
import { body } from './bodies.ts';
import { type SegmentPlace, segmentPlaces } from './segments.ts';

/** Characters of one part's text in a page of items; `body` gives the rest. */
const partTextCap = 32 * 1024;

function stepOf(place: SegmentPlace, step: number | null): number | null {
  return step === null ? null : place.stepsBefore + step;
}

interface StoredOutline extends Omit<ItemOutline, 'segment' | 'copied'> {
  readonly segmentId: number;
  readonly copied: number;
}

/** Outlines of all items of a rollout, in order: no texts. */
export function outline(db: ReadDb, rolloutId: number): ItemOutline[] {
  const places = new Map(segmentPlaces(db, rolloutId).map((place) => [place.id, place]));
  const rows = db.all<StoredOutline>(
    `SELECT i.segment_id AS segmentId, i.kind, i.step_kind AS stepKind, i.step, i.role, i.copied, i.size,
       (SELECT COUNT(*) FROM parts p WHERE p.item_id = i.id) AS parts, i.token_start AS tokenStart, i.token_end AS tokenEnd
     FROM segments s JOIN items i ON i.segment_id = s.id WHERE s.rollout_id = ? ORDER BY s.idx, i.idx`,
    rolloutId,
  );
  return rows.flatMap(({ segmentId, ...row }) => {
    const place = places.get(segmentId);
    if (place === undefined) return [];
    return [{ ...row, segment: place.index, step: stepOf(place, row.step), copied: row.copied === 1 }];
  });
}

interface StoredItem
  extends Omit<ItemRow, 'segment' | 'copied' | 'compactionSummary' | 'meanAdvantage' | 'parts' | 'extra'> {
  readonly id: number;
  readonly copied: number;
  readonly compactionSummary: number;
  readonly extraBody: number | null;
}

const itemSql = `
  SELECT id, idx AS "index", kind, step_kind AS stepKind, step, role, copied, compaction_summary AS compactionSummary, title,
    token_start AS tokenStart, token_end AS tokenEnd, reward, advantage, weight_version AS weightVersion,
    finish_reason AS finishReason, model, prompt_tokens AS promptTokens, completion_tokens AS completionTokens, time,
    duration_ms AS durationMs, line, byte_offset AS "offset", extra_body AS extraBody
  FROM items WHERE segment_id = ? AND idx >= ? ORDER BY idx LIMIT ?`;

/**
 * Items [start, start + count) of a rollout, without advantages (`itemMeans` adds them). Texts are cut at `cap` UTF-16 units,
 * never inside a surrogate pair.
 */
export function items(
  db: ReadDb,
  rolloutId: number,
  start: number,
  count: number,
  cap: number = partTextCap,
): ItemRow[] {
  const found: ItemRow[] = [];
  for (const place of segmentPlaces(db, rolloutId)) {
    const from = start + found.length - place.firstItem;
    const wanted = count - found.length;
    if (wanted <= 0) break;
    if (from >= place.items || from < 0) continue;
    for (const stored of db.all<StoredItem>(itemSql, place.id, from, wanted)) {
      const { id, extraBody, ...row } = stored;
      found.push({
        ...row,
        index: place.firstItem + row.index,
        segment: place.index,
        step: stepOf(place, row.step),
        copied: row.copied === 1,
        compactionSummary: row.compactionSummary === 1,
        meanAdvantage: null,
        parts: partsOf(db, id, cap),
        extra: extraBody === null ? null : body(db, extraBody),
      });
    }
  }
  return found;
}

interface StoredPart extends Omit<PartRow, 'isError' | 'text'> {
  readonly isError: number;
  readonly codec: 0 | 1;
  readonly bytes: number;
  readonly data: Uint8Array;
}

function partsOf(db: ReadDb, itemId: number, cap: number): PartRow[] {
  const rows = db.all<StoredPart>(
    `SELECT p.idx AS "index", p.kind, p.name, p.call_id AS callId, p.is_error AS isError, p.size, p.body_id AS body,
       b.codec, b.bytes, b.data
     FROM parts p JOIN bodies b ON b.id = p.body_id WHERE p.item_id = ? ORDER BY p.idx`,
    itemId,
  );
  return rows.map(({ codec, bytes, data, isError, ...row }) => ({
    ...row,
    isError: isError === 1,
    text: cut(decodeBody({ codec, bytes, data }), cap),
  }));
}

/** The first `cap` UTF-16 units, one less where that would split a surrogate pair. */
function cut(text: string, cap: number): string {
  if (text.length <= cap) return text;
  const last = text.charCodeAt(cap - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? cap - 1 : cap);
}

/** One part with its whole text and what the rules need to know about where it stands. */
export interface ScanPart {
  readonly item: number;
  readonly segment: number;
  readonly segmentKind: SegmentKind;
  /** Number of the step in the rollout, from 1; null for what is not a step. */
  readonly step: number | null;
  readonly part: number;
  readonly kind: PartKind;
  readonly itemKind: ItemKind;
  readonly role: ItemRole;
  readonly stepKind: 'execution' | 'summary' | null;
  readonly copied: boolean;
  readonly compactionSummary: boolean;
  readonly toolName: string | null;
  readonly callId: string | null;
  /** The stored text, not the view text. */
  readonly text: string;
}

interface StoredScanPart {
  readonly segmentId: number;
  readonly itemIdx: number;
  readonly step: number | null;
  readonly part: number;
  readonly kind: PartKind;
  readonly itemKind: ItemKind;
  readonly role: ItemRole;
  readonly stepKind: 'execution' | 'summary' | null;
  readonly copied: number;
  readonly compactionSummary: number;
  readonly toolName: string | null;
  readonly callId: string | null;
  readonly codec: 0 | 1;
  readonly bytes: number;
  readonly data: Uint8Array;
}

/** All parts of a rollout in order, texts whole. */
export function scanParts(db: ReadDb, rolloutId: number): ScanPart[] {
  const places = new Map(segmentPlaces(db, rolloutId).map((place) => [place.id, place]));
  const rows = db.all<StoredScanPart>(
    `SELECT i.segment_id AS segmentId, i.idx AS itemIdx, i.step, p.idx AS part, p.kind, i.kind AS itemKind, i.role,
       i.step_kind AS stepKind, i.copied, i.compaction_summary AS compactionSummary, p.name AS toolName, p.call_id AS callId,
       b.codec, b.bytes, b.data
     FROM segments s JOIN items i ON i.segment_id = s.id JOIN parts p ON p.item_id = i.id JOIN bodies b ON b.id = p.body_id
     WHERE s.rollout_id = ? AND cancelled() = 0 ORDER BY s.idx, i.idx, p.idx`,
    rolloutId,
  );
  return rows.flatMap(({ segmentId, itemIdx, codec, bytes, data, ...row }) => {
    const place = places.get(segmentId);
    if (place === undefined) return [];
    return [
      {
        ...row,
        item: place.firstItem + itemIdx,
        segment: place.index,
        segmentKind: place.kind,
        step: stepOf(place, row.step),
        copied: row.copied === 1,
        compactionSummary: row.compactionSummary === 1,
        text: decodeBody({ codec, bytes, data }),
      },
    ];
  });
}
