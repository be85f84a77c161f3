// Logged against recomputed: how far apart, how many tokens agree, and where walking backwards they first part.

import type { Divergence } from '../../../contract/verify.ts';
import type { Recomputed } from './sequences.ts';
import type { Trace } from './traces.ts';

/** Added to |recomputed| under the difference (ADVANTAGES.md 9.2), so that a zero can be compared. */
const floor = 1e-6;

export interface Agreement {
  readonly compared: number;
  /** Share of the compared tokens that agree within the tolerance. */
  readonly share: number;
  /** Largest |logged - recomputed| / (1e-6 + |recomputed|), recomputed rounded to float32. */
  readonly max: number;
  /** The same at the 99th percentile. */
  readonly p99: number;
}

/** Root mean square of what a segment has at the compared tokens. */
function sizeOf(column: Float64Array): number {
  let sum = 0;
  for (const x of column) sum += x * x;
  return column.length === 0 ? 0 : Math.sqrt(sum / column.length);
}

/**
 * How far apart two numbers may be: relative to the number and to the size of its segment, since the rounding of a recursion
 * is that of its largest terms also where they cancel.
 */
function allowance(trace: Trace, x: number, size: number): number {
  return trace.tolerance * (floor + Math.abs(x) + size);
}

/** Whether every compared token agrees. Stops at the first that does not. Nothing to compare is no agreement. */
export function explains(trace: Trace, recomputed: Recomputed): boolean {
  let compared = 0;
  for (const [s, segment] of trace.segments.entries()) {
    const positions = recomputed.positions[s];
    const column = recomputed.advantages[s];
    if (positions === undefined || column === undefined) return false;
    const size = sizeOf(column);
    if (!Number.isFinite(size)) return false;
    for (let i = 0; i < positions.length; i += 1) {
      const logged = segment.logged[positions[i] ?? 0] ?? Number.NaN;
      if (Number.isNaN(logged)) continue;
      const x = Math.fround(column[i] ?? 0);
      if (!(Math.abs(logged - x) <= allowance(trace, x, size))) return false;
      compared += 1;
    }
  }
  return compared > 0;
}

/** The full comparison; `exact: false` leaves the percentile out (NaN), which costs a sort. */
export function agreementOf(trace: Trace, recomputed: Recomputed, exact = true): Agreement {
  const differences = new Float64Array(trace.tokens);
  let compared = 0;
  let agreeing = 0;
  let max = 0;
  for (const [s, segment] of trace.segments.entries()) {
    const positions = recomputed.positions[s] ?? new Int32Array(0);
    const column = recomputed.advantages[s] ?? new Float64Array(0);
    const size = sizeOf(column);
    for (let i = 0; i < positions.length; i += 1) {
      const logged = segment.logged[positions[i] ?? 0] ?? Number.NaN;
      if (Number.isNaN(logged)) continue;
      const x = Math.fround(column[i] ?? 0);
      const distance = Math.abs(logged - x);
      const difference = Number.isFinite(distance) ? distance / (floor + Math.abs(x)) : Number.POSITIVE_INFINITY;
      if (compared < differences.length) differences[compared] = difference;
      compared += 1;
      if (difference > max) max = difference;
      if (distance <= allowance(trace, x, size)) agreeing += 1;
    }
  }
  const share = compared === 0 ? 0 : agreeing / compared;
  if (!exact) return { compared, share, max, p99: Number.NaN };
  const sorted = differences.subarray(0, Math.min(compared, differences.length)).sort();
  return { compared, share, max, p99: sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0 };
}

/**
 * The first token of each segment that differs, walking backwards from its end: errors of a backward recursion spread to
 * earlier tokens, so the last wrong one in time is where they come from. Segments that agree are left out.
 */
export function divergencesOf(trace: Trace, recomputed: Recomputed): Divergence[] {
  return trace.segments.flatMap((segment, s): Divergence[] => {
    const positions = recomputed.positions[s] ?? new Int32Array(0);
    const column = recomputed.advantages[s] ?? new Float64Array(0);
    const size = sizeOf(column);
    let first: { token: number; logged: number; recomputed: number } | null = null;
    let differing = 0;
    let compared = 0;
    for (let i = positions.length - 1; i >= 0; i -= 1) {
      const t = positions[i] ?? 0;
      const logged = segment.logged[t] ?? Number.NaN;
      if (Number.isNaN(logged)) continue;
      compared += 1;
      const x = Math.fround(column[i] ?? 0);
      if (Math.abs(logged - x) <= allowance(trace, x, size)) continue;
      differing += 1;
      first ??= { token: t + segment.offset, logged, recomputed: x };
    }
    return first === null ? [] : [{ segment: segment.index, kind: segment.kind, ...first, differing, compared }];
  });
}
