// Geometry of the hack-rate chart. Pure.

import type { HackRatePoint, Proportion } from '../../../app/contract/index.ts';

/** One line of the chart with its points in order of steps. */
export interface RateSeries {
  readonly name: string | null;
  readonly points: readonly (HackRatePoint & { readonly key: number })[];
}

/** Most series drawn as lines; the table has all. */
export const mostSeries = 6;

/** The points with a known step, by series; the series with the most rollouts first. */
export function seriesOf(points: readonly HackRatePoint[]): RateSeries[] {
  const known = points.flatMap((point) => (typeof point.key === 'number' ? [{ ...point, key: point.key }] : []));
  const size = ({ points: list }: RateSeries): number => list.reduce((sum, { rollouts }) => sum + rollouts, 0);
  return [...Map.groupBy(known, ({ series }) => series)]
    .map(([name, list]): RateSeries => ({ name, points: list.toSorted((a, b) => a.key - b.key) }))
    .toSorted((a, b) => size(b) - size(a));
}

/** Steps at round distances for the axis, at most `most`. */
export function ticksOf(low: number, high: number, most: number): number[] {
  if (high <= low) return [low];
  const rough = (high - low) / Math.max(1, most - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const by = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power);
  const ticks: number[] = [];
  for (let at = Math.ceil(low / by) * by; at <= high; at += by) ticks.push(at);
  return ticks;
}

/** The largest share worth room on the chart: a round tenth above the data, at least 10 %. */
export function ceilingOf(shares: readonly Proportion[]): number {
  const most = Math.max(0, ...shares.map(({ value }) => value ?? 0));
  return Math.min(1, Math.max(0.1, Math.ceil(most * 1.25 * 10) / 10));
}

/** A line through known shares; it breaks where there is none. */
export function linePath(points: readonly { readonly x: number; readonly y: number | null }[]): string {
  let drawing = false;
  let path = '';
  for (const { x, y } of points) {
    if (y !== null) path += `${drawing ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`;
    drawing = y !== null;
  }
  return path;
}

/** The band between the bounds of consecutive known intervals. */
export function bandPath(
  points: readonly { readonly x: number; readonly low: number | null; readonly high: number | null }[],
): string {
  const known = points.flatMap(({ x, low, high }) => (low === null || high === null ? [] : [{ x, low, high }]));
  if (known.length < 2) return '';
  const over = known.map(({ x, high }) => `${x.toFixed(1)} ${high.toFixed(1)}`);
  const under = known.toReversed().map(({ x, low }) => `${x.toFixed(1)} ${low.toFixed(1)}`);
  return `M${[...over, ...under].join('L')}Z`;
}
