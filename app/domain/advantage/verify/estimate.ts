// Discount and lambda behind a log, in closed form: within an action the recursion A_i = delta_i + gamma*lambda*A_{i+1}
// holds for every trainer, so its coefficients are a least-squares fit over neighbouring tokens.

import type { LambdaSpec } from '../lambda.ts';
import type { Discount, Sequence } from './sequences.ts';
import type { Trace } from './traces.ts';

/** What may lie between the log and the recursion: nothing, a factor per segment, or a factor and a shift. */
export type Freedom = 'exact' | 'scale' | 'affine';

/** Rollouts with their walks. */
export interface Walked {
  readonly trace: Trace;
  readonly sequences: readonly Sequence[];
}

interface Pair {
  /** A_i as logged, TD residual of i, A_{i+1} as logged, V_{i+1}, r_i - V_i. */
  visit(y: number, next: number, value: number, rest: number): void;
}

/** Visits neighbouring transitions whose logged numbers are both known. */
function pairs(trace: Trace, sequence: Sequence, s: number, visitor: Pair): void {
  const { positions, values, rewards, cuts, shown, terminal } = sequence;
  const logged = trace.segments[s]?.logged;
  if (logged === undefined) return;
  for (let i = 0; i + 1 < positions.length; i += 1) {
    if (cuts?.[i] === 1 || i === terminal) continue;
    if (shown !== null && (shown[i] !== 1 || shown[i + 1] !== 1)) continue;
    const y = logged[positions[i] ?? 0] ?? Number.NaN;
    const next = logged[positions[i + 1] ?? 0] ?? Number.NaN;
    if (!Number.isFinite(y) || !Number.isFinite(next)) continue;
    visitor.visit(y, next, values[i + 1] ?? 0, (rewards[i] ?? 0) - (values[i] ?? 0));
  }
}

/**
 * gamma*lambda pooled over segments for a given gamma. `scale` and `affine` eliminate a factor (and a constant) of each
 * segment first: regressing both A_i and A_{i+1} on delta_i leaves the coefficient between their residuals. Null when the
 * data does not determine it.
 */
export function decayOf(walked: readonly Walked[], gamma: number, freedom: Freedom): number | null {
  let numerator = 0;
  let denominator = 0;
  for (const { trace, sequences } of walked) {
    for (const [s, sequence] of sequences.entries()) {
      const [top, bottom] = segmentDecay(trace, sequence, s, gamma, freedom);
      numerator += top;
      denominator += bottom;
    }
  }
  return denominator > 0 && Number.isFinite(numerator / denominator) ? numerator / denominator : null;
}

function segmentDecay(trace: Trace, sequence: Sequence, s: number, gamma: number, freedom: Freedom): [number, number] {
  let n = 0;
  let sd = 0;
  let sa = 0;
  let sy = 0;
  let dd = 0;
  let da = 0;
  let aa = 0;
  let dy = 0;
  let ay = 0;
  pairs(trace, sequence, s, {
    visit(y, next, value, rest) {
      const d = rest + gamma * value;
      n += 1;
      sd += d;
      sa += next;
      sy += y;
      dd += d * d;
      da += d * next;
      aa += next * next;
      dy += d * y;
      ay += next * y;
    },
  });
  if (n < (freedom === 'exact' ? 1 : 4)) return [0, 0];
  if (freedom === 'exact') return [ay - da, aa];
  if (freedom === 'affine') {
    dd -= (sd * sd) / n;
    da -= (sd * sa) / n;
    aa -= (sa * sa) / n;
    dy -= (sd * sy) / n;
    ay -= (sa * sy) / n;
  }
  const top = dd > 0 ? ay - (dy * da) / dd : ay;
  const bottom = dd > 0 ? aa - (da * da) / dd : aa;
  // What is left after the regression must stand out from rounding.
  return bottom > 1e-9 * aa ? [top, bottom] : [0, 0];
}

/** Gamma and gamma*lambda together, for logs that are neither scaled nor shifted. Null when they cannot be told apart. */
function jointly(walked: readonly Walked[]): { gamma: number; decay: number } | null {
  let vv = 0;
  let va = 0;
  let aa = 0;
  let vy = 0;
  let ay = 0;
  for (const { trace, sequences } of walked) {
    for (const [s, sequence] of sequences.entries()) {
      pairs(trace, sequence, s, {
        visit(y, next, value, rest) {
          vv += value * value;
          va += value * next;
          aa += next * next;
          vy += value * (y - rest);
          ay += next * (y - rest);
        },
      });
    }
  }
  const determinant = vv * aa - va * va;
  if (!(determinant > 1e-9 * vv * aa)) return null;
  return { gamma: (vy * aa - ay * va) / determinant, decay: (ay * vv - vy * va) / determinant };
}

/** The nearest number whose distance from 1 has at most `digits` significant digits. */
function round1(x: number, digits: number): number {
  const rest = 1 - x;
  if (rest < 1e-7) return 1;
  return Number((1 - Number(rest.toPrecision(digits))).toPrecision(12));
}

/** The numbers a person may have typed that an estimate stands for, simplest first, then the estimate itself. */
export function readings(estimate: number): number[] {
  if (!(estimate > -1e-3 && estimate < 1 + 1e-3)) return [];
  const x = Math.min(1, Math.max(0, estimate));
  const all = [round1(x, 1), round1(x, 2), round1(x, 3), x, ...(x > 1 - 1e-4 ? [1] : [])];
  return all.filter((y, i) => all.indexOf(y) === i);
}

/** Pairs of gamma and constant lambda that may be behind the log; few, the likeliest first. */
export function discountsOf(walked: readonly Walked[], freedom: Freedom, named: readonly number[]): Discount[] {
  const gammas = [...named, 1];
  if (freedom === 'exact') {
    const both = jointly(walked);
    if (both !== null) gammas.push(...readings(both.gamma).slice(0, 4));
  }
  const found: Discount[] = [];
  for (const gamma of new Set(gammas)) {
    const decay = gamma > 0 ? decayOf(walked, gamma, freedom) : null;
    if (decay === null) continue;
    for (const lambda of readings(decay / gamma)) found.push({ gamma, lambda });
  }
  return found;
}

const lengthKinds = ['segment_trainable', 'rollout_trainable', 'segment_tokens'] as const;

/** Length-adaptive lambdas `1 - 1/(alpha*l)` whose alpha is the same in every segment, for each meaning of l. */
export function adaptiveOf(one: Walked, freedom: Freedom): LambdaSpec[] {
  const { trace, sequences } = one;
  const total = sequences.reduce((sum, { counted }) => sum + counted, 0);
  return lengthKinds.flatMap((length): LambdaSpec[] => {
    const alphas: number[] = [];
    for (const [s, sequence] of sequences.entries()) {
      const [top, bottom] = segmentDecay(trace, sequence, s, 1, freedom);
      const tokens = {
        segment_trainable: sequence.counted,
        rollout_trainable: total,
        segment_tokens: trace.segments[s]?.length ?? 0,
      };
      if (bottom > 0 && top < bottom) alphas.push(1 / ((1 - top / bottom) * tokens[length]));
    }
    const sorted = alphas.toSorted((a, b) => a - b);
    const alpha = sorted[sorted.length >> 1];
    if (alpha === undefined || !(alpha > 1e-3 && alpha < 1e3)) return [];
    const simple = Number(alpha.toPrecision(2));
    return Math.abs(simple - alpha) < 0.02 * alpha ? [{ mode: 'length_adaptive', alpha: simple, length, max: 1 }] : [];
  });
}
