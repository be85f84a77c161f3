// Values that stand one token off and of which one is lost at the edge, as a values file that was shifted after the fact has
// them: the trainer used the right values, so the log itself must say what the lost one was.

import { explains } from './compare.ts';
import { adaptiveOf, discountsOf } from './estimate.ts';
import type { Explanation, Prior } from './explain.ts';
import {
  compressed,
  countsAfter,
  type Discount,
  lambdasOf,
  type Recomputed,
  recompute,
  type Sequence,
  type Structure,
  trainableSequence,
} from './sequences.ts';
import { discountLabel, sameDiscount } from './settings.ts';
import type { Trace, TraceSegment } from './traces.ts';
import { shifts } from './walks.ts';

const joined: readonly Structure[] = ['cross', 'local', 'last'];

/** A sequence with its values moved back by one, and which of them is lost. */
interface Moved {
  readonly sequence: Sequence;
  readonly lost: 'first' | 'last' | null;
}

/** By raw tokens, or by trainable ones for files that have values nowhere else. */
function moved(segment: TraceSegment, by: 1 | -1, over: 'raw' | 'trainable'): Moved | null {
  const { values, positions, length } = segment;
  if (values === null) return null;
  const last = positions.length - 1;
  let lost: Moved['lost'] = null;
  const column = new Float64Array(length).fill(Number.NaN);
  for (const [i, t] of positions.entries()) {
    const from = over === 'raw' ? t + by : (positions[i + by] ?? -1);
    const value = from >= 0 && from < length ? (values[from] ?? Number.NaN) : Number.NaN;
    column[t] = value;
    if (Number.isFinite(value)) continue;
    if (i === 0 && by === -1) lost = 'first';
    else if (i === last && by === 1) lost = 'last';
    else return null;
    column[t] = 0;
  }
  const sequence = compressed({ ...segment, values: column }, positions, 'logged');
  return sequence === null ? null : { sequence, lost };
}

/** The sequence with its lost token out of the comparison. */
function without({ sequence, lost }: Moved): Sequence {
  if (lost === null) return sequence;
  const shown = new Uint8Array(sequence.positions.length).fill(1);
  shown[lost === 'first' ? 0 : shown.length - 1] = 0;
  return { ...sequence, shown };
}

/** What is compared: without the first token where its value is lost, and with the last value that the log implies. */
function completed(
  trace: Trace,
  all: readonly Moved[],
  structure: Structure,
  discount: Discount,
  signal: number,
): Recomputed {
  const plain = all.map(({ sequence }) => sequence);
  const lambdas = lambdasOf(trace, plain, discount.lambda);
  const after = countsAfter(plain.map(({ counted }) => counted));
  const final = plain.findLastIndex(({ positions }) => positions.length > 0);
  const sequences = all.map((one, s): Sequence => {
    if (one.lost !== 'last') return without(one);
    const { sequence } = one;
    const i = sequence.positions.length - 1;
    const factor = structure === 'cross' ? (discount.gamma * (lambdas[s] ?? 0)) ** (after[s] ?? 0) : 1;
    const paid = structure === 'last' && s !== final ? 0 : signal;
    const logged = trace.segments[s]?.logged[sequence.positions[i] ?? 0] ?? Number.NaN;
    // A = r + Z - V at the last token: one number is taken from the log, and the token that gave it is not compared.
    const value = (sequence.rewards[i] ?? 0) + paid - logged / factor;
    const values = sequence.values.slice();
    values[i] = Number.isFinite(value) ? value : 0;
    return { ...without(one), values };
  });
  return recompute(trace, sequences, structure, discount, signal);
}

/**
 * Explanations by a shift of the values whose edge is lost: at most one for each direction. Segments in which no trained token
 * lost its value are compared as a whole; where none did and all values are there, the plain shift is the explanation.
 */
export function lostEdges(trace: Trace, prior: Prior, signal: number): Explanation[] {
  const right = trace.segments.map((segment) => trainableSequence(segment));
  const known = right.every((sequence) => sequence !== null) ? right : null;
  return shifts.flatMap((by) => {
    const raw = explainLost(trace, by, 'raw', known, prior, signal);
    return raw.length > 0 ? raw : explainLost(trace, by, 'trainable', known, prior, signal);
  });
}

function explainLost(
  trace: Trace,
  by: 1 | -1,
  over: 'raw' | 'trainable',
  right: readonly Sequence[] | null,
  prior: Prior,
  signal: number,
): Explanation[] {
  const all = trace.segments.map((segment) => moved(segment, by, over));
  const whole = all.filter((one) => one !== null);
  const lost = whole.filter((one) => one.lost !== null).length;
  if (whole.length !== all.length || (lost === 0 && right !== null)) return [];
  const walked = { trace, sequences: whole.map(without) };
  const gammas = prior.likely.map(({ gamma }) => gamma);
  const discounts = (['exact', 'scale'] as const).flatMap((freedom) => [
    ...discountsOf([walked], freedom, gammas),
    ...adaptiveOf(walked, freedom).map((lambda) => ({ gamma: 1, lambda })),
  ]);
  for (const discount of [...prior.likely, ...discounts]) {
    for (const structure of joined) {
      const recomputed = completed(trace, whole, structure, discount, signal);
      if (!explains(trace, recomputed)) continue;
      const reference = right === null ? null : recompute(trace, right, structure, discount, signal);
      if (reference !== null && explains(trace, reference)) continue;
      const when = `the values are read one ${over === 'raw' ? '' : 'trainable '}token ${by === 1 ? 'later' : 'earlier'}`;
      return [
        {
          code: 'values-shifted',
          when,
          evidence: [
            `Every other logged number is that of GAE with ${discountLabel(discount.gamma, discount.lambda)} when ${when}; ${lost === 1 ? 'one value is' : `${lost} values are`} lost by the shift, at the ${by === 1 ? 'end' : 'start'} of a segment.`,
            'Look at the values file, or at the slice of the critic output that was logged.',
          ],
          discount,
          asNamed: prior.named === null || sameDiscount(prior.named, discount),
          fitted: lost,
          reference,
        },
      ];
    }
  }
  return [];
}
