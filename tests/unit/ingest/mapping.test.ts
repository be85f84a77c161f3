// Mapping the columns of token records: by file, by guess, and every error with its column.

import { describe, expect, it } from 'vitest';
import { type ColumnMapping, columnMapping } from '../../../app/contract/mapping.ts';
import { parseMapping, savedMappings, withMapping } from '../../../app/engine/imports/mappings.ts';
import { mappedFormat } from '../../../app/ingest/formats/mapped-records.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { describeColumns, guessColumns } from '../../../app/ingest/mapping-columns.ts';
import { previewMapping } from '../../../app/ingest/mapping-preview.ts';
import { readContext } from '../../../app/ingest/read-group.ts';
import { parquetFile } from '../../fixtures/parquet-writer.ts';
import { zipArchive } from '../../fixtures/torch-writer.ts';
import { jsonl, kinds, memoryFile, only, readText } from './support.ts';

const rows = jsonl(
  {
    toks: [5, 6, 7, 8],
    m: [0, 0, 1, 1],
    lp: [0, 0, -0.5, -0.25],
    who: 'r1',
    team: 'g',
    sc: 1,
    values: 'not these',
    meta: { v: [1, 2, 3, 4] },
  },
  {
    toks: [5, 6, 9],
    m: [0, 0, 1],
    lp: [0, 0, -1],
    who: 'r2',
    team: 'g',
    sc: 0,
    values: 'nor these',
    meta: { v: [4, 5, 6] },
  },
);
const mapping = columnMapping.parse({
  name: 'ours',
  columns: {
    token_ids: 'toks',
    loss_mask: 'm',
    'logprobs.rollout': 'lp',
    values: 'meta.v',
    rollout: 'who',
    group: 'team',
    reward: 'sc',
  },
});
const read = (text: string | Uint8Array, by: ColumnMapping = mapping, name = '/logs/file.jsonl') =>
  readText(mappedFormat(by), text, name);

async function inspected(content: string | Uint8Array, name = '/logs/file.jsonl') {
  const file = memoryFile(name, content, 65_536);
  return describeColumns(file, readContext(file, { limits: defaultLimits }));
}

describe('reading by a mapping', () => {
  it('takes columns of any name, also inside objects, and keeps the others uninterpreted', async () => {
    const { rollouts, alerts } = await read(rows);
    expect(alerts).toEqual([]);
    expect(rollouts.map(({ rollout }) => [rollout.externalId, rollout.groupId, rollout.reward])).toEqual([
      ['r1', 'g', 1],
      ['r2', 'g', 0],
    ]);
    const segment = only(rollouts[0]?.segments ?? []);
    const column = (name: string) => [...(segment.columns.find((one) => one.name === name)?.data ?? [])];
    expect(column('ids')).toEqual([5, 6, 7, 8]);
    expect(column('loss_mask')).toEqual([0, 0, 1, 1]);
    expect(column('logprobs.rollout')).toEqual([0, 0, -0.5, -0.25]);
    expect(column('values')).toEqual([1, 2, 3, 4]);
    expect(segment.segment.extra).toMatchObject({ 'values (not mapped)': 'not these' });
  });

  it('reads Parquet and npz by the same mapping', async () => {
    const columns = { token_ids: 'toks', loss_mask: 'm' };
    const parquet = parquetFile([
      { name: 'toks', type: 'ints', values: [[1, 2, 3]] },
      { name: 'm', type: 'ints', values: [[0, 1, 1]] },
    ]);
    const fromParquet = await read(parquet, columnMapping.parse({ columns }), '/logs/a.parquet');
    expect(only(only(fromParquet.rollouts).segments).columns.map(({ name }) => name)).toEqual(['ids', 'loss_mask']);
    const npz = zipArchive([
      { name: 'toks.npy', bytes: npy([2, 3], [1, 2, 3, 4, 5, 6]) },
      { name: 'm.npy', bytes: npy([2, 3], [0, 1, 1, 0, 0, 1]) },
      { name: 'values.npy', bytes: npy([2, 3], [9, 9, 9, 9, 9, 9]) },
    ]);
    const fromNpz = await read(npz, columnMapping.parse({ columns }), '/logs/a.npz');
    expect(fromNpz.rollouts).toHaveLength(2);
    expect(only(fromNpz.rollouts[1]?.segments ?? []).columns.map(({ name }) => name)).not.toContain('values');
  });

  it('takes padding out where the mapping names an attention mask', async () => {
    const padded = jsonl({ t: [0, 0, 5, 6], a: [0, 0, 1, 1], m: [0, 0, 0, 1] });
    const by = columnMapping.parse({ columns: { token_ids: 't', attention_mask: 'a', loss_mask: 'm' } });
    const segment = only(only((await read(padded, by)).rollouts).segments);
    expect(segment.columns.map(({ name, data }) => [name, [...data]])).toEqual([
      ['ids', [5, 6]],
      ['loss_mask', [0, 1]],
    ]);
  });

  it('refuses a column that the file does not have, and names it with those that it has', async () => {
    const by = columnMapping.parse({ columns: { token_ids: 'toks', values: 'critic' } });
    await expect(read(rows, by)).rejects.toMatchObject({
      code: 'mapping-column-missing',
      message: expect.stringContaining('values from the column "critic"'),
      hint: expect.stringContaining('toks, m, lp'),
    });
  });

  it('says which column of which row holds something else, and reads on', async () => {
    const odd = rows + jsonl({ toks: [1, 2], m: [0, 1], lp: 'none', who: 'r3', team: 'g', sc: 'high' });
    const { rollouts, alerts } = await read(odd);
    expect(rollouts).toHaveLength(3);
    expect(kinds(alerts)).toEqual(['mapping-column-type', 'mapping-column-type']);
    expect(alerts[0]?.message).toContain(
      'row 3: the column "lp" (logprobs.rollout) holds a text, not a list of numbers',
    );
    expect(alerts[1]?.message).toContain('"sc" (reward)');
  });
});

