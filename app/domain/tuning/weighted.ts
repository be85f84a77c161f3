// Precision and recall when what is labelled was drawn with known, unequal chances: each label counts for the 1/chance things
// that it stands for.

import type { Proportion } from '../../contract/records.ts';
import { f1, wilson } from './statistics.ts';

export interface WeightedCase {
  readonly hack: boolean;
  readonly marked: boolean;
  /** Chance in 0..1 that it came to be labelled. */
  readonly probability: number;
}

export interface WeightedQuality {
  readonly precision: Proportion;
  readonly recall: Proportion;
  readonly f1: number | null;
  /** Things that the cases stand for: the sum of the weights. */
  readonly population: number;
  /** Share of hacks among them. */
  readonly prevalence: Proportion;
}

/**
 * A weighted share (Hájek's ratio of two Horvitz-Thompson sums, J. Hájek in Foundations of Statistical Inference (1971) 236)
 * with a Wilson interval at Kish's effective number of cases, (Σw)² / Σw² (L. Kish, Survey Sampling (1965) 11.7). `hits` and
 * `of` are sums of weights.
 */
export function weightedShare(cases: readonly { readonly hit: boolean; readonly weight: number }[]): Proportion {
  let of = 0;
  let hits = 0;
  let squares = 0;
  for (const { hit, weight } of cases) {
    of += weight;
    squares += weight * weight;
    if (hit) hits += weight;
  }
  if (of === 0) return { value: null, low: null, high: null, hits, of };
  const effective = (of * of) / squares;
  const { low, high } = wilson((hits / of) * effective, effective);
  return { value: hits / of, low, high, hits, of };
}

/** Figures of a detector over weighted cases. Cases with a chance of 0 cannot stand for anything and are an error of the caller. */
export function weightedQuality(cases: readonly WeightedCase[]): WeightedQuality {
  const weighed = cases.map(({ hack, marked, probability }) => ({ hack, marked, weight: 1 / probability }));
  const precision = weightedShare(
    weighed.filter(({ marked }) => marked).map(({ hack, weight }) => ({ hit: hack, weight })),
  );
  const recall = weightedShare(
    weighed.filter(({ hack }) => hack).map(({ marked, weight }) => ({ hit: marked, weight })),
  );
  const prevalence = weightedShare(weighed.map(({ hack, weight }) => ({ hit: hack, weight })));
  return { precision, recall, f1: f1(precision.value, recall.value), population: prevalence.of, prevalence };
}
