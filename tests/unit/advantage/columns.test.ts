// How columns are read: typed arrays and lists, missing and non-finite numbers, rewards on masked tokens, warnings.

import { describe, expect, it } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import { batch, columns, expectClose, only, rollout, runOne, segment, trainable } from './build.ts';

const gae = { gamma: 0.9, lambda: 0.8 };
const codes = (result: { warnings: readonly { code: string }[] }) => result.warnings.map(({ code }) => code);

describe('missing and non-finite numbers', () => {
  it('typed arrays and lists give the same result', () => {
    const plain = rollout([segment('.aa.a', { values: [null, 0.5, 0.25, null, -0.5], rewards: [0, 1, 0, 0, 0.5] })]);
    const typed = rollout([
      {
        kind: 'execution',
        lossMask: Uint8Array.of(0, 1, 1, 0, 1),
        values: Float32Array.of(Number.NaN, 0.5, 0.25, Number.NaN, -0.5),
        rewards: Float64Array.of(0, 1, 0, 0, 0.5),
      },
    ]);
    const fromDatabase = runOne('gae_cross', gae, typed, { nanIsMissing: true });
    expect(columns(fromDatabase)).toEqual(columns(runOne('gae_cross', gae, plain)));
    expect(codes(fromDatabase)).toEqual([]);
  });

  it('NaN at a trainable token is missing or non-finite, as the input says', () => {
    const one = rollout([segment('aa', { values: [0.5, Number.NaN] })]);
    expect(only(runEstimator('gae_local', gae, { ...batch(one), nanIsMissing: true })).error?.code).toBe(
      'values_missing',
    );
    expect(only(runEstimator('gae_local', gae, batch(one))).error?.code).toBe('nonfinite_input');
    const infinite = rollout([segment('aa', { values: [0.5, Number.POSITIVE_INFINITY] })]);
    expect(only(runEstimator('gae_local', gae, { ...batch(infinite), nanIsMissing: true })).error?.code).toBe(
      'nonfinite_input',
    );
  });

  it('a missing token reward counts as 0', () => {
    const nan = rollout([segment('aa', { values: [0, 0], rewards: [Number.NaN, 1] })]);
    const zero = rollout([segment('aa', { values: [0, 0], rewards: [0, 1] })]);
    expect(columns(runOne('gae_local', gae, nan, { nanIsMissing: true }))).toEqual(
      columns(runOne('gae_local', gae, zero)),
    );
  });

  it('NaN at masked tokens is ignored with a warning, and never comes out', () => {
    const one = rollout([segment('.a.a', { values: [Number.NaN, 0.5, Number.POSITIVE_INFINITY, 0.1] })]);
    for (const id of ['gae_local', 'gae_cross', 'gae_stitched']) {
      const result = runOne(id, gae, one);
      expect(codes(result)).toEqual(['masked_nonfinite']);
      expect(columns(result).flat().every(Number.isFinite)).toBe(true);
      expect(columns(result, 'returns').flat().every(Number.isFinite)).toBe(true);
    }
    const gap = runOne('approx_gap', gae, one);
    expect(codes(gap)).toEqual(['masked_nonfinite']);
    expect(
      columns(runOne('gae_all_tokens', { ...gae, zero_masked: true }, one))
        .flat()
        .every(Number.isFinite),
    ).toBe(true);
  });

  it('the input is left as it was', () => {
    const values = Float64Array.of(0.5, 0.25);
    const advantages = Float64Array.of(1, -1);
    const logprobs = { policy: Float64Array.of(-1, -2), ref: Float64Array.of(-2, -1) };
    const rewards = Float64Array.of(0.5, 0);
    const one = rollout([segment('aa', { values, rewards, advantages, logprobs })]);
    for (const [id, params] of [
      ['gae_cross', { ...gae, kl: 'k1' }],
      ['whiten', {}],
      ['kl', {}],
      ['reinforce_pp', {}],
    ] as const) {
      runOne(id, params, one);
    }
    expect([values, rewards, advantages, logprobs.policy, logprobs.ref].map((column) => Array.from(column))).toEqual([
      [0.5, 0.25],
      [0.5, 0],
      [1, -1],
      [-1, -2],
      [-2, -1],
    ]);
  });
});

