// What the samples of one rollout are to each other, from their tokens alone.

import { describe, expect, test } from 'vitest';
import {
  findSpan,
  generationHeader,
  rolesOf,
  runsOf,
  type SampleTokens,
} from '../../../app/ingest/formats/slime-segments.ts';

/** Tokens of a chat: 1 opens a message, 2 ends it, 10/11/12 are system, user, assistant. */
const [open, end, system, user, assistant] = [1, 2, 10, 11, 12];
const body = (from: number, length = 20): number[] => Array.from({ length }, (_, i) => from + i);
const message = (role: number, content: number[]): number[] => [open, role, ...content, end];
const opening = [open, assistant];
const goal = [...message(system, body(100)), ...message(user, body(200))];

/** A sample from its prompt and alternating sampled and given pieces. */
function sample(prompt: number[], ...pieces: number[][]): SampleTokens {
  const tokens = [...prompt, ...opening];
  const promptLength = tokens.length;
  const mask: number[] = [];
  for (const [i, piece] of pieces.entries()) {
    tokens.push(...piece);
    mask.push(...piece.map(() => (i % 2 === 0 ? 1 : 0)));
  }
  return { tokens: Int32Array.from(tokens), promptLength, runs: runsOf(mask, promptLength), declared: null };
}
const act = (from: number, length = 20): number[] => [...body(from, length), end];
const observe = (from: number): number[] => [...message(user, body(from)), ...opening];

function roles(...samples: SampleTokens[]) {
  return rolesOf(samples, generationHeader(samples)).map((role) => ({
    kind: role.kind,
    link: role.link,
    parent: role.parentIndex,
    tail: role.summaryAtTail,
    carried: role.carried?.from ?? null,
    before: role.contextBefore,
    after: role.contextAfter,
  }));
}

test('runs of a mask', () => {
  expect(runsOf([1, 1, 0, 1], 10)).toEqual([
    { start: 10, end: 12 },
    { start: 13, end: 14 },
  ]);
  expect(runsOf([0, 0], 10)).toEqual([]);
  expect(runsOf([], 10)).toEqual([]);
});

test('the opening of an assistant turn is what stands before every sampled span', () => {
  const a = sample(goal, act(1000), observe(2000), act(1100));
  expect(generationHeader([a]).slice(-2)).toEqual(opening);
  expect(generationHeader([])).toEqual([]);
});

