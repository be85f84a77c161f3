// Members of an object cut out of a byte stream: always what JSON.parse gives, whatever the chunks.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertDraft, Json } from '../../../app/contract/ingest.ts';
import { cutObject, type ObjectPiece } from '../../../app/ingest/json-object.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { collect, kinds, memoryFile } from './support.ts';

async function cut(text: string, keys: readonly string[], chunk = 3, documentBytes = defaultLimits.documentBytes) {
  const alerts: AlertDraft[] = [];
  const limits = { ...defaultLimits, documentBytes };
  const source = memoryFile('/f', text, chunk).open();
  const pieces = await collect<ObjectPiece>(cutObject(source, new Set(keys), limits, (alert) => alerts.push(alert)));
  return { pieces, alerts };
}

/** The object that pieces come from; keys that were cut and empty are not known. */
function joined(pieces: readonly ObjectPiece[]): Map<string, Json | Json[]> {
  const all = new Map<string, Json | Json[]>();
  const lists = new Map<string, Json[]>();
  for (const { key, element, value } of pieces) {
    if (!element) all.set(key, value);
    else {
      const list = lists.get(key) ?? [];
      list.push(value);
      lists.set(key, list);
      all.set(key, list);
    }
  }
  return all;
}

describe('cutObject', () => {
  it('gives members and elements as JSON.parse does', async () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const object = fc.dictionary(fc.string(), value, { maxKeys: 5 });
    await fc.assert(
      fc.asyncProperty(
        object,
        fc.array(value, { minLength: 1, maxLength: 4 }),
        fc.nat(8),
        fc.boolean(),
        async (plain, list, chunk, pretty) => {
          const { list: _, __proto__: __, ...rest } = plain;
          const all = { ...rest, list, end: [1, 'x]}', { a: [] }] };
          const text = pretty ? JSON.stringify(all, null, 2) : JSON.stringify(all);
          const { pieces, alerts } = await cut(text, ['list'], chunk + 1);
          fc.pre(!/\d{16}/u.test(text));
          const expected: [string, unknown][] = Object.entries(JSON.parse(text));
          expect(alerts).toEqual([]);
          expect(joined(pieces)).toEqual(new Map(expected));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('leaves arrays of other keys whole, and does not cut what is no array', async () => {
    const { pieces } = await cut('{"a":[1,2],"list":{"b":[3]}}', ['list']);
    expect(pieces).toEqual([
      { key: 'a', element: false, value: [1, 2] },
      { key: 'list', element: false, value: { b: [3] } },
    ]);
  });

  it('skips a piece over the limit and goes on', async () => {
    const { pieces, alerts } = await cut(`{"list":[1,"${'x'.repeat(99)}",2],"b":3}`, ['list'], 5, 50);
    expect(pieces.map((piece) => piece.value)).toEqual([1, 2, 3]);
    expect(kinds(alerts)).toEqual(['line-too-long']);
  });

  it('says where an object ends too early and gives what was complete', async () => {
    const { pieces, alerts } = await cut('{"a":1,"list":[{"b":2},{"c":', ['list']);
    expect(pieces.map((piece) => piece.value)).toEqual([1, { b: 2 }]);
    expect(kinds(alerts)).toEqual(['document-truncated']);
  });

  it('reads the bare words of Python', async () => {
    const { pieces } = await cut('{"a":NaN,"list":[NaN,1]}', ['list']);
    expect(pieces.map((piece) => piece.value)).toEqual([null, null, 1]);
  });
});
