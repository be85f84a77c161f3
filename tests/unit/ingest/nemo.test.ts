// NeMo-Gym (Responses items into calls) and NeMo-RL (lists of one element, padded).

import { describe, expect, it } from 'vitest';
import { format as gym } from '../../../app/ingest/formats/nemo-gym.ts';
import { format as rl } from '../../../app/ingest/formats/nemo-rl.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { sniffFile } from '../../../app/ingest/sniff.ts';
import { jsonl, kinds, memoryFile, only, readText } from './support.ts';

const message = (text: string, more = {}) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
  ...more,
});
const call = (id: string, name: string) => ({ type: 'function_call', call_id: id, name, arguments: '{"x":1}' });
const output = (id: string, text: string) => ({ type: 'function_call_output', call_id: id, output: text });
const tokens = (prompt: number[], reply: number[]) => ({
  prompt_token_ids: prompt,
  generation_token_ids: reply,
  generation_log_probs: reply.map(() => -0.5),
});

const row = (items: readonly unknown[], more = {}) => ({
  responses_create_params: {
    input: [
      { role: 'system', content: 'Be good.' },
      { role: 'user', content: 'Do it.' },
    ],
  },
  response: { id: 'resp_1', model: 'm', status: 'completed', created_at: 1_700_000_000, output: items },
  reward: 1,
  _ng_task_index: 3,
  _ng_rollout_index: 1,
  agent_ref: { name: 'simple' },
  ...more,
});

describe('nemo-gym', () => {
  it('cuts the flat list of items into calls with their observations', async () => {
    const result = await readText(
      gym,
      jsonl(
        row([
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
          message('Two things.'),
          call('a', 'bash'),
          call('b', 'read'),
          output('b', 'second'),
          output('a', 'first'),
          message('Next.'),
          { type: 'message', role: 'user', content: 'Hurry.' },
          message('Done.'),
        ]),
      ),
    );
    const { rollout, segments } = only(result.rollouts);
    expect(rollout).toMatchObject({
      externalId: '3/1',
      groupId: '3',
      attempt: 1,
      agent: 'simple',
      model: 'm',
      reward: 1,
      status: 'completed',
    });
    const items = only(segments).items;
    expect(items.map((item) => [item.kind, item.role])).toEqual([
      ['input', 'system'],
      ['input', 'user'],
      ['step', 'assistant'],
      ['step', 'assistant'],
      ['input', 'user'],
      ['step', 'assistant'],
    ]);
    expect(items[2]?.parts.map((part) => [part.kind, part.name ?? null, part.text])).toEqual([
      ['reasoning', null, 'Hm.'],
      ['text', null, 'Two things.'],
      ['tool_call', 'bash', '{"x":1}'],
      ['tool_call', 'read', '{"x":1}'],
      ['observation', 'read', 'second'],
      ['observation', 'bash', 'first'],
    ]);
  });

  it('joins the token ids of calls whose prompts extend each other', async () => {
    const result = await readText(
      gym,
      jsonl(
        row([
          message('a', tokens([1, 2], [3])),
          call('c', 'bash'),
          output('c', 'r'),
          message('b', tokens([1, 2, 3, 4], [5])),
        ]),
      ),
    );
    const { columns, items } = only(only(result.rollouts).segments);
    expect(Object.fromEntries(columns.map((column) => [column.name, [...column.data]]))).toEqual({
      ids: [1, 2, 3, 4, 5],
      loss_mask: [0, 0, 1, 0, 1],
      'logprobs.rollout': [Number.NaN, Number.NaN, -0.5, Number.NaN, -0.5],
    });
    expect(items.filter((item) => item.kind === 'step').map((item) => [item.tokenStart, item.tokenEnd])).toEqual([
      [2, 3],
      [4, 5],
    ]);
  });

  it('begins a new call at every element with token ids of its own', async () => {
    const reasoning = { type: 'reasoning', summary: [], ...tokens([1], [2]) };
    const result = await readText(
      gym,
      jsonl(row([reasoning, message('a', tokens([1, 2], [3])), { ...call('c', 'f'), ...tokens([1, 2, 3], [4]) }])),
    );
    const { columns } = only(only(result.rollouts).segments);
    expect(columns.map((column) => [column.name, ...column.data]).slice(0, 2)).toEqual([
      ['ids', 1, 2, 3, 4],
      ['loss_mask', 0, 1, 1, 1],
    ]);
  });

  it('keeps failures, masked samples and profiling rows', async () => {
    const failed = row([], { mask_sample: true, response: { output: [], error: { message: 'no model' } } });
    const { rollouts, alerts } = await readText(gym, jsonl(failed, { _ng_task_index: 9, 'mean/reward': 0.25 }));
    expect(
      rollouts.map(({ rollout }) => [rollout.status, rollout.statusDetail, rollout.excludedFromLoss, rollout.reward]),
    ).toEqual([
      ['failed', 'no model', true, 1],
      ['unknown', null, false, 0.25],
    ]);
    // A rollout without any answer still shows what was asked.
    expect(rollouts[0]?.segments[0]?.items.map((item) => item.role)).toEqual(['system', 'user']);
    expect(kinds(alerts)).toEqual(['rows-averaged']);
  });

  it('is recognised when the first line is longer than the head', async () => {
    const long = { ...row([]), responses_create_params: { input: 'x'.repeat(100_000) } };
    const sniff = await sniffFile(memoryFile('/g.jsonl', jsonl(long), 4096), defaultLimits);
    expect(gym.detect(sniff)?.confidence).toBeGreaterThan(0.8);
  });
});

