// How fast people work: decisions an hour while they work, the median time of an item, and what is left at that pace.

import type { Pace } from '../../contract/queues.ts';

export interface Decided {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Time spent on it, milliseconds; null where it is not known. */
  readonly elapsedMs: number | null;
}

/** A gap longer than this is a break, milliseconds. */
const breakMs = 5 * 60_000;

/** Pace of one annotator's decisions, in any order. */
export function paceOf(decisions: readonly Decided[]): Pace {
  const times = decisions.map(({ at }) => at).toSorted((a, b) => a - b);
  let worked = 0;
  let counted = 0;
  for (const [i, at] of times.entries()) {
    const before = times[i - 1];
    if (before === undefined || at - before > breakMs) continue;
    worked += at - before;
    counted += 1;
  }
  const spent = decisions.flatMap(({ elapsedMs }) => elapsedMs ?? []).toSorted((a, b) => a - b);
  const middle = median(spent);
  return {
    done: decisions.length,
    perHour: decisions.length < 3 || worked === 0 ? null : (counted * 3_600_000) / worked,
    medianSeconds: middle === null ? null : middle / 1_000,
  };
}

/** Seconds for `left` items at this pace; null while the pace is not known. */
export function secondsLeft(left: number, { perHour, medianSeconds }: Pace): number | null {
  if (left === 0) return 0;
  if (perHour !== null) return (left * 3_600) / perHour;
  return medianSeconds === null ? null : left * medianSeconds;
}

function median(sorted: readonly number[]): number | null {
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2;
}
