// Options that repeat what particular trainers do, each on an example small enough to check by hand.

import { describe, expect, it } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import type { EstimatorInput } from '../../../app/domain/advantage/types.ts';
import { batch, columns, expectClose, rollout, runOne, segment, trainable } from './build.ts';

describe('token_weights', () => {
  const input = batch(
    rollout([segment('aaa'), segment('a')], { id: 'a' }),
    rollout([segment('aa')], { id: 'b' }),
    rollout([segment('..')], { id: 'c' }),
  );
  const weights = (params: object, over: EstimatorInput = input) =>
    runEstimator('token_weights', params, over).rollouts.map(({ segments }) => segments.map((one) => one.tokenWeight));
  const mode = 'token_mean_per_microbatch';
  const microbatches = [
    [[0, 0]],
    [
      [0, 1],
      [1, 0],
    ],
  ];

  it('token_mean_per_microbatch divides by the tokens of the micro-batch', () => {
    // Equal: 1/2 over 3 tokens and over 1 + 2 tokens. Samples: 1/3 over 3 tokens, 2/3 over 3 tokens.
    expect(weights({ mode, microbatches })).toEqual([[1 / 6, 1 / 6], [1 / 6], [0]]);
    const bySamples = weights({ mode, microbatches, scale: 'samples' }).flat();
    expectClose(
      bySamples.map((w) => w ?? Number.NaN),
      [1 / 9, 2 / 9, 2 / 9, 0],
    );
  });

  it('rollout_mean may count empty rollouts, constant_length always counts empty segments', () => {
    expect(weights({ mode: 'rollout_mean' })).toEqual([[1 / 8, 1 / 8], [1 / 4], [0]]);
    expect(weights({ mode: 'rollout_mean', count_empty: true })).toEqual([[1 / 12, 1 / 12], [1 / 6], [0]]);
    expect(weights({ mode: 'constant_length', length: 10 })).toEqual([[1 / 40, 1 / 40], [1 / 40], [0]]);
    expect(weights({ mode: 'constant_length', length: 10, mean_over_segments: false }).flat()).toEqual([
      0.1, 0.1, 0.1, 0,
    ]);
  });
});

describe('group', () => {
  const scalars = (params: object, ...rewards: number[]) =>
    runEstimator('group', params, {
      rollouts: rewards.map((reward, i) => rollout([segment('aa'), segment('a')], { id: `r${i}`, reward })),
    }).rollouts.map(({ scalar, segments }) => scalar ?? segments.map((one) => one.scalar));

  it('a group of one gets 0, or its raw reward as verl has it', () => {
    expect(scalars({ kind: 'grpo' }, 0.7)).toEqual([0]);
    expect(scalars({ kind: 'grpo', singleton: 'raw', eps: 0.4 }, 0.7)).toEqual(
      [0.7 / 1.4].map((x) => expect.closeTo(x, 12)),
    );
    expect(scalars({ kind: 'rloo' }, 0.7)).toEqual([0]);
    expect(scalars({ kind: 'rloo', singleton: 'raw' }, 0.7)).toEqual([0.7]);
    expect(scalars({ kind: 'opo' }, 0.7)).toEqual([0.7]);
  });

  it('passk rewards the lead of the best; a tie gives nothing', () => {
    expect(scalars({ kind: 'passk' }, 0.5, 2, 1.25)).toEqual([0, 0.75, 0]);
    expect(scalars({ kind: 'passk' }, 2, 2, 1)).toEqual([0, 0, 0]);
    // Rewards 0 and 2: lead 2, standard deviation sqrt(2).
    expect(scalars({ kind: 'passk', norm: true, eps: 0 }, 0, 2)).toEqual([0, expect.closeTo(Math.SQRT2, 12)]);
  });

  it('counting every segment as a member moves the mean towards long rollouts', () => {
    const input = batch(
      rollout([segment('a'), segment('a'), segment('a')], { id: 'a', reward: 1 }),
      rollout([segment('a')], { id: 'b', reward: 0 }),
    );
    const baselines = (unit: string) =>
      runEstimator('group', { kind: 'center', unit }, input).rollouts.map(({ segments }) => segments[0]?.baseline);
    expect(baselines('rollout')).toEqual([0.5, 0.5]);
    expect(baselines('segment')).toEqual([0.75, 0.75]);
  });

  it('the scalar stands at every trainable token of every segment', () => {
    const one = rollout([segment('.aa'), segment('a.')], { reward: 0.5 });
    expect(columns(runOne('group', { kind: 'constant_baseline' }, one))).toEqual([
      [0, 0.5, 0.5],
      [0.5, 0],
    ]);
  });
});

