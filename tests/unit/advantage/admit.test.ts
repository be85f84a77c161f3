// Admission of rollouts: verdicts in their order, repeats and dropped groups as a reader is told of them.

import { describe, expect, it } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import type { RolloutInput } from '../../../app/domain/advantage/types.ts';
import { rollout, segment } from './build.ts';

const member = (id: string, rest: Partial<RolloutInput> = {}) => rollout([segment('a')], { id, reward: 1, ...rest });
const run = (params: object, rollouts: RolloutInput[], learnerVersion?: number) =>
  runEstimator('admit', params, { rollouts, ...(learnerVersion === undefined ? {} : { learnerVersion }) });
const verdicts = (params: object, rollouts: RolloutInput[], learnerVersion?: number) =>
  run(params, rollouts, learnerVersion).rollouts.map(({ verdict }) => verdict);

describe('verdicts', () => {
  it('a crash comes before everything, a missing reward last', () => {
    const old = { weightVersions: [1] };
    const all = [
      member('a', { ...old, status: 'env_crash', reward: null }),
      member('b', { reward: null }),
      member('c', { ...old, reward: null }),
      member('d', { weightVersions: [9], reward: null }),
      member('e', { weightVersions: [9], reward: Number.NaN }),
      member('f', { weightVersions: [7, 10] }),
    ];
    expect(verdicts({ tau: 3 }, all, 10)).toEqual([
      'env_crash',
      'version_missing',
      'stale',
      'reward_missing',
      'nonfinite_input',
      'ok',
    ]);
  });

  it('a lag of exactly tau stays; without a limit no version is needed', () => {
    expect(verdicts({ tau: 3 }, [member('a', { weightVersions: [7] })], 10)).toEqual(['ok']);
    expect(verdicts({ tau: 2 }, [member('a', { weightVersions: [7] })], 10)).toEqual(['stale']);
    expect(verdicts({ tau: 2 }, [member('a', { weightVersions: [7] })])).toEqual(['version_missing']);
    expect(verdicts({}, [member('a')])).toEqual(['ok']);
  });
});

describe('plans', () => {
  const group = (good: number, bad: number) => [
    ...Array.from({ length: good }, (_, i) => member(`g${i}`, { reward: i })),
    ...Array.from({ length: bad }, (_, i) => member(`b${i}`, { reward: null })),
  ];

  it('more than half is filled up with repeats, and repeats are named', () => {
    const output = run({}, group(3, 2));
    expect(output.plan).toEqual([
      {
        group: 'g0',
        members: [0, 1, 2, 0, 1],
        centered: [-0.8, 0.2, 1.2, -0.8, 0.2].map((x) => expect.closeTo(x, 12)),
      },
    ]);
    expect(output.rollouts.map(({ warnings }) => warnings.map(({ code }) => code))).toEqual([
      ['repeated'],
      ['repeated'],
      [],
      ['not_admitted'],
      ['not_admitted'],
    ]);
    expect(output.rollouts[0]?.warnings[0]?.message).toContain('2 times');
  });

  it('exactly half is dropped', () => {
    const output = run({}, group(2, 2));
    expect(output.plan).toEqual([{ group: 'g0', members: null, centered: null }]);
    expect(output.rollouts[0]?.warnings[0]?.message).toContain('Group g0 is dropped');
  });

  it('a group with more members than its size leaves the last ones out', () => {
    const output = run({ group_size: 2 }, group(3, 0));
    expect(output.plan?.[0]?.members).toEqual([0, 1]);
    expect(output.rollouts[2]?.warnings[0]?.message).toContain('its group is full');
    expect(output.rollouts[2]?.scalar).toBeNull();
  });
});
