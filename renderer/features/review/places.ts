// Where the evidence of an item is: every marked span and every hop of a chain, in the order of the log.

import type { CurrentLabel, ReviewItem, Span } from '../../../app/contract/index.ts';
import type { Mark } from '../../text/runs.ts';

/** One place to look at. */
export interface Place extends Span {
  readonly marker: string;
  /** A hop of a chain and not the marked span itself. */
  readonly hop: boolean;
}

/** All places, without doubles. */
export function placesOf(item: Pick<ReviewItem, 'markers'>): Place[] {
  const places = item.markers.flatMap((marker): Place[] => [
    { item: marker.item, part: marker.part, start: marker.start, end: marker.end, marker: marker.id, hop: false },
    ...marker.chain.map(({ item, part, start, end }) => ({ item, part, start, end, marker: marker.id, hop: true })),
  ]);
  const seen = new Set<string>();
  return places
    .toSorted((a, b) => a.item - b.item || a.part - b.part || a.start - b.start || Number(a.hop) - Number(b.hop))
    .filter((place) => {
      const key = `${place.item}:${place.part}:${place.start}:${place.end}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}

/** The marks of one part: places, and the annotator's own labelled spans. `at` is the number of the place looked at. */
export function marksOf(
  places: readonly Place[],
  spans: readonly CurrentLabel[],
  at: number | null,
  item: number,
  part: number,
): Mark[] {
  const marks: Mark[] = [];
  for (const [number, place] of places.entries()) {
    if (place.item !== item || place.part !== part) continue;
    const { start, end, hop } = place;
    marks.push({ start, end, kind: 'marker', id: String(number), current: number === at, quiet: hop });
  }
  for (const { id, target } of spans) {
    if (target.span?.item !== item || target.span.part !== part) continue;
    marks.push({ start: target.span.start, end: target.span.end, kind: 'label', id, current: false });
  }
  return marks;
}
