// Statistics and the contract's record of a result.

import { describe, expect, it } from 'vitest';
import { rolloutAdvantages } from '../../../app/contract/estimator.ts';
import { estimators, runEstimator } from '../../../app/domain/advantage/registry.ts';
import { columnStats, summarise } from '../../../app/domain/advantage/stats.ts';
import { mean, NeumaierSum, sum, variance } from '../../../app/domain/advantage/sums.ts';
import { batch, rollout, segment } from './build.ts';

describe('columnStats', () => {
  it('is over the given positions only', () => {
    expect(columnStats([100, -3, 1, 100, 2], [1, 2, 4])).toEqual({ count: 3, min: -3, max: 2, mean: 0, maxAbs: 3 });
    expect(columnStats([5], [])).toEqual({ count: 0, min: null, max: null, mean: null, maxAbs: null });
  });
});

describe('sums', () => {
  it('keep what plain addition loses', () => {
    expect(sum([1, 1e100, 1, -1e100])).toBe(2);
    const total = new NeumaierSum();
    for (let i = 0; i < 1_000_000; i += 1) total.add(0.1);
    expect(total.value).toBe(100_000);
    expect(sum([1e308, 1e308])).toBe(Number.POSITIVE_INFINITY);
  });

  it('mean and variance of equal numbers are exact, and undefined ones are NaN', () => {
    expect(mean([0.1, 0.1, 0.1])).toBe(0.1);
    expect(variance([0.1, 0.1, 0.1], 1)).toBe(0);
    expect(variance([1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16], 1)).toBe(30);
    expect(mean([])).toBeNaN();
    expect(variance([1], 1)).toBeNaN();
  });
});

describe('summarise', () => {
  const one = rollout([
    segment('a.a', {
      values: [0.2, null, 0.4],
      advantages: [1, 0, -1],
      logprobs: {
        policy: [-1, 0, -2],
        rollout: [-1, 0, -1],
        train_old: [-1, 0, -1],
        infer_old: [-1, 0, -1],
        old: [-1, 0, -1],
        ref: [-1, 0, -1],
        teacher: [-1, 0, -1],
      },
    }),
    segment('', { kind: 'summary', values: [] }),
    segment('..'),
  ]);
  const other = rollout([segment('a', { values: [0], advantages: [0] })], { id: 'r1', reward: null });

  it('gives a record that the contract accepts, for every estimator, refusals included', () => {
    for (const estimator of estimators) {
      for (const tokens of [true, false]) {
        for (const result of estimator.run({}, batch(one, other)).rollouts) {
          const record = summarise(estimator, result, { tokens });
          expect(rolloutAdvantages.parse(JSON.parse(JSON.stringify(record))), estimator.id).toEqual(record);
        }
      }
    }
  });

  const record = (id: string, params: object, tokens: boolean) => {
    const [estimator] = estimators.filter((entry) => entry.id === id);
    const [result] = runEstimator(id, params, batch(one)).rollouts;
    if (estimator === undefined || result === undefined) throw new Error(`no ${id}`);
    return summarise(estimator, result, { tokens });
  };

  it('has tokens only when asked, masked ones as 0', () => {
    const full = record('gae_local', { gamma: 1, lambda: 1 }, true).segments[0];
    expect(full?.advantages?.map((x) => Number(x.toFixed(12)))).toEqual([0.8, 0, 0.6]);
    expect(full?.returns?.[1]).toBe(0);
    expect(record('gae_local', {}, false).segments[0]).not.toHaveProperty('advantages');
  });

  it('has statistics of trainable tokens, factor, lambda, scalars and weights where they apply', () => {
    const cross = record('gae_cross', { gamma: 1, lambda: 0.5 }, false);
    expect(cross.segments[0]).toMatchObject({ kind: 'execution', factor: 1, lambda: 0.5, stats: { count: 2 } });
    expect(cross.segments[2]?.stats.count).toBe(0);
    expect(cross).toMatchObject({ scalar: null, baseline: null });
    expect(record('group', { kind: 'constant_baseline', baseline: 0.25 }, false)).toMatchObject({
      scalar: 0.75,
      baseline: 0.25,
      segments: [{ factor: null, stats: { count: 2, min: 0.75, max: 0.75 } }, {}, {}],
    });
    expect(record('token_weights', {}, false).tokenWeight).toEqual([0.5, 0, 0]);
    expect(cross).not.toHaveProperty('tokenWeight');
  });

  it('carries a refusal and the numbers that have no field as sentences', () => {
    const [estimator] = estimators;
    const [, refused] = runEstimator('gae_cross', {}, batch(one, other)).rollouts;
    if (estimator === undefined || refused === undefined) throw new Error('an estimator and two rollouts expected');
    expect(summarise(estimator, refused)).toMatchObject({ segments: [], error: { code: 'reward_missing' } });
    expect(record('approx_gap', {}, false).warnings.at(-1)).toContain('over 2 trainable tokens: largest gap 0');
    expect(record('dis', { eps_low: 0.1, eps_high: 0.1 }, false).warnings).toEqual([
      '1 of 2 trainable tokens (50.0 %) are outside the interval: 1 below, 0 above.',
    ]);
  });
});
