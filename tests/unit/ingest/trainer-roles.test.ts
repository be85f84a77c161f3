// What samples are to each other by their texts alone: continuations, compactions with and without a summary, branches.

import { describe, expect, it } from 'vitest';
import type { ItemDraft } from '../../../app/contract/ingest.ts';
import { type TextSample, textRoles } from '../../../app/ingest/formats/trainer-roles.ts';

const asked: ItemDraft = {
  kind: 'input',
  role: 'user',
  parts: [{ kind: 'text', text: 'Count the beans in all rows.' }],
};

function turn(n: number, result = `${n} beans`, reasoning = true): ItemDraft {
  return {
    kind: 'step',
    role: 'assistant',
    parts: [
      ...(reasoning ? [{ kind: 'reasoning' as const, text: `row ${n}?` }] : []),
      { kind: 'text', text: `I look at row ${n}.` },
      { kind: 'tool_call', name: 'look', text: `{"row":${n}}` },
      { kind: 'observation', text: result },
    ],
  };
}

const sample = (prompt: ItemDraft[], response: ItemDraft[]): TextSample => ({ prompt, response, declared: null });
const links = (...samples: TextSample[]) => textRoles(samples).map(({ link }) => link);
const first = sample([asked], [turn(1), turn(2), turn(3)]);

describe('samples of one rollout', () => {
  it.each<[string, ItemDraft[], string]>([
    ['everything so far', [asked, turn(1), turn(2), turn(3)], 'continuation'],
    [
      'everything but the reasoning',
      [asked, turn(1, '1 beans', false), turn(2, '2 beans', false), turn(3)],
      'continuation',
    ],
    ['only the last turns', [asked, turn(2), turn(3)], 'compaction'],
    ['cleared results', [asked, turn(1, '[cleared]'), turn(2, '[cleared]'), turn(3)], 'compaction'],
    ['an earlier point', [asked, turn(1)], 'fork'],
    ['another task', [{ ...asked, parts: [{ kind: 'text', text: 'Else.' }] }], 'fork'],
  ])('a prompt with %s', (_name, prompt, expected) => {
    expect(links(first, sample(prompt, [turn(4)]))).toEqual([null, expected]);
  });

  it('a prompt with the summary that the sample before it wrote', () => {
    const words = 'Rows one to three are counted and hold six beans in all; row four is next.';
    const summary: ItemDraft = { kind: 'step', role: 'assistant', parts: [{ kind: 'text', text: words }] };
    const carried: ItemDraft = { kind: 'input', role: 'user', parts: [{ kind: 'text', text: `So far: ${words}` }] };
    const roles = textRoles([first, sample([asked, turn(3)], [summary]), sample([asked, carried], [turn(4)])]);
    expect(roles.map(({ kind, link }) => [kind, link])).toEqual([
      ['execution', null],
      ['summary', 'summary_of'],
      ['execution', 'compaction'],
    ]);
  });
});
