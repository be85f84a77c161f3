// Segments of a rollout: their rows, and where each lies on the rollout's two axes, items and tokens.

import type { SegmentRow } from '../../app/contract/records.ts';
import type { SegmentKind } from '../../app/contract/vocabulary.ts';
import type { ReadDb } from '../connection.ts';

/** Where a segment lies in its rollout. Items and tokens count over all segments, one after the other, in order. */
export interface SegmentPlace {
  readonly id: number;
  readonly index: number;
  readonly kind: SegmentKind;
  readonly items: number;
  readonly firstItem: number;
  /** Steps of the segments before this one. Steps are numbered over the whole rollout, sub-agents included. */
  readonly stepsBefore: number;
  readonly steps: number;
  readonly tokens: number;
  readonly axisStart: number;
}

/** The places of a rollout's segments, in order. */
export function segmentPlaces(db: ReadDb, rolloutId: number): SegmentPlace[] {
  const rows = db.all<Omit<SegmentPlace, 'firstItem' | 'stepsBefore' | 'axisStart'>>(
    'SELECT id, idx AS "index", kind, items, steps, tokens FROM segments WHERE rollout_id = ? ORDER BY idx',
    rolloutId,
  );
  let firstItem = 0;
  let stepsBefore = 0;
  let axisStart = 0;
  return rows.map((row) => {
    const place = { ...row, firstItem, stepsBefore, axisStart };
    firstItem += row.items;
    stepsBefore += row.steps;
    axisStart += row.tokens;
    return place;
  });
}

/** Tokens on the axis of a rollout. */
export function axisLength(places: readonly SegmentPlace[]): number {
  const last = places.at(-1);
  return last === undefined ? 0 : last.axisStart + last.tokens;
}

interface StoredSegment extends Omit<SegmentRow, 'firstItem' | 'axisStart' | 'columns' | 'tokensEstimated'> {
  readonly id: number;
  readonly tokensEstimated: number;
}

/** The segments of a rollout as the contract has them. */
export function segmentRows(db: ReadDb, rolloutId: number): SegmentRow[] {
  const columns = new Map<number, string[]>();
  for (const { segmentId, name } of db.all<{ segmentId: number; name: string }>(
    `SELECT c.segment_id AS segmentId, c.name FROM segments s JOIN token_columns c ON c.segment_id = s.id
     WHERE s.rollout_id = ? ORDER BY c.segment_id, c.name`,
    rolloutId,
  )) {
    const names = columns.get(segmentId);
    if (names === undefined) columns.set(segmentId, [name]);
    else names.push(name);
  }
  const places = new Map(segmentPlaces(db, rolloutId).map((place) => [place.id, place]));
  const rows = db.all<StoredSegment>(
    `SELECT id, idx AS "index", external_id AS externalId, kind, kind_source AS kindSource, link, parent_idx AS parentIndex,
       steps, items, tokens, trainable_tokens AS trainableTokens, prompt_length AS promptLength,
       context_before AS contextBefore, context_after AS contextAfter, "trigger", duration_ms AS durationMs, agent,
       tokens_estimated AS tokensEstimated
     FROM segments WHERE rollout_id = ? ORDER BY idx`,
    rolloutId,
  );
  return rows.map(({ id, ...row }) => ({
    ...row,
    tokensEstimated: row.tokensEstimated === 1,
    columns: columns.get(id) ?? [],
    firstItem: places.get(id)?.firstItem ?? 0,
    axisStart: places.get(id)?.axisStart ?? 0,
  }));
}
