// The project's own golden cases, second part: weights, groups, whitening, ratios, masks, admission and refusals.

import { compactedRollout, type OwnCase, ownCase, patchyRollout, plainRollout } from './own-cases.ts';
import {
  deviation,
  groupReference,
  meanOf,
  rewardToGoReference,
  signalReference,
  type WeightMode,
  weightsReference,
  whitenReference,
} from './reference-batch.ts';
import { gaeCrossReference } from './reference-gae.ts';
import {
  drawSegment,
  type JsonRollout,
  type JsonSegment,
  randomFrom,
  rolloutOf,
  trained,
} from './reference-rollouts.ts';

const batch = () => [compactedRollout(41), plainRollout(42), patchyRollout(43)];

function weightCases(): OwnCase[] {
  const weights = (mode: WeightMode, rest: { length?: number } = {}) =>
    ownCase(
      `weights_${mode}`,
      'token_weights',
      { mode, ...rest },
      batch(),
      weightsReference(batch(), mode, rest.length),
    );
  const params = { gamma: 1, lambda: 0.9 };
  const advantages = gaeCrossReference(batch(), params).advantages;
  const share = (mode: WeightMode) =>
    ownCase(
      `signal_cross_${mode}`,
      'signal_share',
      { weights: { mode }, advantage: { estimator: 'gae_cross', params } },
      batch(),
      signalReference(weightsReference(batch(), mode).token_weights, advantages),
    );
  return [
    weights('token_mean'),
    weights('segment_mean'),
    weights('segment_sum_mean'),
    weights('rollout_mean'),
    weights('constant_length', { length: 48 }),
    share('token_mean'),
    share('rollout_mean'),
  ];
}

function groupOf(rewards: readonly number[], group_id: string): JsonRollout[] {
  return rewards.map((reward, i) => ({
    ...plainRollout(60 + i + 10 * group_id.length, { reward, group_id, greedy_reward: 0.3 }),
    rollout_id: `${group_id}-${i}`,
  }));
}

function groupCases(): OwnCase[] {
  const rollouts = [...groupOf([0.2, 0.9, 0.4, 0.4, 1], 'first'), ...groupOf([0, 1, 0.5], 'second')];
  const equal = groupOf([0.1, 0.1, 0.1], 'same');
  type Score = Parameters<typeof groupReference>[1];
  const group = (name: string, params: object, score: Score, over = rollouts) =>
    ownCase(name, 'group', params, over, groupReference(over, score));
  const center: Score = (own, _, rewards) => ({
    advantage: (own.reward ?? 0) - meanOf(rewards),
    baseline: meanOf(rewards),
  });
  const length = (rollout: JsonRollout) => rollout.segments.reduce((n, segment) => n + trained(segment).length, 0);
  const nonzero = rollouts.filter((rollout) => rollout.reward !== 0).length;
  return [
    group('center', { kind: 'center' }, center),
    group('dr_grpo', { kind: 'dr_grpo' }, center),
    ...([0, 1] as const).map((ddof) =>
      group(`grpo_ddof${ddof}`, { kind: 'grpo', ddof, eps: 1e-4 }, (own, _, rewards) => ({
        advantage: ((own.reward ?? 0) - meanOf(rewards)) / (deviation(rewards, ddof) + 1e-4),
        baseline: meanOf(rewards),
      })),
    ),
    group('grpo_equal_rewards', { kind: 'grpo', eps: 0 }, () => ({ advantage: 0, baseline: 0.1 }), equal),
    group('rloo', { kind: 'rloo' }, (own, members) => {
      const others = members.filter((member) => member !== own).map((member) => member.reward ?? 0);
      return { advantage: (own.reward ?? 0) - meanOf(others), baseline: meanOf(others) };
    }),
    group('opo', { kind: 'opo' }, (own, members) => {
      const tokens = members.flatMap((member) => Array.from({ length: length(member) }, () => member.reward ?? 0));
      return { advantage: (own.reward ?? 0) - meanOf(tokens), baseline: meanOf(tokens) };
    }),
    group('gpg', { kind: 'gpg', f_norm: 2 }, (own, _, rewards) => ({
      advantage: ((rollouts.length / nonzero) * ((own.reward ?? 0) - meanOf(rewards))) / 2,
      baseline: meanOf(rewards),
    })),
    group('passk', { kind: 'passk' }, (own, _, rewards) => {
      const [best = 0, second = 0] = [...rewards].sort((a, b) => b - a);
      return { advantage: own.reward === best ? best - second : 0, baseline: second };
    }),
    group('constant_baseline', { kind: 'constant_baseline', baseline: -0.25 }, (own) => ({
      advantage: (own.reward ?? 0) + 0.25,
      baseline: -0.25,
    })),
    group('remax', { kind: 'remax' }, (own) => ({ advantage: (own.reward ?? 0) - 0.3, baseline: 0.3 })),
  ];
}

