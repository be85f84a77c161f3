// A trainer's way of walking a segment, as data: which tokens are transitions, with which values, where the reward lands
// and where the recursion starts anew. Correct ways and wrong ones are computed by the same recursion.

import { type LambdaSpec, resolveLambda } from '../lambda.ts';
import type { Trace, TraceSegment } from './traces.ts';

/** The transitions of one segment, in time order. */
export interface Sequence {
  /** Raw token of each transition. */
  readonly positions: Int32Array;
  readonly values: Float64Array;
  readonly rewards: Float64Array;
  /** The transition that is paid the terminal signal; -1 when it is lost. */
  readonly terminal: number;
  /** 1 where the recursion starts anew after the transition; null when it never does. */
  readonly cuts: Uint8Array | null;
  /** At a cut the next value is 0 rather than that of the next transition. */
  readonly cutValues: boolean;
  /** 1 for transitions whose advantage is compared; null for all. */
  readonly shown: Uint8Array | null;
  /** What counts as trained in this walk. */
  readonly counted: number;
}

/** How segments are joined: each for itself, paid at every end or at the last; discounted by what follows; or in one. */
export type Structure = 'cross' | 'local' | 'last' | 'stitched';
export const structures: readonly Structure[] = ['cross', 'local', 'last', 'stitched'];

/** What is recomputed, at the raw tokens where it is compared, per segment. */
export interface Recomputed {
  readonly positions: readonly Int32Array[];
  readonly advantages: readonly Float64Array[];
}

export interface Discount {
  readonly gamma: number;
  readonly lambda: LambdaSpec;
}

/** Trainable tokens only, the reward at the last of them: what most trainers mean to do. Null without critic values. */
export function trainableSequence(segment: TraceSegment, critic: Critic = 'logged'): Sequence | null {
  return compressed(segment, segment.positions, critic);
}

/** `zero`: no critic, for estimators that only discount rewards. */
export type Critic = 'logged' | 'zero';

/** The transitions at the given positions; null when one of them has no value. */
export function compressed(segment: TraceSegment, positions: Int32Array, critic: Critic): Sequence | null {
  const values = new Float64Array(positions.length);
  const rewards = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 1) {
    const t = positions[i] ?? 0;
    const v = critic === 'zero' ? 0 : (segment.values?.[t] ?? Number.NaN);
    if (!Number.isFinite(v)) return null;
    values[i] = v;
    rewards[i] = segment.rewards[t] ?? 0;
  }
  return {
    positions,
    values,
    rewards,
    terminal: positions.length - 1,
    cuts: null,
    cutValues: false,
    shown: null,
    counted: positions.length,
  };
}

/** The signal that ends the rollout as logged; null when it is not known. */
export function signalOf(trace: Trace): number | null {
  const { reward, status } = trace.input;
  return reward !== null && Number.isFinite(reward) && status !== 'env_crash' ? reward : null;
}

/** The lambda in force in each segment, lengths counted as the walk counts them. */
export function lambdasOf(trace: Trace, sequences: readonly Sequence[], spec: LambdaSpec): number[] {
  const total = sequences.reduce((sum, { counted }) => sum + counted, 0);
  return sequences.map(({ counted }, s) =>
    resolveLambda(spec, {
      segmentTrainable: counted,
      segmentTokens: trace.segments[s]?.length ?? 0,
      rolloutTrainable: total,
    }),
  );
}

/** GAE over one sequence: `A_i = r_i + gamma*V_{i+1} - V_i + gamma*lambda*A_{i+1}`, with the terminal signal in place. */
export function walk(sequence: Sequence, gamma: number, lambda: number, signal: number): Float64Array {
  const { values, rewards, cuts, cutValues, terminal } = sequence;
  const n = values.length;
  const out = new Float64Array(n);
  let next = 0;
  let running = 0;
  for (let i = n - 1; i >= 0; i -= 1) {
    const cut = cuts !== null && cuts[i] === 1;
    const value = values[i] ?? 0;
    const reward = (rewards[i] ?? 0) + (i === terminal ? signal : 0);
    const bootstrap = cut && cutValues ? 0 : next;
    running = reward + gamma * bootstrap - value + (cut ? 0 : gamma * lambda * running);
    out[i] = running;
    next = value;
  }
  return out;
}

