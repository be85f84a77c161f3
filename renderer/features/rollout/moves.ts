// Where the keys go next: items, segments, markers. Pure.

import type { ChainHop, ItemOutline, MarkerRow, SegmentRow, Span } from '../../../app/contract/index.ts';
import { carriedRunOf } from './rows.ts';

/** Whether an item has a row of its own: all but folded carried-over ones. */
export function isReachable(
  segments: readonly SegmentRow[],
  outline: readonly ItemOutline[],
  carried: ReadonlySet<number>,
  index: number,
): boolean {
  const run = carriedRunOf(segments, outline, index);
  return run === null || carried.has(run);
}

/** The next reachable item in a direction; null at the end. From nothing, the first or last one. */
export function nextReachable(
  count: number,
  from: number | null,
  by: 1 | -1,
  reachable: (index: number) => boolean,
): number | null {
  let at = from === null ? (by === 1 ? 0 : count - 1) : from + by;
  while (at >= 0 && at < count && !reachable(at)) at += by;
  return at >= 0 && at < count ? at : null;
}

/** The item a segment is entered at: its first one of its own, for what was carried over has been seen before. */
export function entryOf(segment: SegmentRow, outline: readonly ItemOutline[]): number {
  for (let item = segment.firstItem; item < segment.firstItem + segment.items; item += 1) {
    if (outline[item]?.copied === false) return item;
  }
  return segment.firstItem;
}

/** The next segment with items; null at the end. */
export function nextSegment(segments: readonly SegmentRow[], current: number | null, by: 1 | -1): SegmentRow | null {
  const position = segments.findIndex((segment) => segment.index === current);
  let at = position === -1 ? (by === 1 ? 0 : segments.length - 1) : position + by;
  while (at >= 0 && at < segments.length) {
    const segment = segments[at];
    if (segment !== undefined && segment.items > 0) return segment;
    at += by;
  }
  return null;
}

/** The marker after or before the selected one, else after or before the selected item; round at the ends. */
export function nextMarker(
  markers: readonly MarkerRow[],
  selected: string | null,
  item: number | null,
  by: 1 | -1,
): MarkerRow | null {
  if (markers.length === 0) return null;
  const position = markers.findIndex((marker) => marker.id === selected);
  if (position >= 0) return markers[(position + by + markers.length) % markers.length] ?? null;
  if (item === null) return (by === 1 ? markers[0] : markers.at(-1)) ?? null;
  const near =
    by === 1 ? markers.find((marker) => marker.item >= item) : markers.findLast((marker) => marker.item <= item);
  return near ?? (by === 1 ? markers[0] : markers.at(-1)) ?? null;
}

/** Position of the hop that is looked at; -1 when it is none of the chain's. */
export function hopAt(chain: readonly ChainHop[], focus: Span | null): number {
  if (focus === null) return -1;
  return chain.findIndex(
    ({ item, part, start, end }) =>
      item === focus.item && part === focus.part && start === focus.start && end === focus.end,
  );
}

/** The hop after or before the one that is looked at, round at the ends; from none, the source or the sink. */
export function nextHop(chain: readonly ChainHop[], focus: Span | null, by: 1 | -1): number {
  const at = hopAt(chain, focus);
  if (at < 0) return by === 1 ? 0 : chain.length - 1;
  return (at + by + chain.length) % chain.length;
}
