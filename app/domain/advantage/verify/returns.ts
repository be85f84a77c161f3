// How the logged return targets come about: advantage plus value, or a pass of their own.

import { explains } from './compare.ts';
import { type Discount, recompute, signalOf, trainableSequence } from './sequences.ts';
import type { Trace } from './traces.ts';

/** The convention that gives the logged returns, in words; null when none does or there is nothing to say. */
export function returnsOf(trace: Trace, discount: Discount | null): string | null {
  if (trace.compared !== 'advantages' || !trace.segments.some(({ returns }) => returns !== null)) return null;
  const targets: Trace = {
    ...trace,
    segments: trace.segments.map((segment) => ({
      ...segment,
      logged: segment.returns ?? new Float64Array(segment.length).fill(Number.NaN),
    })),
  };
  const positions = trace.segments.map((segment) => segment.positions);
  const plusValues = (advantages: readonly Float64Array[]): boolean =>
    explains(targets, {
      positions,
      advantages: advantages.map((column, s) => {
        const segment = trace.segments[s];
        return column.map((a, i) => a + (segment?.values?.[segment.positions[i] ?? 0] ?? 0));
      }),
    });
  const logged = trace.segments.map((segment) => Float64Array.from(segment.positions, (t) => segment.logged[t] ?? 0));
  if (plusValues(logged))
    return trace.segments.some(({ values }) => values !== null) ? 'advantage + value' : 'the advantage';
  const signal = signalOf(trace);
  const sequences = trace.segments.map((segment) => trainableSequence(segment)).filter((sequence) => sequence !== null);
  if (discount === null || signal === null || sequences.length !== trace.segments.length) return null;
  if (plusValues(recompute(trace, sequences, 'local', discount, signal).advantages))
    return 'segment-local advantage + value';
  const monteCarlo = { gamma: discount.gamma, lambda: 1 };
  return plusValues(recompute(trace, sequences, 'local', monteCarlo, signal).advantages)
    ? 'segment-local with critic λ 1'
    : null;
}
