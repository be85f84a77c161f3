// OpenCode session exports: model calls and their tools, compactions with what stays in the context, cleared results, and sessions
// that broke off.

import { describe, expect, it } from 'vitest';
import { format } from '../../../app/ingest/formats/opencode.ts';
import { fixtureText, readFixture, short } from './harness-support.ts';
import { only, readText } from './support.ts';

describe('OpenCode sessions', () => {
  it('are a rollout with a segment for each context', async () => {
    const { rollouts, source, alerts } = await readFixture('opencode', 'session.json');
    expect(source.detection).toMatchObject({ version: '1.2.10' });
    expect(source.format.id).toBe('opencode');
    const { rollout, segments } = only(rollouts);
    expect(rollout).toMatchObject({
      externalId: 'ses_1',
      model: 'pear-model',
      agent: 'opencode',
      status: 'aborted',
      statusDetail: 'MessageAbortedError',
      reward: null,
      preview: 'Count the pear trees.',
      startedAt: '2026-04-01T08:00:00.000Z',
      extra: { title: 'Pear count', todos: [{ content: 'count plums' }] },
    });
    expect(segments.map(({ segment }) => segment)).toMatchObject([
      { index: 0, kind: 'execution' },
      { index: 1, kind: 'summary', link: 'summary_of', parentIndex: 0, trigger: 'auto', contextBefore: 270 },
      { index: 2, kind: 'execution', link: 'compaction', parentIndex: 1 },
      { index: 3, kind: 'summary', link: 'summary_of', parentIndex: 2, trigger: 'manual' },
    ]);
    expect(segments.map(({ items }) => items.map(short))).toEqual([
      [
        ['input user', 'text: Count the pear trees.'],
        [
          'step assistant',
          'reasoning: List the rows first.',
          'tool_call bash: {"command":"ls rows"}',
          'observation bash: row-1\nrow-2',
        ],
        ['step assistant', 'tool_call read: {"filePath":"row-1"}', 'observation read!: File not found'],
        ['step assistant', 'text: Two rows.'],
        ['boundary other (1 result of tools cleared from the context)'],
        ['input user', 'text: And the plum trees?'],
        ['step assistant', 'text: Looking.', 'tool_call bash: {"command":"ls plums"}', 'observation bash: plum-1'],
      ],
      [
        ['input user (A compaction is asked for)'],
        ['step assistant', 'text: Two rows of pears were counted; plums are next.'],
      ],
      [
        ['copied assistant (Summary)', 'text: Two rows of pears were counted; plums are next.'],
        ['copied user', 'text: And the plum trees?'],
        ['copied assistant', 'text: Looking.', 'tool_call bash: {"command":"ls plums"}', 'observation bash: plum-1'],
        ['input user', 'text: Continue if you have next steps'],
        ['step assistant', 'text: One plum tree.'],
        [
          'input user',
          'text: Water them.',
          expect.stringContaining('raw: {"type":"file"'),
          expect.stringContaining('raw: {"type":"weather"'),
        ],
        ['step assistant', 'text: Wat', 'tool_call bash: {"command":"water"}'],
      ],
      // A summary that failed leaves the context as it was.
      [['input user (A compaction is asked for)'], ['step assistant']],
    ]);
    const [first] = segments;
    expect(first?.items[1]).toMatchObject({ promptTokens: 110, completionTokens: 20, finishReason: 'tool-calls' });
    expect(first?.items[2]?.extra).toMatchObject({
      parts: [{ type: 'tool', callID: 'c2' }, { type: 'patch', files: ['row-1'] }, { cost: 0.005 }],
    });
    expect(first?.items[0]?.extra).toMatchObject({ parts: [{ text: 'hidden note', ignored: true }] });
    expect(segments[1]?.items[1]).toMatchObject({ stepKind: 'summary' });
    expect(alerts.map(({ kind, count }) => [kind, count ?? 1])).toEqual([
      ['record-unknown', 1],
      ['records-not-shown', 8],
    ]);
  });

  it('of a sub-agent are one, and without a message an empty one', async () => {
    const { info, messages } = JSON.parse(fixtureText('opencode', 'session.json'));
    const nested = { info: { ...info, parentID: 'ses_0' }, messages: messages.slice(0, 3) };
    const { rollouts } = await readText(format, JSON.stringify(nested));
    expect(only(only(rollouts).segments).segment.kind).toBe('subagent');
    expect(only(rollouts).rollout).toMatchObject({ status: 'completed', extra: { parentID: 'ses_0' } });
    const empty = await readText(format, JSON.stringify({ info, messages: [] }));
    expect(only(only(empty.rollouts).segments).items).toEqual([]);
  });

  it('show what is no message as it stands', async () => {
    const { info, messages } = JSON.parse(fixtureText('opencode', 'session.json'));
    const { rollouts, alerts } = await readText(format, JSON.stringify({ info, messages: [messages[0], 7, { a: 1 }] }));
    expect(only(only(rollouts).segments).items.map(({ kind }) => kind)).toEqual(['input', 'unknown', 'unknown']);
    expect(alerts.filter(({ kind }) => kind === 'record-unknown')).toHaveLength(2);
  });
});
