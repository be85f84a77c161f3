// Baselines of groups and admission against their definitions over random batches, as reference-properties.test.ts does for the
// rest.

import fc from 'fast-check';
import { describe, it } from 'vitest';
import { deviation, groupReference, meanOf } from './reference-batch.ts';
import { agrees, check } from './reference-check.ts';
import { type JsonRollout, randomFrom, trained } from './reference-rollouts.ts';

type Score = (
  own: number,
  rewards: readonly number[],
  at: { one: JsonRollout; members: readonly JsonRollout[] },
) => {
  advantage: number;
  baseline: number;
};
const against = (own: number, baseline: number) => ({ advantage: own - baseline, baseline });
const lengthOf = (one: JsonRollout): number => one.segments.reduce((n, segment) => n + trained(segment).length, 0);

const kinds: readonly (readonly [name: string, params: object, score: Score])[] = [
  ['center', { kind: 'center' }, (own, rewards) => against(own, meanOf(rewards))],
  ['dr_grpo', { kind: 'dr_grpo' }, (own, rewards) => against(own, meanOf(rewards))],
  ...([0, 1] as const).map((ddof): readonly [string, object, Score] => [
    `grpo, ddof ${ddof}`,
    { kind: 'grpo', ddof, eps: 1e-4 },
    (own, rewards) => {
      const baseline = meanOf(rewards);
      const flat = rewards.length === 1 || rewards.every((r) => r === rewards[0]);
      return { advantage: flat ? 0 : (own - baseline) / (deviation(rewards, ddof) + 1e-4), baseline };
    },
  ]),
  [
    'rloo',
    { kind: 'rloo' },
    (own, rewards) => {
      if (rewards.length === 1) return { advantage: 0, baseline: 0 };
      return against(own, (rewards.reduce((a, b) => a + b, 0) - own) / (rewards.length - 1));
    },
  ],
  ['constant', { kind: 'constant_baseline', baseline: 0.4 }, (own) => against(own, 0.4)],
  ['remax', { kind: 'remax' }, (own, _rewards, { one }) => against(own, one.greedy_reward ?? 0)],
];

describe('group baselines equal their definitions', () => {
  it.each(kinds)('%s', (_name, params, score) => {
    check(fc.constant(params), (rollouts) => {
      const wanted = groupReference(rollouts, (one, members, rewards) =>
        score(one.reward ?? 0, rewards, { one, members }),
      );
      agrees('group', params, rollouts, wanted);
    });
  });

  it('gpg, scaled by how many rewards of the batch are not 0', () => {
    check(fc.record({ kind: fc.constant('gpg'), f_norm: fc.constantFrom(1, 2.5) }), (rollouts, params) => {
      const paid = rollouts.filter(({ reward }) => reward !== 0).length;
      const scale = rollouts.length / Math.max(1, paid) / params.f_norm;
      const wanted = groupReference(rollouts, (one, members, rewards) => {
        const baseline = members.length === 1 ? 0 : meanOf(rewards);
        return { advantage: scale * ((one.reward ?? 0) - baseline), baseline };
      });
      agrees('group', params, rollouts, wanted);
    });
  });

  it('passk: the best member gets its lead over the second best', () => {
    check(fc.record({ kind: fc.constant('passk'), norm: fc.boolean() }), (rollouts, params) => {
      const several = rollouts.filter((one) => rollouts.some((o) => o !== one && o.group_id === one.group_id));
      if (several.length === 0) return;
      const wanted = groupReference(several, (one, members, rewards) => {
        const [best = 0, second = 0] = rewards.toSorted((a, b) => b - a);
        const first = members.find(({ reward }) => reward === best) === one;
        const lead = best === second || !first ? 0 : best - second;
        return { advantage: params.norm ? lead / (deviation(rewards, 1) + 1e-6) : lead, baseline: second };
      });
      agrees('group', { ...params, eps: 1e-6 }, several, wanted);
    });
  });

  it('admission: who stays, who is repeated, and what is centred', () => {
    const drawn = fc.record({
      group_size: fc.constantFrom(1, 2, 3, 5),
      tau: fc.constantFrom(null, 0, 2, 5),
      stats_over: fc.constantFrom('padded' as const, 'unique' as const),
      seed: fc.nat(),
    });
    check(drawn, (rollouts, { seed, ...params }) => {
      const random = randomFrom(seed + 7);
      const learner = 10;
      const batch = rollouts.map((one): JsonRollout => {
        const versions = Array.from({ length: Math.floor(random() * 3) }, () => learner - Math.floor(random() * 7));
        const crashed = random() < 0.2;
        return {
          ...one,
          status: crashed ? 'env_crash' : one.status,
          reward: random() < 0.15 ? null : one.reward,
          ...(versions.length > 0 ? { weight_versions: versions } : {}),
        };
      });
      const verdict = batch.map(({ status, reward, weight_versions = [] }) => {
        if (status === 'env_crash') return 'env_crash';
        if (params.tau !== null && weight_versions.length === 0) return 'version_missing';
        if (params.tau !== null && weight_versions.some((v) => learner - v > (params.tau ?? 0))) return 'stale';
        return reward === null ? 'reward_missing' : 'ok';
      });
      const plan: Record<string, number[] | null> = {};
      const centered: Record<string, number[]> = {};
      for (const group of new Set(batch.map(({ group_id }) => group_id))) {
        const valid = batch.flatMap(({ group_id }, i) => (group_id === group && verdict[i] === 'ok' ? [i] : []));
        const filled: number[] = [];
        while (valid.length > 0 && filled.length < params.group_size) filled.push(...valid);
        const members = valid.length > params.group_size / 2 ? filled.slice(0, params.group_size) : null;
        plan[group] = members;
        if (members === null) continue;
        const reward = (i: number): number => batch[i]?.reward ?? 0;
        const over = params.stats_over === 'unique' ? [...new Set(members)] : members;
        centered[group] = members.map((i) => reward(i) - meanOf(over.map(reward)));
      }
      agrees('admit', params, batch, { verdict, plan, centered }, { learner_version: learner });
    });
  });

  it('opo, wherever its group has trainable tokens', () => {
    check(fc.constant({ kind: 'opo' }), (rollouts, params) => {
      const filled = rollouts.filter((one) => lengthOf(one) > 0);
      const wanted = groupReference(filled, (one, members, rewards) => {
        if (members.length === 1) return against(one.reward ?? 0, 0);
        const lengths = members.map(lengthOf);
        const all = lengths.reduce((a, b) => a + b, 0);
        return against(one.reward ?? 0, rewards.reduce((sum, r, i) => sum + r * (lengths[i] ?? 0), 0) / all);
      });
      agrees('group', params, filled, wanted);
    });
  });
});
