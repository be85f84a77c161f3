// A strip of colours: every bucket one colour from its value, what is masked hatched, what has no number empty. Pure over a 2D
// context.

import { colourAt, type Ramps } from './ramp.ts';
import { type BucketSeries, type Extent, eachBucket, hatchPattern, type LaneFrame } from './series.ts';

/**
 * How values become colours. `diverging`: around a centre, by distance or, for ratios, by the distance of logarithms.
 * `sequential`: from the lowest to the highest, or the other way round where low is what stands out (log-probabilities).
 * `fate`: -1, 0 and 1, the sides of a rejection. `mask`: 0 and 1.
 */
export type HeatScale =
  | { readonly kind: 'diverging'; readonly centre: number; readonly log: boolean }
  | { readonly kind: 'sequential'; readonly falling: boolean }
  | { readonly kind: 'fate' }
  | { readonly kind: 'mask' };

/** The values at the ends of a scale; `clipped`: there are values beyond, drawn as the end. */
export interface HeatRange extends Extent {
  readonly clipped: boolean;
}

/** When so few of the buckets lie so far out, the scale ends before them and the rest keeps its colours. */
const outlierShare = 0.02;
const outlierFactor = 4;

/** A value's signed distance from the centre. */
function distance(scale: HeatScale & { readonly kind: 'diverging' }, value: number): number {
  if (!scale.log) return value - scale.centre;
  // A ratio of zero is as far as one can be; every scale clips it.
  return value <= 0 ? -Number.MAX_VALUE : Math.log(value / scale.centre);
}

function fromDistance(scale: HeatScale & { readonly kind: 'diverging' }, far: number): number {
  return scale.log ? scale.centre * Math.exp(far) : scale.centre + far;
}

/**
 * The range of a scale over all values of several series; null when there is none. A diverging range is symmetric. Single buckets
 * far beyond all others do not stretch it.
 */
export function heatRange(scale: HeatScale, all: readonly BucketSeries[]): HeatRange | null {
  if (scale.kind === 'fate') return { low: -1, high: 1, clipped: false };
  if (scale.kind === 'mask') return { low: 0, high: 1, clipped: false };
  const ends = all.flatMap((series) =>
    series.max.flatMap((high, bucket): [number, number][] => {
      const low = series.min[bucket] ?? null;
      return high === null || low === null ? [] : [[low, high]];
    }),
  );
  if (ends.length === 0) return null;
  if (scale.kind === 'diverging') {
    const far = ends.map(([low, high]) => Math.max(Math.abs(distance(scale, low)), Math.abs(distance(scale, high))));
    const { end, clipped } = endOf(far);
    return { low: fromDistance(scale, -end), high: fromDistance(scale, end), clipped };
  }
  const lows = ends.map(([low]) => low);
  const highs = ends.map(([, high]) => high);
  const low = lows.reduce((a, b) => Math.min(a, b));
  const high = highs.reduce((a, b) => Math.max(a, b));
  // Only the end that stands out may be far out.
  if (scale.falling) {
    const { end, clipped } = endOf(lows.map((value) => high - value));
    return { low: high - end, high, clipped };
  }
  const { end, clipped } = endOf(highs.map((value) => value - low));
  return { low, high: low + end, clipped };
}

function endOf(far: readonly number[]): { readonly end: number; readonly clipped: boolean } {
  const sorted = far.toSorted((a, b) => a - b);
  const largest = sorted.at(-1) ?? 0;
  const usual = sorted[Math.floor((sorted.length - 1) * (1 - outlierShare))] ?? largest;
  const clipped = usual > 0 && largest > outlierFactor * usual;
  return { end: clipped ? usual : largest, clipped };
}

/** Whether some trained tokens have no finite number. */
export function hasGaps(all: readonly BucketSeries[]): boolean {
  return all.some((series) =>
    series.min.some((value, bucket) => value === null && (series.trainable[bucket] ?? 0) > 0),
  );
}

