// The library's small languages: sort text, conditions in words, grouping.

import { describe, expect, it } from 'vitest';
import { type Condition, type RolloutRow, rolloutColumns } from '../../../app/contract/index.ts';
import { columnInfo, columnsByUse } from '../../../renderer/features/library/column-info.ts';
import { clauseText, operatorsOf } from '../../../renderer/features/library/condition-text.ts';
import { groupLines } from '../../../renderer/features/library/groups.ts';
import { formatSort, parseSort } from '../../../renderer/features/library/sort-text.ts';

function row(change: Partial<RolloutRow>): RolloutRow {
  return {
    id: 'r-000000000001',
    externalId: 'x',
    source: '/data/a.jsonl',
    format: 'native',
    runId: null,
    task: null,
    group: null,
    groupSize: 1,
    trainingStep: null,
    model: null,
    agent: null,
    split: null,
    attempt: null,
    status: 'completed',
    statusDetail: null,
    reward: null,
    excludedFromLoss: false,
    segments: 1,
    executionSegments: 1,
    summarySegments: 0,
    compactions: 0,
    steps: 1,
    tokens: 1,
    trainableTokens: 1,
    markers: 0,
    topKind: null,
    topRule: null,
    score: null,
    marked: false,
    maxAbsAdvantage: null,
    label: null,
    labels: 0,
    alerts: 0,
    preview: '',
    rail: [],
    ...change,
  };
}

describe('sort text', () => {
  it('reads back what it wrote', () => {
    const keys = parseSort('-score,reward,-trainingStep');
    expect(keys).toEqual([
      { column: 'score', descending: true },
      { column: 'reward', descending: false },
      { column: 'trainingStep', descending: true },
    ]);
    expect(formatSort(keys)).toBe('-score,reward,-trainingStep');
  });

  it('skips what is no column and stops at the four keys of the contract', () => {
    expect(parseSort('')).toEqual([]);
    expect(parseSort('-nothing,reward')).toEqual([{ column: 'reward', descending: false }]);
    expect(parseSort('id,task,reward,status,steps,tokens')).toHaveLength(4);
  });
});

describe('columns', () => {
  it('lists every column once, with a name of its own', () => {
    expect(columnsByUse.toSorted()).toEqual(rolloutColumns.toSorted());
    const titles = rolloutColumns.map((column) => columnInfo[column].title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

describe('conditions in words', () => {
  const text = (condition: Condition) => Object.values(clauseText(condition)).join(' ');
  it('says what the filter does', () => {
    expect(text({ column: 'segments', op: '>=', value: 3 })).toBe('Segments ≥ 3');
    expect(text({ column: 'label', op: 'none', value: null })).toBe('Label none');
    expect(text({ column: 'task', op: '~', value: 'cursor' })).toBe('Task contains cursor');
    expect(text({ column: 'status', op: '!=', value: 'completed' })).toBe('Status not completed');
  });

  it('offers operators for every type', () => {
    for (const column of rolloutColumns) expect(operatorsOf[columnInfo[column].type].length).toBeGreaterThan(0);
  });
});

describe('groups', () => {
  const rows = [
    row({ task: 'a', reward: 1, marked: true }),
    row({ task: 'a', reward: 0 }),
    row({ task: 'b', reward: null }),
    row({ task: null, reward: 0.5 }),
    row({ task: null }),
  ];

  it('puts a heading before each task with the mean of the known rewards', () => {
    const lines = groupLines(rows, 'task', new Set());
    expect(lines.map((line) => (line.kind === 'row' ? line.index : line.key))).toEqual(['a', 0, 1, 'b', 2, null, 3, 4]);
    const headings = lines.filter((line) => line.kind === 'heading');
    expect(headings.map(({ count, meanReward, marked }) => [count, meanReward, marked])).toEqual([
      [2, 0.5, 1],
      [1, null, 0],
      [2, 0.5, 0],
    ]);
  });

  it('keeps positions in the set when groups are closed', () => {
    const lines = groupLines(rows, 'task', new Set(['a', null]));
    expect(lines.map((line) => (line.kind === 'row' ? line.index : line.key))).toEqual(['a', 'b', 2, null]);
  });

  it('has nothing to say about nothing', () => {
    expect(groupLines([], 'group', new Set())).toEqual([]);
  });
});