describe('rewards on masked tokens', () => {
  const one = rollout([segment('.a.a.', { values: [0, 0, 0, 0, 0], rewards: [0.5, 0, 0.25, 0, 1] })], { reward: 0 });
  const td = { gamma: 1, lambda: 0 };

  it('are dropped with a warning that counts them', () => {
    const result = runOne('gae_local', td, one);
    expect(trainable(result)).toEqual([0, 0]);
    expect(codes(result)).toEqual(['reward_dropped']);
    expect(result.warnings[0]?.message).toContain('3 nonzero rewards');
  });

  it('are folded onto the action before, the first one when none precedes', () => {
    const result = runOne('gae_local', { ...td, masked_reward: 'fold_prev' }, one);
    expect(trainable(result)).toEqual([0.75, 1]);
    expect(codes(result)).toEqual([]);
  });

  it('of a segment without trainable tokens are lost in either way, and it is said', () => {
    const lost = rollout([segment('..', { rewards: [0, 1] }), segment('a', { values: [0] })], { reward: 0 });
    for (const masked_reward of ['drop', 'fold_prev']) {
      const result = runOne('gae_stitched', { ...gae, masked_reward }, lost);
      expect(codes(result)).toEqual(['reward_dropped']);
      expect(result.warnings[0]?.segments).toEqual([0]);
    }
  });
});

describe('warnings', () => {
  it('corrected returns with a tiny factor: the target is only the value', () => {
    const one = rollout([
      segment('aa', { values: [0.5, 0.25] }),
      segment('a'.repeat(40), { values: new Float64Array(40) }),
    ]);
    const params = { gamma: 1, lambda: 0.5, returns: 'corrected' };
    const result = runOne('gae_cross', params, one);
    expect(codes(result)).toEqual(['factor_small', 'returns_uncorrected']);
    expectClose(columns(result, 'returns')[0] ?? [], [0.5, 0.25]);
    expect(result.warnings[0]?.message).toContain('segments 0 (smallest 10^-12.0)');
  });

  it('an untrained summary counts with all its tokens when asked to', () => {
    const one = rollout([
      segment('aa', { values: [0, 0] }),
      segment('....', { kind: 'summary' }),
      segment('a', { values: [0] }),
    ]);
    const counted = runOne('gae_cross', { gamma: 1, lambda: 0.9, count_untrained_summaries: true }, one);
    expect(counted.segments.map(({ tokensAfter }) => tokensAfter)).toEqual([5, 1, 0]);
    expect(codes(counted)).toEqual(['untrained_summaries']);
    const plain = runOne('gae_cross', { gamma: 1, lambda: 0.9 }, one);
    expect(plain.segments.map(({ tokensAfter }) => tokensAfter)).toEqual([1, 1, 0]);
  });

  it('groups without signal are named and counted', () => {
    const member = (id: string, groupId: string, reward: number) => rollout([segment('a')], { id, groupId, reward });
    const output = runEstimator(
      'group',
      {},
      batch(
        member('a', 'flat', 1),
        member('b', 'flat', 1),
        member('c', 'mixed', 1),
        member('d', 'mixed', 0),
        member('e', 'one', 1),
      ),
    );
    expect(output.batch).toMatchObject({ groups: 3, zeroVarianceGroups: 1 });
    expect(output.rollouts.map(codes)).toEqual([['zero_variance'], ['zero_variance'], [], [], ['single_member']]);
  });

  it('whitening says when it did not, and when it had one rollout', () => {
    const single = rollout([segment('.a.', { advantages: [9, 0.7, 9] })]);
    const skipped = runOne('whiten', {}, single);
    expect(codes(skipped)).toEqual(['whitening_skipped']);
    expect(columns(skipped)).toEqual([[0, 0.7, 0]]);
    const alone = runOne('gae_local', { ...gae, whiten: 'verl' }, rollout([segment('aa', { values: [0.1, 0.4] })]));
    expect(codes(alone)).toEqual(['whitening_one_rollout']);
  });

  it('ratios from the old trainer are labelled as those at update 0', () => {
    const logprobs = { train_old: [-1], rollout: [-1.5] };
    const result = runOne('dis', { numerator: 'train_old' }, rollout([segment('a', { advantages: [2], logprobs })]));
    expect(codes(result)).toEqual(['at_update_zero']);
    expectClose(trainable(result, 'ratio'), [Math.exp(0.5)]);
  });

  it('segments keep the index they came with', () => {
    const one = rollout([segment('a', { index: 3, values: [0] }), segment('a', { index: 7 })]);
    const { error } = only(runEstimator('gae_local', gae, batch(one)));
    expect(error?.where).toEqual(['r0', 7]);
    expect(runOne('group', {}, one).segments.map(({ index }) => index)).toEqual([3, 7]);
  });
});
