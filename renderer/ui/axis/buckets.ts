// Series made from token arrays that the screen holds: the buckets of a view, as the engine makes them from the stored pyramid.

import { type AxisScale, type AxisView, toUnit, viewPieces } from './scale.ts';
import type { BucketSeries } from './series.ts';

/** Requests of one lane at once; beyond that the view is one uniform piece. */
const mostPieces = 24;
const mostBuckets = 4096;

/** Values of a rollout's tokens; only those with `trained` 1 count. Both are as long as the axis. */
export interface TokenLayer {
  readonly values: Float64Array;
  readonly trained: Uint8Array;
}

/** The series that cover a view, `pxPerBucket` CSS pixels a bucket. */
export function seriesOfView(
  layer: TokenLayer,
  scale: AxisScale,
  view: AxisView,
  width: number,
  pxPerBucket: number,
): BucketSeries[] {
  return viewPieces(scale, view, mostPieces).map(({ start, end }) => {
    const pixels = ((toUnit(scale, end - 1e-6) - toUnit(scale, start)) / (view.to - view.from)) * width;
    const buckets = Math.min(mostBuckets, end - start, Math.max(1, Math.round(pixels / pxPerBucket)));
    return bucketSeries(layer, start, end, buckets);
  });
}

/** Min, max and mean of the trained tokens of [start, end) in equal buckets; null where a bucket has none. */
export function bucketSeries(layer: TokenLayer, start: number, end: number, buckets: number): BucketSeries {
  const { values, trained } = layer;
  const min: (number | null)[] = [];
  const max: (number | null)[] = [];
  const mean: (number | null)[] = [];
  const share: number[] = [];
  const size = (end - start) / buckets;
  let scale: number | null = null;
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor(start + bucket * size);
    const to = Math.max(from + 1, Math.floor(start + (bucket + 1) * size));
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let sum = 0;
    let count = 0;
    for (let t = from; t < to; t += 1) {
      if (trained[t] !== 1) continue;
      const x = values[t] ?? 0;
      if (x < low) low = x;
      if (x > high) high = x;
      sum += x;
      count += 1;
    }
    min.push(count === 0 ? null : low);
    max.push(count === 0 ? null : high);
    mean.push(count === 0 ? null : sum / count);
    share.push(count / (to - from));
    if (count > 0) scale = Math.max(scale ?? 0, Math.abs(low), Math.abs(high));
  }
  return { start, end, buckets, min, max, mean, trainable: share, scale };
}