function whiteningCases(): OwnCase[] {
  const rollouts = batch();
  const column = (r: number, s: number, t: number) => rollouts[r]?.segments[s]?.advantages?.[t] ?? 0;
  const ddof1 = { ddof: 1, eps: 1e-8, eps_mode: 'add' } as const;
  const ddof0 = { ddof: 0, eps: 0.5, eps_mode: 'clamp', shift_mean: false } as const;
  const toGo = (scope: 'rollout' | 'segment') =>
    rewardToGoReference(rollouts, { gamma: 0.94, lambda: 0, scope, kl: { kind: 'k1', beta: 0.1 } });
  const plusPlus = (scope: 'rollout' | 'segment') => {
    const returns = toGo(scope);
    return ownCase(
      `reinforce_pp_${scope}`,
      'reinforce_pp',
      { gamma: 0.94, scope, kl: { kind: 'k1', beta: 0.1 }, whiten: ddof1 },
      rollouts,
      { returns, advantages: whitenReference(rollouts, (r, s, t) => returns[r]?.[s]?.[t] ?? 0, ddof1) },
    );
  };
  return [
    ownCase('whiten_ddof1_add', 'whiten', ddof1, rollouts, { whitened: whitenReference(rollouts, column, ddof1) }),
    ownCase('whiten_ddof0_clamp_keep_mean', 'whiten', ddof0, rollouts, {
      whitened: whitenReference(rollouts, column, ddof0),
    }),
    plusPlus('rollout'),
    plusPlus('segment'),
  ];
}

/** A column from a function of one token of a segment, 0 at masked tokens. */
function tokenGrid(rollouts: readonly JsonRollout[], of: (segment: JsonSegment, t: number) => number): number[][][] {
  return rollouts.map((rollout) =>
    rollout.segments.map((segment) => segment.loss_mask.map((m, t) => (m === 1 ? of(segment, t) : 0))),
  );
}

