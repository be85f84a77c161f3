// Refusals: each code, its place, and that one bad rollout does not spoil the others.

import { describe, expect, it } from 'vitest';
import { estimators, runEstimator } from '../../../app/domain/advantage/registry.ts';
import type { EstimatorOutput, RolloutInput } from '../../../app/domain/advantage/types.ts';
import { batch, columns, only, rollout, segment } from './build.ts';

const values = { values: [0.1, 0.2, 0.3] };
const good = rollout([segment('aaa', values)], { id: 'good' });
const gae = { gamma: 0.9, lambda: 0.8 };

function errorOf(id: string, params: object, ...rollouts: RolloutInput[]) {
  return runEstimator(id, params, batch(...rollouts)).rollouts[0]?.error ?? null;
}

describe('values and columns', () => {
  it('values_missing: no column, or null at a trainable token', () => {
    expect(errorOf('gae_local', gae, rollout([segment('aaa')]))).toMatchObject({
      code: 'values_missing',
      where: ['r0', 0],
    });
    const hole = rollout([segment('aaa', values), segment('.aa', { values: [0, 0.1, null] })]);
    for (const id of ['gae_local', 'gae_cross', 'gae_stitched', 'approx_gap', 'gae_all_tokens']) {
      const error = errorOf(id, gae, hole);
      expect(error).toMatchObject({ code: 'values_missing', where: ['r0', 1, 2] });
      expect(error?.message).toContain('token 2 of segment 1 of rollout r0');
      expect(error?.message).toContain('Group and reward-only estimators still can.');
    }
  });

  it('a rollout without trainable tokens needs no values: its result is zeros', () => {
    for (const id of ['gae_local', 'gae_cross', 'gae_stitched', 'gae_all_tokens']) {
      const result = only(runEstimator(id, gae, batch(rollout([segment('..')]))));
      expect(result.error).toBeNull();
      expect(columns(result)).toEqual([[0, 0]]);
    }
  });

  it('nonfinite_input: NaN or an infinity where it would enter the result', () => {
    const nan = rollout([segment('aaa', { values: [0, Number.NaN, 0] })]);
    expect(errorOf('gae_local', gae, nan)).toMatchObject({ code: 'nonfinite_input', where: ['r0', 0, 1, 'values'] });
    const rewards = rollout([segment('aaa', { ...values, rewards: [0, 0, Number.NEGATIVE_INFINITY] })]);
    expect(errorOf('gae_cross', gae, rewards)).toMatchObject({
      code: 'nonfinite_input',
      message: 'Non-finite input at segment 0 token 2 of rollout r0: "rewards" is -Infinity.',
    });
    expect(errorOf('gae_all_tokens', gae, rewards)?.code).toBe('nonfinite_input');
    const reward = { ...good, reward: Number.POSITIVE_INFINITY };
    expect(errorOf('gae_local', gae, reward)).toMatchObject({ code: 'nonfinite_input', where: ['good', 'reward'] });
    expect(errorOf('group', {}, reward)?.code).toBe('nonfinite_input');
    const bootstrap: RolloutInput = { ...good, status: 'truncated', bootstrapValue: Number.NaN };
    expect(errorOf('gae_local', { ...gae, truncation: 'bootstrap' }, bootstrap)?.code).toBe('nonfinite_input');
  });

  it('length_mismatch: a column that does not cover the mask', () => {
    const short = rollout([segment('aaa', { values: [0.1, 0.2] })]);
    expect(errorOf('gae_local', gae, short)).toMatchObject({ code: 'length_mismatch', where: ['r0', 0, 'values'] });
    const long = rollout([segment('aaa', { ...values, rewards: [0, 0, 0, 0] })]);
    expect(errorOf('gae_local', gae, long)).toMatchObject({ code: 'length_mismatch', where: ['r0', 0, 'rewards'] });
    expect(errorOf('mask_incorrect', {}, rollout([segment('aaa', { incorrectSpans: [[2, 1]] })]))?.code).toBe(
      'length_mismatch',
    );
  });

  it('mask_not_binary: a mask is never rounded, whatever the estimator', () => {
    const half = rollout([{ ...segment('aaa', values), lossMask: [1, 0.5, 1] }]);
    for (const { id } of estimators) {
      expect(errorOf(id, {}, half), id).toMatchObject({ code: 'mask_not_binary', where: ['r0', 0, 1] });
    }
    expect(errorOf('gae_local', gae, rollout([{ ...segment('aaa', values), lossMask: [true, false, 1] }]))).toBeNull();
  });

  it('names the log-prob column that is missing', () => {
    const logprobs = (names: string[]) => Object.fromEntries(names.map((name) => [name, [-1, -1]]));
    const missing = (id: string, names: string[], params: object = {}) => {
      const seg = segment('aa', { values: [0, 0], advantages: [1, 1], logprobs: logprobs(names) });
      return errorOf(id, params, rollout([seg]))?.code;
    };
    const kl = { kl: { kind: 'k1', beta: 0.1 } };
    expect(missing('gae_local', ['ref'], kl)).toBe('policy_logprobs_missing');
    expect(missing('gae_local', ['policy'], kl)).toBe('ref_logprobs_missing');
    expect(missing('reinforce_pp', ['policy'], kl)).toBe('ref_logprobs_missing');
    expect(missing('kl', ['ref'])).toBe('logprobs_policy_missing');
    expect(missing('kl', ['policy'])).toBe('logprobs_ref_missing');
    expect(missing('dis', ['policy'])).toBe('logprobs_rollout_missing');
    expect(missing('dis', ['rollout'], { numerator: 'train_old' })).toBe('logprobs_train_old_missing');
    expect(missing('icepop_ppo', ['policy', 'train_old'])).toBe('logprobs_infer_old_missing');
    expect(missing('tis', ['infer_old'])).toBe('logprobs_train_old_missing');
    expect(missing('ppo_clip', ['policy'])).toBe('logprobs_old_missing');
    expect(missing('cispo', ['old'])).toBe('logprobs_policy_missing');
    expect(missing('opd', ['policy'])).toBe('logprobs_teacher_missing');
    expect(errorOf('whiten', {}, rollout([segment('aa')]))?.code).toBe('advantages_missing');
  });
});

