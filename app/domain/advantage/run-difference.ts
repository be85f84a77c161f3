// Two columns of advantages of the same rollouts, token by token: how many differ, turn their sign, and by how much. Pure.

import type { ComparedRollout, RunSetComparison } from '../../contract/run-sets.ts';

/** A token differs when |a − b| is above this share of the larger of both and of 1e-6: runs are stored as float32. */
const tolerance = 2e-6;
const mostRows = 1_000;

/** A segment of one rollout in both runs; `mask` null takes every token. Columns are of one length. */
export interface ComparedSegment {
  readonly index: number;
  readonly mask: ArrayLike<number> | null;
  readonly a: ArrayLike<number>;
  readonly b: ArrayLike<number>;
}

/** Takes rollout after rollout, and gives the figures of all. Sums are in float64. */
export class RunDifference {
  readonly #rows: ComparedRollout[] = [];
  #rollouts = 0;
  #onlyA = 0;
  #onlyB = 0;
  readonly #all = sums();

  add(rollout: { readonly id: string; readonly externalId: string }, segments: readonly ComparedSegment[]): void {
    const own = sums();
    for (const segment of segments) addSegment(own, segment);
    this.#rollouts += 1;
    for (const name of sumNames) this.#all[name] += own[name];
    this.#rows.push({
      ...rollout,
      tokens: own.tokens,
      differing: own.differing,
      signFlips: own.signFlips,
      meanAbsA: mean(own.absA, own.tokens),
      meanAbsB: mean(own.absB, own.tokens),
      meanAbsDifference: mean(own.absDifference, own.tokens),
      largest: own.largest,
    });
  }

  /** A rollout that only one of the sets has a result for. */
  skip(side: 'a' | 'b'): void {
    if (side === 'a') this.#onlyA += 1;
    else this.#onlyB += 1;
  }

  result(): RunSetComparison {
    const { tokens, differing, signFlips, absA, absB, absDifference } = this.#all;
    return {
      rollouts: this.#rollouts,
      onlyA: this.#onlyA,
      onlyB: this.#onlyB,
      tokens,
      differing,
      signFlips,
      meanAbsA: mean(absA, tokens),
      meanAbsB: mean(absB, tokens),
      meanAbsDifference: mean(absDifference, tokens),
      correlation: correlation(this.#all),
      rows: this.#rows.toSorted((x, y) => sizeOf(y) - sizeOf(x)).slice(0, mostRows),
    };
  }
}

const sumNames = [
  'tokens',
  'differing',
  'signFlips',
  'absA',
  'absB',
  'absDifference',
  'a',
  'b',
  'aa',
  'bb',
  'ab',
] as const;
type Sums = Record<(typeof sumNames)[number], number> & { largest: ComparedRollout['largest'] };

function sums(): Sums {
  return {
    tokens: 0,
    differing: 0,
    signFlips: 0,
    absA: 0,
    absB: 0,
    absDifference: 0,
    a: 0,
    b: 0,
    aa: 0,
    bb: 0,
    ab: 0,
    largest: null,
  };
}

function addSegment(into: Sums, { index, mask, a, b }: ComparedSegment): void {
  let most = into.largest === null ? 0 : Math.abs(into.largest.b - into.largest.a);
  const length = Math.min(a.length, b.length);
  for (let token = 0; token < length; token += 1) {
    if (mask !== null && mask[token] !== 1) continue;
    const x = a[token] ?? 0;
    const y = b[token] ?? 0;
    const difference = Math.abs(y - x);
    into.tokens += 1;
    into.absA += Math.abs(x);
    into.absB += Math.abs(y);
    into.absDifference += difference;
    into.a += x;
    into.b += y;
    into.aa += x * x;
    into.bb += y * y;
    into.ab += x * y;
    if (x * y < 0) into.signFlips += 1;
    if (difference > tolerance * Math.max(Math.abs(x), Math.abs(y), 1e-6)) into.differing += 1;
    if (difference > most) {
      most = difference;
      into.largest = { segment: index, token, a: x, b: y };
    }
  }
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : sum / count;
}

function correlation({ tokens, a, b, aa, bb, ab }: Sums): number | null {
  const varianceA = aa - (a * a) / tokens;
  const varianceB = bb - (b * b) / tokens;
  // Below the rounding of the sums there is no variation to speak of.
  if (!(varianceA > 1e-12 * aa) || !(varianceB > 1e-12 * bb)) return null;
  return Math.max(-1, Math.min(1, (ab - (a * b) / tokens) / Math.sqrt(varianceA * varianceB)));
}

function sizeOf({ largest }: ComparedRollout): number {
  return largest === null ? 0 : Math.abs(largest.b - largest.a);
}
