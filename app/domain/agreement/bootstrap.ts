// Bootstrap percentile intervals, the same at every run. Agreement depends on a unit only through its pattern (how many said
// what), so a sample is kept as distinct patterns with their counts and a resample is another set of counts.

import type { Coefficient } from '../../contract/coefficient.ts';

export const bootstrapSettings = { resamples: 1000, seed: 20261129, level: 0.95 } as const;

/** Fewer defined resamples than this share of all give no interval: it would only describe the lucky ones. */
const definedShare = 0.5;

/** A sample, its distinct patterns, how often each occurs, and how often in each resample. */
export interface Resampled<P> {
  readonly patterns: readonly P[];
  readonly counts: Int32Array;
  readonly resamples: readonly Int32Array[];
  readonly size: number;
}

/** A figure of a sample, null where it is not defined. `times[i]` is how often `patterns[i]` occurs. */
export type Statistic<P> = (patterns: readonly P[], times: Int32Array) => number | null;

/**
 * Uniform integers by George Marsaglia's xorshift with the shifts 13, 17, 5, "Xorshift RNGs", J. Stat. Software 8 (2003) 14.
 * `seed` must not be 0. Each call gives an integer in 0..below-1; `below` is far under 2³², so the bias does not matter.
 */
export function createDraws(seed: number): (below: number) => number {
  let state = seed | 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}

/** Draws as many units as there are, with replacement, `resamples` times. `keyOf` is equal for units of one pattern. */
export function resample<P>(
  units: readonly P[],
  keyOf: (unit: P) => string,
  { resamples, seed }: { readonly resamples: number; readonly seed: number } = bootstrapSettings,
): Resampled<P> {
  const places = new Map<string, number>();
  const patterns: P[] = [];
  const patternOf = new Int32Array(units.length);
  for (const [at, unit] of units.entries()) {
    const key = keyOf(unit);
    let place = places.get(key);
    if (place === undefined) {
      place = patterns.push(unit) - 1;
      places.set(key, place);
    }
    patternOf[at] = place;
  }
  const counts = new Int32Array(patterns.length);
  for (const place of patternOf) counts[place] = (counts[place] ?? 0) + 1;
  const draw = createDraws(seed);
  // A single unit has no spread to resample.
  const drawn = Array.from({ length: units.length < 2 ? 0 : resamples }, () => {
    const again = new Int32Array(patterns.length);
    for (let left = units.length; left > 0; left--) {
      const place = patternOf[draw(units.length)] ?? 0;
      again[place] = (again[place] ?? 0) + 1;
    }
    return again;
  });
  return { patterns, counts, resamples: drawn, size: units.length };
}

/**
 * A statistic with its percentile interval: the 2.5 % and 97.5 % quantiles over the resamples that define it.
 * Source: B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
 */
export function estimate<P>(sample: Resampled<P>, statistic: Statistic<P>): Coefficient {
  const value = statistic(sample.patterns, sample.counts);
  const of = sample.size;
  if (value === null) return { value, low: null, high: null, of };
  const values: number[] = [];
  for (const times of sample.resamples) {
    const again = statistic(sample.patterns, times);
    if (again !== null) values.push(again);
  }
  if (values.length === 0 || values.length < definedShare * sample.resamples.length) {
    return { value, low: null, high: null, of };
  }
  values.sort((a, b) => a - b);
  // Without any variation among the units a resample is the sample again, which says nothing about its uncertainty.
  if (values[0] === values.at(-1)) return { value, low: null, high: null, of };
  const tail = (1 - bootstrapSettings.level) / 2;
  return { value, low: quantile(values, tail), high: quantile(values, 1 - tail), of };
}

/** Quantile of sorted values by linear interpolation between the order statistics. `share` is 0..1, `sorted` not empty. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}
