// Hostile containers: zips, pickles, Parquet and safetensors whose headers lie. Each is refused with its reason, nothing is
// written to disk, and nothing is allocated because a header claims it.

import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../app/ingest/limits.ts';
import { openZip } from '../../app/ingest/zip.ts';
import { parquetFile } from '../fixtures/parquet-writer.ts';
import { zipArchive } from '../fixtures/torch-writer.ts';
import { memoryFile } from '../unit/ingest/support.ts';
import { importBytes, memoryOf } from './support.ts';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const open = (archive: Uint8Array) => openZip(memoryFile('/x/a.zip', archive, 65_536), defaultLimits);

/** The offsets of the headers of members in the central directory. */
function directoryEntries(archive: Uint8Array): number[] {
  const found: number[] = [];
  const view = Buffer.from(archive);
  for (let at = view.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = view.indexOf('PK\x01\x02', at + 4, 'latin1'))
    found.push(at);
  return found;
}

describe('zip', () => {
  it('refuses members that share their bytes', async () => {
    const archive = zipArchive(['a', 'b', 'c'].map((name) => ({ name, bytes: new Uint8Array(2_000), deflate: true })));
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    // Every member points at the data of the first.
    for (const at of directoryEntries(archive)) view.setUint32(at + 42, 0, true);
    await expect(open(archive)).rejects.toMatchObject({
      code: 'zip-overlap',
      message: expect.stringContaining('inside another'),
    });
  });

  it('says which names are there twice; the last one wins', async () => {
    const archive = zipArchive([
      { name: 'a', bytes: bytes('first') },
      { name: 'a', bytes: bytes('second') },
    ]);
    const zip = await open(archive);
    expect(zip.duplicates).toEqual(['a']);
    expect(Buffer.from(await zip.read('a')).toString()).toBe('second');
  });

  it('refuses an encrypted member', async () => {
    const archive = zipArchive([{ name: 'a', bytes: bytes('secret'), deflate: true }]);
    const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
    for (const at of directoryEntries(archive)) view.setUint16(at + 8, view.getUint16(at + 8, true) | 1, true);
    view.setUint16(6, view.getUint16(6, true) | 1, true);
    await expect((async () => (await open(archive)).read('a'))()).rejects.toMatchObject({
      message: expect.stringMatching(/encrypt/i),
    });
  });

  it('refuses an archive that claims more members than it can hold, without making room for them', async () => {
    const archive = zipArchive([{ name: 'a.npy', bytes: bytes('x') }]);
    const end = Buffer.from(archive).lastIndexOf('PK\x05\x06', undefined, 'latin1');
    new DataView(archive.buffer, archive.byteOffset).setUint16(end + 10, 0xfffe, true);
    const { value, mib } = await memoryOf(() => importBytes('a.npz', archive));
    expect(value.refusal).not.toBeNull();
    expect(mib).toBeLessThan(150);
  });

  it('treats names as labels: nothing is written beside the archive', async () => {
    const outcome = await importBytes('a.npz', zipArchive([{ name: '../../../../tmp/evil.npy', bytes: bytes('x') }]));
    expect(outcome.refusal?.message).toContain('a.npz');
    expect(outcome.rollouts).toBe(0);
  });
});

describe('pickle', () => {
  it.each([
    ['a command', "cos\nsystem\n(S'touch /tmp/rollscope-evil'\ntR."],
    ['a command by STACK_GLOBAL', '\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x02id\x85R.'],
    ['eval', 'c__builtin__\neval\n(S"1"\ntR.'],
    ['a reduce through a getattr', "c__builtin__\ngetattr\n(c__builtin__\n__import__\nS'x'\ntR."],
    ['an endless memo', `\x80\x04${'h\x00'.repeat(1000)}.`],
  ])('%s is never run', async (_what, text) => {
    const outcome = await importBytes('3.pt', bytes(text), {}, 'slime');
    expect(outcome.refusal?.code).toMatch(/^pickle-|^torch-/);
    expect(outcome.rollouts).toBe(0);
  });

  it('a string that claims gigabytes costs nothing', async () => {
    const { value, mib } = await memoryOf(() =>
      importBytes('3.pt', bytes('\x80\x04\x8d\xff\xff\xff\xff\x0f\x00\x00\x00abc.'), {}, 'slime'),
    );
    expect(value.refusal).not.toBeNull();
    expect(mib).toBeLessThan(150);
  });
});

describe('parquet', () => {
  const whole = parquetFile([{ name: 'token_ids', type: 'int32', values: [1, 2, 3] }]);

  it.each([
    ['a footer longer than the file', 0x7fffffff],
    ['a footer of nothing', 0],
    ['a footer that begins in the data', 9],
  ])('%s', async (_what, length) => {
    const damaged = Uint8Array.from(whole);
    new DataView(damaged.buffer).setUint32(damaged.length - 8, length, true);
    const { value, mib } = await memoryOf(() => importBytes('a.parquet', damaged, {}, 'token-records'));
    expect(value.refusal?.code).toMatch(/^parquet-invalid$/);
    expect(value.refusal?.hint).toMatch(/copy it again/i);
    expect(mib).toBeLessThan(150);
  });
});

describe('safetensors', () => {
  it.each([
    ['a header longer than the file', 50_000_000n],
    ['a header beyond its own bound', 2n ** 62n],
  ])('%s', async (_what, length) => {
    const head = Buffer.alloc(8);
    head.writeBigUInt64LE(length);
    const { value, mib } = await memoryOf(() =>
      importBytes('a.safetensors', Buffer.concat([head, Buffer.from('{"a":{}}')]), {}, 'safetensors'),
    );
    expect(value.refusal?.code).toBe('safetensors-invalid');
    expect(mib).toBeLessThan(150);
  });
});