describe('rolesOf', () => {
  const summary = act(5000);
  const first = sample(goal, act(1000), observe(2000), act(1100), observe(2100), summary);

  test('a summary at the tail', () => {
    const next = sample([...goal, ...message(user, body(5000))], act(1200));
    expect(roles(first, next)).toEqual([
      { kind: 'execution', link: null, parent: null, tail: true, carried: null, before: null, after: null },
      {
        kind: 'execution',
        link: 'compaction',
        parent: 0,
        tail: false,
        carried: 0,
        before: first.tokens.length,
        after: next.promptLength,
      },
    ]);
  });

  test('a summary in a sample of its own', () => {
    const work = sample(goal, act(1000), observe(2000), act(1100));
    const writer = sample(message(user, body(300)), summary);
    const next = sample([...goal, ...message(user, body(5000))], act(1200));
    expect(roles(work, writer, next).map(({ kind, link, parent }) => [kind, link, parent])).toEqual([
      ['execution', null, null],
      ['summary', 'summary_of', 0],
      ['execution', 'compaction', 0],
    ]);
  });

  test('two compactions', () => {
    const second = sample([...goal, ...message(user, body(5000))], act(1200), observe(2200), act(6000));
    const third = sample([...goal, ...message(user, body(6000))], act(1300));
    expect(roles(first, second, third).map(({ link, parent, tail }) => [link, parent, tail])).toEqual([
      [null, null, true],
      ['compaction', 0, true],
      ['compaction', 1, false],
    ]);
  });

  test('a turn that is carried over as a turn is no summary', () => {
    const work = sample(goal, act(1000), observe(2000), act(1100));
    const carried = [...goal, ...opening, ...act(1100), ...message(user, body(2100))];
    const next = sample(carried, act(1200));
    expect(roles(work, next)[0]?.tail).toBe(false);
    expect(roles(work, next)[1]?.carried).toBeNull();
  });

  test('a second sample on the same summary is a fork, not a second compaction', () => {
    const context = [...goal, ...message(user, body(5000))];
    const next = sample(context, act(1200), observe(2200), act(1300));
    const fork = sample([...context, ...message(user, body(400))], act(1400));
    expect(roles(first, next, fork).map(({ link, parent }) => [link, parent])).toEqual([
      [null, null],
      ['compaction', 0],
      ['fork', 1],
    ]);
  });

  test('a prompt that goes on where the last sample ended continues it', () => {
    const work = sample(goal, act(1000));
    const next = sample([...work.tokens, ...message(user, body(2000))], act(1100));
    expect(roles(work, next)[1]).toMatchObject({ link: 'continuation', parent: 0 });
  });

  test('a shorter context without a trace of the history was compacted by somebody else', () => {
    const work = sample(goal, act(1000), observe(2000), act(1100));
    const next = sample([...goal, ...message(user, body(9000, 10))], act(1200));
    expect(roles(work, next)[1]).toMatchObject({ link: 'compaction', carried: null, before: work.tokens.length });
  });

  test('the same prompt again, or a history written anew, branches off', () => {
    const work = sample(goal, act(1000), observe(2000), act(1100));
    expect(roles(work, sample(goal, act(1200)))[1]).toMatchObject({ link: 'fork', parent: 0 });
    const bare = [...goal, open, 13, ...act(1000), ...message(user, body(2000))];
    expect(roles(sample(goal, act(1000), observe(2000), act(1100, 60)), sample(bare, act(1200)))[1]?.link).toBe('fork');
    const shortened = [...goal, ...opening, ...body(1000, 10), end, ...message(user, body(2000))];
    expect(roles(work, sample(shortened, act(1200)))[1]).toMatchObject({ link: 'fork', parent: 0 });
  });

  test('another conversation is a fork', () => {
    const work = sample(goal, act(1000));
    const other = sample(message(system, body(700, 60)), act(1200));
    expect(roles(work, other)[1]).toMatchObject({ link: 'fork', parent: 0 });
  });

  test('declared kinds win', () => {
    const work = sample(goal, act(1000));
    const writer = { ...sample(message(user, body(300)), act(7000)), declared: 'summary' as const };
    const next = sample([...goal, ...message(user, body(8000))], act(1200));
    const result = rolesOf([work, writer, next], generationHeader([work, writer, next]));
    expect(result.map((role) => [role.kind, role.kindSource, role.link])).toEqual([
      ['execution', 'inferred', null],
      ['summary', 'declared', 'summary_of'],
      ['execution', 'inferred', 'compaction'],
    ]);
  });

  test('a sample that sampled nothing', () => {
    const empty: SampleTokens = { tokens: Int32Array.of(0, 0), promptLength: 1, runs: [], declared: null };
    expect(roles(empty)[0]).toMatchObject({ kind: 'execution', link: null });
    expect(roles(first, empty)[1]).toMatchObject({ kind: 'execution', link: 'fork' });
  });
});

describe('findSpan', () => {
  const haystack = Int32Array.from([...body(0, 50), ...body(1000, 40), ...body(500, 50)]);

  test('finds a span, up to its ends', () => {
    expect(findSpan(haystack, Int32Array.from(body(1000, 40)))).toEqual({ start: 50, end: 90 });
    expect(findSpan(haystack, Int32Array.from([...body(1000, 40), 7, 8]))).toEqual({ start: 50, end: 90 });
    expect(findSpan(haystack, Int32Array.from([7, 8, ...body(1000, 40)]))).toEqual({ start: 50, end: 90 });
  });

  test('finds a summary whose reasoning was left out', () => {
    const needle = Int32Array.from([...body(3000, 20), ...body(1000, 40)]);
    expect(findSpan(haystack, needle)).toEqual({ start: 50, end: 90 });
  });

  test('does not take little for much', () => {
    expect(findSpan(haystack, Int32Array.from(body(1000, 5)))).toBeNull();
    expect(findSpan(haystack, Int32Array.from([...body(3000, 60), ...body(1000, 10)]))).toBeNull();
    expect(findSpan(haystack, Int32Array.from(body(4000, 40)))).toBeNull();
    expect(findSpan(new Int32Array(0), Int32Array.from(body(1000, 40)))).toBeNull();
  });
});