function tokenCases(): OwnCase[] {
  const rollouts = [compactedRollout(71), plainRollout(72)];
  type Name = 'policy' | 'rollout' | 'train_old' | 'infer_old' | 'old' | 'ref' | 'teacher';
  const lp = (segment: JsonSegment, name: Name, t: number) => segment[`logprobs_${name}`]?.[t] ?? Number.NaN;
  const ratio = (a: Name, b: Name) => (seg: JsonSegment, t: number) =>
    Math.exp(lp(seg, a, t)) / Math.exp(lp(seg, b, t));
  const adv = (segment: JsonSegment, t: number) => segment.advantages?.[t] ?? Number.NaN;
  const one = (name: string, estimator: string, params: object, expected: object) =>
    ownCase(name, estimator, params, rollouts, expected);
  const grid = (of: (segment: JsonSegment, t: number) => number) => tokenGrid(rollouts, of);
  const dis = (seg: JsonSegment, t: number) => {
    const r = ratio('policy', 'rollout')(seg, t);
    return r > 0.6 && r < 1.9 ? r : 0;
  };
  const kept = grid((seg, t) => (dis(seg, t) === 0 ? 0 : 1));
  const trainable = rollouts.flatMap((rollout) => rollout.segments.flatMap(trained)).length;
  const pop = (seg: JsonSegment, t: number) => {
    const k = ratio('train_old', 'infer_old')(seg, t);
    return k >= 1 / 1.6 && k <= 1.6 ? k : 0;
  };
  const bounded = (x: number, low: number, high: number) => Math.max(low, Math.min(x, high));
  /** The surrogate and its derivative by log pi, taken by a central difference. */
  const clipped = (r: number, a: number) => Math.min(r * a, bounded(r, 0.85, 1.25) * a);
  const slope = (r: number, a: number) => (clipped(r * Math.exp(1e-6), a) - clipped(r * Math.exp(-1e-6), a)) / 2e-6;
  const cispo = (seg: JsonSegment, t: number) => bounded(ratio('policy', 'old')(seg, t), 0.85, 1.25);
  const d = (seg: JsonSegment, t: number) => lp(seg, 'policy', t) - lp(seg, 'ref', t);
  const loose = (one: OwnCase): OwnCase => ({ ...one, tolerance: { abs: 1e-8, rel: 1e-8 } });
  const eps = { eps_low: 0.15, eps_high: 0.25 };
  return [
    one('opd', 'opd', { coef: 0.7 }, { advantages: grid((s, t) => 0.7 * (lp(s, 'teacher', t) - lp(s, 'policy', t))) }),
    one(
      'opd_added',
      'opd',
      { coef: 0.7, add_to: 'advantages' },
      {
        advantages: grid((s, t) => adv(s, t) + 0.7 * (lp(s, 'teacher', t) - lp(s, 'policy', t))),
      },
    ),
    one('kl_k1', 'kl', { kind: 'k1' }, { kl: grid(d) }),
    one(
      'kl_k3_clamped',
      'kl',
      { kind: 'k3', clamp: [0, 0.2] },
      {
        kl: grid((s, t) => bounded(Math.exp(-d(s, t)) - 1 + d(s, t), 0, 0.2)),
      },
    ),
    one(
      'dis',
      'dis',
      { eps_low: 0.4, eps_high: 0.9 },
      {
        ratio: grid(ratio('policy', 'rollout')),
        weight: grid(dis),
        keep: kept,
        grad_coeff_stopgrad: grid((s, t) => dis(s, t) * adv(s, t)),
        grad_coeff_literal: grid((s, t) => dis(s, t) * adv(s, t) * (1 + lp(s, 'policy', t))),
        masked_fraction: 1 - kept.flat(2).reduce((a, b) => a + b, 0) / trainable,
      },
    ),
    loose(
      one(
        'icepop_ppo',
        'icepop_ppo',
        { beta: 1.6, ...eps },
        {
          mismatch: grid(ratio('train_old', 'infer_old')),
          pop: grid(pop),
          ratio: grid(ratio('policy', 'train_old')),
          objective: grid((s, t) => pop(s, t) * clipped(ratio('policy', 'train_old')(s, t), adv(s, t))),
          grad_coeff: grid((s, t) => pop(s, t) * slope(ratio('policy', 'train_old')(s, t), adv(s, t))),
        },
      ),
    ),
    loose(
      one('ppo_clip', 'ppo_clip', eps, {
        ratio: grid(ratio('policy', 'old')),
        objective: grid((s, t) => clipped(ratio('policy', 'old')(s, t), adv(s, t))),
        grad_coeff: grid((s, t) => slope(ratio('policy', 'old')(s, t), adv(s, t))),
      }),
    ),
    one(
      'tis',
      'tis',
      { low: 0.5, high: 1.3 },
      {
        mismatch: grid(ratio('train_old', 'infer_old')),
        weight: grid((s, t) => bounded(ratio('train_old', 'infer_old')(s, t), 0.5, 1.3)),
      },
    ),
    one('cispo', 'cispo', eps, {
      ratio: grid(ratio('policy', 'old')),
      weight: grid(cispo),
      grad_coeff: grid((s, t) => cispo(s, t) * adv(s, t)),
    }),
  ];
}

