// Builders and generators of estimator input for the tests of this folder.

import fc from 'fast-check';
import { expect } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import type {
  EstimatorInput,
  EstimatorOutput,
  RolloutInput,
  RolloutOutput,
  SegmentInput,
  TokenColumn,
} from '../../../app/domain/advantage/types.ts';

/** A segment whose mask is given as letters: `a` is trainable, anything else masked. */
export function segment(mask: string, rest: Partial<SegmentInput> = {}): SegmentInput {
  return { kind: 'execution', lossMask: [...mask].map((letter) => (letter === 'a' ? 1 : 0)), ...rest };
}

export function rollout(segments: readonly SegmentInput[], rest: Partial<RolloutInput> = {}): RolloutInput {
  return { id: 'r0', groupId: 'g0', status: 'terminated', reward: 1, segments, ...rest };
}

export function batch(...rollouts: RolloutInput[]): EstimatorInput {
  return { rollouts };
}

/** Runs one rollout alone and returns its result, which must not be a refusal. */
export function runOne(
  id: string,
  params: object,
  one: RolloutInput,
  rest: Partial<EstimatorInput> = {},
): RolloutOutput {
  const output = runEstimator(id, params, { rollouts: [one], ...rest });
  const result = only(output);
  expect(result.error).toBeNull();
  return result;
}

/** The single rollout of an output. */
export function only(output: EstimatorOutput): RolloutOutput {
  const [first] = output.rollouts;
  if (first === undefined || output.rollouts.length !== 1) throw new Error('one rollout expected');
  return first;
}

/** A column of every segment as plain numbers. */
export function columns(result: RolloutOutput, name: TokenColumn = 'advantages'): number[][] {
  return result.segments.map(({ columns: all }) => Array.from(all[name] ?? []));
}

/** A column at the trainable tokens of all segments, one after the other. */
export function trainable(result: RolloutOutput, name: TokenColumn = 'advantages'): number[] {
  return result.segments.flatMap((one) => Array.from(one.positions, (t) => one.columns[name]?.[t] ?? Number.NaN));
}

/** Two lists of numbers agree to 1e-9, absolutely or relative to the size of what went in. */
export function expectClose(got: readonly number[], wanted: readonly number[], scale = 1): void {
  expect(got.length).toBe(wanted.length);
  for (const [i, x] of got.entries()) {
    const y = wanted[i] ?? Number.NaN;
    const bound = 1e-9 * Math.max(1, scale, Math.abs(y));
    if (!(Math.abs(x - y) <= bound)) expect({ at: i, got: x }).toEqual({ at: i, got: y });
  }
}

const value = fc.double({ min: -2, max: 2, noNaN: true });

/** A segment of up to 12 tokens, with observations, values and token rewards (on trainable tokens only unless `masked`). */
export function segments(options: { filled?: boolean } = {}): fc.Arbitrary<SegmentInput> {
  return fc
    .array(fc.tuple(fc.boolean(), value, value), { minLength: options.filled ? 1 : 0, maxLength: 12 })
    .map((tokens): SegmentInput => {
      const lossMask = tokens.map(([trained], t) => (trained || (options.filled === true && t === 0) ? 1 : 0));
      return {
        kind: 'execution',
        lossMask,
        values: tokens.map(([, v]) => v),
        rewards: tokens.map(([, , r], t) => (lossMask[t] === 1 ? r : 0)),
      };
    });
}

/** A rollout of one to five segments. */
export function rollouts(options: { filled?: boolean; max?: number } = {}): fc.Arbitrary<RolloutInput> {
  return fc
    .tuple(fc.array(segments(options), { minLength: 1, maxLength: options.max ?? 5 }), value)
    .map(([all, reward]) => rollout(all, { reward }));
}

/** gamma and a fixed lambda. */
export const discounts = fc.record({
  gamma: fc.double({ min: 0, max: 1, noNaN: true }),
  lambda: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** The same rollout without token rewards. */
export function terminalOnly(one: RolloutInput): RolloutInput {
  return { ...one, segments: one.segments.map(({ rewards: _, ...rest }) => rest) };
}

/** The same rollout with every column put through a function of its numbers. */
export function mapNumbers(one: RolloutInput, of: (x: number) => number): RolloutInput {
  const list = (column: SegmentInput['values']) => Array.from(column ?? [], (x) => of(x ?? 0));
  return {
    ...one,
    reward: of(one.reward ?? 0),
    segments: one.segments.map((seg) => ({ ...seg, values: list(seg.values), rewards: list(seg.rewards) })),
  };
}

/** n_s of every segment. */
export function counts(one: RolloutInput): number[] {
  return one.segments.map((seg) => Array.from(seg.lossMask).filter((m) => m === 1).length);
}
