// The rows of the steps list: segment headers, compactions between segments, items, and carried-over context folded into
// one row. Pure, from the outline alone, so that the list can be laid out before any text is loaded.

import type { ItemOutline, SegmentRow } from '../../../app/contract/index.ts';

export type Row =
  | { readonly kind: 'segment'; readonly key: string; readonly segment: SegmentRow }
  | { readonly kind: 'compaction'; readonly key: string; readonly segment: SegmentRow }
  | { readonly kind: 'item'; readonly key: string; readonly index: number; readonly outline: ItemOutline }
  /** Items [start, end) that an earlier segment had already: carried over, not trained. */
  | {
      readonly kind: 'carried';
      readonly key: string;
      readonly start: number;
      readonly end: number;
      readonly segment: number;
    }
  | { readonly kind: 'empty'; readonly key: string; readonly segment: SegmentRow };

/** Builds the rows. `opened` holds the first items of carried-over runs that are unfolded. */
export function buildRows(
  segments: readonly SegmentRow[],
  outline: readonly ItemOutline[],
  opened: ReadonlySet<number>,
): Row[] {
  const rows: Row[] = [];
  for (const segment of segments) {
    if (segment.link === 'compaction') rows.push({ kind: 'compaction', key: `c${segment.index}`, segment });
    rows.push({ kind: 'segment', key: `s${segment.index}`, segment });
    const end = Math.min(outline.length, segment.firstItem + segment.items);
    if (end <= segment.firstItem) rows.push({ kind: 'empty', key: `e${segment.index}`, segment });
    let index = segment.firstItem;
    while (index < end) {
      const item = outline[index];
      if (item === undefined) break;
      const run = item.copied ? runOfCopied(outline, index, end) : index + 1;
      if (item.copied) rows.push({ kind: 'carried', key: `k${index}`, start: index, end: run, segment: segment.index });
      if (!item.copied || opened.has(index)) {
        for (let at = index; at < run; at += 1) {
          const one = outline[at];
          if (one !== undefined) rows.push({ kind: 'item', key: `i${at}`, index: at, outline: one });
        }
      }
      index = run;
    }
  }
  return rows;
}

function runOfCopied(outline: readonly ItemOutline[], from: number, end: number): number {
  let at = from;
  while (at < end && outline[at]?.copied === true) at += 1;
  return at;
}

/** The first item of the carried-over run an item is in; null when it is in none. */
export function carriedRunOf(
  segments: readonly SegmentRow[],
  outline: readonly ItemOutline[],
  item: number,
): number | null {
  if (outline[item]?.copied !== true) return null;
  const segment = segments.find((one) => item >= one.firstItem && item < one.firstItem + one.items);
  let start = item;
  while (start > (segment?.firstItem ?? 0) && outline[start - 1]?.copied === true) start -= 1;
  return start;
}

const charsPerLine = 105;
const linePx = 19;

/** Height of a row in pixels before it is measured, from the sizes in the outline. */
export function estimateRow(row: Row): number {
  switch (row.kind) {
    case 'segment':
      return 30;
    case 'compaction':
      return 40;
    case 'carried':
    case 'empty':
      return 34;
    case 'item': {
      const { outline } = row;
      if (outline.kind === 'boundary') return 40;
      const most = outline.kind === 'step' ? 24 : 3;
      const lines = Math.min(most, Math.ceil(outline.size / charsPerLine));
      const blocks = outline.kind === 'step' ? Math.max(0, outline.parts - 1) * 24 : 0;
      return 24 + Math.max(1, lines) * linePx + Math.min(240, blocks);
    }
  }
}

/** Position of the row that shows an item: its own row, or the carried-over row it is folded into. -1 when absent. */
export function rowOfItem(rows: readonly Row[], item: number): number {
  let low = 0;
  let high = rows.length - 1;
  let best = -1;
  // Rows are in item order; headers take the place of the first item behind them.
  while (low <= high) {
    const mid = (low + high) >> 1;
    const row = rows[mid];
    if (row === undefined) break;
    const first = firstItemOf(row);
    if (first <= item) {
      if (row.kind === 'item' || row.kind === 'carried') best = mid;
      low = mid + 1;
    } else {
      high = mid - 1;
    }
  }
  // Walk back from headers and empty segments to the row that holds the item.
  for (let at = Math.min(rows.length - 1, Math.max(best, low - 1)); at >= 0; at -= 1) {
    const row = rows[at];
    if (row?.kind === 'item' && row.index === item) return at;
    if (row?.kind === 'carried' && item >= row.start && item < row.end) return at;
    if (row !== undefined && (row.kind === 'item' || row.kind === 'carried') && firstItemOf(row) < item) return -1;
  }
  return -1;
}

function firstItemOf(row: Row): number {
  switch (row.kind) {
    case 'item':
      return row.index;
    case 'carried':
      return row.start;
    default:
      return row.segment.firstItem;
  }
}

/** Position of the header of a segment; -1 when absent. */
export function rowOfSegment(rows: readonly Row[], segment: number): number {
  return rows.findIndex((row) => row.kind === 'segment' && row.segment.index === segment);
}

/** The segment a row belongs to. */
export function segmentOfRow(row: Row): number {
  switch (row.kind) {
    case 'item':
      return row.outline.segment;
    case 'carried':
      return row.segment;
    default:
      return row.segment.index;
  }
}
