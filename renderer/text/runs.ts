// A text cut into runs, so that marks (markers, find hits), hidden characters and ANSI styles can overlap freely while
// every run still knows its exact offset in the source.

import { findInvisible, type Invisible } from './invisible.ts';

/** A marked span of a text: UTF-16 offsets, end exclusive. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** `evidence`: a hop of a chain or another place that a marker rests on. */
  readonly kind: 'marker' | 'find' | 'label' | 'evidence';
  /** Id of the marker or label; for a find hit its number. */
  readonly id: string;
  /** The selected marker or the current find hit. */
  readonly current: boolean;
  /** A marker that only adds to the score, or one of an older pack. */
  readonly quiet?: boolean;
  /** Which of several people marked it, from 0: each has a colour and a pattern. */
  readonly tone?: number;
}

export interface Run {
  readonly start: number;
  readonly end: number;
  readonly marks: readonly Mark[];
  /** Set when the run is one hidden character. */
  readonly invisible: Invisible | null;
}

/** Runs over text[from, to): cut at every border of a mark and around every hidden character. */
export function cutRuns(text: string, from: number, to: number, marks: readonly Mark[]): Run[] {
  if (to <= from) return [];
  const near = marks.filter((mark) => mark.start < to && mark.end > from);
  const hidden = findInvisible(text, from, to);
  const cuts = new Set<number>([from, to]);
  for (const mark of near) {
    cuts.add(Math.max(from, mark.start));
    cuts.add(Math.min(to, mark.end));
  }
  const hiddenAt = new Map<number, Invisible>();
  for (const one of hidden) {
    cuts.add(one.start);
    cuts.add(Math.min(to, one.end));
    hiddenAt.set(one.start, one);
  }
  const borders = [...cuts].sort((a, b) => a - b);
  const runs: Run[] = [];
  for (const [index, start] of borders.entries()) {
    const end = borders[index + 1];
    if (end === undefined) break;
    runs.push({
      start,
      end,
      marks: near.length === 0 ? [] : near.filter((mark) => mark.start <= start && mark.end >= end),
      invisible: hiddenAt.get(start) ?? null,
    });
  }
  return runs;
}