describe('rewards and status', () => {
  it('reward_missing, also for an aborted rollout', () => {
    expect(errorOf('gae_local', gae, { ...good, reward: null })).toMatchObject({ code: 'reward_missing' });
    expect(errorOf('gae_local', gae, { ...good, reward: null, status: 'aborted' })?.code).toBe('reward_missing');
    expect(errorOf('gae_local', gae, { ...good, status: 'aborted' })).toBeNull();
  });

  it('env_crash_excluded: not scored as a failure, whatever its reward', () => {
    const crashed: RolloutInput = { ...good, status: 'env_crash', reward: 0 };
    for (const id of ['gae_local', 'gae_cross', 'gae_stitched', 'gae_all_tokens', 'reinforce_pp', 'group']) {
      expect(errorOf(id, {}, crashed)?.code, id).toBe('env_crash_excluded');
    }
  });

  it('bootstrap_value_missing: only for a truncated rollout that is bootstrapped', () => {
    const cut: RolloutInput = { ...good, status: 'truncated' };
    expect(errorOf('gae_stitched', { ...gae, truncation: 'bootstrap' }, cut)?.code).toBe('bootstrap_value_missing');
    expect(errorOf('gae_stitched', { ...gae, truncation: 'zero' }, cut)).toBeNull();
    expect(errorOf('gae_stitched', { ...gae, truncation: 'bootstrap' }, good)).toBeNull();
  });

  it('siblings_missing: what looks across segments refuses, the local estimator does not', () => {
    const gap = { ...good, siblingsMissing: true };
    for (const id of ['gae_cross', 'gae_stitched', 'approx_gap']) {
      expect(errorOf(id, {}, gap), id).toMatchObject({ code: 'siblings_missing', where: ['good'] });
    }
    expect(errorOf('gae_local', gae, gap)).toBeNull();
    const local = only(runEstimator('gae_local', { ...gae, reward_placement: 'last_segment' }, batch(gap)));
    expect(local.warnings.map(({ code }) => code)).toEqual(['siblings_missing']);
  });
});