/** N_{>s} of a walk: what is counted as trained in later segments. */
export function countsAfter(counts: readonly number[]): number[] {
  const after = new Array<number>(counts.length).fill(0);
  let tokens = 0;
  for (let s = counts.length - 1; s >= 0; s -= 1) {
    after[s] = tokens;
    tokens += counts[s] ?? 0;
  }
  return after;
}

/** The advantages of a rollout under a walk, a structure and a discount. */
export function recompute(
  trace: Trace,
  sequences: readonly Sequence[],
  structure: Structure,
  discount: Discount,
  signal: number,
): Recomputed {
  const lambdas = lambdasOf(trace, sequences, discount.lambda);
  if (structure === 'stitched') return shownOf(sequences, stitched(sequences, discount, lambdas, signal));
  const after = countsAfter(sequences.map(({ counted }) => counted));
  const last = sequences.findLastIndex(({ positions }) => positions.length > 0);
  const advantages = sequences.map((sequence, s) => {
    const lambda = lambdas[s] ?? 0;
    const own = walk(sequence, discount.gamma, lambda, structure === 'last' && s !== last ? 0 : signal);
    if (structure !== 'cross') return own;
    const factor = (discount.gamma * lambda) ** (after[s] ?? 0);
    for (let i = 0; i < own.length; i += 1) own[i] = (own[i] ?? 0) * factor;
    return own;
  });
  return shownOf(sequences, advantages);
}

/** All sequences as one, paid once at the end of the last; a sequence that loses the signal loses it there too. */
function stitched(
  sequences: readonly Sequence[],
  discount: Discount,
  lambdas: readonly number[],
  signal: number,
): Float64Array[] {
  const last = sequences.findLastIndex(({ positions }) => positions.length > 0);
  const lambda = lambdas[last] ?? 0;
  const out: Float64Array[] = new Array(sequences.length);
  let next = 0;
  let running = 0;
  for (let s = sequences.length - 1; s >= 0; s -= 1) {
    const sequence = sequences[s];
    const n = sequence?.values.length ?? 0;
    const own = new Float64Array(n);
    for (let i = n - 1; i >= 0; i -= 1) {
      const cut = sequence?.cuts?.[i] === 1;
      const value = sequence?.values[i] ?? 0;
      const reward = (sequence?.rewards[i] ?? 0) + (s === last && i === sequence?.terminal ? signal : 0);
      running =
        reward +
        discount.gamma * (cut && sequence?.cutValues === true ? 0 : next) -
        value +
        (cut ? 0 : discount.gamma * lambda * running);
      own[i] = running;
      next = value;
    }
    out[s] = own;
  }
  return out;
}

/** The compared part of what a walk gave. */
function shownOf(sequences: readonly Sequence[], advantages: readonly Float64Array[]): Recomputed {
  const positions: Int32Array[] = [];
  const shown: Float64Array[] = [];
  for (const [s, { positions: all, shown: keep }] of sequences.entries()) {
    const own = advantages[s] ?? new Float64Array(0);
    if (keep === null) {
      positions.push(all);
      shown.push(own);
      continue;
    }
    let kept = 0;
    for (let i = 0; i < all.length; i += 1) if (keep[i] === 1) kept += 1;
    const places = new Int32Array(kept);
    const numbers = new Float64Array(kept);
    let k = 0;
    for (let i = 0; i < all.length; i += 1) {
      if (keep[i] !== 1) continue;
      places[k] = all[i] ?? 0;
      numbers[k] = own[i] ?? 0;
      k += 1;
    }
    positions.push(places);
    shown.push(numbers);
  }
  return { positions, advantages: shown };
}
