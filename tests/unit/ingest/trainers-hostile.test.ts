// Whatever stands in a trainer's record, its reader answers with events and alerts: it never fails, and what it yields
// keeps the order and the bounds that the importer relies on.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatById, formats } from '../../../app/ingest/formats/index.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { recognise } from '../../../app/ingest/recognise.ts';
import { sniffFile } from '../../../app/ingest/sniff.ts';
import { trainerRecords } from '../../fixtures/trainer-records.ts';
import { jsonl, memoryFile, readText } from './support.ts';

type Path = readonly (string | number)[];

/** Paths of all values inside a record. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [
    path,
    ...Object.entries(value).flatMap(([key, inner]) =>
      pathsOf(inner, [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return by;
  if (Array.isArray(value)) return value.map((inner, i) => (i === key ? replaced(inner, rest, by) : inner));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === key ? replaced(inner, rest, by) : inner]),
  );
}

const hostile: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  2 ** 53,
  0.5,
  '',
  'x',
  '{"a":',
  '\u0000',
  '__proto__',
  [],
  {},
  [[]],
  [null],
  [-1, 0.5, 'x'],
  [{}],
  { role: 5 },
  { message: null },
  [[[1]]],
  { nodes: [{ parent: 3 }, null] },
];

describe.each(Object.entries(trainerRecords))('%s', (id, record) => {
  const format = formatById(id);
  if (format === null) throw new Error(`no format ${id}`);

  it('is recognised first among all formats', async () => {
    const sniff = await sniffFile(memoryFile('/logs/file.bin', jsonl(record, record)), defaultLimits);
    const [first] = recognise(sniff, formats);
    expect(first?.format.id).toBe(id);
    expect(first?.detection.reason.length).toBeGreaterThan(5);
  });

  it('reads any damaged record without failing', async () => {
    const paths = pathsOf(record);
    const change = fc.tuple(fc.nat(paths.length - 1), fc.constantFrom(...hostile));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let damaged: unknown = record;
        for (const [at, by] of changes) damaged = replaced(damaged, paths[at] ?? [], by);
        const result = await readText(format, jsonl(damaged, record));
        for (const { segments } of result.rollouts) {
          for (const { columns } of segments) {
            const ids = columns.find((column) => column.name === 'ids');
            for (const column of columns) {
              expect(column.start).toBeGreaterThanOrEqual(0);
              if (ids !== undefined) expect(column.start + column.data.length).toBeLessThanOrEqual(ids.data.length);
            }
          }
        }
      }),
      { numRuns: 150 },
    );
  });
});