/** Share 0..1 of a value along its ramp. */
export function heatShare(scale: HeatScale, range: Extent, value: number): number {
  if (scale.kind === 'diverging') {
    const far = distance(scale, range.high);
    return far === 0 ? 0.5 : clamp(0.5 + distance(scale, value) / far / 2);
  }
  const span = range.high - range.low;
  const share = span === 0 ? 0 : clamp((value - range.low) / span);
  return scale.kind === 'sequential' && scale.falling ? 1 - share : share;
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** The value of a bucket that decides: the one farthest from calm, so that no spike hides. */
function telling(scale: HeatScale, low: number, high: number): number {
  if (scale.kind === 'sequential') return scale.falling ? low : high;
  if (scale.kind !== 'diverging') return high;
  return Math.abs(distance(scale, low)) > Math.abs(distance(scale, high)) ? low : high;
}

/** The ramp that a scale is drawn with. */
export function rampOf(scale: HeatScale, ramps: Ramps): readonly string[] {
  return scale.kind === 'sequential' ? ramps.sequential : ramps.diverging;
}

/** Draws the strip over the whole lane. */
export function drawHeat(
  frame: LaneFrame,
  all: readonly BucketSeries[],
  range: HeatRange | null,
  scale: HeatScale,
): void {
  const { context, height, palette } = frame;
  const hatch = hatchPattern(context, palette.lineStrong);
  const ramp = rampOf(scale, palette.ramps);
  const paint = (style: string | CanvasPattern, x: number, y: number, w: number, h: number, alpha = 1): void => {
    context.globalAlpha = alpha;
    context.fillStyle = style;
    context.fillRect(x, y, w + 0.5, h);
  };
  for (const series of all) {
    eachBucket(frame, series, (bucket, x, w) => {
      const low = series.min[bucket] ?? null;
      const high = series.max[bucket] ?? null;
      if (low === null || high === null || range === null) {
        // Trained, but without a finite number: empty but for a line, which no colour of a ramp is.
        if ((series.trainable[bucket] ?? 0) > 0) paint(palette.muted, x, height / 2 - 0.5, w, 1, 0.8);
        else paint(hatch, x, 0, w, height, 0.7);
      } else if (scale.kind === 'mask') {
        const share = series.mean[bucket] ?? 0;
        paint(hatch, x, 0, w, height, 0.7);
        if (share > 0) paint(palette.exec, x, height * (1 - share), w, height * share);
      } else if (scale.kind === 'fate') {
        if (low >= 0 && high <= 0) paint(palette.muted, x, height / 2 - 1, w, 2, 0.5);
        if (high > 0) paint(colourAt(ramp, 1), x, 0, w, height / 2);
        if (low < 0) paint(colourAt(ramp, 0), x, height / 2, w, height / 2);
      } else {
        paint(colourAt(ramp, heatShare(scale, range, telling(scale, low, high))), x, 0, w, height);
      }
    });
  }
  context.globalAlpha = 1;
}

/** The same values as a curve: the spread of each bucket, its mean as a line, and the centre or the foot of the scale. */
export function drawCurve(
  frame: LaneFrame,
  all: readonly BucketSeries[],
  range: HeatRange | null,
  scale: HeatScale,
): void {
  const { context, width, height, palette } = frame;
  const hatch = hatchPattern(context, palette.lineStrong);
  const room = height - 8;
  // Up is more, also where the colours fall.
  const upright: HeatScale = scale.kind === 'sequential' ? { kind: 'sequential', falling: false } : scale;
  const shareOf = (value: number): number =>
    range === null ? 0 : upright.kind === 'fate' ? (value + 1) / 2 : heatShare(upright, range, value);
  const y = (value: number): number => 4 + (1 - shareOf(value)) * room;
  const foot = scale.kind === 'diverging' || scale.kind === 'fate' ? 4 + room / 2 : height - 4;
  context.globalAlpha = 1;
  context.fillStyle = palette.lineStrong;
  context.fillRect(0, Math.round(foot), width, 1);
  const means: { x: number; y: number; joined: boolean }[] = [];
  for (const series of all) {
    let joined = false;
    eachBucket(frame, series, (bucket, x, w) => {
      const [low, high, mean] = [series.min[bucket] ?? null, series.max[bucket] ?? null, series.mean[bucket] ?? null];
      if (low === null || high === null || mean === null) {
        joined = false;
        if ((series.trainable[bucket] ?? 0) > 0) return;
        context.globalAlpha = 0.7;
        context.fillStyle = hatch;
        context.fillRect(x, foot - 2, w + 0.5, 4);
        return;
      }
      const top = y(high);
      context.fillStyle = colourAt(
        rampOf(scale, palette.ramps),
        scale.kind === 'fate'
          ? (mean + 1) / 2
          : heatShare(scale, range ?? { low: 0, high: 1 }, telling(scale, low, high)),
      );
      context.globalAlpha = 0.5;
      context.fillRect(x, top, w + 0.25, Math.max(1, y(low) - top));
      means.push({ x: x + w / 2, y: y(mean), joined });
      joined = true;
    });
  }
  // The means over everything, as one line that breaks where nothing is trained.
  context.globalAlpha = 1;
  context.strokeStyle = palette.muted;
  context.lineWidth = 1.25;
  context.beginPath();
  for (const [at, point] of means.entries()) {
    if (point.joined) context.lineTo(point.x, point.y);
    else {
      context.moveTo(point.x, point.y);
      // A lone bucket is a dash.
      if (means[at + 1]?.joined !== true) context.lineTo(point.x + 1.5, point.y);
    }
  }
  context.stroke();
}

/** Places on the axis at which steps begin; drawn as notches where they stand far enough apart to be told apart. */
export function drawNotches(frame: LaneFrame, pixels: readonly number[]): void {
  const { context, height, palette } = frame;
  context.globalAlpha = 0.9;
  context.fillStyle = palette.muted;
  for (const x of pixels) {
    context.fillRect(Math.round(x), 0, 1, 3);
    context.fillRect(Math.round(x), height - 3, 1, 3);
  }
  context.globalAlpha = 1;
}
