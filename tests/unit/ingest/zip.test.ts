// Zip archives and the torch containers in them: storages, views, byte orders, limits and hostile archives.

import { describe, expect, test } from 'vitest';
import { defaultLimits, type Limits } from '../../../app/ingest/limits.ts';
import { isKind, isMap, type PickleValue } from '../../../app/ingest/pickle-values.ts';
import { openTorch, type TorchFile } from '../../../app/ingest/torch.ts';
import { openZip } from '../../../app/ingest/zip.ts';
import { memoryFile } from '../../fixtures/memory-source.ts';
import {
  pickle,
  storage,
  tensor,
  torchArchive,
  torchRecords,
  type Writable,
  zipArchive,
} from '../../fixtures/torch-writer.ts';

const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value, 'utf8'));

function zipOf(bytes: Uint8Array, limits: Partial<Limits> = {}) {
  return openZip(memoryFile('/x/a.zip', bytes), { ...defaultLimits, ...limits });
}

function torchOf(bytes: Uint8Array, limits: Partial<Limits> = {}): Promise<TorchFile> {
  return openTorch(memoryFile('/x/a.pt', bytes), { ...defaultLimits, ...limits });
}

/** The numbers of the tensor under a key of the top dict. */
async function numbersIn(file: TorchFile, key: string) {
  const value: PickleValue | undefined = isMap(file.value) ? file.value.get(key) : undefined;
  if (!isKind(value, 'tensor') && !isKind(value, 'array')) throw new Error(`${key} is no tensor`);
  const { shape, data, unsafe } = await file.numbers(value);
  return { shape, data: [...data], type: data.constructor.name, unsafe };
}

describe('zip', () => {
  test('reads stored and deflated members', async () => {
    const zip = await zipOf(
      zipArchive([
        { name: 'a', bytes: text('stored') },
        { name: 'dir/b', bytes: text('deflated '.repeat(1000)), deflate: true },
        { name: 'empty', bytes: text('') },
      ]),
    );
    expect([...zip.members.keys()]).toEqual(['a', 'dir/b', 'empty']);
    expect(Buffer.from(await zip.read('a')).toString()).toBe('stored');
    expect(Buffer.from(await zip.read('dir/b')).toString()).toBe('deflated '.repeat(1000));
    expect(await zip.read('empty')).toHaveLength(0);
  });

  test('names are labels, whatever they look like', async () => {
    const names = ['../../evil.txt', '/etc/passwd', 'C:\\x', '\u0000'];
    const zip = await zipOf(zipArchive(names.map((name) => ({ name, bytes: text(name) }))));
    expect([...zip.members.keys()]).toEqual(names);
    expect(Buffer.from(await zip.read('../../evil.txt')).toString()).toBe('../../evil.txt');
  });

  test('a cut archive is refused with a way on', async () => {
    const whole = zipArchive([{ name: 'a', bytes: text('x'.repeat(5000)) }]);
    for (const share of [0.2, 0.6, 0.97]) {
      await expect(zipOf(whole.slice(0, whole.length * share))).rejects.toMatchObject({
        code: 'zip-invalid',
        hint: expect.stringContaining('copy it again'),
      });
    }
  });

  test('a member that is not there is refused', async () => {
    const zip = await zipOf(zipArchive([{ name: 'a', bytes: text('x') }]));
    await expect(zip.read('b')).rejects.toMatchObject({ code: 'zip-invalid' });
  });

  test('a member that lies about its size is refused', async () => {
    const bytes = text('y'.repeat(100_000));
    for (const size of [10, 200_000]) {
      const zip = await zipOf(zipArchive([{ name: 'a', bytes, deflate: true, size }]));
      await expect(zip.read('a')).rejects.toMatchObject({ code: 'zip-invalid' });
    }
  });

  test('damaged compressed bytes are refused', async () => {
    const archive = zipArchive([{ name: 'a', bytes: text('some text '.repeat(500)), deflate: true }]);
    archive.fill(0xff, 40, 60);
    await expect((await zipOf(archive)).read('a')).rejects.toMatchObject({ code: 'zip-invalid' });
  });

  test('limits name their flag', async () => {
    const many = zipArchive(Array.from({ length: 5 }, (_, i) => ({ name: `${i}`, bytes: text('x') })));
    await expect(zipOf(many, { zipEntries: 4 })).rejects.toMatchObject({
      code: 'limit-exceeded',
      hint: expect.stringContaining('--limit-zip-entries'),
    });
    const deflated = zipArchive(['a', 'b'].map((name) => ({ name, bytes: new Uint8Array(600), deflate: true })));
    const zip = await zipOf(deflated, { decompressedBytes: 1000 });
    await zip.read('a');
    await expect(zip.read('b')).rejects.toMatchObject({ message: expect.stringContaining('decompressedBytes') });
    const bomb = zipArchive([{ name: 'a', bytes: new Uint8Array(20_000_000), deflate: true }]);
    await expect((await zipOf(bomb, { decompressionRatio: 100 })).read('a')).rejects.toMatchObject({
      message: expect.stringContaining('decompressionRatio'),
    });
  });
});

