// τ²-bench: simulations of a run, their trials as a group, the simulated user's own tools, and simulations in files of their own.

import { describe, expect, it } from 'vitest';
import { format } from '../../../app/ingest/formats/tau2-bench.ts';
import { fixtureText, readFixture, short } from './harness-support.ts';
import { kinds, only, readText } from './support.ts';

describe('τ²-bench results', () => {
  it('are rollouts by simulation, the trials of a task one group', async () => {
    const { rollouts, alerts, source } = await readFixture('tau2-bench', 'results.json');
    expect(source.format.id).toBe('tau2-bench');
    expect(rollouts.map(({ rollout }) => rollout)).toMatchObject([
      {
        externalId: 'sim-1',
        task: 'orchard/7',
        groupId: '7',
        attempt: 0,
        model: 'pear-model',
        status: 'completed',
        statusDetail: 'user_stop',
        reward: 1,
        preview: 'My irrigation pump is silent.',
        startedAt: '2026-04-01T08:00:00.000Z',
      },
      { externalId: 'sim-2', groupId: '7', attempt: 1, status: 'truncated', reward: null },
    ]);
    expect(rollouts[0]?.rollout.rewardDetail).toMatchObject({ reward_breakdown: { DB: 1 } });
    expect(rollouts[0]?.rollout.extra).toMatchObject({ task: { description: {} }, info: { seed: 5 }, seed: 11 });
    expect(kinds(alerts)).toEqual(['records-not-shown']);
  });

  it('show what the agent saw and did; the harness’s greeting and the user’s own tools are no steps', async () => {
    const { rollouts } = await readFixture('tau2-bench', 'results.json');
    const { items } = only(rollouts[0]?.segments ?? []);
    expect(items.map(short)).toEqual([
      ['input system (The policy of the domain, part of the system prompt)', 'text: Be kind to pumps.'],
      ['input assistant (The greeting that the harness begins with)', 'text: Hello, the orchard desk here.'],
      ['input user', 'text: My irrigation pump is silent.'],
      [
        'step assistant',
        'reasoning: Look the pump up first.',
        'tool_call find_pump: {"owner":"Ada"}',
        'tool_call list_valves: {}',
        'observation find_pump: {"pump": "p-9"}',
        'observation list_valves!: no such farm',
      ],
      ['step assistant', 'text: Please press the reset button.'],
      [expect.stringMatching(/^boundary other \(Between the simulated user/u), expect.stringContaining('press_reset')],
      [expect.stringMatching(/^boundary other/u), 'text: the pump hums'],
      ['input user', 'text: It hums again. ###STOP###'],
    ]);
    expect(items[3]).toMatchObject({ promptTokens: 200, completionTokens: 30, time: '2026-04-01T08:00:02.000Z' });
  });

  it('in files of their own take the settings of the run beside them', async () => {
    const { rollouts, source } = await readFixture('tau2-bench', 'simulations', 'sim-3.json');
    expect(source.format.id).toBe('tau2-bench');
    const { rollout, segments } = only(rollouts);
    expect(rollout).toMatchObject({ externalId: 'sim-3', task: 'orchard/7', model: 'pear-model', reward: 1 });
    expect(short(only(segments).items[0] ?? { kind: 'unknown', role: 'other', parts: [] })[1]).toBe(
      'text: Be kind to valves.',
    );
  });

  it('over the limit of documents are read simulation by simulation', async () => {
    const whole = await readText(format, fixtureText('tau2-bench', 'results.json'));
    const limits = { documentBytes: 5_000 };
    const pieces = await readText(format, fixtureText('tau2-bench', 'results.json'), '/logs/results.json', limits);
    expect(pieces.rollouts.map(({ rollout }) => rollout.externalId)).toEqual(['sim-1', 'sim-2']);
    expect(pieces.rollouts.map(({ segments }) => segments)).toEqual(whole.rollouts.map(({ segments }) => segments));
  });

  it('of a run without simulations, and of voice, say what was not read', async () => {
    const { simulations, ...run } = JSON.parse(fixtureText('tau2-bench', 'results.json'));
    const index = await readText(format, JSON.stringify({ ...run, simulation_index: [{ id: 'x' }, { id: 'y' }] }));
    expect(index.rollouts).toEqual([]);
    expect(only(index.alerts).message).toContain('2 simulations stand in files of their own');
    const [first] = simulations;
    const voice = await readText(
      format,
      JSON.stringify({ ...first, messages: null, ticks: [{ tick_id: 0 }, { tick_id: 1 }] }),
    );
    expect(only(voice.rollouts).rollout.reward).toBe(1);
    expect(voice.alerts).toMatchObject([{ kind: 'record-unread', count: 2 }]);
  });
});
