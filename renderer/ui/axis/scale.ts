// The one horizontal axis of a rollout: tokens of all segments, one after the other, mapped to 0..1 and to pixels.
// The map is linear by pieces: a segment too short to be seen gets a minimum share, and every lane uses the same map, so
// that what stands above each other belongs together.

/** A segment on the axis: its first token and its number of tokens. Segments are contiguous and in order. */
export interface AxisSegment {
  readonly start: number;
  readonly tokens: number;
}

/** The part of the axis in view, in units: 0 is the first token of the rollout, 1 the end of the last. */
export interface AxisView {
  readonly from: number;
  readonly to: number;
}

export const wholeAxis: AxisView = { from: 0, to: 1 };

export interface AxisScale {
  /** Tokens on the axis. */
  readonly total: number;
  readonly segments: readonly AxisSegment[];
  /** Unit at which each segment starts; one more entry than segments, the last is 1. */
  readonly stops: readonly number[];
}

/** A stretch of the view with one density of tokens per pixel: what one request for a series can cover. */
export interface AxisPiece {
  /** Tokens [start, end). */
  readonly start: number;
  readonly end: number;
}

/**
 * Lays segments out. Each gets a share in proportion to its tokens, but at least `minShare` of the axis (0..1); when the
 * minimums alone would take more than 40 % of the axis, they shrink to fit.
 */
export function createScale(segments: readonly AxisSegment[], minShare: number): AxisScale {
  const total = segments.reduce((sum, segment) => sum + segment.tokens, 0);
  const least = Math.min(minShare, 0.4 / Math.max(1, segments.length));
  const weights = segments.map((segment) => Math.max(total === 0 ? 0 : segment.tokens / total, least));
  const sum = weights.reduce((a, b) => a + b, 0);
  const stops = [0];
  let at = 0;
  for (const weight of weights) {
    at += sum === 0 ? 0 : weight / sum;
    stops.push(at);
  }
  stops[stops.length - 1] = segments.length === 0 ? 0 : 1;
  return { total, segments, stops };
}

/** Position of the start of a token (or, for a fraction, of a place within it) in units. Clamped to the axis. */
export function toUnit(scale: AxisScale, token: number): number {
  const index = segmentAt(scale, token);
  const segment = scale.segments[index];
  const from = scale.stops[index];
  const to = scale.stops[index + 1];
  if (segment === undefined || from === undefined || to === undefined) return 0;
  const inside = segment.tokens === 0 ? 0 : (token - segment.start) / segment.tokens;
  return from + (to - from) * Math.min(1, Math.max(0, inside));
}

/** The token (with its fraction) at a unit; the inverse of `toUnit` wherever a segment has tokens. */
export function toToken(scale: AxisScale, unit: number): number {
  const clamped = Math.min(1, Math.max(0, unit));
  let low = 0;
  let high = scale.segments.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if ((scale.stops[mid] ?? 0) <= clamped) low = mid;
    else high = mid - 1;
  }
  const segment = scale.segments[low];
  const from = scale.stops[low];
  const to = scale.stops[low + 1];
  if (segment === undefined || from === undefined || to === undefined || to === from) return 0;
  return segment.start + segment.tokens * Math.min(1, (clamped - from) / (to - from));
}

/** Index of the segment that holds a token: the last one that starts at or before it and is not empty, if there is one. */
function segmentAt(scale: AxisScale, token: number): number {
  let low = 0;
  let high = scale.segments.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if ((scale.segments[mid]?.start ?? 0) <= token) low = mid;
    else high = mid - 1;
  }
  while (low > 0 && scale.segments[low]?.tokens === 0) low -= 1;
  return low;
}

/** Pixel of a unit in a lane `width` pixels wide. Not clamped. */
export function toPixel(view: AxisView, unit: number, width: number): number {
  return ((unit - view.from) / (view.to - view.from)) * width;
}

/** Unit at a pixel of a lane `width` pixels wide. */
export function toUnitAt(view: AxisView, pixel: number, width: number): number {
  return view.from + (pixel / Math.max(1, width)) * (view.to - view.from);
}

/** The smallest view worth showing: about two dozen tokens of the densest segment. */
export function smallestSpan(scale: AxisScale): number {
  if (scale.total === 0) return 1;
  return Math.min(1, Math.max(1e-7, 24 / Math.max(24, scale.total)));
}

/** Zooms by `factor` (below 1 is closer) and keeps the unit under the pointer where it is. */
export function zoomView(view: AxisView, at: number, factor: number, smallest: number): AxisView {
  const span = view.to - view.from;
  const next = Math.min(1, Math.max(smallest, span * factor));
  const share = span === 0 ? 0.5 : (at - view.from) / span;
  return clampView({ from: at - share * next, to: at - share * next + next });
}

/** Shifts the view by units. */
export function panView(view: AxisView, by: number): AxisView {
  return clampView({ from: view.from + by, to: view.to + by });
}

/** The least shift (and, if it must, widening) that brings the units [from, to] into view with a margin. */
export function revealInView(view: AxisView, from: number, to: number): AxisView {
  const span = view.to - view.from;
  if (span >= 1 || (from >= view.from && to <= view.to)) return view;
  if (to - from > span * 0.8) {
    const margin = (to - from) * 0.1;
    return clampView({ from: from - margin, to: to + margin });
  }
  const margin = span * 0.1;
  const by = from < view.from ? from - margin - view.from : to + margin - view.to;
  return panView(view, by);
}

function clampView(view: AxisView): AxisView {
  const span = Math.min(1, view.to - view.from);
  const from = Math.min(1 - span, Math.max(0, view.from));
  return { from, to: from + span };
}

/**
 * The stretches of the view that have one density each, in order, and never more than `most`: neighbours of equal density
 * are one piece. With too many different densities the whole view is one piece.
 */
export function viewPieces(scale: AxisScale, view: AxisView, most: number): AxisPiece[] {
  const pieces: { start: number; end: number; density: number }[] = [];
  const first = Math.floor(toToken(scale, view.from));
  const last = Math.ceil(toToken(scale, view.to));
  for (const [index, segment] of scale.segments.entries()) {
    const start = Math.max(first, segment.start);
    const end = Math.min(last, segment.start + segment.tokens);
    if (end <= start) continue;
    const density = segment.tokens / Math.max(1e-12, (scale.stops[index + 1] ?? 1) - (scale.stops[index] ?? 0));
    const previous = pieces.at(-1);
    if (previous !== undefined && previous.end === start && Math.abs(previous.density / density - 1) < 1e-6) {
      previous.end = end;
    } else {
      pieces.push({ start, end, density });
    }
  }
  const only = pieces[0];
  const end = pieces.at(-1)?.end;
  if (pieces.length > most && only !== undefined && end !== undefined) return [{ start: only.start, end }];
  return pieces.map((piece) => ({ start: piece.start, end: piece.end }));
}