describe('mapping files', () => {
  it('are YAML or JSON', () => {
    expect(parseMapping('columns:\n  token_ids: toks\n  logprobs.rollout: lp\n', 'm.yaml')).toEqual({
      version: 1,
      columns: { token_ids: 'toks', 'logprobs.rollout': 'lp' },
    });
    expect(parseMapping(JSON.stringify(mapping), 'm.json')).toEqual(mapping);
  });

  it.each([
    ['no YAML', 'columns: {', 'm.yaml cannot be read'],
    ['a role that is none', 'columns: {token_ids: a, colour: b}', 'colour'],
    ['no token ids', 'columns: {reward: r}', 'token_ids or response_ids'],
    ['a column that is no name', 'columns: {token_ids: 5}', 'columns.token_ids'],
    ['nothing', '', 'm.yaml'],
  ])('%s is refused with its place', (_what, text, said) => {
    expect(() => parseMapping(text, 'm.yaml')).toThrow(said);
  });

  it('are kept by name; one that cannot be read is no reason to fail', () => {
    const kept = withMapping(withMapping([], { ...mapping, name: 'b' }), { ...mapping, name: 'a' });
    expect(withMapping(kept, { ...mapping, name: 'b' }).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(savedMappings(JSON.stringify(kept))).toEqual(kept);
    expect(savedMappings('[{"name":"x"}]')).toEqual([]);
    expect(savedMappings(null)).toEqual([]);
  });
});

describe('looking at columns', () => {
  it('gives names, types and samples, and guesses roles', async () => {
    const columns = await inspected(rows);
    expect(columns.find(({ name }) => name === 'toks')).toEqual({
      name: 'toks',
      type: 'list of whole numbers',
      samples: ['[5,6,7,8]', '[5,6,9]'],
    });
    expect(columns.find(({ name }) => name === 'meta.v')?.type).toBe('list of whole numbers');
    expect(guessColumns(columns)).toMatchObject({
      token_ids: 'toks',
      loss_mask: 'm',
      'logprobs.rollout': 'lp',
      reward: 'sc',
    });
  });

  it('takes the names that producers use before what a name resembles', async () => {
    const columns = await inspected(
      jsonl({
        old_token_ids: [1],
        input_ids: [1, 2],
        response_mask: [0, 1],
        advantages: [0.5, 1],
        uid: 'g',
        global_step: 3,
      }),
    );
    expect(guessColumns(columns)).toMatchObject({
      token_ids: 'input_ids',
      loss_mask: 'response_mask',
      advantages: 'advantages',
      group: 'uid',
      training_step: 'global_step',
    });
  });

  it('refuses more columns than the limit', async () => {
    const wide = jsonl(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`c${i}`, i])));
    const file = memoryFile('/logs/w.jsonl', wide, 65_536);
    const context = readContext(file, { limits: { ...defaultLimits, tableColumns: 20 } });
    await expect(describeColumns(file, context)).rejects.toMatchObject({
      hint: expect.stringContaining('--limit-table-columns'),
    });
  });
});

describe('preview', () => {
  const preview = (text: string, by: ColumnMapping) => {
    const file = memoryFile('/logs/file.jsonl', text, 65_536);
    return previewMapping(file, by, readContext(file, { limits: defaultLimits }));
  };

  it('is the first rollout with its columns', async () => {
    const { problem, rollout, alerts } = await preview(rows, mapping);
    expect(problem).toBeNull();
    expect(alerts).toEqual([]);
    expect(rollout).toMatchObject({ externalId: 'r1', group: 'g', reward: 1 });
    const segment = only(rollout?.segments ?? []);
    expect(segment).toMatchObject({ tokens: 4, trainable: 2 });
    expect(segment.columns.find(({ name }) => name === 'values')).toEqual({
      name: 'values',
      start: 0,
      length: 4,
      min: 1,
      max: 4,
      first: [1, 2, 3, 4],
    });
  });

  it('answers with the problem of a mapping that does not fit', async () => {
    const missing = await preview(rows, columnMapping.parse({ columns: { token_ids: 'nowhere' } }));
    expect(missing.problem?.message).toContain('"nowhere"');
    const wrong = await preview(rows, columnMapping.parse({ columns: { token_ids: 'lp' } }));
    expect(wrong.problem?.message).toContain('No rollout');
    expect(wrong.alerts[0]?.message).toContain('"lp" (token_ids)');
  });
});

function npy(shape: readonly number[], values: readonly number[]): Uint8Array {
  const header = `{'descr': '<i4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }\n`;
  const length = Buffer.alloc(2);
  length.writeUInt16LE(header.length);
  const body = Buffer.from(Int32Array.from(values).buffer);
  return Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), length, Buffer.from(header), body]);
}
