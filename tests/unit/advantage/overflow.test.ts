// Numbers at the edge of float64: results that overflow are refused, and nothing else becomes NaN.

import { describe, expect, it } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import { batch, columns, only, rollout, runOne, segment } from './build.ts';

describe('overflow', () => {
  it('of an advantage is a refusal with its place, and the other rollouts are computed', () => {
    const huge = rollout([segment('aa', { values: [0, 0], rewards: [1e308, 1e308] })], { id: 'huge', reward: 1e308 });
    const fine = rollout([segment('a', { values: [0] })], { id: 'fine' });
    const output = runEstimator('gae_local', { gamma: 1, lambda: 1 }, batch(huge, fine));
    expect(output.rollouts.map(({ error }) => error?.code ?? null)).toEqual(['nonfinite_input', null]);
    expect(output.rollouts[0]?.error?.where).toEqual(['huge', 0, 0, 'advantages']);
  });

  it('of a group statistic refuses its members', () => {
    const member = (id: string, reward: number) => rollout([segment('a')], { id, reward });
    const output = runEstimator('group', { kind: 'center' }, batch(member('a', 1.7e308), member('b', 1.6e308)));
    expect(output.rollouts.map(({ error }) => error?.code)).toEqual(['nonfinite_input', 'nonfinite_input']);
  });

  it('large numbers within range are computed', () => {
    const one = rollout([segment('aaa', { values: [1e6, -1e6, 1e-6] })]);
    expect(columns(runOne('gae_local', { gamma: 1, lambda: 0 }, one))).toEqual([[-2e6, 1e6 + 1e-6, 1 - 1e-6]]);
  });

  it('a dropped token is 0 although its ratio is infinite', () => {
    const logprobs = { train_old: [-900, -1], infer_old: [0, -1], policy: [0, -1] };
    const one = rollout([segment('aa', { advantages: [1, 1], logprobs })]);
    const result = only(runEstimator('icepop_ppo', {}, batch(one)));
    expect(columns(result, 'ratio')[0]?.[0]).toBe(Number.POSITIVE_INFINITY);
    expect(columns(result, 'objective')).toEqual([[0, 1]]);
    expect(columns(result, 'grad_coeff')).toEqual([[0, 1]]);
  });
});
