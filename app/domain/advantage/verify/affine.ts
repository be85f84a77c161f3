// A log that is a*x + b of the right advantages with the same a and b over a batch or over each shard of it: whitening.

import type { Recomputed } from './sequences.ts';
import type { Trace } from './traces.ts';

/** Rollouts with their recomputed advantages. */
export interface Sample {
  readonly trace: Trace;
  readonly recomputed: Recomputed;
}

export interface AffineFit {
  readonly scale: number;
  readonly shift: number;
  /** Mean and standard deviation (ddof 1) of what was recomputed, over the compared tokens. */
  readonly mean: number;
  readonly deviation: number;
  /** Root mean square of what the map leaves over. */
  readonly residual: number;
  readonly tokens: number;
  readonly traces: readonly Trace[];
}

/** Least squares over all compared tokens; null when fewer than three different numbers stand against each other. */
function leastSquares(samples: readonly Sample[]): AffineFit | null {
  let n = 0;
  let sx = 0;
  let sy = 0;
  const distinct = new Set<number>();
  each(samples, (x, y) => {
    n += 1;
    sx += x;
    sy += y;
    if (distinct.size < 3) distinct.add(x);
    return true;
  });
  if (n < 3 || distinct.size < 3) return null;
  const mx = sx / n;
  const my = sy / n;
  let xx = 0;
  let xy = 0;
  each(samples, (x, y) => {
    xx += (x - mx) * (x - mx);
    xy += (x - mx) * (y - my);
    return true;
  });
  const scale = xy / xx;
  if (!Number.isFinite(scale)) return null;
  const shift = my - scale * mx;
  let left = 0;
  each(samples, (x, y) => {
    left += (y - scale * x - shift) ** 2;
    return true;
  });
  return {
    scale,
    shift,
    residual: Math.sqrt(left / n),
    mean: mx,
    deviation: Math.sqrt(xx / (n - 1)),
    tokens: n,
    traces: samples.map(({ trace }) => trace),
  };
}

/** Visits recomputed and logged numbers of all compared tokens until the visitor says false. */
function each(samples: readonly Sample[], visit: (x: number, y: number, trace: Trace) => boolean): void {
  for (const { trace, recomputed } of samples) {
    for (const [s, { logged }] of trace.segments.entries()) {
      const positions = recomputed.positions[s] ?? new Int32Array(0);
      const column = recomputed.advantages[s] ?? new Float64Array(0);
      for (let i = 0; i < positions.length; i += 1) {
        const y = logged[positions[i] ?? 0] ?? Number.NaN;
        if (Number.isFinite(y) && !visit(column[i] ?? 0, y, trace)) return;
      }
    }
  }
}

/** Numbers that differ less than this part of their mean are a constant: any line goes through them. */
const flat = 1e-3;

/**
 * The affine fit when it reproduces every token. Differences are judged against the spread of the whole sample, and a little
 * against its mean, since subtracting a mean leaves the rounding of what was subtracted.
 */
export function affineFit(samples: readonly Sample[]): AffineFit | null {
  const fit = leastSquares(samples);
  if (fit === null || fit.scale <= 0 || fit.deviation <= flat * Math.abs(fit.mean)) return null;
  const size = fit.scale * (fit.deviation + 0.01 * Math.abs(fit.mean)) + Math.abs(fit.scale * fit.mean + fit.shift);
  let all = true;
  each(samples, (x, y, trace) => {
    const wanted = fit.scale * x + fit.shift;
    all = Math.abs(y - wanted) <= trace.tolerance * (1e-6 + Math.abs(wanted) + size);
    return all;
  });
  return all ? fit : null;
}

/** How far scale and shift may be off: several standard errors, and the rounding of sums where nothing is left over. */
function uncertainty(fit: AffineFit): { scale: number; shift: number } {
  const scale = (6 * fit.residual) / (fit.deviation * Math.sqrt(fit.tokens)) + 1e-6 * Math.abs(fit.scale);
  return {
    scale,
    shift: (6 * fit.residual) / Math.sqrt(fit.tokens) + scale * Math.abs(fit.mean) + 1e-6 * Math.abs(fit.shift),
  };
}

/** Whether two fits are the same map, as far as the log's precision tells. */
export function sameMap(a: AffineFit, b: AffineFit): boolean {
  const [one, other] = [uncertainty(a), uncertainty(b)];
  return (
    Math.abs(a.scale - b.scale) <= one.scale + other.scale && Math.abs(a.shift - b.shift) <= one.shift + other.shift
  );
}

/** A fit that changes nothing, or only what another reward would: not whitening. */
export function isIdentity(fit: AffineFit): boolean {
  return Math.abs(fit.scale - 1) <= uncertainty(fit).scale;
}

/** A fit without a shift: a scale alone. */
export function isPureScale(fit: AffineFit): boolean {
  return Math.abs(fit.shift) <= uncertainty(fit).shift;
}

/** Whether scale and shift are those of whitening over exactly these tokens: a = 1/s, b = -mean/s. */
export function isWhitening(fit: AffineFit): boolean {
  // Divisor n or n - 1 cannot be told here, nor which epsilon was added.
  const near = (x: number, y: number): boolean => Math.abs(x - y) <= (1e-3 + 1 / fit.tokens) * (1 + Math.abs(y));
  return near(fit.scale * fit.deviation, 1) && near(fit.shift, -fit.mean / fit.deviation);
}
