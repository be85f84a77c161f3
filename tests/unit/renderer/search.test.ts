// The search field's part of the full-text search: gathering hits by rollout, and saying what was found where.

import { describe, expect, it } from 'vitest';
import type { SearchHit, SearchUpdate } from '../../../app/contract/index.ts';
import { type TextGroup, withUpdate } from '../../../renderer/data/search.ts';
import { isWorthSearching, scopeOf, statusText } from '../../../renderer/features/frame/text-choices.tsx';

function hit(rollout: string, item: number, part = 0): SearchHit {
  return {
    rollout,
    externalId: `log-${rollout}`,
    task: null,
    segment: 0,
    item,
    step: item,
    itemKind: 'step',
    role: 'assistant',
    copied: false,
    part,
    partKind: 'text',
    name: null,
    start: 0,
    end: 4,
    count: 1,
    snippet: { before: '', match: 'text', after: '', cutBefore: false, cutAfter: false },
  };
}

function update(change: Partial<SearchUpdate>): SearchUpdate {
  return {
    hits: [],
    rollouts: [],
    places: 0,
    occurrences: 0,
    rolloutCount: 0,
    listed: 0,
    scope: { rollouts: 9, all: 9 },
    done: 50,
    total: 100,
    finished: false,
    ...change,
  };
}

describe('gathering', () => {
  it('keeps rollouts in the order found, their hits in reading order, figures up to date', () => {
    const first = withUpdate([], update({ hits: [hit('b', 5), hit('a', 2)], rollouts: [{ rollout: 'b', places: 1 }] }));
    const second = withUpdate(
      first,
      update({
        hits: [hit('b', 3, 1), hit('b', 3, 0), hit('c', 1)],
        rollouts: [
          { rollout: 'b', places: 7 },
          { rollout: 'a', places: 2 },
        ],
      }),
    );
    const seen = (groups: readonly TextGroup[]) =>
      groups.map((group) => [group.rollout, group.places, group.hits.map((one) => [one.item, one.part])]);
    expect(seen(second)).toEqual([
      [
        'b',
        7,
        [
          [3, 0],
          [3, 1],
          [5, 0],
        ],
      ],
      ['a', 2, [[2, 0]]],
      ['c', 1, [[1, 0]]],
    ]);
  });

  it('leaves what did not change as it is', () => {
    const groups = withUpdate([], update({ hits: [hit('a', 1)] }));
    expect(withUpdate(groups, update({ done: 70 }))).toBe(groups);
  });
});

describe('the line under the list', () => {
  const found = { query: 'text', groups: [], failed: null };
  it.each([
    ['before the first update', null, 'Searching the texts of the whole workspace…'],
    [
      'while it scans',
      update({ places: 3, rolloutCount: 2, listed: 3 }),
      '≥ 3 places in 2 rollouts of the whole workspace — scanning, 50 %',
    ],
    ['without a hit yet', update({}), 'In no text of the whole workspace so far — scanning, 50 %'],
    [
      'at the end',
      update({ places: 1, rolloutCount: 1, listed: 1, finished: true }),
      '1 place in 1 rollout of the whole workspace',
    ],
    [
      'with more than is listed',
      update({ places: 1234, rolloutCount: 80, listed: 80, finished: true }),
      '1,234 places in 80 rollouts of the whole workspace, 80 listed',
    ],
    ['without any', update({ finished: true }), 'In no text of the whole workspace'],
  ])('says it %s', (_when, last, said) => {
    expect(statusText({ ...found, last }, 'text', false)).toBe(said);
  });

  it('names the filtered list and its size, a failure, and never figures of another text', () => {
    const last = update({ places: 2, rolloutCount: 1, listed: 2, finished: true, scope: { rollouts: 4, all: 9 } });
    expect(statusText({ ...found, last }, 'text', true)).toBe(
      '2 places in 1 rollout of the filtered list (4 rollouts)',
    );
    expect(statusText({ ...found, last }, 'texts', true)).toBe('Searching the texts of the filtered list…');
    expect(statusText({ ...found, last: null, failed: 'the engine is gone' }, 'text', false)).toContain(
      'the engine is gone',
    );
  });
});

describe('what is searched', () => {
  it('starts with two ASCII characters or one of another script', () => {
    expect(['', 'a', '测', 'я', 'ab'].map(isWorthSearching)).toEqual([false, false, true, true, true]);
  });

  it('takes the filter and the search of the library as the scope', () => {
    expect(scopeOf({ screen: 'library' })).toBeNull();
    expect(scopeOf({ screen: 'library', q: 'tally' })).toEqual({ where: [], search: 'tally' });
    expect(scopeOf({ screen: 'library', where: 'reward >= 1' })).toEqual({
      where: [{ column: 'reward', op: '>=', value: 1 }],
      search: '',
    });
    expect(scopeOf({ screen: 'library', where: 'no such filter' })).toBeNull();
  });
});
