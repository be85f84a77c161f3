// The registry: what it offers, how it treats parameters, and that presets and forms agree with it.

import { describe, expect, it } from 'vitest';
import { estimatorInfo } from '../../../app/contract/estimator.ts';
import { presetByName, presets } from '../../../app/domain/advantage/presets.ts';
import { estimatorById, estimators, runEstimator } from '../../../app/domain/advantage/registry.ts';
import { estimatorInfoOf } from '../../../app/domain/advantage/stats.ts';
import { Refusal } from '../../../app/shared/errors.ts';
import { batch, rollout, segment } from './build.ts';

const input = batch(rollout([segment('aa', { values: [0, 0.5] })]));

function refusalOf(id: string, params: unknown) {
  const { error } = runEstimator(id, params, input);
  expect(error?.code).toBe('parameter_invalid');
  return error?.message ?? '';
}

describe('entries', () => {
  it('has every estimator of the specification once', () => {
    expect(estimators.map(({ id }) => id).sort()).toEqual(
      [
        'gae_local',
        'gae_all_tokens',
        'gae_cross',
        'gae_stitched',
        'approx_gap',
        'token_weights',
        'signal_share',
        'group',
        'reinforce_pp',
        'opd',
        'whiten',
        'kl',
        'dis',
        'icepop_ppo',
        'ppo_clip',
        'tis',
        'cispo',
        'admit',
        'mask_incorrect',
      ].sort(),
    );
  });

  it('gives records that the contract accepts', () => {
    for (const entry of estimators) expect(estimatorInfo.parse(estimatorInfoOf(entry)).id).toBe(entry.id);
  });

  it('refuses an id that does not exist and says which there are', () => {
    expect(estimatorById('gae')).toBeUndefined();
    expect(() => runEstimator('gae', {}, input)).toThrow(Refusal);
    expect(() => runEstimator('gae', {}, input)).toThrow('There is no estimator "gae".');
  });

  it('says what must be in the input for given parameters', () => {
    const local = estimatorById('gae_local');
    expect(local?.scopeWith({})).toBe('rollout');
    expect(local?.scopeWith({ whiten: 'verl' })).toBe('batch');
    expect(estimatorById('group')?.scopeWith({ kind: 'center' })).toBe('group');
    expect(estimatorById('group')?.scopeWith({ kind: 'gpg' })).toBe('batch');
  });
});

