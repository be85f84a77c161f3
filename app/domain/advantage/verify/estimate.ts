// Discount and lambda behind a log, in closed form: within an action the recursion A_i = delta_i + gamma*lambda*A_{i+1}
// holds for every trainer, so its coefficients are a least-squares fit over neighbouring tokens.

import type { LambdaSpec } from '../lambda.ts';
import type { Discount, Sequence } from './sequences.ts';
import type { Trace } from './traces.ts';

/** What may lie between the log and the recursion: nothing, a factor per segment, or a factor and a shift. */
export type Freedom = 'exact' | 'scale' | 'affine';

/** A rollout with its walk. */
export interface Walked {
  readonly trace: Trace;
  readonly sequences: readonly Sequence[];
}

/** Sums over neighbouring tokens: y = A_i, a = A_{i+1}, v = V_{i+1}, q = r_i - V_i. */
interface Sums {
  readonly n: number;
  readonly y: number;
  readonly a: number;
  readonly v: number;
  readonly q: number;
  readonly yy: number;
  readonly aa: number;
  readonly vv: number;
  readonly qq: number;
  readonly ya: number;
  readonly yv: number;
  readonly yq: number;
  readonly av: number;
  readonly aq: number;
  readonly vq: number;
}

/** One pass over the neighbouring transitions of a segment whose logged numbers are both known. */
function sumsOf(trace: Trace, sequence: Sequence, s: number): Sums {
  const { positions, values, rewards, cuts, shown, terminal } = sequence;
  const logged = trace.segments[s]?.logged ?? new Float64Array(0);
  const sums = { n: 0, y: 0, a: 0, v: 0, q: 0, yy: 0, aa: 0, vv: 0, qq: 0, ya: 0, yv: 0, yq: 0, av: 0, aq: 0, vq: 0 };
  for (let i = 0; i + 1 < positions.length; i += 1) {
    if (cuts?.[i] === 1 || i === terminal) continue;
    if (shown !== null && (shown[i] !== 1 || shown[i + 1] !== 1)) continue;
    const y = logged[positions[i] ?? 0] ?? Number.NaN;
    const a = logged[positions[i + 1] ?? 0] ?? Number.NaN;
    if (!Number.isFinite(y) || !Number.isFinite(a)) continue;
    const v = values[i + 1] ?? 0;
    const q = (rewards[i] ?? 0) - (values[i] ?? 0);
    sums.n += 1;
    sums.y += y;
    sums.a += a;
    sums.v += v;
    sums.q += q;
    sums.yy += y * y;
    sums.aa += a * a;
    sums.vv += v * v;
    sums.qq += q * q;
    sums.ya += y * a;
    sums.yv += y * v;
    sums.yq += y * q;
    sums.av += a * v;
    sums.aq += a * q;
    sums.vq += v * q;
  }
  return sums;
}

/** A quadratic in c = gamma*lambda: the squared error of a segment is `error + (c - top/bottom)^2 * bottom`. */
interface Quadratic {
  readonly top: number;
  readonly bottom: number;
  readonly error: number;
  /** Sum of squares of what is explained. */
  readonly size: number;
}

const undetermined: Quadratic = { top: 0, bottom: 0, error: 0, size: 0 };

/**
 * The fit of A_i on A_{i+1} given gamma, delta = q + gamma*v. `scale` and `affine` first eliminate a factor of delta (and a
 * constant) that each segment may have: what is regressed are the residuals on delta.
 */
function quadratic(sums: Sums, gamma: number, freedom: Freedom): Quadratic {
  const { n } = sums;
  if (n < (freedom === 'exact' ? 1 : 4)) return undetermined;
  const d = sums.q + gamma * sums.v;
  const centred = freedom === 'affine' ? 1 / n : 0;
  const dd = sums.qq + 2 * gamma * sums.vq + gamma * gamma * sums.vv - centred * d * d;
  const da = sums.aq + gamma * sums.av - centred * d * sums.a;
  const dy = sums.yq + gamma * sums.yv - centred * d * sums.y;
  const aa = sums.aa - centred * sums.a * sums.a;
  const ya = sums.ya - centred * sums.y * sums.a;
  const yy = sums.yy - centred * sums.y * sums.y;
  if (freedom === 'exact') {
    const top = ya - da;
    const rest = yy - 2 * dy + dd;
    return { top, bottom: aa, error: aa > 0 ? rest - (top * top) / aa : rest, size: yy };
  }
  if (!(dd > 0)) return undetermined;
  const top = ya - (dy * da) / dd;
  const bottom = aa - (da * da) / dd;
  // What is left after the regression must stand out from rounding.
  if (!(bottom > 1e-9 * sums.aa)) return undetermined;
  return { top, bottom, error: yy - (dy * dy) / dd - (top * top) / bottom, size: yy };
}

function pooled(parts: readonly Quadratic[]): Quadratic {
  const known = parts.filter(({ bottom }) => bottom > 0);
  const top = known.reduce((sum, part) => sum + part.top, 0);
  const bottom = known.reduce((sum, part) => sum + part.bottom, 0);
  const least = (part: Quadratic): number => part.error + (part.top * part.top) / part.bottom;
  const error = known.reduce((sum, part) => sum + least(part), 0) - (bottom > 0 ? (top * top) / bottom : 0);
  return { top, bottom, error, size: known.reduce((sum, part) => sum + part.size, 0) };
}

