// Ways of walking a segment that trainers got wrong, each as a sequence of transitions to be recomputed and compared.

import type { DiagnosisCode } from '../../../contract/verify.ts';
import { type Critic, compressed, type Sequence, trainableSequence } from './sequences.ts';
import type { TraceSegment } from './traces.ts';

export interface WrongWalk {
  readonly code: DiagnosisCode;
  /** Finishes the sentence "The log is reproduced when …". */
  readonly when: string;
  /** Null when the segment has not what it takes. */
  build(segment: TraceSegment, critic: Critic): Sequence | null;
}

/** Values moved by `by` raw tokens; beyond the ends 0 or the outermost value. */
export function shiftedValues(segment: TraceSegment, by: 1 | -1, edge: 'zero' | 'repeat'): TraceSegment {
  const { values, length } = segment;
  if (values === null) return segment;
  const moved = new Float64Array(length);
  for (let t = 0; t < length; t += 1) {
    const from = t + by;
    const inside = from >= 0 && from < length;
    moved[t] = inside ? (values[from] ?? Number.NaN) : edge === 'zero' ? 0 : (values[t] ?? Number.NaN);
  }
  return { ...segment, values: moved };
}

/** Values moved by one trainable token, for logs that have values nowhere else. */
function shiftedTrainable(segment: TraceSegment, by: 1 | -1, critic: Critic): Sequence | null {
  const sequence = trainableSequence(segment, critic);
  if (sequence === null) return null;
  const { values } = sequence;
  const moved = values.map((_, i) => values[i + by] ?? 0);
  return { ...sequence, values: moved };
}

/** Positions of a mask moved by `by` raw tokens; what falls over an end is lost. */
function shiftedPositions(segment: TraceSegment, by: 1 | -1): Int32Array {
  return segment.positions.map((t) => t + by).filter((t) => t >= 0 && t < segment.length);
}

function invertedPositions(segment: TraceSegment): Int32Array {
  const out: number[] = [];
  for (let t = 0; t < segment.length; t += 1) if (segment.mask[t] !== 1) out.push(t);
  return Int32Array.from(out);
}

/**
 * A cut after every action: where the next trainable token is not the next token. What comes after the last action matters
 * only to a recursion through all segments: `ends` says whether it is cut there wherever masked tokens follow, or always.
 */
function cutAtObservations(
  segment: TraceSegment,
  critic: Critic,
  cutValues: boolean,
  ends: 'masked' | 'all' = 'masked',
): Sequence | null {
  const sequence = trainableSequence(segment, critic);
  if (sequence === null) return null;
  const { positions } = sequence;
  const cuts = new Uint8Array(positions.length);
  for (let i = 0; i + 1 < positions.length; i += 1) {
    if ((positions[i + 1] ?? 0) !== (positions[i] ?? 0) + 1) cuts[i] = 1;
  }
  const last = positions.length - 1;
  if (last >= 0 && (ends === 'all' || positions[last] !== segment.length - 1)) cuts[last] = 1;
  return { ...sequence, cuts, cutValues };
}

/** The reward goes to the last raw token; where that is masked, compressing loses it. */
function paidOnTail(segment: TraceSegment, critic: Critic): Sequence | null {
  const sequence = trainableSequence(segment, critic);
  if (sequence === null) return null;
  return segment.mask[segment.length - 1] === 1 ? sequence : { ...sequence, terminal: -1 };
}

/** Every raw token is a transition. */
function everyToken(
  segment: TraceSegment,
  critic: Critic,
  terminalAt: 'last' | 'trainable' | 'never',
  zeroMasked: boolean,
): Sequence | null {
  if (segment.positions.length === 0) return compressed(segment, segment.positions, critic);
  const every = new Int32Array(segment.length);
  for (let t = 0; t < every.length; t += 1) every[t] = t;
  const values = zeroMasked ? (segment.values?.map((v, t) => (segment.mask[t] === 1 ? v : 0)) ?? null) : segment.values;
  const sequence = compressed({ ...segment, values }, every, critic);
  if (sequence === null) return null;
  const last = segment.positions[segment.positions.length - 1] ?? -1;
  const terminal = { last: every.length - 1, trainable: last, never: -1 }[terminalAt];
  return { ...sequence, terminal, shown: segment.mask, counted: segment.positions.length };
}

/** Directions of a shift: read one token later, or earlier. */
export const shifts = [1, -1] as const;

/** In the order in which equal explanations are preferred. */
export const wrongWalks: readonly WrongWalk[] = [
  {
    code: 'observations-as-transitions',
    when: 'every token, observations included, is a transition and the reward is on the last token',
    build: (segment, critic) => everyToken(segment, critic, 'last', false),
  },
  {
    code: 'observations-as-transitions',
    when: 'every token, observations included, is a transition and the reward is on the last trainable token',
    build: (segment, critic) => everyToken(segment, critic, 'trainable', false),
  },
  {
    code: 'observations-as-transitions',
    when: 'every token is a transition, observations with value 0',
    build: (segment, critic) => everyToken(segment, critic, 'trainable', true),
  },
  ...shifts.flatMap((by): WrongWalk[] => [
    ...(['zero', 'repeat'] as const).map(
      (edge): WrongWalk => ({
        code: 'values-shifted',
        when: `the values are read ${by === 1 ? 'one token later' : 'one token earlier'}`,
        build: (segment, critic) =>
          critic === 'zero' ? null : trainableSequence(shiftedValues(segment, by, edge), critic),
      }),
    ),
    {
      code: 'values-shifted',
      when: `the values are read ${by === 1 ? 'one trainable token later' : 'one trainable token earlier'}`,
      build: (segment, critic) => (critic === 'zero' ? null : shiftedTrainable(segment, by, critic)),
    },
  ]),
  ...shifts.map(
    (by): WrongWalk => ({
      code: 'mask-shifted',
      when: `the mask is moved one token ${by === 1 ? 'later' : 'earlier'}`,
      build: (segment, critic) => compressed(segment, shiftedPositions(segment, by), critic),
    }),
  ),
  {
    code: 'mask-inverted',
    when: 'the mask is inverted: prompts and observations trained, actions masked',
    build: (segment, critic) => compressed(segment, invertedPositions(segment), critic),
  },
  {
    code: 'return-reset-at-observations',
    when: 'the recursion starts anew at every observation',
    build: (segment, critic) => cutAtObservations(segment, critic, false),
  },
  {
    code: 'return-reset-at-observations',
    when: 'the recursion starts anew at every observation and at every new segment',
    build: (segment, critic) => cutAtObservations(segment, critic, false, 'all'),
  },
  {
    code: 'return-reset-at-observations',
    when: 'every action is an episode of its own, with value 0 after it',
    build: (segment, critic) => cutAtObservations(segment, critic, true),
  },
  {
    code: 'reward-on-masked-tail',
    when: 'the reward is put on the last raw token, where a mask takes it away',
    build: (segment, critic) => paidOnTail(segment, critic),
  },
];
