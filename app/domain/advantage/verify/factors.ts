// A log that is the right advantages of each segment times a number: what the numbers are, and what they count.

import { explains } from './compare.ts';
import { countsAfter, type Discount, lambdasOf, type Recomputed, recompute, type Sequence } from './sequences.ts';
import type { Trace } from './traces.ts';

/** What the factors of a rollout's segments say. */
export type FactorReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'summaries' }
  | { readonly kind: 'missing'; readonly segments: readonly number[] }
  | { readonly kind: 'raw-tokens' }
  | { readonly kind: 'own-tokens' }
  | { readonly kind: 'unknown'; readonly factors: readonly (number | null)[] };

/** Segments with more trainable ones than this after them are not searched for the subset that was counted. */
const mostSubsets = 12;

/** Scale of each segment by least squares; null where the segment has nothing to scale. */
export function segmentFactors(trace: Trace, local: Recomputed): (number | null)[] {
  return trace.segments.map((segment, s) => {
    const positions = local.positions[s] ?? new Int32Array(0);
    const column = local.advantages[s] ?? new Float64Array(0);
    let xy = 0;
    let xx = 0;
    for (let i = 0; i < positions.length; i += 1) {
      const y = segment.logged[positions[i] ?? 0] ?? Number.NaN;
      const x = column[i] ?? 0;
      if (!Number.isFinite(y)) continue;
      xy += x * y;
      xx += x * x;
    }
    return xx > 0 ? xy / xx : null;
  });
}

/** The recomputed advantages with every segment times its factor. */
export function scaled(local: Recomputed, factors: readonly (number | null)[]): Recomputed {
  return {
    positions: local.positions,
    advantages: local.advantages.map((column, s) => {
      const factor = factors[s] ?? 1;
      return column.map((x) => x * factor);
    }),
  };
}

/**
 * Whether the log is the local advantages of the walk times a factor per segment, and what the factors are: powers of
 * gamma*lambda by some count of later tokens, one number for all, or neither. Null when it is not.
 */
export function readFactors(
  trace: Trace,
  sequences: readonly Sequence[],
  discount: Discount,
  signal: number,
): FactorReading | null {
  const local = recompute(trace, sequences, 'local', discount, signal);
  const factors = segmentFactors(trace, local);
  if (!explains(trace, scaled(local, factors))) return null;
  const lambdas = lambdasOf(trace, sequences, discount.lambda);
  const fits = (counts: readonly number[]): boolean =>
    explains(trace, scaled(local, powers(discount.gamma, lambdas, counts)));
  const counts = sequences.map(({ counted }) => counted);
  if (fits(countsAfter(counts))) return { kind: 'none' };
  if (fits(countsAfter(counts.map((n, s) => (trace.segments[s]?.kind === 'summary' ? 0 : n))))) {
    return { kind: 'summaries' };
  }
  if (fits(counts.map(() => 0))) return { kind: 'none' };
  const missing = missingSegments(counts, fits);
  if (missing !== null) return { kind: 'missing', segments: missing };
  if (fits(countsAfter(trace.segments.map(({ length }) => length)))) return { kind: 'raw-tokens' };
  if (fits(countsAfter(counts).map((after, s) => after + (counts[s] ?? 0)))) return { kind: 'own-tokens' };
  // A single factor is the rollout's, not a segment's.
  return factors.filter((factor) => factor !== null).length < 2 ? { kind: 'none' } : { kind: 'unknown', factors };
}

function powers(gamma: number, lambdas: readonly number[], counts: readonly number[]): number[] {
  return counts.map((count, s) => (gamma * (lambdas[s] ?? 0)) ** count);
}

/**
 * The segments that the count of later tokens leaves out: one, or any set of them, fewest first. Leaving out all is the
 * local estimator, which is not a mistake of counting.
 */
function missingSegments(counts: readonly number[], fits: (after: readonly number[]) => boolean): number[] | null {
  const filled = counts.flatMap((n, s) => (n > 0 ? [s] : []));
  if (filled.length < 2 || filled.length > mostSubsets) return null;
  // The first segment is before all others: whether it is counted changes nothing.
  const candidates = filled.slice(1);
  const sets: number[][] = [];
  for (let bits = 1; bits < 2 ** candidates.length - 1; bits += 1) {
    sets.push(candidates.filter((_, k) => ((bits >> k) & 1) === 1));
  }
  sets.sort((a, b) => a.length - b.length);
  return sets.find((set) => fits(countsAfter(counts.map((n, s) => (set.includes(s) ? 0 : n))))) ?? null;
}

/** The one number that the log is times what was recomputed, by least squares; null when it is not. */
export function commonFactor(trace: Trace, recomputed: Recomputed): number | null {
  let xy = 0;
  let xx = 0;
  for (const [s, { logged }] of trace.segments.entries()) {
    const positions = recomputed.positions[s] ?? new Int32Array(0);
    const column = recomputed.advantages[s] ?? new Float64Array(0);
    for (let i = 0; i < positions.length; i += 1) {
      const y = logged[positions[i] ?? 0] ?? Number.NaN;
      const x = column[i] ?? 0;
      if (!Number.isFinite(y)) continue;
      xy += x * y;
      xx += x * x;
    }
  }
  if (!(xx > 0)) return null;
  const factor = xy / xx;
  return explains(
    trace,
    scaled(
      recomputed,
      recomputed.advantages.map(() => factor),
    ),
  )
    ? factor
    : null;
}

/** What a normaliser is one over, where it is a count of the rollout. */
export function normaliserWords(trace: Trace, factor: number): string | null {
  const near = (x: number): boolean => Math.abs(factor / x - 1) < 1e-4 + trace.tolerance;
  const raw = trace.segments.reduce((sum, { length }) => sum + length, 0);
  if (near(1 / trace.trainable)) return 'one over its trainable tokens';
  if (near(1 / raw)) return 'one over all its tokens';
  if (near(1 / trace.segments.length)) return 'one over its segments';
  if (near(1 / Math.sqrt(trace.trainable))) return 'one over the root of its trainable tokens';
  return null;
}

/** The terminal signal that the last transition of each segment implies, when it is the same in all; null otherwise. */
export function impliedSignal(trace: Trace, sequences: readonly Sequence[], discount: Discount): number | null {
  const lambdas = lambdasOf(trace, sequences, discount.lambda);
  for (let s = sequences.length - 1; s >= 0; s -= 1) {
    const sequence = sequences[s];
    const at = sequence?.positions[sequence.positions.length - 1];
    if (sequence === undefined || at === undefined) continue;
    const logged = trace.segments[s]?.logged[at] ?? Number.NaN;
    if (!Number.isFinite(logged) || lambdas[s] === undefined) return null;
    const last = sequence.positions.length - 1;
    return logged + (sequence.values[last] ?? 0) - (sequence.rewards[last] ?? 0);
  }
  return null;
}
