// Whether probabilities mean what they say: reliability bins, expected calibration error, Brier score.

import type { CalibrationReport } from '../../contract/calibration.ts';
import { wilson } from './statistics.ts';

export type ReliabilityBin = CalibrationReport['raw'][number];

const binCount = 10;

/**
 * Ten bins of equal width over 0..1, the last one closed; empty ones are left out. Each has the mean probability and the share of
 * hacks with its Wilson 95 % interval and counts.
 */
export function reliabilityBins(probabilities: readonly number[], outcomes: readonly boolean[]): ReliabilityBin[] {
  const bins = Array.from({ length: binCount }, () => ({ sum: 0, hits: 0, of: 0 }));
  for (const [i, probability] of probabilities.entries()) {
    // The small term keeps 0.3 out of the bin below it.
    const bin = bins[Math.min(binCount - 1, Math.floor(probability * binCount + 1e-9))];
    if (bin === undefined) continue;
    bin.sum += probability;
    bin.of += 1;
    if (outcomes[i] === true) bin.hits += 1;
  }
  return bins.flatMap(({ sum, hits, of }, i) =>
    of === 0 ? [] : [{ low: i / binCount, high: (i + 1) / binCount, mean: sum / of, share: wilson(hits, of) }],
  );
}

/**
 * Expected calibration error: the mean over all points of |mean probability - share of hacks| of their bin; null without points.
 * Source: Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning", AAAI 2015.
 */
export function expectedError(bins: readonly ReliabilityBin[]): number | null {
  const total = bins.reduce((sum, { share }) => sum + share.of, 0);
  if (total === 0) return null;
  return bins.reduce((sum, { mean, share }) => sum + (share.of / total) * Math.abs(mean - (share.value ?? 0)), 0);
}

/**
 * Brier score: the mean squared difference of probability and outcome; null without points.
 * Source: G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950).
 */
export function brier(probabilities: readonly number[], outcomes: readonly boolean[]): number | null {
  if (probabilities.length === 0) return null;
  return (
    probabilities.reduce((sum, probability, i) => sum + (probability - Number(outcomes[i] === true)) ** 2, 0) /
    probabilities.length
  );
}
