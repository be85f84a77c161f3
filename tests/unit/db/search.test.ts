// The full-text index: how far it reaches, what deletions do to it, that a crash costs a batch, that it holds no texts.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkpoint, openWriter, type ReadDb, type WriteDb } from '../../../db/open.ts';
import { candidateBodies, type IndexText, indexBodies, indexState } from '../../../db/queries/search.ts';
import { deleteSource } from '../../../db/queries/sources.ts';
import { closeNow, importEvents, newWorkspace, simpleRollout, stepDraft, track } from './support.ts';

const folding = 'test';
const whole = { bytes: Number.POSITIVE_INFINITY, milliseconds: 60_000 };

function plain(text: string): IndexText {
  return { raw: text, view: null };
}

function texts(db: WriteDb, path: string, all: readonly string[]): number {
  return importEvents(
    db,
    all.flatMap((text, i) => simpleRollout({ key: `${path}-${i}` }, [stepDraft(text)])),
    { path },
  );
}

/** Texts of all candidates for some trigrams. */
function proposed(db: ReadDb, trigrams: readonly string[] | null, count = 1000): string[] {
  const ids: number[] = [];
  for (;;) {
    const more = candidateBodies(db, { trigrams, folding, after: ids.at(-1) ?? 0, upTo: 1e9, count });
    ids.push(...more);
    if (more.length < count) break;
  }
  return ids.map((id) =>
    Buffer.from(db.value<Uint8Array>('SELECT data FROM bodies WHERE id = ?', id) ?? []).toString(),
  );
}