/** Root mean square error over the size of the log when gamma*lambda is `decay`. */
function relativeError({ top, bottom, error, size }: Quadratic, decay: number): number {
  const away = decay - top / bottom;
  return Math.sqrt(Math.max(0, error + away * away * bottom) / size);
}

/** A relative error that rounding may have left: tokens and their successors are both rounded. */
function allowed(walked: readonly Walked[]): number {
  return 4 * Math.max(...walked.map(({ trace }) => trace.tolerance));
}

/** Gamma of one segment's sums with the factor left free: A_i = s*q + s*gamma*v + c*A_{i+1}; NaN when undetermined. */
function freeGamma(sums: Sums): number {
  const { qq, vv, aa, vq, aq, av, yq, yv, ya, n } = sums;
  if (n < 6) return Number.NaN;
  const determinant = (m: readonly number[]): number => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0] = m;
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  };
  const scale = determinant([yq, vq, aq, yv, vv, av, ya, av, aa]);
  const next = determinant([qq, yq, aq, vq, yv, av, aq, ya, aa]);
  return next / scale;
}

/** Gamma of pooled sums without a factor: A_i - q = gamma*v + c*A_{i+1}. */
function exactGamma(all: readonly Sums[]): number {
  const total = (pick: (sums: Sums) => number): number => all.reduce((sum, sums) => sum + pick(sums), 0);
  const vv = total((s) => s.vv);
  const aa = total((s) => s.aa);
  const av = total((s) => s.av);
  const vy = total((s) => s.yv - s.vq);
  const ay = total((s) => s.ya - s.aq);
  const determinant = vv * aa - av * av;
  return determinant > 1e-9 * vv * aa ? (vy * aa - ay * av) / determinant : Number.NaN;
}

/** The nearest number whose distance from 1 has at most `digits` significant digits. */
function rounded(x: number, digits: number): number {
  const rest = 1 - x;
  if (rest < 1e-7) return 1;
  return Number((1 - Number(rest.toPrecision(digits))).toPrecision(12));
}

/** The numbers a person may have typed that an estimate stands for, simplest first, then the estimate itself. */
function readings(estimate: number): number[] {
  if (!(estimate > -1e-3 && estimate < 1 + 1e-3)) return [];
  const x = Math.min(1, Math.max(0, estimate));
  const all = [...(x > 1 - 1e-4 ? [1] : []), rounded(x, 1), rounded(x, 2), rounded(x, 3), x];
  return all.filter((y, i) => all.indexOf(y) === i);
}

/**
 * Pairs of gamma and constant lambda under which neighbouring tokens fit the recursion to the log's precision; few, simple
 * numbers first. `gammas` are tried beside 1 and the estimate.
 */
export function discountsOf(walked: readonly Walked[], freedom: Freedom, gammas: readonly number[]): Discount[] {
  if (walked.length === 0) return [];
  const all = walked.flatMap(({ trace, sequences }) => sequences.map((sequence, s) => sumsOf(trace, sequence, s)));
  const longest = all.reduce<Sums | null>((best, sums) => (best === null || sums.n > best.n ? sums : best), null);
  const estimate =
    freedom === 'exact' ? exactGamma(all) : freedom === 'scale' && longest !== null ? freeGamma(longest) : Number.NaN;
  const limit = allowed(walked);
  const found: Discount[] = [];
  for (const gamma of new Set([...gammas, 1, ...readings(estimate)])) {
    if (!(gamma > 0)) continue;
    const fit = pooled(all.map((sums) => quadratic(sums, gamma, freedom)));
    if (!(fit.bottom > 0 && fit.size > 0)) continue;
    for (const lambda of readings(fit.top / fit.bottom / gamma)) {
      if (relativeError(fit, gamma * lambda) <= limit) found.push({ gamma, lambda });
    }
  }
  return found.slice(0, 6);
}

const lengthKinds = ['segment_trainable', 'rollout_trainable', 'segment_tokens'] as const;

/** Length-adaptive lambdas `1 - 1/(alpha*l)` whose alpha is the same simple number in every segment, for each meaning of l. */
export function adaptiveOf(one: Walked, freedom: Freedom): LambdaSpec[] {
  const { trace, sequences } = one;
  const limit = allowed([one]);
  const total = sequences.reduce((sum, { counted }) => sum + counted, 0);
  const parts = sequences.map((sequence, s) => quadratic(sumsOf(trace, sequence, s), 1, freedom));
  return lengthKinds.flatMap((length): LambdaSpec[] => {
    const tokens = sequences.map(
      ({ counted }, s) =>
        ({ segment_trainable: counted, rollout_trainable: total, segment_tokens: trace.segments[s]?.length ?? 0 })[
          length
        ],
    );
    const alphas = parts.flatMap(({ top, bottom }, s) =>
      bottom > 0 && top < bottom ? [1 / ((1 - top / bottom) * (tokens[s] ?? 1))] : [],
    );
    const alpha = alphas.toSorted((a, b) => a - b)[alphas.length >> 1];
    if (alpha === undefined || !(alpha > 1e-3 && alpha < 1e3)) return [];
    const simple = Number(alpha.toPrecision(2));
    const holds = parts.every(
      (part, s) => part.bottom === 0 || relativeError(part, Math.max(0, 1 - 1 / (simple * (tokens[s] ?? 1)))) <= limit,
    );
    return holds ? [{ mode: 'length_adaptive', alpha: simple, length, max: 1 }] : [];
  });
}
