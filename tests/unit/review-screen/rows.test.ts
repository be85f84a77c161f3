// What of a rollout is shown: its evidence with neighbours, gaps for the rest, everything for a short one.

import { describe, expect, it } from 'vitest';
import type { ItemOutline, ReviewItem, ReviewMarker, SegmentRow } from '../../../app/contract/index.ts';
import { placesOf } from '../../../renderer/features/review/places.ts';
import { aboutItems, buildRows, evidenceItems, neighbour } from '../../../renderer/features/review/rows.ts';

function outlineOf(kinds: string): ItemOutline[] {
  // i: input, s: step, m: step of a summary, c: carried over.
  return [...kinds].map((kind, at) => ({
    segment: 0,
    kind: kind === 'i' || kind === 'c' ? 'input' : 'step',
    stepKind: kind === 'm' ? 'summary' : kind === 's' ? 'execution' : null,
    step: kind === 's' || kind === 'm' ? at : null,
    role: kind === 's' || kind === 'm' ? 'assistant' : 'user',
    copied: kind === 'c',
    size: 40,
    parts: 1,
    tokenStart: null,
    tokenEnd: null,
  }));
}

// Only what rows read of a segment.
const segment = (index: number, firstItem: number, items: number, change: Partial<SegmentRow> = {}): SegmentRow => ({
  index,
  externalId: null,
  kind: 'execution',
  kindSource: 'inferred',
  link: null,
  parentIndex: null,
  firstItem,
  items,
  steps: items,
  tokens: items * 10,
  trainableTokens: 0,
  axisStart: firstItem * 10,
  promptLength: null,
  contextBefore: null,
  contextAfter: null,
  trigger: null,
  durationMs: null,
  agent: null,
  columns: [],
  tokensEstimated: true,
  ...change,
});

const marker = (item: number, change: Partial<ReviewMarker> = {}): ReviewMarker => ({
  id: `m-${item}`,
  segment: 0,
  step: item,
  item,
  part: 0,
  start: 0,
  end: 4,
  quote: 'rm a',
  chain: [],
  claim: null,
  ...change,
});

describe('the evidence', () => {
  it('is everything of a short rollout', () => {
    const outline = outlineOf(`i${'s'.repeat(20)}`);
    expect(evidenceItems(outline, []).size).toBe(21);
  });

  it('is the task, marked places with a neighbour on both sides, hops of chains, and the end', () => {
    const outline = outlineOf(`ii${'s'.repeat(60)}`);
    const hop = { item: 10, part: 0, start: 0, end: 2, segment: 0, step: 10, quote: 'ab' };
    const shown = evidenceItems(outline, [marker(30, { chain: [hop] })]);
    expect([...shown].toSorted((a, b) => a - b)).toEqual([0, 1, 9, 10, 11, 29, 30, 31, 59, 60, 61]);
    const rows = buildRows([segment(0, 0, 62)], outline, shown, new Set());
    expect(
      rows.map((row) => (row.kind === 'gap' ? `${row.start}-${row.end}` : row.kind === 'item' ? row.index : '')),
    ).toEqual([0, 1, '2-9', 9, 10, 11, '12-29', 29, 30, 31, '32-59', 59, 60, 61]);
    expect(neighbour(rows, 11, 1)).toBe(29);
    expect(neighbour(rows, 29, -1)).toBe(11);
    expect(neighbour(rows, 61, 1)).toBeNull();
  });

  it('opens a gap where a person asks, and keeps what is carried over apart', () => {
    const outline = outlineOf('isscc');
    const rows = buildRows([segment(0, 0, 5)], outline, null, new Set());
    expect(rows.at(-1)).toMatchObject({ kind: 'gap', start: 3, end: 5, carried: true });
    expect(buildRows([segment(0, 0, 5)], outline, null, new Set([3, 4])).length).toBe(5);
  });
});

describe('task and summaries', () => {
  it('shows the task, the summary, and what the rewritten context starts with', () => {
    const outline = outlineOf('isssmics');
    const segments = [
      segment(0, 0, 4),
      segment(1, 4, 1, { kind: 'summary' }),
      segment(2, 5, 3, { link: 'compaction' }),
    ];
    expect([...aboutItems(outline, segments)].toSorted((a, b) => a - b)).toEqual([0, 4, 5]);
    const rows = buildRows(segments, outline, aboutItems(outline, segments), new Set());
    expect(rows.filter((row) => row.kind === 'segment').length).toBe(3);
  });
});

describe('places', () => {
  it('stand in the order of the log, each once', () => {
    const hop = { item: 5, part: 0, start: 0, end: 4, segment: 0, step: 5, quote: 'rm a' };
    const item: Pick<ReviewItem, 'markers'> = { markers: [marker(9, { chain: [hop] }), marker(5)] };
    expect(placesOf(item).map(({ item: at, hop: isHop }) => [at, isHop])).toEqual([
      [5, false],
      [9, false],
    ]);
  });
});