describe('clipping', () => {
  const one = (ratio: number, advantage: number) =>
    rollout([segment('a', { advantages: [advantage], logprobs: { policy: [Math.log(ratio)], old: [0] } })]);
  const terms = (params: object, ratio: number, advantage: number) => {
    const result = runOne('ppo_clip', { eps_low: 0.2, eps_high: 0.28, ...params }, one(ratio, advantage));
    return [...trainable(result, 'objective'), ...trainable(result, 'grad_coeff')].map((x) => Number(x.toFixed(9)));
  };

  it('holds the objective and stops the gradient on the clipped side only', () => {
    expect(terms({}, 2, 1)).toEqual([1.28, 0]);
    expect(terms({}, 2, -1)).toEqual([-2, -2]);
    expect(terms({}, 0.5, 1)).toEqual([0.5, 0.5]);
    expect(terms({}, 0.5, -1)).toEqual([-0.8, 0]);
  });

  it('dual clip floors the objective of negative advantages', () => {
    expect(terms({ dual_clip: 3 }, 4, -1)).toEqual([-3, 0]);
    expect(terms({ dual_clip: 3 }, 2.5, -1)).toEqual([-2.5, -2.5]);
    expect(terms({ dual_clip: 3 }, 4, 1)).toEqual([1.28, 0]);
  });
});

describe('ends of intervals', () => {
  const logprobs = (ratio: number) => ({
    policy: [0],
    rollout: [-Math.log(ratio)],
    train_old: [0],
    infer_old: [-Math.log(ratio)],
  });
  const at = (ratio: number) => rollout([segment('a', { advantages: [1], logprobs: logprobs(ratio) })]);

  it('dis is open: a ratio on the border is dropped', () => {
    // A ratio of exactly 1 is representable, so it is put on either border.
    expect(trainable(runOne('dis', { eps_low: 0, eps_high: 1 }, at(1)), 'keep')).toEqual([0]);
    expect(trainable(runOne('dis', { eps_low: 0.5, eps_high: 0 }, at(1)), 'keep')).toEqual([0]);
    expect(runOne('dis', { eps_low: 0, eps_high: 1 }, at(1)).rejected).toEqual({ tokens: 1, low: 1, high: 0 });
    expect(runOne('dis', { eps_low: 0.5, eps_high: 0 }, at(1)).rejected).toEqual({ tokens: 1, low: 0, high: 1 });
  });

  it('icepop is closed: a mismatch on the border is kept', () => {
    expect(trainable(runOne('icepop_ppo', { beta: 1 }, at(1)), 'pop')).toEqual([1]);
    expect(trainable(runOne('icepop_ppo', { beta: 1 }, at(1.01)), 'pop')).toEqual([0]);
  });
});

describe('segments without a trainable token', () => {
  const one = rollout([segment('aa', { values: [0, 0] }), segment('...'), segment('')]);

  it('the reward moves to the last segment that has one', () => {
    const params = { gamma: 1, lambda: 0, reward_placement: 'last_segment' };
    expect(columns(runOne('gae_local', params, one))).toEqual([[0, 1], [0, 0, 0], []]);
  });

  it('have an adaptive lambda of 0 where it counts their trainable tokens', () => {
    const lambdas = (length: string) =>
      runOne('gae_local', { lambda: { alpha: 1, length } }, one).segments.map(({ lambda }) => lambda);
    expect(lambdas('segment_trainable')).toEqual([0.5, 0, 0]);
    expect(lambdas('rollout_trainable')).toEqual([0.5, 0.5, 0.5]);
    expect(lambdas('segment_tokens')).toEqual([0.5, 1 - 1 / 3, 0]);
  });
});

describe('approx_gap', () => {
  it('takes another lambda for the stitched side', () => {
    const one = rollout([segment('aa', { values: [0.2, 0.4] }), segment('aaa', { values: [0.6, 0.1, 0.3] })]);
    const lambda = { alpha: 1.5, length: 'segment_trainable' };
    const gap = runOne('approx_gap', { gamma: 0.95, lambda, stitched: { lambda: 0.9, gamma: 1 } }, one);
    expect(columns(gap)).toEqual(columns(runOne('gae_cross', { gamma: 0.95, lambda }, one)));
    expect(columns(gap, 'stitched_advantages')).toEqual(
      columns(runOne('gae_stitched', { gamma: 1, lambda: 0.9 }, one)),
    );
  });
});