describe('the index over bodies', () => {
  it('proposes what has all trigrams once it reaches a body, and every body before', () => {
    const db = newWorkspace();
    texts(db, '/a', ['alpha beta', 'alpha', 'beta', 'a "quoted" word', 'x AND NOT (y*)']);
    expect(proposed(db, ['alp', 'bet'])).toHaveLength(5);
    expect(indexBodies(db, plain, folding, whole)).toEqual({ indexed: 5, total: 5 });
    expect(proposed(db, ['alp', 'bet'])).toEqual(['alpha beta']);
    expect(proposed(db, ['alp'])).toEqual(['alpha beta', 'alpha']);
    expect(proposed(db, [' "q', 'ed"'])).toEqual(['a "quoted" word']);
    expect(proposed(db, ['D N', '(y*', 'y*)'])).toEqual(['x AND NOT (y*)']);
    expect(proposed(db, null)).toHaveLength(5);
  });

  it('pages its candidates without losing any where index, large bodies and the rest meet', () => {
    const db = newWorkspace();
    const large = 'needle '.repeat(80_000);
    texts(db, '/a', ['needle 1', large, 'needle 2', 'hay', 'needle 3']);
    indexBodies(db, plain, folding, whole);
    // Stored compressed, hence not readable here: what counts is that it is proposed.
    expect(proposed(db, ['hay'])).toHaveLength(2);
    texts(db, '/b', ['hay 2', 'needle 4']);
    for (const count of [1, 2, 3, 100]) {
      const ids: number[] = [];
      for (;;) {
        const more = candidateBodies(db, { trigrams: ['nee'], folding, after: ids.at(-1) ?? 0, upTo: 7, count });
        ids.push(...more);
        if (more.length < count) break;
      }
      expect(ids).toEqual([1, 2, 3, 5, 6, 7]);
    }
  });

  it('gets on by batches, at least one body at a time', () => {
    const db = newWorkspace();
    texts(db, '/a', ['one', 'two', 'three']);
    const small = { bytes: 1, milliseconds: 0 };
    const states = [1, 2, 3, 4].map(() => indexBodies(db, plain, folding, small).indexed);
    expect(states).toEqual([1, 2, 3, 3]);
    expect(proposed(db, ['two'])).toEqual(['two']);
  });

  it('loses nothing but the batch when one fails, and goes on there', () => {
    const db = newWorkspace();
    texts(db, '/a', ['one', 'two', 'three']);
    indexBodies(db, plain, folding, { bytes: 1, milliseconds: 0 });
    const failing = (text: string): IndexText => {
      if (text === 'three') throw new Error('power loss');
      return plain(text);
    };
    expect(() => indexBodies(db, failing, folding, whole)).toThrow('power loss');
    expect(indexState(db, folding)).toEqual({ indexed: 1, total: 3 });
    expect(proposed(db, ['two'])).toEqual(['two', 'three']);
    const { path } = db;
    closeNow(db);
    const again = track(openWriter(path));
    expect(indexBodies(again, plain, folding, whole)).toEqual({ indexed: 3, total: 3 });
    expect(proposed(again, ['two'])).toEqual(['two']);
  });

  it('forgets deleted bodies and does not mistake new ones under their ids for indexed', () => {
    const db = newWorkspace();
    texts(db, '/a', ['kept text']);
    const second = texts(db, '/b', ['leaving text', 'another leaving text']);
    indexBodies(db, plain, folding, whole);
    deleteSource(db, second);
    expect(indexState(db, folding)).toEqual({ indexed: 1, total: 1 });
    texts(db, '/c', ['arriving text']);
    expect(indexState(db, folding)).toEqual({ indexed: 1, total: 2 });
    expect(proposed(db, ['arr'])).toEqual(['arriving text']);
    indexBodies(db, plain, folding, whole);
    expect(proposed(db, ['arr'])).toEqual(['arriving text']);
    expect(proposed(db, ['tex'])).toEqual(['kept text', 'arriving text']);
  });

  it('keeps the reach over a deletion in the middle', () => {
    const db = newWorkspace();
    const first = texts(db, '/a', ['leaving text']);
    texts(db, '/b', ['kept text']);
    indexBodies(db, plain, folding, whole);
    deleteSource(db, first);
    expect(indexState(db, folding)).toEqual({ indexed: 2, total: 2 });
    expect(proposed(db, ['tex']).filter((text) => text !== '')).toEqual(['kept text']);
  });

  it('is no help with another folding, and is made anew', () => {
    const db = newWorkspace();
    texts(db, '/a', ['one', 'two']);
    indexBodies(db, (text) => plain(text.toUpperCase()), 'older', whole);
    expect(indexState(db, folding)).toEqual({ indexed: 0, total: 2 });
    expect(proposed(db, ['one'])).toEqual(['one', 'two']);
    indexBodies(db, plain, folding, whole);
    expect(proposed(db, ['one'])).toEqual(['one']);
    expect(indexState(db, 'older')).toEqual({ indexed: 0, total: 2 });
  });

  it('is made anew when most of it is deleted, and deleting costs no index work', () => {
    const db = newWorkspace();
    texts(db, '/a', ['kept text']);
    const many = Array.from({ length: 600 }, (_, i) => `leaving text ${i}`);
    const second = texts(db, '/b', many);
    texts(db, '/c', ['last text']);
    indexBodies(db, plain, folding, whole);
    const rows = 'SELECT COUNT(*) FROM body_trigrams_docsize';
    expect(db.value(rows)).toBe(602);
    deleteSource(db, second);
    expect(db.value(rows)).toBe(602);
    expect(proposed(db, ['tex']).filter((text) => text !== '')).toEqual(['kept text', 'last text']);
    expect(indexBodies(db, plain, folding, whole)).toEqual({ indexed: 602, total: 602 });
    expect(db.value(rows)).toBe(2);
    expect(proposed(db, ['tex'])).toEqual(['kept text', 'last text']);
  });

  it('stores no text', () => {
    const db = newWorkspace();
    const secret = 'unmistakable-sentence-'.repeat(40);
    texts(db, '/a', [secret]);
    indexBodies(db, plain, folding, whole);
    checkpoint(db);
    // The body itself is compressed, so that any copy of the text would be the index's.
    expect(readFileSync(db.path).includes('unmistakable-sentence-unmistakable')).toBe(false);
    expect(proposed(db, ['unm'])).toHaveLength(1);
  });

  it('costs an import that is given up nothing in the index', () => {
    const db = newWorkspace();
    texts(db, '/a', ['kept']);
    indexBodies(db, plain, folding, whole);
    const pages = db.value('SELECT COUNT(*) FROM body_trigrams_data');
    deleteSource(db, texts(db, '/b', ['given up', 'given up as well']));
    expect(db.value('SELECT COUNT(*) FROM body_trigrams_data')).toBe(pages);
    expect(indexState(db, folding)).toEqual({ indexed: 1, total: 1 });
  });
});
