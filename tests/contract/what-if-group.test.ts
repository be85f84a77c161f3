// What-if and the group board over the engine: a log of six siblings that start alike, once over each transport.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../app/engine/engine.ts';
import { plainSetting } from '../../renderer/data/what-if-setting.ts';
import { unpackRollout } from '../../renderer/features/what-if/unpack.ts';
import { type Client, type Transport, transports } from './transports.ts';

interface Sibling {
  readonly id: string;
  readonly reward: number | null;
  readonly commands: readonly string[];
  readonly version?: number;
  readonly tokens?: boolean;
  readonly group?: string;
}

/** Two prompt tokens, then two tokens a call. */
function line({ id, reward, commands, version, tokens = true, group = 'g' }: Sibling): string {
  const length = 2 + commands.length * 2;
  const columns = {
    token_ids: Array.from({ length }, (_, at) => at),
    prompt_len: 2,
    align: 'full',
    loss_mask: Array.from({ length }, (_, at) => (at < 2 ? 0 : 1)),
    values: Array.from({ length }, (_, at) => (at < 2 ? null : 0.5)),
  };
  return JSON.stringify({
    format: 'rollscope-rollout/1',
    run_id: 'board',
    training_step: 5,
    group_id: group,
    task_id: 'task',
    rollout_id: id,
    status: 'completed',
    ...(reward === null ? {} : { reward: { terminal: reward, placement: 'last_trainable_token' } }),
    segments: [
      {
        id: 's0',
        kind: 'execution',
        kind_source: 'producer',
        messages: [
          { role: 'user', content: 'Repair it.' },
          ...commands.flatMap((command, at) => [
            {
              role: 'assistant',
              content: `I am ${id}, at step ${at}.`,
              ...(version === undefined ? {} : { weight_version: String(version) }),
              tool_calls: [
                { id: `c${at}`, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } },
              ],
            },
            { role: 'tool', tool_call_id: `c${at}`, content: 'ok' },
          ]),
        ],
        ...(tokens ? columns : {}),
      },
    ],
  });
}

const log: readonly Sibling[] = [
  { id: 'plain', reward: 1, commands: ['ls', 'cat a.py', 'sed -i s/a/b/ a.py'] },
  { id: 'spaced', reward: 1, commands: ['ls ', 'cat  a.py', 'python fix.py', 'pytest'] },
  { id: 'early', reward: 0, commands: ['ls', 'cat a.py'] },
  { id: 'unknown', reward: null, commands: ['ls', 'pytest -q'] },
  { id: 'texts', reward: 0.5, commands: ['ls', 'cat a.py', 'sed -i s/a/b/ a.py'], tokens: false },
  { id: 'alone', reward: 1, commands: ['ls'], group: 'other' },
];

