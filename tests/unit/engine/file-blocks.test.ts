// Blocks of a file and the rounds in which they are looked at; and what an edit in the middle of a file looks like to them.

import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  allBlocks,
  BlockSummer,
  blockBytes,
  hasSums,
  roundOf,
  sumsOf,
} from '../../../app/engine/imports/file-blocks.ts';
import { changeOf, contentOf, grownContentOf, type KnownContent } from '../../../app/engine/imports/file-facts.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-blocks-'));
  path = join(folder, 'log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const size = 10 * blockBytes + 123;
/** Bytes that are no two blocks alike. */
const content = (length: number): Buffer =>
  Buffer.from(Uint32Array.from({ length: Math.ceil(length / 4) }, (_, i) => i * 2_654_435_761).buffer).subarray(
    0,
    length,
  );

/** Changes one byte of the file in its place. */
async function edit(at: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Uint8Array.of(0x21), 0, 1, at);
  await file.close();
}

async function append(bytes: number): Promise<number> {
  const file = await open(path, 'a');
  await file.write(Buffer.alloc(bytes, 7));
  const { size: now } = await file.stat();
  await file.close();
  return now;
}

async function known(of: number): Promise<KnownContent> {
  const { contentHash, fingerprint } = await contentOf(path, of);
  return { size: of, contentHash, fingerprint: fingerprint ?? '' };
}

describe('sums', () => {
  it('are the same however the bytes come, and go on from the whole blocks before', async () => {
    const bytes = content(size);
    writeFileSync(path, bytes);
    const summer = new BlockSummer();
    for (let at = 0, step = 1; at < size; at += step, step = (step * 7) % 1_000_003)
      summer.add(bytes.subarray(at, at + step));
    const sums = summer.sums();
    expect(sums).toHaveLength(11);
    expect(await sumsOf(path, size, [])).toEqual(sums);
    expect(await sumsOf(path, size, sums.slice(0, 6))).toEqual(sums);
    expect(await hasSums(path, size, sums, allBlocks(size))).toBe(true);
    await edit(7 * blockBytes + 5);
    expect(await hasSums(path, size, sums, [0, 6, 8, 10])).toBe(true);
    expect(await hasSums(path, size, sums, [7])).toBe(false);
  });

  it('of a file that lost its end are not those that it had', async () => {
    writeFileSync(path, content(size));
    const sums = await sumsOf(path, size, []);
    truncateSync(path, size - 1);
    expect(await hasSums(path, size, sums, [10])).toBe(false);
  });
});

describe('rounds', () => {
  it('come to every block again, and look at as much as has come', () => {
    const seen = new Set<number>();
    let next = 0;
    for (let i = 0; i < 3; i++) {
      const round = roundOf(size, 1, next);
      for (const block of round.blocks) seen.add(block);
      next = round.next;
    }
    expect(seen.size).toBe(11);
    expect(next).toBe(1);
    expect(roundOf(size, size, 5).blocks).toHaveLength(11);
    expect(roundOf(0, 5, 0)).toEqual({ blocks: [], next: 0 });
  });
});

describe('an edit in the middle of a file that keeps its number and both ends and grows', () => {
  it('is noticed at once where as much has come', async () => {
    writeFileSync(path, content(size));
    const before = await known(size);
    expect(await changeOf(path, await append(size), before)).toBe('same-beginning');
    await edit(6 * blockBytes + 1_000_000);
    expect(await changeOf(path, 2 * size, before)).toBe('rewritten');
  });

  it('is noticed within a few growths where little has come, and at once on request', async () => {
    writeFileSync(path, content(size));
    let before = await known(size);
    await edit(9 * blockBytes + 17);
    const changes = [];
    for (let i = 0; i < 3; i++) {
      const now = await append(100);
      expect(await changeOf(path, now, before, true)).toBe('rewritten');
      const change = await changeOf(path, now, before);
      changes.push(change);
      if (change !== 'same-beginning') break;
      const { contentHash, fingerprint } = await grownContentOf(path, now, before);
      before = { size: now, contentHash, fingerprint: fingerprint ?? '' };
    }
    expect(changes).toEqual(['same-beginning', 'same-beginning', 'rewritten']);
  });

  it('is noticed without growth, in a copy, and in a small file', async () => {
    writeFileSync(path, content(size));
    const whole = await known(size);
    const now = await append(50);
    const { contentHash, fingerprint } = await grownContentOf(path, now, whole);
    expect(contentHash).toBeNull();
    const grown = { size: now, contentHash, fingerprint: fingerprint ?? '' };
    expect(await changeOf(path, now, grown)).toBe('same-beginning');
    await edit(3 * blockBytes);
    expect(await changeOf(path, now, grown)).toBe('rewritten');
    const other = grown.fingerprint.replace(/^\d+/u, '1');
    expect(await changeOf(path, await append(5), { ...grown, fingerprint: other })).toBe('rewritten');

    writeFileSync(path, content(1_000_000));
    const small = await known(1_000_000);
    await edit(500_000);
    expect(await changeOf(path, await append(5), small)).toBe('rewritten');
  });
});
