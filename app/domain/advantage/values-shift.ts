// Whether joined critic values stand one token off from the tokens they were given to. A logger that stores the value read
// *at* a token instead of before it is off by one, and nothing else shows it.

import type { Column } from './types.ts';

/** Fewer values than this say nothing. */
const fewest = 8;
/** A shift is believed when it explains the log this many times better. */
const better = 10;
/** Mean differences below this share of the values' own size are rounding. */
const rounding = 1e-4;

/**
 * 1 when `values[t]` is what the log has for token t + 1, -1 when it is that of token t - 1, 0 when they are in place or fit
 * nowhere. `logged` are the log's own values, NaN where it has none; both columns cover the same tokens.
 */
export function shiftOf(values: Column, logged: Column): -1 | 0 | 1 {
  const own = meanDistance(values, logged, 0);
  if (own === null || own.distance <= rounding * own.size) return 0;
  const shifts = ([1, -1] as const).flatMap((by) => {
    const found = meanDistance(values, logged, by);
    return found !== null && found.distance <= rounding * found.size && own.distance >= better * found.distance
      ? [{ by, distance: found.distance }]
      : [];
  });
  return shifts.toSorted((a, b) => a.distance - b.distance)[0]?.by ?? 0;
}

/** Mean |values[t] - logged[t + by]| and mean |logged|, over tokens that have both; null with too few of them. */
function meanDistance(values: Column, logged: Column, by: number): { distance: number; size: number } | null {
  let distance = 0;
  let size = 0;
  let count = 0;
  for (let t = Math.max(0, -by); t < values.length && t + by < logged.length; t += 1) {
    const a = values[t] ?? Number.NaN;
    const b = logged[t + by] ?? Number.NaN;
    if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
    distance += Math.abs(a - b);
    size += Math.abs(b);
    count += 1;
  }
  return count < fewest ? null : { distance: distance / count, size: size / count };
}

/** The critic values behind logged return targets and advantages: R - A, where both are there. */
export function valuesBehind(returns: Column, advantages: Column): Float64Array {
  return Float64Array.from(
    { length: returns.length },
    (_, t) => (returns[t] ?? Number.NaN) - (advantages[t] ?? Number.NaN),
  );
}
