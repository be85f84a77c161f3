// Pieces of the frame without a page: pasted paths, ranking of commands, the order of the import report, preferences.

import { describe, expect, it } from 'vitest';
import type { SourceRow } from '../../../app/contract/index.ts';
import { pointAt } from '../../../renderer/features/filter/threshold-curve.ts';
import { splitPaths } from '../../../renderer/features/frame/paths.ts';
import { rankByText } from '../../../renderer/features/frame/rank.ts';
import { orderFiles } from '../../../renderer/features/imports/order.ts';
import { parsePreferences } from '../../../renderer/preferences.ts';

describe('pasted paths', () => {
  it('takes one a line, unquoted, once', () => {
    expect(splitPaths(' /a/b.jsonl \r\n"/c d/e.pt"\n\n\'/f\'\n/a/b.jsonl\n')).toEqual([
      '/a/b.jsonl',
      '/c d/e.pt',
      '/f',
    ]);
  });

  it('understands file addresses', () => {
    expect(splitPaths('file:///data/with%20space.jsonl\nfile:///C:/logs/x.jsonl')).toEqual([
      '/data/with space.jsonl',
      'C:/logs/x.jsonl',
    ]);
  });

  it('leaves patterns and odd names alone', () => {
    expect(splitPaths('/data/*.jsonl.zst\n~/.claude\n"half')).toEqual(['/data/*.jsonl.zst', '~/.claude', '"half']);
    expect(splitPaths('  \n')).toEqual([]);
  });
});

describe('ranking', () => {
  const items = ['Redo the label', 'Label the rollout: hack', 'Go to Library', 'Undo the last label', 'Unlabelled'];
  const rank = (query: string) => rankByText(items, query, (item) => item);
  it('prefers prefixes, then starts of words', () => {
    expect(rank('label')).toEqual(['Label the rollout: hack', 'Redo the label', 'Undo the last label', 'Unlabelled']);
  });
  it('wants every word, in any order', () => {
    expect(rank('library go')).toEqual(['Go to Library']);
    expect(rank('label nothing')).toEqual([]);
  });
  it('keeps the order of the table for an empty query', () => {
    expect(rank('  ')).toEqual(items);
  });
});

function file(change: Partial<SourceRow>): SourceRow {
  return {
    id: 1,
    importedAt: '2026-11-29T10:00:00Z',
    path: '/data/a.jsonl',
    format: 'native',
    formatTitle: null,
    formatVersion: null,
    reason: null,
    confidence: null,
    status: 'imported',
    message: null,
    hint: null,
    size: 1,
    rollouts: 1,
    segments: { execution: 1, summary: 0, subagent: 0, other: 0 },
    steps: 1,
    items: 1,
    tokens: 1,
    trainableTokens: 0,
    alerts: [],
    ...change,
  };
}

describe('the order of the import report', () => {
  const files = [
    file({ id: 1, rollouts: 5 }),
    file({ id: 2, status: 'refused', rollouts: 0 }),
    file({ id: 3, rollouts: 50 }),
    file({ id: 4, status: 'failed', rollouts: 0 }),
    file({ id: 5, rollouts: 5 }),
  ];
  it('puts what did not come in first, whatever the column', () => {
    expect(orderFiles(files, { column: 'rollouts', descending: true }).map((row) => row.id)).toEqual([2, 4, 3, 1, 5]);
    expect(orderFiles(files, { column: 'rollouts', descending: false }).map((row) => row.id)).toEqual([2, 4, 1, 5, 3]);
  });
});

describe('the threshold curve', () => {
  const point = (threshold: number) => ({ threshold, precision: 1, recall: 1, f1: 1, marked: 1 });
  const curve = [point(0.9), point(0.5), point(0.2)];
  it('gives the lowest score that still reaches the threshold', () => {
    expect(pointAt(curve, 0.1)?.threshold).toBe(0.2);
    expect(pointAt(curve, 0.2)?.threshold).toBe(0.2);
    expect(pointAt(curve, 0.21)?.threshold).toBe(0.5);
    expect(pointAt(curve, 0.91)).toBeUndefined();
  });
});

describe('preferences', () => {
  it('keeps what is readable of a broken or older value', () => {
    expect(parsePreferences('{"theme":"pink","singleKeys":false}')).toMatchObject({
      theme: 'system',
      singleKeys: false,
    });
    for (const text of [null, '', '{', '[]', '7'])
      expect(parsePreferences(text)).toMatchObject({ theme: 'system', singleKeys: true });
  });
  it('reads back what it wrote', () => {
    const chosen = parsePreferences(
      JSON.stringify({
        theme: 'dark',
        singleKeys: true,
        panels: { 'library.inspector': { size: 320, open: false } },
        tables: { library: { hidden: ['task'], order: ['id'], widths: { id: 120 } } },
        lastPath: '/data',
      }),
    );
    expect(parsePreferences(JSON.stringify(chosen))).toEqual(chosen);
    expect(chosen.panels['library.inspector']).toEqual({ size: 320, open: false });
  });
});