describe.each(transports)('what-if and group over %s', (_name, open) => {
  let folder: string;
  let engine: Engine;
  let transport: Transport;
  let client: Client;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollscope-board-'));
    const path = join(folder, 'board.jsonl');
    writeFileSync(path, `${log.map(line).join('\n')}\n`);
    engine = await createEngine({ dbPath: join(folder, 'board.rollscope'), host: 'test', version: '1' });
    transport = await open(engine);
    client = transport.client;
    const { id } = await client.jobs.start({ kind: 'import', paths: [path] });
    for await (const state of await client.jobs.watch({ id })) {
      if (state.status === 'failed') throw new Error(state.error?.message);
    }
  });
  afterAll(async () => {
    await transport?.close();
    await engine?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives the board of a rollout, and the same by the id of its group', async () => {
    const board = await client.group.board({ id: 'plain' });
    expect(board).toMatchObject({ title: 'g', trainingStep: 5, task: 'task', run: 'board' });
    expect(board.members.map(({ externalId }) => externalId)).toEqual(['plain', 'spaced', 'early', 'unknown', 'texts']);
    expect(await client.group.board({ id: board.group })).toEqual(board);
    const [plain, spaced, early, unknown, texts] = board.members.map(({ actions }) => actions);
    expect(spaced?.slice(0, 2)).toEqual(plain?.slice(0, 2));
    expect(early).toEqual(plain?.slice(0, 2));
    expect(texts).toEqual(plain);
    expect(spaced?.[2]).not.toBe(plain?.[2]);
    expect(unknown?.[0]).toBe(plain?.[0]);
    expect(unknown?.[1]).not.toBe(plain?.[1]);
    expect(board.members[0]).toMatchObject({ tokens: 8, trainable: 6, stepItems: [1, 2, 3] });
    expect(board.members[3]?.reward).toBeNull();
  });

  it('shows a rollout whose group has no other, and refuses what is neither', async () => {
    expect((await client.group.board({ id: 'alone' })).members).toHaveLength(1);
    await expect(client.group.board({ id: 'g-999' })).rejects.toMatchObject({ code: 'rollout-unknown' });
    await expect(client.group.board({ id: 'nobody' })).rejects.toMatchObject({ code: 'rollout-unknown' });
  });

  it('finds where two part, and puts both actions side by side', async () => {
    const parted = await client.group.divergence({ left: 'plain', right: 'spaced' });
    expect(parted).toMatchObject({ common: 2, left: { item: 3, segment: 0 }, right: { item: 3, segment: 0 }, more: 0 });
    expect(parted.lines.some(({ kind, right }) => kind !== 'same' && right?.includes('python fix.py') === true)).toBe(
      true,
    );
    expect(parted.lines.some(({ left }) => left?.includes('I am plain') === true)).toBe(true);
    expect(await client.group.divergence({ left: 'plain', right: 'early' })).toMatchObject({ common: 2, right: null });
    const same = await client.group.divergence({ left: 'plain', right: 'texts' });
    expect(same).toMatchObject({ common: 3, left: null, right: null, lines: [] });
  });

  it('gives members in counts and columns that unpack to what estimators read', async () => {
    const { focus, members } = await client.whatIf.members({ rollout: 'plain', scope: 'step' });
    expect(members).toHaveLength(6);
    expect((await client.whatIf.members({ rollout: 'plain', scope: 'group' })).members).toHaveLength(5);
    expect(members[0]).toMatchObject({ id: focus, status: 'terminated', reward: 1 });
    expect(members[0]?.segments).toEqual([{ index: 0, kind: 'execution', tokens: 8, trainable: 6 }]);
    // Without a mask nothing is trained, however many tokens the texts may have.
    expect(members[4]?.segments[0]?.trainable).toBe(0);
    const { segments } = unpackRollout(await client.whatIf.columns({ rollout: 'plain' }));
    expect(Array.from(segments[0]?.lossMask ?? [])).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
    expect(Array.from(segments[0]?.values ?? []).slice(2)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5, 0.5]);
  });

  it('compares two settings over the step: shares add up, a refusal is told in its row', async () => {
    const a = plainSetting('gae_local', null, { lambda: 1 });
    const b = plainSetting('group', null, { kind: 'center', missing_reward: 'exclude' });
    const done = await client.whatIf.compare({ rollout: 'plain', scope: 'step', a, b });
    const of = new Map(done.rows.map((row) => [row.externalId, row]));
    expect(of.get('plain')).toMatchObject({ tokens: 6, meanA: 0.5, whyA: null, whyB: null });
    // The mean of 1, 1, 0, 0.5 is 0.625.
    expect(of.get('plain')?.meanB).toBeCloseTo(0.375, 12);
    expect(of.get('unknown')?.whyA).toContain('No reward');
    expect(done.rows.reduce((sum, row) => sum + (row.shareA ?? 0), 0)).toBeCloseTo(1, 9);
    expect(done.rows.reduce((sum, row) => sum + (row.shareB ?? 0), 0)).toBeCloseTo(1, 9);
    expect(done.totals.rollouts).toBe(6);
    const flipped = await client.whatIf.compare({ rollout: 'plain', scope: 'group', a, b: { ...a, reward: 0 } });
    expect(flipped.totals).toMatchObject({ rollouts: 5, flips: 6 });
  });

  it('stops when the caller goes away', async () => {
    const stop = new AbortController();
    const a = plainSetting('gae_local', null);
    const running = client.whatIf.compare({ rollout: 'plain', scope: 'step', a, b: a }, { signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toThrow();
    await expect(client.whatIf.compare({ rollout: 'plain', scope: 'step', a, b: a })).resolves.toMatchObject({
      totals: { flips: 0, lost: 0, gained: 0, moved: 0 },
    });
  });

  it('refuses a setting that is none', async () => {
    const a = plainSetting('gae_local', null);
    const bad = { ...a, normaliser: 'mood' };
    // Boundary: what a foreign program may send.
    const call = client.whatIf.compare({ rollout: 'plain', scope: 'step', a, b: bad as typeof a });
    await expect(call).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
