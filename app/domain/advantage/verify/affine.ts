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
  });
  if (n < 3 || distinct.size < 3) return null;
  const mx = sx / n;
  const my = sy / n;
  let xx = 0;
  let xy = 0;
  each(samples, (x, y) => {
    xx += (x - mx) * (x - mx);
    xy += (x - mx) * (y - my);
  });
  const scale = xy / xx;
  if (!Number.isFinite(scale)) return null;
  return {
    scale,
    shift: my - scale * mx,
    mean: mx,
    deviation: Math.sqrt(xx / (n - 1)),
    tokens: n,
    traces: samples.map(({ trace }) => trace),
  };
}

function each(
  samples: readonly Sample[],
  visit: (x: number, y: number, trace: Trace) => boolean | undefined | void,
): void {
  for (const { trace, recomputed } of samples) {
    for (const [s, { logged }] of trace.segments.entries()) {
      const positions = recomputed.positions[s] ?? new Int32Array(0);
      const column = recomputed.advantages[s] ?? new Float64Array(0);
      for (let i = 0; i < positions.length; i += 1) {
        const y = logged[positions[i] ?? 0] ?? Number.NaN;
        if (Number.isFinite(y) && visit(column[i] ?? 0, y, trace) === false) return;
      }
    }
  }
}

/**
 * The affine fit when it reproduces every token. Differences are judged against the spread of the whole sample, since
 * subtracting a mean leaves the rounding of what was subtracted.
 */
export function affineFit(samples: readonly Sample[]): AffineFit | null {
  const fit = leastSquares(samples);
  if (fit === null || fit.scale <= 0) return null;
  const size = Math.abs(fit.scale) * (fit.deviation + Math.abs(fit.mean)) + Math.abs(fit.shift);
  let all = true;
  each(samples, (x, y, trace) => {
    const wanted = fit.scale * x + fit.shift;
    all = Math.abs(y - wanted) <= trace.tolerance * (1e-6 + Math.abs(wanted) + size);
    return all;
  });
  return all ? fit : null;
}

/** Whether two fits are the same map, as far as the log's precision tells. */
export function sameMap(a: AffineFit, b: AffineFit): boolean {
  const tolerance = Math.max(a.traces[0]?.tolerance ?? 0, b.traces[0]?.tolerance ?? 0) * 10;
  const size = Math.abs(a.scale) * a.deviation;
  return (
    Math.abs(a.scale / b.scale - 1) < tolerance && Math.abs(a.shift - b.shift) < tolerance * (size + Math.abs(a.shift))
  );
}

/** A fit that changes nothing, or only what a changed reward would: not whitening. */
export function isIdentity(fit: AffineFit): boolean {
  return Math.abs(fit.scale - 1) < 10 * (fit.traces[0]?.tolerance ?? 0);
}

/** A fit without a shift: a scale alone. */
export function isPureScale(fit: AffineFit): boolean {
  const tolerance = 10 * (fit.traces[0]?.tolerance ?? 0);
  return Math.abs(fit.shift) <= tolerance * Math.abs(fit.scale) * (fit.deviation + Math.abs(fit.mean));
}

/** Whether scale and shift are those of whitening over exactly these tokens: a = 1/s, b = -mean/s. */
export function isWhitening(fit: AffineFit): boolean {
  const near = (x: number, y: number): boolean => Math.abs(x - y) <= 1e-3 * (Math.abs(y) + 1e-3);
  return near(fit.scale * fit.deviation, 1) && near(fit.shift, -fit.mean / fit.deviation);
}
