import { describe, expect, it } from 'vitest';
import { readFixture, short } from './harness-support.ts';
import { kinds, only } from './support.ts';

describe('Copilot CLI sessions', () => {
  it('are split at compactions and truncations, sub-agents beside', async () => {
    const { rollouts, alerts } = await readFixture('copilot-cli', 'events.jsonl');
    const { rollout, segments } = only(rollouts);
    expect(rollout).toMatchObject({
      externalId: 'cp-1',
      model: 'rose-model',
      status: 'aborted',
      statusDetail: 'user initiated',
      preview: 'Find greenfly.',
      extra: { shutdown: { shutdownType: 'routine' } },
    });
    expect(segments.map(({ segment }) => segment)).toMatchObject([
      { kind: 'execution' },
      { kind: 'subagent', link: 'subagent', parentIndex: 0, externalId: 'z-1', agent: 'explorer' },
      { kind: 'summary', link: 'summary_of', parentIndex: 0, contextBefore: 700, contextAfter: 90 },
      { kind: 'execution', link: 'compaction', parentIndex: 2, contextBefore: 700, contextAfter: 90 },
      { kind: 'execution', link: 'compaction', parentIndex: 3, contextBefore: 480, contextAfter: 200 },
    ]);
    expect(segments.map(({ items }) => items.map(short))).toEqual([
      [
        ['input system', 'text: Tend the roses.'],
        ['input user', 'text: Find greenfly.'],
        [
          'step assistant',
          'reasoning: Look below the leaves.',
          'tool_call task: {"prompt":"look"}',
          'tool_call bash: {"command":"ls"}',
          'observation bash!: no shell',
          'observation task: Three flies.',
        ],
      ],
      [['step assistant', 'text: Three flies.']],
      [['boundary assistant (Summary)', 'text: Three greenflies were found.']],
      [
        ['copied user (Summary)', 'text: Three greenflies were found.'],
        ['step assistant', 'text: Spray with soap.'],
      ],
      [
        ['boundary other (Older messages were dropped from the context, without a summary)'],
        ['boundary other (Aborted)', 'text: user initiated'],
        ['unknown other (garden.bell)', expect.stringContaining('raw: {"type":"garden.bell"')],
      ],
    ]);
    expect(kinds(alerts)).toContain('history-replayed');
  });
});
