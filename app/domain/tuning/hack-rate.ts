// Hack rates from counts: shares with Wilson intervals, in the order in which they are drawn.

import type { HackRateOver, HackRatePoint, HackRateReport, HackRateSeries } from '../../contract/hack-rate.ts';
import { wilson } from './statistics.ts';

interface Count {
  readonly key: string | number | null;
  readonly series: string | null;
  readonly rollouts: number;
  readonly scanned: number;
  readonly marked: number;
  readonly hack: number;
  readonly clean: number;
}

/** Most points of a chart; beyond that the rest is counted. */
const mostPoints = 1000;

/** The report of these counts. Steps stay in order; names stand with the highest marked share first, then the most rollouts. */
export function hackRates(over: HackRateOver, by: HackRateSeries | null, counts: readonly Count[]): HackRateReport {
  const points = counts.map(
    ({ key, series, rollouts, scanned, marked, hack, clean }): HackRatePoint => ({
      key,
      series,
      rollouts,
      marked: wilson(marked, scanned),
      labelled: wilson(hack, hack + clean),
    }),
  );
  const share = ({ marked }: HackRatePoint): number => marked.value ?? -1;
  const sorted =
    over === 'trainingStep' ? points : points.toSorted((a, b) => share(b) - share(a) || b.rollouts - a.rollouts);
  return { over, by, points: sorted.slice(0, mostPoints), more: Math.max(0, sorted.length - mostPoints) };
}