function admissionCases(): OwnCase[] {
  const random = randomFrom(91);
  const versions = [[31], [28, 30], [29, 31], [25, 31], [30]];
  const rollouts = versions.map((weight_versions, i) =>
    rolloutOf(`a${i}`, [drawSegment(random, 'aa')], { reward: [1, 0, 1, 1, 0][i] ?? 0, weight_versions }),
  );
  const [first, ...rest] = rollouts;
  const crashed = first === undefined ? rollouts : [{ ...first, status: 'env_crash' as const }, ...rest];
  const masked = rolloutOf('m', [
    {
      ...drawSegment(random, '.aaaa..aaa'),
      incorrect_spans: [
        [2, 4],
        [8, 99],
      ],
    },
  ]);
  const learned = (one: OwnCase): OwnCase => ({ ...one, input: { ...one.input, learner_version: 31 } });
  return [
    learned(
      ownCase('admit_fill_up', 'admit', { group_size: 5, tau: 3 }, rollouts, {
        verdict: ['ok', 'ok', 'ok', 'stale', 'ok'],
        plan: { g0: [0, 1, 2, 4, 0] },
        centered: { g0: [0.4, -0.6, 0.4, -0.6, 0.4] },
      }),
    ),
    learned(
      ownCase('admit_distinct_statistics', 'admit', { group_size: 5, tau: 3, stats_over: 'unique' }, rollouts, {
        verdict: ['ok', 'ok', 'ok', 'stale', 'ok'],
        plan: { g0: [0, 1, 2, 4, 0] },
        centered: { g0: [0.5, -0.5, 0.5, -0.5, 0.5] },
      }),
    ),
    learned(
      ownCase('admit_drop', 'admit', { group_size: 5, tau: 2 }, crashed, {
        verdict: ['env_crash', 'stale', 'ok', 'stale', 'ok'],
        plan: { g0: null },
        centered: {},
      }),
    ),
    ownCase('mask_incorrect', 'mask_incorrect', {}, [masked], { loss_mask: [[[0, 1, 0, 0, 1, 0, 0, 1, 0, 0]]] }),
  ];
}

function refusalCases(): OwnCase[] {
  const random = randomFrom(101);
  const segment = drawSegment(random, '.aaa');
  const { values: _, ...noCritic } = segment;
  const refused = (name: string, estimator: string, params: object, rollouts: JsonRollout[], error: string) =>
    ownCase(`refused_${name}`, estimator, params, rollouts, { error });
  const gae = { gamma: 1, lambda: 0.9 };
  return [
    refused('no_critic', 'gae_stitched', gae, [rolloutOf('r', [noCritic])], 'values_missing'),
    refused('crash', 'reinforce_pp', {}, [rolloutOf('r', [segment], { status: 'env_crash' })], 'env_crash_excluded'),
    refused('no_reward', 'gae_cross', gae, [rolloutOf('r', [segment], { reward: null })], 'reward_missing'),
    refused(
      'group_without_reward',
      'group',
      { kind: 'rloo' },
      [rolloutOf('r', [segment]), rolloutOf('q', [segment], { reward: null })],
      'reward_missing',
    ),
    refused(
      'mask',
      'token_weights',
      {},
      [rolloutOf('r', [{ ...segment, loss_mask: [0, 1, 2, 1] }])],
      'mask_not_binary',
    ),
    refused('length', 'gae_cross', gae, [rolloutOf('r', [{ ...segment, values: [0.1, 0.2] }])], 'length_mismatch'),
    refused(
      'no_reference',
      'kl',
      {},
      [rolloutOf('r', [{ ...segment, logprobs_policy: [-1, -1, -1, -1] }])],
      'logprobs_ref_missing',
    ),
    refused(
      'nothing_trained',
      'token_weights',
      {},
      [rolloutOf('r', [drawSegment(random, '...')])],
      'no_trainable_tokens',
    ),
    refused('parameter', 'gae_local', { gamma: 1.5 }, [rolloutOf('r', [segment])], 'parameter_invalid'),
  ];
}

export function batchCases(): OwnCase[] {
  return [...weightCases(), ...groupCases(), ...whiteningCases()];
}

export function remainingCases(): OwnCase[] {
  return [...tokenCases(), ...admissionCases(), ...refusalCases()];
}