describe('torch archive', () => {
  const value: Writable = {
    f64: tensor(storage('Double', [0.1, -2])),
    f32: tensor(storage('Float', [0.5, Number.NaN])),
    f16: tensor(storage('Half', [0x3c00, 0xc000, 0x0001, 0x7c00])),
    bf16: tensor(storage('BFloat16', [0x3fc0, 0xc000])),
    i64: tensor(storage('Long', [-3, 7])),
    wide: tensor(storage('Long', [2n ** 53n + 1n, -5_000_000_000n])),
    i32: tensor(storage('Int', [-70_000])),
    i16: tensor(storage('Short', [-300])),
    i8: tensor(storage('Char', [-128])),
    u8: tensor(storage('Byte', [255])),
    bool: tensor(storage('Bool', [1, 0])),
  };

  test.each<['little' | 'big']>([['little'], ['big']])('element types, %s-endian', async (order) => {
    const little = order === 'little';
    const swapped: Writable = little
      ? value
      : {
          ...value,
          f64: tensor(storage('Double', [0.1, -2], false)),
          f32: tensor(storage('Float', [0.5, Number.NaN], false)),
          f16: tensor(storage('Half', [0x3c00, 0xc000, 0x0001, 0x7c00], false)),
          bf16: tensor(storage('BFloat16', [0x3fc0, 0xc000], false)),
          i64: tensor(storage('Long', [-3, 7], false)),
          wide: tensor(storage('Long', [2n ** 53n + 1n, -5_000_000_000n], false)),
          i32: tensor(storage('Int', [-70_000], false)),
          i16: tensor(storage('Short', [-300], false)),
        };
    const file = await torchOf(torchArchive(swapped, 'a', order));
    expect(await numbersIn(file, 'f64')).toMatchObject({ data: [0.1, -2], type: 'Float64Array' });
    expect(await numbersIn(file, 'f32')).toMatchObject({ data: [0.5, Number.NaN], type: 'Float32Array' });
    expect(await numbersIn(file, 'f16')).toMatchObject({ data: [1, -2, 2 ** -24, Number.POSITIVE_INFINITY] });
    expect(await numbersIn(file, 'bf16')).toMatchObject({ data: [1.5, -2] });
    expect(await numbersIn(file, 'i64')).toMatchObject({ data: [-3, 7], type: 'Int32Array', unsafe: 0 });
    expect(await numbersIn(file, 'wide')).toMatchObject({ data: [2 ** 53, -5e9], type: 'Float64Array', unsafe: 1 });
    expect(await numbersIn(file, 'i32')).toMatchObject({ data: [-70_000] });
    expect(await numbersIn(file, 'i16')).toMatchObject({ data: [-300] });
    expect(await numbersIn(file, 'i8')).toMatchObject({ data: [-128] });
    expect(await numbersIn(file, 'u8')).toMatchObject({ data: [255], type: 'Uint8Array' });
    expect(await numbersIn(file, 'bool')).toMatchObject({ data: [1, 0], type: 'Uint8Array' });
  });

  test('views: transposed, scalar, offset, expanded, empty', async () => {
    const shared = storage('Float', [0, 1, 2, 3, 4, 5]);
    const file = await torchOf(
      torchArchive({
        transposed: tensor(shared, { shape: [3, 2], strides: [1, 3] }),
        scalar: tensor(shared, { offset: 4, shape: [], strides: [] }),
        tail: tensor(shared, { offset: 4, shape: [2] }),
        expanded: tensor(shared, { offset: 2, shape: [3], strides: [0] }),
        empty: tensor(shared, { offset: 6, shape: [0] }),
      }),
    );
    expect(await numbersIn(file, 'transposed')).toMatchObject({ shape: [3, 2], data: [0, 3, 1, 4, 2, 5] });
    expect(await numbersIn(file, 'scalar')).toMatchObject({ shape: [], data: [4] });
    expect(await numbersIn(file, 'tail')).toMatchObject({ data: [4, 5] });
    expect(await numbersIn(file, 'expanded')).toMatchObject({ data: [2, 2, 2] });
    expect(await numbersIn(file, 'empty')).toMatchObject({ data: [] });
  });

  test.each<[string, { offset?: number; shape: number[]; strides?: number[] }]>([
    ['beyond the end', { shape: [3] }],
    ['an offset beyond the end', { offset: 2, shape: [], strides: [] }],
    ['a stride beyond the end', { shape: [2], strides: [2] }],
    ['a negative stride', { offset: 1, shape: [2], strides: [-1] }],
    ['a negative size', { shape: [-1] }],
    ['fewer strides than sizes', { shape: [1, 1], strides: [1] }],
    ['sizes beyond every number', { shape: [2 ** 52, 2 ** 52], strides: [2 ** 52, 1] }],
  ])('a view with %s is refused', async (_, layout) => {
    const bytes = torchArchive({ x: tensor(storage('Float', [1, 2]), layout) });
    await expect(torchOf(bytes)).rejects.toMatchObject({ code: 'tensor-bounds' });
  });

  test('a stride of 0 cannot stand for more values than the limit', async () => {
    const bytes = torchArchive({ x: tensor(storage('Float', [1]), { shape: [10_000_000_000], strides: [0] }) });
    const file = await torchOf(bytes);
    await expect(numbersIn(file, 'x')).rejects.toMatchObject({ message: expect.stringContaining('pickleValues') });
  });

  test('a storage that is missing or too short is refused', async () => {
    const { bytes, storages } = pickle({ x: tensor(storage('Float', [1, 2])) });
    const records = torchRecords('a', bytes, storages);
    const missing = zipArchive(records.filter((record) => record.name !== 'a/data/0'));
    await expect(torchOf(missing)).rejects.toMatchObject({ code: 'torch-storage' });
    const short = records.map((r) => (r.name === 'a/data/0' ? { ...r, bytes: r.bytes.slice(0, 4) } : r));
    await expect(torchOf(zipArchive(short))).rejects.toMatchObject({
      code: 'torch-storage',
      message: expect.stringContaining('2 elements of f32'),
    });
  });

  test('containers that are not read say what to do', async () => {
    const legacy = new Uint8Array([
      0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e,
    ]);
    await expect(torchOf(legacy)).rejects.toMatchObject({
      code: 'torch-legacy',
      hint: expect.stringContaining('torch.save'),
    });
    await expect(torchOf(text('hello'))).rejects.toMatchObject({ code: 'torch-container' });
    await expect(torchOf(zipArchive([{ name: 'x', bytes: text('') }]))).rejects.toMatchObject({
      code: 'torch-container',
    });
    const { bytes } = pickle({});
    const two = zipArchive([...torchRecords('a', bytes, []), ...torchRecords('b', bytes, [])]);
    await expect(torchOf(two)).rejects.toMatchObject({ code: 'torch-container' });
    await expect(torchOf(torchArchive({}), { documentBytes: 2 })).rejects.toMatchObject({
      hint: expect.stringContaining('--limit-document-bytes'),
    });
  });

  test('a bare pickle is read, without tensors', async () => {
    expect((await torchOf(pickle({ a: 1 }).bytes)).value).toEqual(new Map([['a', 1]]));
    await expect(torchOf(pickle({ x: tensor(storage('Float', [1])) }).bytes)).rejects.toMatchObject({
      code: 'pickle-class',
    });
  });

  test('standard input has no random access', async () => {
    const stdin = { ...memoryFile('-', torchArchive({})), size: null };
    await expect(openTorch(stdin, defaultLimits)).rejects.toMatchObject({ code: 'torch-stdin' });
  });
});
