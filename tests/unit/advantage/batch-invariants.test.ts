// Invariants of groups, whitening, weights and rejection (ADVANTAGES.md sections 3 and 9.1), over generated batches.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutIncorrect } from '../../../app/domain/advantage/mask-incorrect.ts';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import type { EstimatorInput, RolloutInput, SegmentInput } from '../../../app/domain/advantage/types.ts';
import { batch, columns, counts, expectClose, rollout, rollouts, runOne, segment, trainable } from './build.ts';

const reward = fc.double({ min: -1, max: 1, noNaN: true });

function groupOf(rewards: readonly number[]): RolloutInput[] {
  return rewards.map((r, i) => rollout([segment('.aa')], { id: `r${i}`, reward: r }));
}

const scalars = (params: object, all: readonly RolloutInput[]) =>
  runEstimator('group', params, { rollouts: all }).rollouts.map(({ scalar }) => scalar ?? Number.NaN);

const batches = fc.array(rollouts({ filled: true }), { minLength: 1, maxLength: 5 }).map(
  (all): EstimatorInput => ({
    rollouts: all.map((one, i) => ({ ...one, id: `r${i}`, groupId: `g${i % 2}` })),
  }),
);

describe('groups', () => {
  it.each(['center', 'rloo', 'dr_grpo'])('13: advantages of %s sum to 0 over a group', (kind) => {
    fc.assert(
      fc.property(fc.array(reward, { minLength: 2, maxLength: 9 }), (rewards) => {
        const total = scalars({ kind }, groupOf(rewards)).reduce((a, b) => a + b, 0);
        expect(Math.abs(total)).toBeLessThan(1e-12);
      }),
    );
  });

  it('13: grpo does not change when rewards are scaled and shifted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 2, maxLength: 9 }),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        reward,
        (rewards, a, b) => {
          const params = { kind: 'grpo', eps: 0 };
          const moved = rewards.map((r) => a * r + b);
          expectClose(scalars(params, groupOf(moved)), scalars(params, groupOf(rewards)), 10);
        },
      ),
    );
  });

  it('equal rewards give exactly 0, also without epsilon and where the mean rounds', () => {
    expect(scalars({ kind: 'grpo', eps: 0 }, groupOf([0.1, 0.1, 0.1]))).toEqual([0, 0, 0]);
    expect(scalars({ kind: 'rloo' }, groupOf([0.1, 0.1, 0.1]))).toEqual([0, 0, 0]);
  });
});

describe('whitening', () => {
  it('14: mean 0 and variance 1 with its own ddof', () => {
    fc.assert(
      fc.property(fc.array(reward, { minLength: 3, maxLength: 40 }), fc.constantFrom(0, 1), (xs, ddof) => {
        fc.pre(Math.max(...xs) - Math.min(...xs) > 1e-3);
        const one = rollout([{ kind: 'execution', lossMask: xs.map(() => 1), advantages: xs }]);
        const y = trainable(runOne('whiten', { ddof, eps: 0 }, one));
        const mean = y.reduce((a, b) => a + b, 0) / y.length;
        const variance = y.reduce((a, b) => a + (b - mean) ** 2, 0) / (y.length - ddof);
        expect(mean).toBeCloseTo(0, 10);
        expect(variance).toBeCloseTo(1, 10);
      }),
    );
  });

  it('a constant column becomes exactly 0, and its mean when the mean is kept', () => {
    const one = rollout([{ kind: 'execution', lossMask: [1, 0, 1, 1], advantages: [0.1, 9, 0.1, 0.1] }]);
    expect(columns(runOne('whiten', { eps: 0 }, one))).toEqual([[0, 0, 0, 0]]);
    expect(columns(runOne('whiten', { eps: 0, shift_mean: false }, one))).toEqual([[0.1, 0, 0.1, 0.1]]);
  });

  it('is the last step of an estimator that takes it, and keeps what was before', () => {
    const input = batch(
      rollout([segment('aa.a', { values: [0.1, 0.2, null, 0.3] })], { id: 'a' }),
      rollout([segment('aaa', { values: [0.5, 0.1, -0.3] })], { id: 'b', reward: 0 }),
    );
    const params = { gamma: 0.9, lambda: 0.8 };
    const plain = runEstimator('gae_cross', params, input);
    const whitened = runEstimator('gae_cross', { ...params, whiten: 'verl' }, input);
    const again = runEstimator(
      'whiten',
      { ddof: 1, eps: 1e-8 },
      {
        rollouts: input.rollouts.map((one, r) => ({
          ...one,
          segments: one.segments.map((seg, s) => ({
            ...seg,
            advantages: plain.rollouts[r]?.segments[s]?.columns.advantages ?? null,
          })),
        })),
      },
    );
    for (const [r, result] of whitened.rollouts.entries()) {
      const before = plain.rollouts[r];
      const other = again.rollouts[r];
      if (before === undefined || other === undefined) throw new Error('same batch expected');
      expect(columns(result, 'unwhitened')).toEqual(columns(before));
      expect(columns(result)).toEqual(columns(other));
    }
  });
});