describe('parameters', () => {
  it('an empty set is valid everywhere, and the defaults are reported', () => {
    for (const { id } of estimators) expect(runEstimator(id, {}, input).error?.code, id).not.toBe('parameter_invalid');
    expect(runEstimator('gae_cross', {}, input).params).toMatchObject({
      gamma: 1,
      lambda: { mode: 'length_adaptive', alpha: 1.5, length: 'segment_trainable', max: 1 },
      factor: 'own',
      returns: 'local',
      truncation: 'zero',
      masked_reward: 'drop',
    });
  });

  it('what an output reports is itself a valid set with the same meaning', () => {
    for (const { id } of estimators) {
      const { params } = runEstimator(id, {}, batch());
      const again = runEstimator(id, params, batch());
      expect(again.error?.code, id).not.toBe('parameter_invalid');
      expect(again.params, id).toEqual(params);
    }
  });

  it('every field of a form takes its default, its choices and its ends', () => {
    for (const { id, parameters } of estimators) {
      for (const { name, default: fallback, choices = [], min, max } of parameters) {
        const ends = [min, max].filter((x) => x !== undefined);
        for (const value of [fallback, ...choices, ...ends]) {
          // The schema knows the name: what it refuses may only be a combination of parameters, or an open end.
          const { error } = runEstimator(id, { [name]: value }, batch());
          if (error !== null)
            expect(error.message, `${id}.${name}`).not.toMatch(/Unrecognized|Invalid input|expected one of/);
        }
      }
    }
  });

  it('refuses an unknown one and lists those there are', () => {
    expect(refusalOf('kl', { sort: 'k1' })).toMatch(/"sort".*It takes: kind, clamp\./);
    expect(refusalOf('mask_incorrect', { x: 1 })).toContain('It takes: none.');
  });

  it('refuses bad values with the name of the parameter', () => {
    expect(refusalOf('gae_local', { gamma: 1.01 })).toContain('"gamma"');
    expect(refusalOf('gae_local', { gamma: '1' })).toContain('"gamma"');
    expect(refusalOf('gae_local', { gamma: Number.NaN })).toContain('"gamma"');
    expect(refusalOf('gae_local', { lambda: 1.5 })).toContain('"lambda"');
    expect(refusalOf('gae_local', { lambda: 'paper' })).toContain('"lambda": must be a number in 0..1');
    expect(refusalOf('gae_local', { lambda: { alpha: 0 } })).toContain('"lambda');
    expect(refusalOf('gae_cross', { factor: 'both' })).toContain('"factor"');
    expect(refusalOf('group', { ddof: 2 })).toContain('"ddof": must be 0 or 1');
    expect(refusalOf('kl', { clamp: [1, -1] })).toContain('low must not be above high');
    expect(refusalOf('tis', { low: 3, high: 2 })).toContain('"low"');
    expect(refusalOf('gae_local', null)).toContain('gae_local');
    expect(refusalOf('gae_local', [1])).toContain('gae_local');
  });

  it('refuses combinations that mean nothing', () => {
    expect(refusalOf('gae_stitched', { lambda: { alpha: 1.5 } })).toContain('one lambda per rollout');
    expect(refusalOf('approx_gap', { lambda: { alpha: 1.5 } })).toContain('"stitched"');
    expect(refusalOf('token_weights', { mode: 'constant_length' })).toContain('"length"');
    expect(refusalOf('token_weights', { mode: 'token_mean_per_microbatch' })).toContain('"microbatches"');
    expect(refusalOf('gae_cross', { count_untrained_summaries: true, factor: 'product' })).toContain('"own"');
    const places = (microbatches: unknown) => ({ mode: 'token_mean_per_microbatch', microbatches });
    expect(refusalOf('token_weights', places([[[1, 0]]]))).toContain('does not name segment 0 of rollout r0');
    expect(refusalOf('token_weights', places([[[0, 0]], [[0, 0]]]))).toContain('more than once');
  });

  it('takes short names for whitening and KL shaping', () => {
    expect(runEstimator('gae_local', { whiten: 'openrlhf' }, input).params.whiten).toEqual({
      ddof: 0,
      eps: 1e-8,
      eps_mode: 'clamp',
      shift_mean: true,
    });
    expect(runEstimator('gae_local', { whiten: 'none', kl: 'none' }, input).params).toMatchObject({
      whiten: null,
      kl: null,
    });
    expect(runEstimator('reinforce_pp', { kl: 'k3' }, batch()).params.kl).toEqual({
      kind: 'k3',
      beta: 0.05,
      clamp: null,
    });
  });
});

describe('presets', () => {
  it('are valid parameters of estimators that exist, and say what is settled', () => {
    for (const { name, estimator, params, note } of presets) {
      expect(runEstimator(estimator, params, batch()).error, name).toBeNull();
      expect(note, name).toMatch(/Settled|Unsettled|Our choice|memory|same advantages|other reading/);
    }
    expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
  });

  it('has those of the specification', () => {
    const names = [
      'compactionrl-paper',
      'compactionrl-naive',
      'compactionrl-stitched',
      'sao-math',
      'sao-coding',
      'glm5-reasoning',
      'glm45-agentic',
      'vapo',
      'slime-ppo@624b824',
      'openrlhf-gae',
      'verl-gae',
      'nemo-gae',
      'miles-gae',
    ];
    expect(names.filter((name) => presetByName(name) === undefined)).toEqual([]);
  });
});
