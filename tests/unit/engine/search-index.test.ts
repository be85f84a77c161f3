// Searching and indexing in the running engine: in the background after an import, resumed after a restart, out of the way of
// labels and jobs, cancelled when nobody listens.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SearchUpdate } from '../../../app/contract/search.ts';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';

let folder: string;
let engine: Engine;

const open = (indexAfterMs: number | null, readOnly = false): Promise<Engine> =>
  createEngine({
    dbPath: join(folder, 'w.rollscope'),
    host: 'test',
    version: 'test',
    annotator: 'ada',
    indexAfterMs,
    readOnly,
  });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-search-'));
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Chats whose replies are all different and long enough for several batches. */
async function importChats(chats: number): Promise<void> {
  const path = join(folder, `chats-${chats}.jsonl`);
  const words = (seed: number): string =>
    Array.from({ length: 400 }, (_, i) => `w${(seed * 7919 + i * 104_729) % 99_991}`).join(' ');
  const lines = Array.from({ length: chats }, (_, i) =>
    JSON.stringify({
      id: `chat-${i}`,
      messages: [
        { role: 'user', content: `Question ${i}: 测试 number ${i}?` },
        { role: 'assistant', content: `Answer ${i} about the Needle-${i}. ${words(i)}` },
      ],
    }),
  );
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { id } = await engine.client.jobs.start({ kind: 'import', paths: [path] });
  for await (const state of await engine.client.jobs.watch({ id })) {
    if (state.status === 'failed') throw new Error(state.error?.message);
  }
}

async function search(query: string): Promise<SearchUpdate[]> {
  const updates: SearchUpdate[] = [];
  for await (const update of await engine.client.search.texts({ query })) updates.push(update);
  return updates;
}

async function answer(query: string): Promise<unknown> {
  const updates = await search(query);
  const { places, occurrences, rolloutCount } = updates.at(-1) ?? {};
  return { places, occurrences, rolloutCount, hits: updates.flatMap((update) => update.hits) };
}

describe('the index in the engine', () => {
  it('is made in the background after an import, and answers stay the same', async () => {
    engine = await open(20);
    await importChats(300);
    const before = [await answer('needle-29'), await answer('测试'), await answer('NUMBER 7?')];
    expect(before[0]).toMatchObject({ places: 11, rolloutCount: 11 });
    expect(before[1]).toMatchObject({ places: 300 });
    await vi.waitFor(
      async () => {
        const { indexed, total } = await engine.client.search.state();
        expect(indexed).toBe(total);
      },
      { timeout: 30_000, interval: 50 },
    );
    expect([await answer('needle-29'), await answer('测试'), await answer('NUMBER 7?')]).toEqual(before);
  });

  it('goes on after a restart where it was', async () => {
    engine = await open(null);
    await importChats(500);
    const before = await answer('needle-29');
    const stop = new AbortController();
    await engine.completeIndex(() => stop.abort(), stop.signal);
    await engine.close();
    engine = await open(null);
    const part = await engine.client.search.state();
    expect(part.indexed).toBeGreaterThan(0);
    expect(part.indexed).toBeLessThan(part.total);
    expect(await answer('needle-29')).toEqual(before);
    const reached: number[] = [];
    await engine.completeIndex(({ indexed }) => reached.push(indexed));
    expect(reached[0]).toBeGreaterThan(part.indexed);
    expect(reached.at(-1)).toBe(part.total);
    expect(await answer('needle-29')).toEqual(before);
  });

  it('lets a label pass between two batches', async () => {
    engine = await open(null);
    await importChats(500);
    const { set } = await engine.client.rollouts.query({});
    const { rows } = await engine.client.rollouts.page({ set, start: 0, count: 1 });
    let batches = 0;
    const indexing = engine.completeIndex(() => {
      batches += 1;
    });
    const { act } = await engine.client.labels.label({
      target: { type: 'rollout', rollout: rows[0]?.id ?? '' },
      verdict: 'clean',
    });
    const waited = batches;
    await indexing;
    expect(act?.verdict).toBe('clean');
    expect(batches).toBeGreaterThan(waited + 2);
  });

  it('is not touched in a workspace that is open read-only', async () => {
    engine = await open(null);
    await importChats(20);
    await engine.close();
    engine = await open(1, true);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect((await engine.client.search.state()).indexed).toBe(0);
    expect(await answer('needle-1')).toMatchObject({ places: 11 });
  });
});

describe('a search', () => {
  it('ends when nobody reads it any more, and the next one works', async () => {
    engine = await open(null);
    await importChats(400);
    for await (const update of await engine.client.search.texts({ query: 'w' })) {
      expect(update.hits.length).toBeGreaterThan(0);
      break;
    }
    const stop = new AbortController();
    const updates = await engine.client.search.texts({ query: 'w1' }, { signal: stop.signal });
    await updates.next();
    stop.abort();
    await updates.return(undefined);
    const last = (await search('needle-399')).at(-1);
    expect(last).toMatchObject({ places: 1, finished: true });
  });

  it('refuses a filter that cannot be before it streams', async () => {
    engine = await open(null);
    const where = [{ column: 'reward' as const, op: '>=' as const, value: 'much' }];
    await expect(engine.client.search.texts({ query: 'x', where })).rejects.toMatchObject({ code: 'filter-value' });
  });
});
