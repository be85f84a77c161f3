// Variants that real logs come in and the reference files do not show: other containers of the same records, files that
// belong to a file given alone, fields that newer versions add.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { formatById } from '../../../app/ingest/formats/index.ts';
import { outcomeIn } from '../../../app/ingest/formats/swe-bench-report.ts';
import { planImport } from '../../../app/ingest/plan.ts';
import { readContext, readGroup } from '../../../app/ingest/read-group.ts';
import { fixtureText, short } from './harness-support.ts';
import { assemble, collect, jsonl, kinds, only, type ReadResult, readText } from './support.ts';

const folder = mkdtempSync(join(tmpdir(), 'rollscope-variants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: string | Uint8Array): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

/** Imports paths as a person would, and gives the one source that they are. */
async function imported(...paths: string[]): Promise<ReadResult & { format: string }> {
  const source = only(await planImport(paths));
  if (source.kind === 'refused') throw new Error(source.refusal.message);
  const result = assemble(await collect(readGroup(source.group, source.format, readContext(source.group.main))));
  return { ...result, format: source.format.id };
}

function formatOf(id: string) {
  const format = formatById(id);
  if (format === null) throw new Error(`no format ${id}`);
  return format;
}

const row = {
  id: 'a',
  reward: '0.5',
  messages: [
    { role: 'user', content: 'Hé 你好' },
    { role: 'assistant', content: 'x' },
  ],
};

describe('containers', () => {
  const text = jsonl(row, { ...row, id: 'b' });
  const be = Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  it.each<[string, string | Uint8Array]>([
    ['UTF-16, little end first', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big end first', be],
    [
      'pretty documents one after the other',
      [row, { ...row, id: 'b' }].map((r) => JSON.stringify(r, null, 2)).join('\n'),
    ],
    ['documents without a break', JSON.stringify(row) + JSON.stringify({ ...row, id: 'b' })],
    ['a byte order mark and CRLF', `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ['a line of a logger before it', `INFO starting\n${text}`],
  ])('%s', async (name, content) => {
    const { rollouts } = await imported(put(`containers/${name}.jsonl`, content));
    expect(rollouts.map(({ rollout }) => [rollout.externalId, rollout.reward])).toEqual([
      ['a', 0.5],
      ['b', 0.5],
    ]);
    expect(rollouts[0]?.segments[0]?.items[0]?.parts[0]?.text).toBe('Hé 你好');
  });
});

describe('messages', () => {
  const stepOf = async (message: Record<string, unknown>) => {
    const { rollouts } = await readText(
      formatOf('chat'),
      jsonl({ messages: [{ role: 'user', content: 'q' }, message] }),
    );
    return short(only(rollouts).segments[0]?.items[1] ?? { kind: 'unknown', role: 'other', parts: [] });
  };
  it.each<[string, unknown, string]>([
    ['one call that is no list', { id: 'k', function: { name: 'f', arguments: { a: 1 } } }, 'tool_call f: {"a":1}'],
    ['a list as text', '[{"id":"k","function":{"name":"f","arguments":"{}"}}]', 'tool_call f: {}'],
    ['text that is no JSON', 'f(1)', 'tool_call: f(1)'],
    ['a call that is a text', ['f(1)'], 'tool_call: f(1)'],
  ])('tool_calls: %s', async (_name, tool_calls, expected) => {
    expect(await stepOf({ role: 'assistant', content: null, tool_calls })).toEqual(['step assistant', expected]);
  });
});

describe('training steps', () => {
  it.each([
    ['runs/step_40/x.jsonl', 40],
    ['runs/global_step_120/rollouts/x.jsonl', 120],
    ['runs/iter_3/x.jsonl', 3],
    ['runs/other/x.jsonl', null],
  ])('%s', async (path, step) => {
    const { rollouts } = await imported(put(path, jsonl(row)));
    expect(only(rollouts).rollout.trainingStep ?? null).toBe(step);
  });

  it('are those of the log where it has them', async () => {
    const { rollouts } = await imported(put('runs/step_40/own.jsonl', jsonl({ ...row, training_step: 7 })));
    expect(only(rollouts).rollout.trainingStep).toBe(7);
  });
});

describe('OpenHands', () => {
  const action = (n: number) => ({
    id: `a-${n}`,
    kind: 'ActionEvent',
    source: 'agent',
    timestamp: '2026-01-01T00:00:00',
    tool_name: 'bash',
    tool_call_id: `c-${n}`,
    tool_call: { id: `c-${n}`, name: 'bash', arguments: '{}' },
    llm_response_id: `r-${n}`,
  });
  const observation = (n: number) => ({
    id: `o-${n}`,
    kind: 'ObservationEvent',
    source: 'environment',
    tool_call_id: `c-${n}`,
    action_id: `a-${n}`,
    observation: { content: [{ type: 'text', text: 'beans' }] },
  });
  const tokens = (prompt: unknown, reply: unknown) => ({
    id: `t-${JSON.stringify(prompt)}`,
    kind: 'TokenEvent',
    source: 'agent',
    prompt_token_ids: prompt,
    response_token_ids: reply,
  });

  it('ties the ids of token events to their calls', async () => {
    const events = [
      action(1),
      observation(1),
      tokens([1, 2], [3]),
      action(2),
      observation(2),
      tokens([1, 2, 3, 4], [5, 6]),
    ];
    const { rollouts, alerts } = await readText(formatOf('openhands'), jsonl(...events));
    const segment = only(only(rollouts).segments);
    expect(segment.columns.map(({ name, data }) => [name, [...data]])).toEqual([
      ['ids', [1, 2, 3, 4, 5, 6]],
      ['loss_mask', [0, 0, 1, 0, 1, 1]],
    ]);
    expect(segment.segment.promptLength).toBe(2);
    expect(segment.items.map(({ tokenStart, tokenEnd }) => [tokenStart, tokenEnd])).toEqual([
      [2, 3],
      [4, 6],
    ]);
    expect(alerts).toEqual([]);
  });

  it('shows a token event that fits no call as it stands', async () => {
    const { rollouts, alerts } = await readText(
      formatOf('openhands'),
      jsonl(tokens([1], [2]), action(1), tokens([1], 'x')),
    );
    expect(only(rollouts).segments[0]?.items.filter(({ kind }) => kind === 'unknown')).toHaveLength(2);
    expect(kinds(alerts)).toEqual(['record-unknown']);
  });

  const v0 = [
    { id: 0, source: 'user', action: 'message', timestamp: '2026-01-01T00:00:00', args: { content: 'List.' } },
    { id: 1, source: 'agent', action: 'run', args: { command: 'ls', thought: 'Look.' } },
    { id: 2, source: 'agent', cause: 1, observation: 'run', content: 'a.txt' },
  ];

  it('reads the events that the server stores, one a file, in their order', async () => {
    for (const [i, event] of [...v0, ...Array.from({ length: 9 }, (_, n) => ({ ...v0[0], id: n + 3 }))].entries()) {
      put(`session-1/events/${i}.json`, JSON.stringify(event));
    }
    const { rollouts } = await imported(join(folder, 'session-1'));
    expect(only(rollouts).rollout.externalId).toBe('session-1');
    expect(only(rollouts).segments[0]?.items.slice(0, 2).map(short)).toEqual([
      ['input user', 'text: List.'],
      ['step assistant', 'text: Look.', 'tool_call run: {"command":"ls"}', 'observation run: a.txt'],
    ]);
  });

  it('reads the export of the server', async () => {
    const { format, rollouts } = await imported(put('export.json', JSON.stringify({ trajectory: v0 })));
    expect(format).toBe('openhands');
    expect(only(rollouts).segments[0]?.items).toHaveLength(2);
  });
});

describe('several runs in a file of one', () => {
  it('are all read where the format allows it', async () => {
    const run = JSON.parse(fixtureText('swe-agent', 'gate.traj'));
    const many = await readText(
      formatOf('swe-agent'),
      jsonl({ ...run, instance_id: 'x' }, { ...run, instance_id: 'y' }),
    );
    expect(many.rollouts.map(({ rollout }) => rollout.externalId)).toEqual(['x', 'y']);
    const mini = JSON.parse(fixtureText('mini-swe-agent', 'v2.traj.json'));
    const both = await readText(formatOf('mini-swe-agent'), jsonl(mini, mini));
    expect(both.rollouts).toHaveLength(2);
  });

  it('are counted where it does not', async () => {
    const log = JSON.parse(fixtureText('inspect', 'log.json'));
    const { alerts } = await readText(formatOf('inspect'), jsonl(log, log));
    expect(kinds(alerts)).toContain('record-unread');
  });
});

describe('a file that is given alone', () => {
  it('finds the result of its trial one folder up', async () => {
    const steps = [{ step_id: 1, source: 'agent', message: 'Done.' }];
    const main = put(
      'trial-1/agent/trajectory.json',
      JSON.stringify({ schema_version: 'ATIF-v1.6', session_id: 's', agent: { name: 'a', version: '1' }, steps }),
    );
    put(
      'trial-1/result.json',
      JSON.stringify({ trial_name: 'trial-1', task_name: 'beans', verifier_result: { rewards: { reward: 0.25 } } }),
    );
    const { rollouts } = await imported(main);
    expect(only(rollouts).rollout).toMatchObject({ reward: 0.25, task: 'beans' });
  });

  it('takes the result of its trial where the agent left only its own session, and the result is no second rollout', async () => {
    const session = put(
      'trial-2/agent/sessions/s.jsonl',
      jsonl(
        { type: 'user', uuid: 'u', sessionId: 's', message: { role: 'user', content: 'Prune.' } },
        { type: 'assistant', uuid: 'a', sessionId: 's', message: { role: 'assistant', content: 'Pruned.' } },
      ),
    );
    const result = put(
      'trial-2/result.json',
      JSON.stringify({
        trial_name: 'trial-2',
        task_name: 'hedge',
        verifier_result: { rewards: { reward: 0 } },
        exception_info: { exception_type: 'AgentTimeoutError' },
      }),
    );
    const { rollouts } = await imported(session);
    expect(only(rollouts).rollout).toMatchObject({ reward: 0, task: 'hedge', status: 'truncated' });
    const alone = await imported(result);
    expect(alone.rollouts).toEqual([]);
    expect(kinds(alone.alerts)).toEqual(['result-joined']);
    // A trajectory of the trial takes the result itself.
    const steps = [{ step_id: 1, source: 'agent', message: 'Pruned.' }];
    const atif = { schema_version: 'ATIF-v1.6', session_id: 's', agent: { name: 'a', version: '1' }, steps };
    put('trial-2/agent/trajectory.json', JSON.stringify(atif));
    expect(only((await imported(session)).rollouts).rollout.reward).toBeNull();
    expect((await imported(result)).rollouts).toHaveLength(1);
  });
});

describe('a trial with several sessions', () => {
  const line = (id: string, at: string, more: object = {}) =>
    jsonl(
      {
        type: 'user',
        uuid: `${id}u`,
        sessionId: id,
        timestamp: at,
        ...more,
        message: { role: 'user', content: 'Prune.' },
      },
      {
        type: 'assistant',
        uuid: `${id}a`,
        sessionId: id,
        timestamp: at,
        ...more,
        message: { role: 'assistant', content: 'Done.' },
      },
    );
  const codex = (id: string, at: string, source: unknown) =>
    jsonl(
      { timestamp: at, type: 'session_meta', payload: { id, timestamp: at, cwd: '/', source } },
      {
        timestamp: at,
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
      },
    );
  const result = { trial_name: 't', task_name: 'hedge', verifier_result: { rewards: { reward: 1 } } };

  it('has its reward once: at the session that was begun last; the others name it', async () => {
    const second = put('trial-3/agent/sessions/a.jsonl', line('second', '2026-03-01T10:00:00Z'));
    const first = put('trial-3/agent/sessions/b.jsonl', line('first', '2026-03-01T09:00:00Z'));
    const alone = put(
      'trial-3/result.json',
      JSON.stringify({ ...result, exception_info: { exception_type: 'AgentTimeoutError' } }),
    );
    expect(only((await imported(second)).rollouts).rollout).toMatchObject({
      reward: 1,
      task: 'hedge',
      status: 'truncated',
    });
    const earlier = await imported(first);
    const { rollout } = only(earlier.rollouts);
    expect(rollout).toMatchObject({ reward: null, task: 'hedge' });
    expect(rollout.status).not.toBe('truncated');
    expect(rollout.rewardDetail).toEqual({ inherited: { reward: 1, from: join('sessions', 'a.jsonl') } });
    expect(kinds(earlier.alerts)).toContain('reward-inherited');
    expect(kinds((await imported(alone)).alerts)).toEqual(['result-joined']);
  });

  it('does not give it to a sub-agent, however late its session', async () => {
    const main = put('trial-4/agent/sessions/2026/main.jsonl', codex('m', '2026-03-01T09:00:00Z', 'exec'));
    const thread = { subagent: { thread_spawn: { parent_thread_id: 'm', depth: 1 } } };
    const nested = put('trial-4/agent/sessions/2026/nested.jsonl', codex('n', '2026-03-01T10:00:00Z', thread));
    put('trial-4/result.json', JSON.stringify(result));
    expect(only((await imported(main)).rollouts).rollout.reward).toBe(1);
    expect(only((await imported(nested)).rollouts).rollout.reward).toBeNull();

    const chain = put('trial-5/agent/s.jsonl', line('s', '2026-03-01T09:00:00Z', { isSidechain: false }));
    const side = put('trial-5/agent/t.jsonl', line('t', '2026-03-01T10:00:00Z', { isSidechain: true }));
    put('trial-5/result.json', JSON.stringify(result));
    expect(only((await imported(chain)).rollouts).rollout.reward).toBe(1);
    expect(only((await imported(side)).rollouts).rollout.reward).toBeNull();
  });

  it('counts once in a library of all of them', async () => {
    const all = [];
    for (const name of ['x', 'y', 'z'])
      all.push(put(`trial-6/agent/${name}.jsonl`, line(name, '2026-03-01T09:00:00Z')));
    all.push(put('trial-6/result.json', JSON.stringify(result)));
    const rewards = [];
    for (const path of all) for (const { rollout } of (await imported(path)).rollouts) rewards.push(rollout.reward);
    expect(rewards).toEqual([null, null, 1]);
  });
});

describe('sessions as other tools keep them', () => {
  it('reads Claude Code lines without a session id, behind a broken first line', async () => {
    const path = put(
      'bare.jsonl',
      `not json\n${jsonl(
        { type: 'user', uuid: 'u1', message: { role: 'user', content: 'Mulch.' } },
        {
          type: 'assistant',
          uuid: 'a1',
          message: { role: 'assistant', content: [{ type: 'text', text: 'Mulched.' }] },
        },
      )}`,
    );
    const { format, rollouts, alerts } = await imported(path);
    expect(format).toBe('claude-code');
    expect(only(only(rollouts).segments).items.map(short)).toEqual([
      ['input user', 'text: Mulch.'],
      ['step assistant', 'text: Mulched.'],
    ]);
    expect(kinds(alerts)).toEqual(['json-invalid']);
  });

  it('reads the lines of Qwen Code, whose messages are in the notation of the Gemini API', async () => {
    const shared = { sessionId: 'q', version: '0.2' };
    const path = put(
      'qwen.jsonl',
      jsonl(
        { ...shared, uuid: '1', type: 'user', message: { role: 'user', parts: [{ text: 'Read it.' }] } },
        {
          ...shared,
          uuid: '2',
          type: 'assistant',
          message: {
            role: 'model',
            parts: [{ text: 'Hm.', thought: true }, { functionCall: { id: 'c', name: 'read', args: { path: 'a' } } }],
          },
        },
        {
          ...shared,
          uuid: '3',
          type: 'tool_result',
          message: {
            role: 'user',
            parts: [{ functionResponse: { id: 'c', name: 'read', response: { output: 'seeds' } } }],
          },
        },
      ),
    );
    const { rollouts, alerts } = await imported(path);
    expect(only(only(rollouts).segments).items.map(short)).toEqual([
      ['input user', 'text: Read it.'],
      ['step assistant', 'reasoning: Hm.', 'tool_call read: {"path":"a"}', 'observation read: seeds'],
    ]);
    expect(alerts).toEqual([]);
  });

  it('reads Codex lines without times, Copilot events without parents, and a page of OpenHands events', async () => {
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Sown.' }] };
    const codex = await imported(put('untimed.jsonl', jsonl({ type: 'response_item', payload: said })));
    expect(codex.format).toBe('codex');
    const copilot = await imported(
      put(
        'parentless.jsonl',
        jsonl({ id: 'e', type: 'assistant.message', data: { content: 'Sown.', toolRequests: [] } }),
      ),
    );
    expect(copilot.format).toBe('copilot-cli');
    const event = {
      kind: 'MessageEvent',
      id: 'm',
      source: 'user',
      timestamp: '2026-02-03T04:05:06',
      llm_message: { role: 'user', content: [{ type: 'text', text: 'Sow.' }] },
    };
    const page = await imported(put('page.json', JSON.stringify({ items: [null, event], next_page_id: null })));
    expect(page.format).toBe('openhands');
    expect(only(only(page.rollouts).segments).items.map(short)).toEqual([['input user', 'text: Sow.']]);
    expect(kinds(page.alerts)).toEqual(['record-unknown']);
  });

  it('takes the outcome of an instance from the lists of SWE-smith', () => {
    const lists = { resolved: 1, unresolved: 1, total: 2, ids_resolved: ['a'], ids_unresolved: ['b'] };
    expect([outcomeIn(lists, 'a')?.resolved, outcomeIn(lists, 'b')?.resolved, outcomeIn(lists, 'c')]).toEqual([
      true,
      false,
      null,
    ]);
  });
});
