// Where items stand on the rollout's token axis. Steps of a log with token ids carry their action span; everything else is
// placed between its neighbours by the share of its text, so that the axis and the list always belong together.

import type { ItemOutline, SegmentRow } from '../../../app/contract/index.ts';
import type { ContextPoint } from '../../ui/axis/series.ts';

/** Tokens [start, end) of an item on the rollout's axis. */
export interface ItemSpan {
  readonly start: number;
  readonly end: number;
  /** True when the log gives no span for the item and it was placed by its text. */
  readonly estimated: boolean;
}

/** The span of every item, in order. Spans do not decrease and stay inside their segment. */
export function itemSpans(segments: readonly SegmentRow[], outline: readonly ItemOutline[]): ItemSpan[] {
  const spans: ItemSpan[] = [];
  for (const segment of segments) {
    const end = Math.min(outline.length, segment.firstItem + segment.items);
    let index = segment.firstItem;
    let at = 0;
    while (index < end) {
      let next = index;
      while (next < end && startOf(outline[next]) === null) next += 1;
      const known = next < end ? startOf(outline[next]) : null;
      const limit = Math.min(segment.tokens, Math.max(at, known ?? segment.tokens));
      spread(spans, outline, index, next, segment.axisStart, at, limit);
      at = limit;
      const item = outline[next];
      if (next < end && item !== undefined) {
        const stop = Math.min(segment.tokens, Math.max(at, item.tokenEnd ?? at));
        spans[next] = { start: segment.axisStart + at, end: segment.axisStart + stop, estimated: false };
        at = stop;
      }
      index = next + 1;
    }
  }
  return spans;
}

function startOf(item: ItemOutline | undefined): number | null {
  return item?.tokenStart ?? null;
}

/** Divides the tokens [from, to) among the items [first, last) by their sizes. */
function spread(
  spans: ItemSpan[],
  outline: readonly ItemOutline[],
  first: number,
  last: number,
  base: number,
  from: number,
  to: number,
): void {
  let weight = 0;
  for (let index = first; index < last; index += 1) weight += Math.max(1, outline[index]?.size ?? 1);
  let before = 0;
  for (let index = first; index < last; index += 1) {
    const size = Math.max(1, outline[index]?.size ?? 1);
    const start = Math.floor(from + ((to - from) * before) / weight);
    before += size;
    const end = Math.floor(from + ((to - from) * before) / weight);
    spans[index] = { start: base + start, end: base + end, estimated: true };
  }
}

/** The item whose tokens (or the observations behind them) hold a token; -1 without items. */
export function itemAt(spans: readonly ItemSpan[], token: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if ((spans[mid]?.start ?? 0) <= token) low = mid;
    else high = mid - 1;
  }
  // Items without tokens stand at the same place: the one that has the token is meant.
  while (low > 0 && spans[low]?.start === spans[low]?.end && (spans[low - 1]?.end ?? 0) > token) low -= 1;
  return spans.length === 0 ? -1 : low;
}

/** The steps that have tokens in [start, end), with the items they are. */
export function stepsIn(
  spans: readonly ItemSpan[],
  outline: readonly ItemOutline[],
  within: { readonly start: number; readonly end: number },
): { readonly item: number; readonly step: number }[] {
  const steps: { item: number; step: number }[] = [];
  for (let item = Math.max(0, itemAt(spans, within.start)); item < spans.length; item += 1) {
    const span = spans[item];
    if (span === undefined || span.start >= within.end) break;
    const step = outline[item]?.step ?? null;
    if (step !== null && span.end > within.start && span.end > span.start) steps.push({ item, step });
  }
  return steps;
}

/**
 * The size of the context along the axis: from what a segment starts with to what it ends with, with a drop at each
 * compaction. Empty when no segment tells its context.
 */
export function contextPoints(segments: readonly SegmentRow[]): ContextPoint[] {
  if (!segments.some((segment) => segment.contextBefore !== null || segment.contextAfter !== null)) return [];
  const points: ContextPoint[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'subagent') continue;
    const start = segment.contextAfter ?? segment.promptLength ?? 0;
    const after = segments.slice(index + 1).find((one) => one.kind !== 'subagent' && one.contextBefore !== null);
    const direct = segments[index + 1];
    const isLast = segment.kind === 'execution' && after !== undefined && direct !== undefined;
    const end =
      isLast && (direct === after || direct.kind === 'summary')
        ? (after.contextBefore ?? start)
        : start + trained(segment);
    points.push({ token: segment.axisStart, context: start, joined: false });
    points.push({ token: segment.axisStart + segment.tokens, context: Math.max(start, end), joined: true });
  }
  return points;
}

/** Tokens that a segment adds to the context it starts with. */
function trained(segment: SegmentRow): number {
  const given = segment.contextAfter ?? segment.promptLength ?? 0;
  return Math.max(0, segment.tokens - given);
}