describe('weights', () => {
  const total = (params: object, input: EstimatorInput) => runEstimator('token_weights', params, input).batch.total;

  it.each(['token_mean', 'segment_mean', 'rollout_mean'])('weights of %s sum to 1', (mode) => {
    fc.assert(
      fc.property(batches, (input) => {
        expect(total({ mode }, input)).toBeCloseTo(1, 10);
        const empty = rollout([segment('...')], { id: 'empty' });
        expect(total({ mode }, { rollouts: [...input.rollouts, empty] })).toBeCloseTo(1, 10);
      }),
    );
  });

  it('token_mean does not change when a segment is split; segment_mean does', () => {
    const whole = batch(rollout([segment('aaaa')], { id: 'a' }), rollout([segment('aa')], { id: 'b' }));
    const split = batch(rollout([segment('a'), segment('aaa')], { id: 'a' }), rollout([segment('aa')], { id: 'b' }));
    const shares = (mode: string, input: EstimatorInput) =>
      runEstimator('token_weights', { mode }, input).rollouts.map(({ share }) => share ?? Number.NaN);
    expectClose(shares('token_mean', split), shares('token_mean', whole));
    expectClose(shares('segment_mean', whole), [1 / 2, 1 / 2]);
    expectClose(shares('segment_mean', split), [2 / 3, 1 / 3]);
  });

  it('scaling every advantage leaves the signal share unchanged', () => {
    const scaled = (k: number) => {
      const input = batch(
        rollout([segment('aa', { values: [0.5 * k, -0.25 * k] })], { id: 'a', reward: k }),
        rollout([segment('aaa', { values: [0, k, 0.1 * k] })], { id: 'b', reward: -0.5 * k }),
      );
      return runEstimator('signal_share', {}, input).rollouts.map(({ share }) => share ?? Number.NaN);
    };
    expectClose(scaled(3), scaled(1));
    expectClose([scaled(1).reduce((a, b) => a + b, 0)], [1]);
  });

  it('every trainable token of the worked example weighs what the table says', () => {
    const trained = [[5, 4, 4, 4, 4, 3, 3, 3, 3], [40], [6, 2, 7]];
    const input = {
      rollouts: trained.map((ns, i) =>
        rollout(
          ns.map((n) => segment('a'.repeat(n))),
          { id: `r${i}` },
        ),
      ),
    };
    const shares = (mode: string) =>
      runEstimator('token_weights', { mode }, input).rollouts.map(({ share }) => Number(share?.toFixed(3)));
    expect(shares('token_mean')).toEqual([0.375, 0.455, 0.17]);
    expect(shares('segment_mean')).toEqual([0.692, 0.077, 0.231]);
    expect(shares('rollout_mean')).toEqual([0.333, 0.333, 0.333]);
  });
});

describe('order and rejection', () => {
  const specs: readonly (readonly [string, object])[] = [
    ['gae_cross', { gamma: 0.9, lambda: 0.8, whiten: 'verl' }],
    ['gae_stitched', { gamma: 0.9, lambda: 0.8 }],
    ['group', { kind: 'grpo' }],
    ['reinforce_pp', { gamma: 0.9 }],
    ['token_weights', { mode: 'segment_mean' }],
  ];
  it.each(specs)('15: permuting rollouts permutes the results of %s', (id, params) => {
    fc.assert(
      fc.property(batches, (input) => {
        const reversed = { rollouts: [...input.rollouts].reverse() };
        const column = id === 'token_weights' ? 'weights' : 'advantages';
        const forward = runEstimator(id, params, input).rollouts.map((one) => trainable(one, column));
        const backward = runEstimator(id, params, reversed).rollouts.map((one) => trainable(one, column));
        for (const [i, numbers] of forward.entries()) {
          expectClose(backward[backward.length - 1 - i] ?? [], numbers, 10);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('18: dis with (1, infinite) keeps every token, and a ratio of 1 is kept whenever epsilon is above 0', () => {
    const logprob = fc.double({ min: -20, max: 0, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(logprob, logprob), { minLength: 1, maxLength: 20 }), (pairs) => {
        const seg: SegmentInput = {
          kind: 'execution',
          lossMask: pairs.map(() => 1),
          advantages: pairs.map(() => 1),
          logprobs: { policy: pairs.map(([p]) => p), rollout: pairs.map(([, q]) => q) },
        };
        const wide = runOne('dis', { eps_low: 1, eps_high: 1e300 }, rollout([seg]));
        expect(wide.rejected).toEqual({ tokens: pairs.length, low: 0, high: 0 });
        expect(trainable(wide, 'weight')).toEqual(trainable(wide, 'ratio'));
        const same = { ...seg, logprobs: { policy: pairs.map(([p]) => p), rollout: pairs.map(([p]) => p) } };
        const narrow = runOne('dis', { eps_low: 1e-9, eps_high: 1e-9 }, rollout([same]));
        expect(trainable(narrow, 'weight')).toEqual(pairs.map(() => 1));
      }),
    );
  });

  it('counts which side rejected a token', () => {
    const seg = segment('aaa.', {
      advantages: [1, 1, 1, 1],
      logprobs: { policy: [0, 0, -3, 0], rollout: [0, -5, 0, -9] },
    });
    expect(runOne('dis', { eps_low: 0.3, eps_high: 5 }, rollout([seg])).rejected).toEqual({
      tokens: 3,
      low: 1,
      high: 1,
    });
  });

  it('the mask of an incorrect action lowers the counts of every other estimator', () => {
    const one = rollout([segment('aaaa', { incorrectSpans: [[1, 3]] }), segment('aa')]);
    expect(counts(one)).toEqual([4, 2]);
    expect(counts(withoutIncorrect(one))).toEqual([2, 2]);
  });
});