describe('nemo-rl', () => {
  const sample = {
    content: [
      [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: 'A' },
      ],
    ],
    rewards: [0.5],
    input_lengths: [3],
    token_ids: [[1, 2, 3, 0, 0]],
    token_loss_mask: [[0, 0, 1, 0, 0]],
    sample_loss_mask: [0],
    advantages: [[1, 1, 1, 1, 1]],
    generation_logprobs: [[0, 0, -0.5, 0, 0]],
    prev_logprobs: [[0, 0, -0.25, 0, 0]],
    idx: 4,
  };

  it('takes the one element of every list and cuts the padding', async () => {
    const result = await readText(rl, jsonl(sample), '/logs/train_data_step41.jsonl');
    expect(result.alerts).toEqual([]);
    const { rollout, segments } = only(result.rollouts);
    expect(rollout).toMatchObject({
      externalId: '4',
      trainingStep: 41,
      split: 'train',
      reward: 0.5,
      excludedFromLoss: true,
    });
    expect(Object.fromEntries(only(segments).columns.map((column) => [column.name, [...column.data]]))).toEqual({
      ids: [1, 2, 3],
      loss_mask: [0, 0, 1],
      'logprobs.rollout': [0, 0, -0.5],
      'logprobs.train': [0, 0, -0.25],
      advantages: [1, 1, 1],
    });
    expect(only(segments).segment).toMatchObject({ promptLength: 2, tokens: 3 });
    expect(only(segments).items.map((item) => [item.kind, item.tokenStart ?? null])).toEqual([
      ['input', null],
      ['step', 2],
    ]);
  });

  it('finds the turns of content that is one text', async () => {
    const content = ['<|im_start|>user\nQ<|im_end|>\n<|im_start|>assistant\nA<|im_end|>\n'];
    const result = await readText(rl, jsonl({ ...sample, content }));
    expect(
      only(only(result.rollouts).segments).items.map((item) => [item.kind, item.parts[0]?.text, item.tokenStart]),
    ).toEqual([
      ['input', 'Q', undefined],
      ['step', 'A', 2],
    ]);
  });

  it('reads every sample of a larger batch', async () => {
    const batch = Object.fromEntries(
      Object.entries(sample).map(([key, value]) => [key, Array.isArray(value) ? [...value, ...value] : value]),
    );
    const result = await readText(rl, jsonl(batch), '/logs/val_data_step2.jsonl');
    expect(result.rollouts.map(({ rollout }) => [rollout.externalId, rollout.split])).toEqual([
      ['4', 'eval'],
      ['4/1', 'eval'],
    ]);
  });
});