describe('one bad rollout does not spoil the rest', () => {
  const bad: RolloutInput = { ...good, id: 'bad', reward: null };
  const codes = (output: EstimatorOutput) => output.rollouts.map(({ error }) => error?.code ?? null);

  it.each(['gae_local', 'gae_cross', 'gae_stitched', 'approx_gap', 'reinforce_pp'])('%s computes the others', (id) => {
    const output = runEstimator(id, {}, batch(bad, good));
    expect(codes(output)).toEqual(['reward_missing', null]);
    expect(output.error).toBeNull();
    const alone = only(runEstimator(id, {}, batch(good)));
    expect(output.rollouts[1]).toEqual(alone);
  });

  it('batch statistics say that they are over fewer rollouts', () => {
    const other = { ...good, id: 'other', reward: 0 };
    const output = runEstimator('gae_local', { ...gae, whiten: 'verl' }, batch(bad, good, other));
    expect(codes(output)).toEqual(['reward_missing', null, null]);
    expect(output.rollouts[1]?.warnings.map(({ code }) => code)).toEqual(['batch_incomplete']);
    const halfMask = rollout([{ ...segment('aa'), lossMask: [1, 3] }], { id: 'mask' });
    const weights = runEstimator('token_weights', {}, batch(halfMask, good));
    expect(codes(weights)).toEqual(['mask_not_binary', null]);
    expect(weights.rollouts[1]?.warnings.map(({ code }) => code)).toEqual(['batch_incomplete']);
    expect(weights.batch.total).toBeCloseTo(1, 12);
  });

  it('a missing reward refuses its own group only, and exclude computes over the others', () => {
    const elsewhere = { ...good, id: 'elsewhere', groupId: 'g1' };
    const input = batch(bad, good, { ...good, id: 'third', reward: 0 }, elsewhere);
    const refused = runEstimator('group', { kind: 'center' }, input);
    expect(codes(refused)).toEqual(['reward_missing', 'reward_missing', 'reward_missing', null]);
    expect(refused.rollouts[1]?.error?.message).toContain('Set missing_reward to "exclude"');
    const excluded = runEstimator('group', { kind: 'center', missing_reward: 'exclude' }, input);
    expect(codes(excluded)).toEqual(['reward_missing', null, null, null]);
    expect(excluded.rollouts.map(({ scalar }) => scalar)).toEqual([null, 0.5, -0.5, 0]);
    expect(excluded.rollouts[1]?.warnings.map(({ code }) => code)).toContain('members_excluded');
  });

  it('a crashed member is left out of its group by rule', () => {
    const crashed: RolloutInput = { ...good, id: 'crashed', status: 'env_crash', reward: 0 };
    const output = runEstimator('group', { kind: 'center' }, batch(crashed, good, { ...good, id: 'c', reward: 0.5 }));
    expect(codes(output)).toEqual(['env_crash_excluded', null, null]);
    expect(output.rollouts[1]?.baseline).toBe(0.75);
  });

  it('kinds that do not compare members refuse one rollout only', () => {
    const greedy = { ...good, id: 'greedy', greedyReward: 0.25 };
    const output = runEstimator('group', { kind: 'remax' }, batch(good, greedy));
    expect(codes(output)).toEqual(['greedy_reward_missing', null]);
    expect(output.rollouts[1]?.scalar).toBe(0.75);
    expect(codes(runEstimator('group', { kind: 'constant_baseline' }, batch(bad, good)))).toEqual([
      'reward_missing',
      null,
    ]);
  });

  it('group_too_small and no_trainable_tokens name their group', () => {
    const alone = { ...good, groupId: 'alone' };
    expect(errorOf('group', { kind: 'passk' }, alone)).toMatchObject({ code: 'group_too_small', where: ['alone'] });
    const empty = rollout([segment('..')]);
    expect(errorOf('group', { kind: 'opo' }, empty, { ...empty, id: 'r1' })?.code).toBe('no_trainable_tokens');
    const nothing = runEstimator('token_weights', {}, batch(empty));
    expect(nothing.error?.code).toBe('no_trainable_tokens');
    expect(codes(nothing)).toEqual(['no_trainable_tokens']);
  });

  it('signal_share leaves out what has no advantages and hands on their refusal', () => {
    const output = runEstimator('signal_share', {}, batch(bad, good));
    expect(codes(output)).toEqual(['reward_missing', null]);
    expect(output.rollouts[1]?.share).toBe(1);
    const wrong = { advantage: { estimator: 'gae_cross', params: { gamma: 2 } } };
    const refused = runEstimator('signal_share', wrong, batch(good));
    expect(refused.error).toMatchObject({ code: 'parameter_invalid', where: ['advantage', 'params', 'gamma'] });
  });
});
