// The rows of the steps list, the moves of the keys and the places of items on the axis.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  entryOf,
  isReachable,
  nextMarker,
  nextReachable,
  nextSegment,
} from '../../../renderer/features/rollout/moves.ts';
import {
  buildRows,
  carriedRunOf,
  estimateRow,
  rowOfItem,
  rowOfSegment,
} from '../../../renderer/features/rollout/rows.ts';
import { contextPoints, itemAt, itemSpans } from '../../../renderer/features/rollout/spans.ts';
import { marker, outline, segment } from './builders.ts';

/** Two execution segments around a summary; the second one starts with two carried-over items. */
const segments = [
  segment({ index: 0, items: 2, firstItem: 0, tokens: 1000 }),
  segment({ index: 1, kind: 'summary', link: 'summary_of', items: 1, firstItem: 2, tokens: 100, axisStart: 1000 }),
  segment({
    index: 2,
    link: 'compaction',
    items: 4,
    firstItem: 3,
    tokens: 500,
    axisStart: 1100,
    contextBefore: 1000,
    contextAfter: 200,
  }),
];
const items = [
  outline({ step: 1 }),
  outline({ step: 2 }),
  outline({ segment: 1, stepKind: 'summary', step: 3 }),
  outline({ segment: 2, kind: 'input', copied: true, step: null }),
  outline({ segment: 2, kind: 'input', copied: true, step: null }),
  outline({ segment: 2, step: 4 }),
  outline({ segment: 2, step: 5 }),
];
const closed: ReadonlySet<number> = new Set();

describe('buildRows', () => {
  it('puts a header before each segment, a compaction before it where one happened, and folds what was carried over', () => {
    expect(buildRows(segments, items, closed).map((row) => row.key)).toEqual([
      's0',
      'i0',
      'i1',
      's1',
      'i2',
      'c2',
      's2',
      'k3',
      'i5',
      'i6',
    ]);
  });

  it('unfolds a carried-over run on demand and keeps the keys of all other rows', () => {
    const rows = buildRows(segments, items, new Set([3]));
    expect(rows.map((row) => row.key).slice(7)).toEqual(['k3', 'i3', 'i4', 'i5', 'i6']);
  });

  it('says that a segment is empty instead of leaving a hole', () => {
    expect(buildRows([segment({ items: 0, tokens: 50 })], [], closed).map((row) => row.kind)).toEqual([
      'segment',
      'empty',
    ]);
    expect(buildRows([], [], closed)).toEqual([]);
  });

  it('gives every row a height before it is measured', () => {
    for (const row of buildRows(segments, items, new Set([3]))) expect(estimateRow(row)).toBeGreaterThan(20);
    const long = estimateRow({ kind: 'item', key: 'i', index: 0, outline: outline({ size: 5_000_000 }) });
    expect(long).toBeLessThan(800);
  });
});

