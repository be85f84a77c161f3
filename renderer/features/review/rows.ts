// The rows of the reading pane: items, the segments they stand in, and gaps where items are left out. Pure, from the outline
// alone, so that a rollout of any length can be laid out before its texts are there.

import type { ItemOutline, ReviewMarker, SegmentRow } from '../../../app/contract/index.ts';

export type Row =
  | { readonly kind: 'segment'; readonly key: string; readonly segment: SegmentRow }
  | { readonly kind: 'item'; readonly key: string; readonly index: number; readonly outline: ItemOutline }
  /** Items [start, end) that are not shown: left out of this view, or carried over from an earlier segment. */
  | {
      readonly kind: 'gap';
      readonly key: string;
      readonly start: number;
      readonly end: number;
      readonly carried: boolean;
    };

/** A rollout of at most so many items is shown whole: there is nothing to save. */
const wholeBelow = 30;

/** Items that show the evidence: the task, the marked places with a neighbour on both sides, and the end. */
export function evidenceItems(outline: readonly ItemOutline[], markers: readonly ReviewMarker[]): ReadonlySet<number> {
  const all = outline.flatMap((item, index) => (item.copied ? [] : [index]));
  if (all.length <= wholeBelow) return new Set(all);
  const places = markers.flatMap((marker) => [marker.item, ...marker.chain.map((hop) => hop.item)]);
  const shown = new Set(taskItems(outline));
  for (const place of places) for (const near of [place - 1, place, place + 1]) shown.add(near);
  for (const index of all.slice(-3)) shown.add(index);
  return shown;
}

/** The system message and the task: the inputs before the first step. */
export function taskItems(outline: readonly ItemOutline[]): readonly number[] {
  const first = outline.findIndex((item) => item.kind === 'step');
  return outline.slice(0, first < 0 ? outline.length : first).map((_, index) => index);
}

/** The task, and what each compaction kept: the steps of summaries and the inputs that a rewritten context starts with. */
export function aboutItems(outline: readonly ItemOutline[], segments: readonly SegmentRow[]): ReadonlySet<number> {
  const shown = new Set(taskItems(outline));
  for (const segment of segments) {
    const end = Math.min(outline.length, segment.firstItem + segment.items);
    for (let index = segment.firstItem; index < end; index += 1) {
      const item = outline[index];
      if (item === undefined || item.copied) continue;
      if (item.stepKind === 'summary') shown.add(index);
      if (segment.link === 'compaction' && item.kind === 'step' && item.stepKind !== 'summary') break;
      if (segment.link === 'compaction') shown.add(index);
    }
  }
  return shown;
}

/**
 * The rows of a view. `shown` are its items, null for all of them; `opened` are items of gaps that a person opened. The header
 * of a segment stands where the rollout has several of them and the view shows something of it.
 */
export function buildRows(
  segments: readonly SegmentRow[],
  outline: readonly ItemOutline[],
  shown: ReadonlySet<number> | null,
  opened: ReadonlySet<number>,
): Row[] {
  const rows: Row[] = [];
  const addToGap = (index: number, carried: boolean): void => {
    const last = rows.at(-1);
    if (last?.kind === 'gap' && last.end === index && last.carried === carried) {
      rows[rows.length - 1] = { ...last, end: index + 1 };
    } else rows.push({ kind: 'gap', key: `g${index}`, start: index, end: index + 1, carried });
  };
  for (const segment of segments) {
    const end = Math.min(outline.length, segment.firstItem + segment.items);
    const indices = Array.from({ length: Math.max(0, end - segment.firstItem) }, (_, at) => segment.firstItem + at);
    const isShown = (index: number): boolean =>
      opened.has(index) || (shown === null ? outline[index]?.copied === false : shown.has(index));
    if (segments.length > 1 && (shown === null || indices.some(isShown))) {
      rows.push({ kind: 'segment', key: `s${segment.index}`, segment });
    }
    for (const index of indices) {
      const item = outline[index];
      if (item === undefined) break;
      if (isShown(index)) rows.push({ kind: 'item', key: `i${index}`, index, outline: item });
      else addToGap(index, item.copied);
    }
  }
  return rows;
}

const charsPerLine = 100;
const linePx = 19;

/** Height of a row in pixels before it is measured. */
export function estimateRow(row: Row): number {
  if (row.kind !== 'item') return 30;
  const { outline } = row;
  const lines = Math.min(outline.kind === 'step' ? 24 : 4, Math.ceil(outline.size / charsPerLine));
  const blocks = outline.kind === 'step' ? Math.max(0, outline.parts - 1) * 24 : 0;
  return 24 + Math.max(1, lines) * linePx + Math.min(240, blocks);
}

/** The item row next to `from` in a direction, by item index; null at the end. */
export function neighbour(rows: readonly Row[], from: number | null, step: 1 | -1): number | null {
  const items = rows.flatMap((row) => (row.kind === 'item' ? [row.index] : []));
  if (from === null) return items[0] ?? null;
  return (step === 1 ? items.find((index) => index > from) : items.findLast((index) => index < from)) ?? null;
}
