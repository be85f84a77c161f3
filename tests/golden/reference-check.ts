// Drawing batches and comparing an estimator with the slow reference, by the runner of golden vectors.

import fc from 'fast-check';
import { expect } from 'vitest';
import { runVectors } from '../../app/domain/advantage/vectors.ts';
import { drawSegment, type JsonRollout, randomFrom, rolloutOf } from './reference-rollouts.ts';

const runs = Number(process.env.ROLLSCOPE_PROPERTY_RUNS ?? 60);

/** A batch from a seed: groups of different sizes, empty and fully masked segments, truncated rollouts, dense rewards. */
function batchOf(seed: number): JsonRollout[] {
  const random = randomFrom(seed + 1);
  const pick = (n: number): number => Math.floor(random() * n);
  const pattern = (): string => {
    const length = [0, 1, 2, 5, 9, 14][pick(6)] ?? 3;
    const dense = random();
    return Array.from({ length }, () => (random() < dense ? 'a' : '.')).join('');
  };
  const rollouts = Array.from({ length: 1 + pick(6) }, (_, r) => {
    const segments = Array.from({ length: 1 + pick(4) }, (_, s) =>
      drawSegment(random, pattern(), {
        kind: s % 2 === 1 ? 'summary' : 'execution',
        dense: random() < 0.5,
        logprobs: true,
        advantages: true,
      }),
    );
    return rolloutOf(`r${r}`, segments, {
      group_id: `g${pick(3)}`,
      reward: [0, 1, -1.5, 0.25][pick(4)] ?? 0,
      status: random() < 0.3 ? 'truncated' : 'terminated',
      bootstrap_value: random() * 2 - 1,
      greedy_reward: random(),
    });
  });
  // At least one trainable token, so that batch statistics exist.
  return [
    ...rollouts,
    rolloutOf('last', [drawSegment(random, 'aa.a', { logprobs: true, advantages: true })], {
      group_id: 'g9',
      greedy_reward: 0.5,
    }),
  ];
}
const batches = fc.nat().map(batchOf);

/** The reference's answer is what the estimators give, within rounding. */
export function agrees(
  estimator: string,
  params: object,
  rollouts: readonly JsonRollout[],
  expected: object,
  rest: { readonly learner_version?: number } = {},
): void {
  const file = {
    schema: 'rollscope-golden-1',
    cases: [
      { name: 'drawn', estimator, params, input: { rollouts, ...rest }, expected, tolerance: { abs: 1e-9, rel: 1e-8 } },
    ],
  };
  const [result] = runVectors(JSON.parse(JSON.stringify(file))).cases;
  expect(result?.detail ?? '').toBe('');
  expect(result?.status).toBe('pass');
}

export function check<P extends object>(
  params: fc.Arbitrary<P>,
  of: (rollouts: JsonRollout[], params: P) => void,
): void {
  fc.assert(
    fc.property(batches, params, (rollouts, drawn) => of(rollouts, drawn)),
    { numRuns: runs },
  );
}
