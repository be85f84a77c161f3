// The Advantages screen's small decisions: the choice in the address, the command for CI, the order of rows, words for runs.

import { describe, expect, it } from 'vitest';
import type { CriticStandIn, RunSet, VerifiedRow } from '../../../app/contract/index.ts';
import { formatCritic, parseCritic } from '../../../renderer/data/critic-choice.ts';
import { choiceOf, commandOf, withChoice } from '../../../renderer/features/advantages/choice.ts';
import { orderOf, routeOf, shownRows } from '../../../renderer/features/advantages/rows.ts';
import { setParameters, staleReason } from '../../../renderer/features/advantages/run-set-words.ts';

describe('the choice', () => {
  it('has each critic as text and back', () => {
    const critics: CriticStandIn[] = [
      { kind: 'logged' },
      { kind: 'none' },
      { kind: 'group-mean' },
      { kind: 'constant', value: -0.5 },
      { kind: 'file', values: 'v-1' },
    ];
    for (const critic of critics) expect(parseCritic(formatCritic(critic))).toEqual(critic);
    for (const text of [undefined, '', 'nonsense', 'constant:', 'constant:x', 'file:']) {
      expect(parseCritic(text)).toEqual({ kind: 'logged' });
    }
  });

  it('says why a filter cannot be read and knows no preset that gives no advantages', () => {
    expect(choiceOf({ screen: 'advantages', where: 'reward >' }).problem).not.toBeNull();
    expect(choiceOf({ screen: 'advantages', where: 'reward > 0', expect: 'verl-gae' })).toMatchObject({
      where: [{ column: 'reward', op: '>', value: 0 }],
      problem: null,
      expect: 'verl-gae',
    });
    expect(choiceOf({ screen: 'advantages', expect: 'nobody' }).expect).toBeUndefined();
  });

  it('takes what was compared before off the screen', () => {
    const before = { screen: 'advantages', job: 'job-1', sel: 'r-1', show: 'clean', tab: 'runs' } as const;
    expect(withChoice(before, { critic: 'none' })).toEqual({
      ...before,
      critic: 'none',
      job: undefined,
      sel: undefined,
      show: undefined,
    });
  });
});

describe('the command', () => {
  it('quotes what a shell would read otherwise', () => {
    expect(
      commandOf("/data/ada's runs/w.rollscope", { where: "task = 'a b'", expect: 'verl-gae' }, { kind: 'none' }, null),
    ).toBe(
      "rollscope verify --db '/data/ada'\\''s runs/w.rollscope' --where 'task = '\\''a b'\\''' --expect verl-gae --critic none --json",
    );
  });

  it('leaves out what is the default and names a joined file', () => {
    expect(commandOf('/w', {}, { kind: 'logged' }, null)).toBe('rollscope verify --db /w --json');
    expect(commandOf('/w', {}, { kind: 'file', values: 'v-1' }, 'values.npz')).toContain('--critic file:values.npz');
  });
});

const row = (id: string, change: Partial<VerifiedRow> = {}): VerifiedRow => ({
  id,
  externalId: id,
  group: null,
  trainingStep: null,
  status: 'clean',
  tokens: 10,
  code: 'clean',
  title: 'clean',
  confidence: 1,
  fit: { label: 'x', presets: [], agreeing: 1, worst: 0 },
  place: null,
  ...change,
});

describe('rows', () => {
  const rows = [
    row('s-10', { status: 'not-logged', code: 'not-logged', fit: null }),
    row('s-2', { trainingStep: 3 }),
    row('s-1', {
      status: 'found',
      code: 'mask-shifted',
      confidence: 0.5,
      trainingStep: 4,
      fit: { label: 'x', presets: [], agreeing: 0.2, worst: 9 },
    }),
    row('s-3', {
      status: 'found',
      code: 'values-shifted',
      confidence: 0.9,
      trainingStep: 1,
      fit: { label: 'x', presets: [], agreeing: 0.6, worst: 90 },
    }),
  ];
  const names = (order: Parameters<typeof shownRows>[2], show?: string): string[] =>
    shownRows(rows, show, order).map(({ id }) => id);

  it('come in each order with missing figures last', () => {
    expect(names('finding')).toEqual(['s-3', 's-1', 's-2', 's-10']);
    expect(names('rollout')).toEqual(['s-1', 's-2', 's-3', 's-10']);
    expect(names('step')).toEqual(['s-3', 's-2', 's-1', 's-10']);
    expect(names('agreeing')).toEqual(['s-1', 's-3', 's-2', 's-10']);
    expect(names('-worst')).toEqual(['s-3', 's-1', 's-2', 's-10']);
    expect(orderOf('nonsense')).toBe('finding');
  });

  it('are those of one diagnosis when one is chosen', () => {
    expect(names('finding', 'mask-shifted')).toEqual(['s-1']);
    expect(names('finding', 'nonsense')).toEqual([]);
  });

  it('open at the token where they part', () => {
    expect(routeOf({ id: 'r-1', place: { segment: 2, token: 8 } })).toEqual({
      screen: 'rollout',
      id: 'r-1',
      run: 'logged',
      seg: 2,
      token: 8,
    });
    expect(routeOf({ id: 'r-1', place: null })).toEqual({ screen: 'rollout', id: 'r-1', run: 'logged' });
  });
});

describe('sets of runs', () => {
  const set: RunSet = {
    id: 's-1',
    estimator: 'gae_local',
    preset: null,
    params: { gamma: 0.9, lambda: 1 },
    critic: { kind: 'logged' },
    criticLabel: 'logged values',
    rollouts: 5,
    refused: 0,
    stale: 0,
    staleByVersion: 0,
    staleByInputs: 0,
    versions: ['2'],
    currentVersion: '2',
    createdAt: '2026-01-01T00:00:00Z',
  };

  it('are told apart by the parameters that are not the usual ones', () => {
    expect(setParameters(set)).toContain('gamma 0.9');
    expect(setParameters({ ...set, params: {} })).toBe('defaults');
    expect(setParameters({ ...set, preset: 'compactionrl-paper', estimator: 'gae_cross', params: { gamma: 1 } })).toBe(
      '',
    );
  });

  it('say why they no longer hold', () => {
    expect(staleReason(set)).toBe('');
    expect(staleReason({ ...set, stale: 2, staleByInputs: 2 })).toBe('inputs of 2 runs changed');
    expect(staleReason({ ...set, stale: 1, staleByVersion: 1, versions: ['1', '2'] })).toBe(
      '1 run of version 1, now 2',
    );
    expect(staleReason({ ...set, stale: 5, staleByVersion: 5, currentVersion: null })).toBe(
      'the estimator is no longer there',
    );
  });
});
