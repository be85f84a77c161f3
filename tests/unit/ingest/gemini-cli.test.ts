import { describe, expect, it } from 'vitest';
import { readFixture, short } from './harness-support.ts';
import { kinds, only } from './support.ts';

describe('Gemini CLI sessions', () => {
  it('read lines as well as documents, the newest copy of each record', async () => {
    const { rollouts, alerts, source } = await readFixture('gemini-cli', 'session.jsonl');
    expect(source.detection.version).toBe('lines');
    const { rollout, segments } = only(rollouts);
    expect(rollout).toMatchObject({ externalId: 'g-1', model: 'pear-model', preview: 'Prune the pear.' });
    const items = only(segments).items;
    expect(items.map(short)).toEqual([
      ['input user', 'text: Prune the pear.'],
      [
        'step assistant',
        'reasoning: Shears\nSharp ones.',
        'text: I prune.',
        'tool_call shears: {"branch":3}',
        'observation shears!: too thick',
        'tool_call saw: {}',
        expect.stringContaining('raw saw: {"functionResponse"'),
      ],
      ['boundary other (info)', 'text: Chat saved.'],
      ['unknown other (wind)', 'raw: {"id":"4","type":"wind","content":"gust"}'],
      ['unknown other', 'raw: {"summary":"no message"}'],
    ]);
    expect(items[1]).toMatchObject({ promptTokens: 10, completionTokens: 8, model: 'pear-model' });
    expect(new Set(kinds(alerts))).toEqual(new Set(['record-unknown', 'record-rewritten', 'records-not-shown']));
  });
});
