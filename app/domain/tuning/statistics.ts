// Small statistics of a detector: shares with Wilson intervals, F1.

import type { Proportion } from '../../contract/records.ts';

/** Two-sided 95 % quantile of the standard normal distribution. */
const z95 = 1.959963984540054;

/**
 * A share with its Wilson score interval. `hits` of `of` trials; `z` is the normal quantile (default: 95 %). With p = hits/of:
 * centre (p + z²/2n) / (1 + z²/n), half width z √(p(1-p)/n + z²/4n²) / (1 + z²/n).
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209-212.
 * Without trials value and bounds are null: nothing was counted, which is not zero.
 */
export function wilson(hits: number, of: number, z: number = z95): Proportion {
  if (of <= 0) return { value: null, low: null, high: null, hits, of };
  const p = hits / of;
  const zz = (z * z) / of;
  const centre = (p + zz / 2) / (1 + zz);
  const half = (z * Math.sqrt((p * (1 - p)) / of + zz / (4 * of))) / (1 + zz);
  // The bounds of 0/n and n/n are exact; rounding must not move them past the share.
  const low = hits === 0 ? 0 : Math.max(0, centre - half);
  const high = hits === of ? 1 : Math.min(1, centre + half);
  return { value: p, low, high, hits, of };
}

/** Harmonic mean of precision and recall; null when either is unknown, 0 when both are 0. */
export function f1(precision: number | null, recall: number | null): number | null {
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