describe('finding rows', () => {
  it('finds an item in its own row or in the run it is folded into', () => {
    const folded = buildRows(segments, items, closed);
    const unfolded = buildRows(segments, items, new Set([3]));
    expect(items.map((_, index) => folded[rowOfItem(folded, index)]?.key)).toEqual([
      'i0',
      'i1',
      'i2',
      'k3',
      'k3',
      'i5',
      'i6',
    ]);
    expect(unfolded[rowOfItem(unfolded, 4)]?.key).toBe('i4');
    expect(rowOfItem(folded, 99)).toBe(-1);
    expect(folded[rowOfSegment(folded, 2)]?.key).toBe('s2');
  });

  it('finds every item of any rollout', () => {
    const shape = fc.array(fc.array(fc.boolean(), { maxLength: 12 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(shape, (shapes) => {
        let first = 0;
        const all = shapes.flatMap((one, index) => one.map((copied) => outline({ segment: index, copied })));
        const list = shapes.map((one, index) => {
          const made = segment({ index, items: one.length, firstItem: first, link: index > 0 ? 'compaction' : null });
          first += one.length;
          return made;
        });
        const rows = buildRows(list, all, closed);
        for (const index of all.keys()) {
          const row = rows[rowOfItem(rows, index)];
          const holds =
            row?.kind === 'item'
              ? row.index === index
              : row?.kind === 'carried' && index >= row.start && index < row.end;
          expect(holds).toBe(true);
        }
      }),
    );
  });
});

describe('moves', () => {
  const reachable = (carried: ReadonlySet<number>) => (index: number) => isReachable(segments, items, carried, index);

  it('skips folded items and stops at the ends', () => {
    expect(nextReachable(7, 2, 1, reachable(closed))).toBe(5);
    expect(nextReachable(7, 5, -1, reachable(closed))).toBe(2);
    expect(nextReachable(7, 2, 1, reachable(new Set([3])))).toBe(3);
    expect(nextReachable(7, 6, 1, reachable(closed))).toBeNull();
    expect(nextReachable(7, null, 1, reachable(closed))).toBe(0);
    expect(nextReachable(0, null, 1, reachable(closed))).toBeNull();
  });

  it('knows the run of a carried-over item', () => {
    expect([3, 4, 5].map((item) => carriedRunOf(segments, items, item))).toEqual([3, 3, null]);
  });

  it('goes to the next segment that has items', () => {
    const list = [
      segment({ index: 0, items: 1 }),
      segment({ index: 1 }),
      segment({ index: 2, items: 3, firstItem: 1 }),
    ];
    expect(nextSegment(list, 0, 1)?.index).toBe(2);
    expect(nextSegment(list, 2, -1)?.index).toBe(0);
    expect(nextSegment(list, 2, 1)).toBeNull();
    expect(nextSegment(list, null, 1)?.index).toBe(0);
  });

  it('enters a segment at its first item of its own', () => {
    expect(segments.map((one) => entryOf(one, items))).toEqual([0, 2, 5]);
    expect(entryOf(segment({ items: 1 }), [outline({ copied: true })])).toBe(0);
  });

  it('walks markers in order, round at the ends, from the selection', () => {
    const list = [marker({ id: 'a', item: 1 }), marker({ id: 'b', item: 4 }), marker({ id: 'c', item: 9 })];
    expect(nextMarker(list, 'a', 1, 1)?.id).toBe('b');
    expect(nextMarker(list, 'c', 9, 1)?.id).toBe('a');
    expect(nextMarker(list, 'a', 1, -1)?.id).toBe('c');
    expect(nextMarker(list, null, 5, 1)?.id).toBe('c');
    expect(nextMarker(list, null, 5, -1)?.id).toBe('b');
    expect(nextMarker(list, null, null, 1)?.id).toBe('a');
    expect(nextMarker([], null, 5, 1)).toBeNull();
  });
});

describe('itemSpans', () => {
  it('takes the spans of the log and places the rest between them by size', () => {
    const list = [segment({ items: 4, tokens: 1000, axisStart: 500 })];
    const spans = itemSpans(list, [
      outline({ kind: 'input', size: 100 }),
      outline({ kind: 'input', size: 300 }),
      outline({ tokenStart: 400, tokenEnd: 450 }),
      outline({ tokenStart: 600, tokenEnd: 700 }),
    ]);
    expect(spans).toEqual([
      { start: 500, end: 600, estimated: true },
      { start: 600, end: 900, estimated: true },
      { start: 900, end: 950, estimated: false },
      { start: 1100, end: 1200, estimated: false },
    ]);
  });

  it('never leaves a segment and never decreases, whatever the log says', () => {
    const place = fc.option(fc.tuple(fc.integer({ min: -50, max: 3000 }), fc.integer({ min: -50, max: 3000 })), {
      nil: null,
    });
    fc.assert(
      fc.property(fc.array(place, { maxLength: 30 }), fc.integer({ min: 0, max: 2000 }), (places, tokens) => {
        const list = [segment({ items: places.length, tokens, axisStart: 100 })];
        const all = places.map((one) => outline(one === null ? {} : { tokenStart: one[0], tokenEnd: one[1] }));
        const spans = itemSpans(list, all);
        expect(spans).toHaveLength(places.length);
        let before = 100;
        for (const span of spans) {
          expect(span.start).toBeGreaterThanOrEqual(before);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(100 + tokens);
          before = span.start;
        }
      }),
    );
  });

  it('gives back the item that holds a token, or whose observation does', () => {
    const spans = itemSpans(segments, items);
    for (const [index, span] of spans.entries())
      if (span.end > span.start) expect(itemAt(spans, span.start)).toBe(index);
    const known = [
      { start: 0, end: 100, estimated: false },
      { start: 300, end: 400, estimated: false },
    ];
    expect([0, 99, 200, 299, 300, 9999].map((token) => itemAt(known, token))).toEqual([0, 0, 0, 0, 1, 1]);
    expect(itemAt([], 5)).toBe(-1);
  });
});

describe('contextPoints', () => {
  it('rises within a segment and drops at a compaction', () => {
    expect(contextPoints(segments)).toEqual([
      { token: 0, context: 0, joined: false },
      { token: 1000, context: 1000, joined: true },
      { token: 1000, context: 0, joined: false },
      { token: 1100, context: 100, joined: true },
      { token: 1100, context: 200, joined: false },
      { token: 1600, context: 500, joined: true },
    ]);
  });

  it('is empty when no segment tells its context', () => {
    expect(contextPoints([segment({ tokens: 10 })])).toEqual([]);
  });
});
