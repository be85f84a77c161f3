// slime and Miles dumps: samples to rollouts, the join with the train dump, rewards, statuses, and what is wrong with them.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { format } from '../../../app/ingest/formats/slime.ts';
import type { SourceFile } from '../../../app/ingest/source.ts';
import { type Collected, collect, numbers, stepsOf } from '../../fixtures/collected.ts';
import { dumps } from '../../fixtures/ingest/slime/make.ts';
import { diskFile, eventsOf, memoryFile, sniffOf } from '../../fixtures/memory-source.ts';
import {
  float,
  floats,
  numpyArray,
  pickle,
  storage,
  tensor,
  torchArchive,
  type Writable,
  type WritableDict,
} from '../../fixtures/torch-writer.ts';

const turn = '<tool_call>\n{"name": "bash", "arguments": {"command": "ls"}}\n</tool_call><|im_end|>\n';
const reply = `${turn}<|im_start|>user\n<tool_response>\na.py\n</tool_response><|im_end|>\n<|im_start|>assistant\nDone.<|im_end|>`;

/** A sample of two steps: 3 prompt tokens, then 2 sampled, 2 given, 2 sampled. */
function sample(fields: WritableDict = {}): WritableDict {
  return {
    group_index: 0,
    index: 0,
    rollout_id: 0,
    prompt: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'List the files.' },
    ],
    tokens: [1, 2, 3, 11, 12, 21, 22, 13, 14],
    response: reply,
    response_length: 6,
    label: '',
    reward: float(1),
    loss_mask: [1, 1, 0, 0, 1, 1],
    weight_versions: ['7', '8'],
    rollout_log_probs: [-0.5, -0.25, float(0), float(0), -0.125, -1.5],
    remove_sample: false,
    status: 'completed',
    metadata: { instance_id: 'files-1' },
    ...fields,
  };
}

/** The train record of `sample()` at a position. */
function trained(position: number, fields: WritableDict = {}): WritableDict {
  return {
    data_parallel_rank: 0,
    sample_index: 0,
    rollout_position: position,
    tokens: tensor(storage('Long', [1, 2, 3, 11, 12, 21, 22, 13, 14])),
    response_lengths: 6,
    total_lengths: 9,
    rewards: float(0.5),
    local_raw_reward: float(1),
    truncated: 0,
    loss_masks: tensor(storage('Int', [1, 1, 0, 0, 1, 1])),
    rollout_ids: 0,
    rollout_mask_sums: tensor(storage('Float', [4]), { shape: [], strides: [] }),
    log_probs: tensor(storage('Float', [-0.5, -0.5, -0.5, -0.5, -0.5, -0.5])),
    values: tensor(storage('Float', [0.25, 0.5, 0.75, 1, 0.5, 0.25])),
    advantages: tensor(storage('Float', [1, 2, 3, 4, 5, 6])),
    ...fields,
  };
}

const rolloutDump = (samples: readonly Writable[], top: WritableDict = {}): Writable => ({
  rollout_id: 3,
  ...top,
  samples,
});
const trainDump = (samples: readonly Writable[], top: WritableDict = {}): Writable => ({
  format_version: 2,
  rollout_id: 3,
  rank: 0,
  samples,
  dp_shards: [],
  raw_reward: [],
  ...top,
});

function dumpFile(path: string, value: Writable): SourceFile {
  return memoryFile(path, torchArchive(value));
}

async function read(samples: readonly Writable[], train?: Writable, name = '3.pt'): Promise<Collected> {
  const main = dumpFile(`/run/rollout_data/${name}`, rolloutDump(samples));
  const parts = train === undefined ? [] : [dumpFile(`/run/train_data/${name}`, train)];
  return collect(await eventsOf(format, { main, parts }));
}

const kinds = (result: Collected): string[] => result.alerts.map((alert) => alert.kind);

describe('a rollout dump', () => {
  test('one sample is one rollout with one segment', async () => {
    const { rollouts, alerts } = await read([sample()]);
    expect(alerts).toEqual([]);
    expect(rollouts).toHaveLength(1);
    expect(rollouts[0]?.draft).toMatchObject({
      externalId: '0',
      groupId: '0',
      task: 'files-1',
      trainingStep: 3,
      split: 'train',
      status: 'completed',
      reward: 1,
      excludedFromLoss: false,
      preview: 'List the files.',
    });
    const [segment] = rollouts[0]?.segments ?? [];
    expect(segment?.draft).toMatchObject({ kind: 'execution', kindSource: 'inferred', link: null, promptLength: 3 });
    expect(numbers(segment, 'ids')).toEqual([1, 2, 3, 11, 12, 21, 22, 13, 14]);
    expect(segment?.columns.get('loss_mask')).toMatchObject({ start: 3, data: Uint8Array.of(1, 1, 0, 0, 1, 1) });
    expect(segment?.columns.get('logprobs.rollout')?.data).toEqual(Float32Array.of(-0.5, -0.25, 0, 0, -0.125, -1.5));
    expect(segment?.items.map((item) => [item.kind, item.role])).toEqual([
      ['input', 'system'],
      ['input', 'user'],
      ['step', 'assistant'],
      ['step', 'assistant'],
    ]);
    expect(rollouts.flatMap(stepsOf)).toMatchObject([
      {
        tokenStart: 3,
        tokenEnd: 5,
        weightVersion: '7',
        finishReason: 'tool_calls',
        parts: [
          { kind: 'tool_call', name: 'bash', text: '{"command":"ls"}' },
          { kind: 'observation', name: 'bash', text: 'a.py' },
        ],
      },
      {
        tokenStart: 7,
        tokenEnd: 9,
        weightVersion: '8',
        finishReason: 'stop',
        parts: [{ kind: 'text', text: 'Done.' }],
      },
    ]);
  });

  test('log-probs keep every digit', async () => {
    const { rollouts } = await read([sample({ rollout_log_probs: floats([-0.1, 0, 0, 0, 0, 0]) })]);
    const column = rollouts[0]?.segments[0]?.columns.get('logprobs.rollout');
    expect(column?.data).toBeInstanceOf(Float64Array);
    expect(column?.data[0]).toBe(-0.1);
  });

  test('no mask means that all of the response is trained', async () => {
    const { rollouts } = await read([sample({ loss_mask: null, response: 'Hi', rollout_log_probs: null })]);
    expect(numbers(rollouts[0]?.segments[0], 'loss_mask')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(rollouts.flatMap(stepsOf)).toMatchObject([{ tokenStart: 3, tokenEnd: 9, finishReason: null }]);
  });

  test('samples with one rollout_id are siblings, others stand alone', async () => {
    const { rollouts } = await read([
      sample({ rollout_id: 5 }),
      sample({ rollout_id: null, index: null }),
      sample({ rollout_id: 5 }),
      sample({ rollout_id: null, index: null }),
    ]);
    expect(rollouts.map((r) => [r.draft.externalId, r.segments.length])).toEqual([
      ['5', 2],
      ['sample-1', 1],
      ['sample-3', 1],
    ]);
  });

  test('evaluation dumps are told by their name', async () => {
    const { rollouts } = await read([sample()], undefined, 'eval_3.pt');
    expect(rollouts[0]?.draft.split).toBe('eval');
  });

  test('messages in the metadata are the conversation', async () => {
    const messages: Writable = [
      { role: 'user', content: 'List the files.' },
      {
        role: 'assistant',
        reasoning_content: 'Easy.',
        content: '',
        tool_calls: [{ id: 'c1', function: { name: 'bash', arguments: '{"command": "ls"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.py' },
      { role: 'assistant', content: 'Done.' },
    ];
    const { rollouts } = await read([sample({ prompt: 'List the files.', metadata: { messages } })]);
    expect(rollouts[0]?.segments[0]?.items.map((item) => item.parts.map((part) => [part.kind, part.text]))).toEqual([
      [['text', 'List the files.']],
      [
        ['reasoning', 'Easy.'],
        ['tool_call', '{"command": "ls"}'],
        ['observation', 'a.py'],
      ],
      [['text', 'Done.']],
    ]);
    expect(JSON.stringify(rollouts[0]?.segments[0]?.draft.extra)).not.toContain('Easy.');
  });

  test('assistant messages beyond the sampled spans were carried over', async () => {
    const messages: Writable = [
      { role: 'user', content: 'List the files.' },
      { role: 'assistant', content: 'Earlier.' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'And?' },
      { role: 'assistant', content: 'Two.' },
    ];
    const { rollouts, alerts } = await read([sample({ prompt: null, metadata: { messages } })]);
    expect(alerts).toEqual([]);
    expect(rollouts[0]?.segments[0]?.items.map((item) => [item.kind, item.role, item.copied === true])).toEqual([
      ['input', 'user', false],
      ['input', 'assistant', true],
      ['input', 'user', false],
      ['step', 'assistant', false],
      ['input', 'user', false],
      ['step', 'assistant', false],
    ]);
  });

  test('a text that does not match the mask has no token spans', async () => {
    const result = await read([sample({ loss_mask: [1, 1, 1, 1, 1, 1] })]);
    expect(kinds(result)).toEqual(['spans-unaligned']);
    expect(result.rollouts.flatMap(stepsOf).map((step) => step.tokenStart)).toEqual([null, null]);
  });

  test('unknown fields are kept', async () => {
    const trace = { version: 1, events: [{ kind: 'event', name: 'x' }] };
    const { rollouts } = await read([sample({ trace, session_id: 's-1', __proto__x: 1 })]);
    expect(rollouts[0]?.segments[0]?.draft.extra).toMatchObject({
      position: 0,
      sample: { trace, session_id: 's-1', metadata: { instance_id: 'files-1' }, label: '' },
    });
  });

  test('tensors and numpy arrays are columns too', async () => {
    const { rollouts, alerts } = await read([
      sample({
        tokens: tensor(storage('Long', [1, 2, 3, 11, 12, 21, 22, 13, 14])),
        loss_mask: numpyArray('i1', [6], Uint8Array.of(1, 1, 0, 0, 1, 1)),
        rollout_log_probs: tensor(storage('Float', [0, 9, 1, 9, 2, 9, 3, 9, 4, 9, 5, 9]), { shape: [6], strides: [2] }),
        rollout_routed_experts: tensor(storage('Byte', [0, 0, 0, 0]), { shape: [2, 2], strides: [2, 1] }),
      }),
    ]);
    expect(alerts).toEqual([]);
    const [segment] = rollouts[0]?.segments ?? [];
    expect(numbers(segment, 'ids')).toEqual([1, 2, 3, 11, 12, 21, 22, 13, 14]);
    expect(numbers(segment, 'loss_mask')).toEqual([1, 1, 0, 0, 1, 1]);
    expect(numbers(segment, 'logprobs.rollout')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(segment?.draft.extra).toMatchObject({
      sample: { rollout_routed_experts: { $tensor: { dtype: 'u8', shape: [2, 2] } } },
    });
  });

  test('ids that a double cannot hold are reported', async () => {
    const result = await read([sample({ tokens: [2n ** 60n + 1n, 2, 3, 11, 12, 21, 22, 13, 14] })]);
    expect(kinds(result)).toEqual(['number-unsafe']);
    expect(result.rollouts[0]?.segments[0]?.columns.get('ids')?.data).toBeInstanceOf(Float64Array);
  });
});

describe('bad samples', () => {
  test('a column of the wrong length is left out and named; the others go on', async () => {
    const result = await read([
      sample({ rollout_id: 1, rollout_log_probs: floats([0, 0]) }),
      sample({ rollout_id: 2, loss_mask: [1, 1] }),
      sample({ rollout_id: 3 }),
    ]);
    expect(result.alerts).toMatchObject([
      {
        kind: 'length-mismatch',
        severity: 'error',
        message: expect.stringContaining('sample 0 (rollout 1): rollout_log_probs'),
      },
      {
        kind: 'length-mismatch',
        message: expect.stringContaining('sample 1 (rollout 2): loss_mask has 2 values for 6'),
      },
    ]);
    const columns = result.rollouts.map((rollout) => [...(rollout.segments[0]?.columns.keys() ?? [])]);
    expect(columns).toEqual([
      ['ids', 'loss_mask'],
      ['ids', 'logprobs.rollout'],
      ['ids', 'loss_mask', 'logprobs.rollout'],
    ]);
    expect(result.rollouts[1]?.segments[0]?.draft.extra).toMatchObject({ sample: { loss_mask: [1, 1] } });
  });

  test('a response longer than the tokens', async () => {
    const result = await read([sample({ response_length: 99 })]);
    expect(kinds(result)).toContain('length-mismatch');
    expect(result.rollouts[0]?.segments[0]?.draft.promptLength).toBe(9);
  });

  test('what is no sample is an alert', async () => {
    const result = await read(['nonsense', sample()]);
    expect(result.alerts).toMatchObject([{ kind: 'record-unknown', raw: '"nonsense"' }]);
    expect(result.rollouts).toHaveLength(1);
  });

  test('tokens that are no numbers', async () => {
    const result = await read([sample({ tokens: ['a'] })]);
    expect(kinds(result)).toContain('field-type');
    expect(result.rollouts[0]?.segments[0]?.columns.size).toBe(0);
    expect(result.rollouts.flatMap(stepsOf)).toHaveLength(2);
  });

  test.each<[string, Writable, string]>([
    ['no dict', [1, 2], 'slime-shape'],
    ['no samples', { rollout_id: 1 }, 'slime-shape'],
    ['samples that are no list', { rollout_id: 1, samples: {} }, 'slime-shape'],
  ])('%s is refused', async (_, value, code) => {
    const main = dumpFile('/x/1.pt', value);
    await expect(eventsOf(format, { main, parts: [] })).rejects.toMatchObject({ code, hint: expect.any(String) });
  });

  test('an empty dump has no rollouts and is no error', async () => {
    expect(await read([])).toEqual({ rollouts: [], alerts: [] });
  });
});

describe('status and exclusion', () => {
  test.each<[WritableDict, string, string | null]>([
    [{ status: 'truncated' }, 'truncated', null],
    [{ status: 'failed' }, 'failed', null],
    [{ status: 'pending' }, 'pending', null],
    [{ status: 'aborted', metadata: { abort_reason: 'sandbox' } }, 'aborted', 'sandbox'],
    [{ metadata: { truncated: true } }, 'truncated', expect.stringContaining('marks it as truncated')],
  ])('%j', async (fields, status, statusDetail) => {
    const { rollouts } = await read([sample(fields)]);
    expect(rollouts[0]?.draft).toMatchObject({ status, statusDetail });
  });

  test('an unknown status is unknown, and said', async () => {
    const result = await read([sample({ status: 'exploded' })]);
    expect(result.rollouts[0]?.draft.status).toBe('unknown');
    expect(kinds(result)).toEqual(['field-unknown']);
  });

  test('a removed sample trains nothing, but its sampled tokens are known', async () => {
    const { rollouts } = await read([sample({ remove_sample: true })]);
    expect(rollouts[0]?.draft.excludedFromLoss).toBe(true);
    expect(numbers(rollouts[0]?.segments[0], 'loss_mask')).toEqual([0, 0, 0, 0, 0, 0]);
    expect(numbers(rollouts[0]?.segments[0], 'sampled_mask')).toEqual([1, 1, 0, 0, 1, 1]);
    expect(rollouts.flatMap(stepsOf)).toMatchObject([{ tokenStart: 3 }, { tokenStart: 7 }]);
  });
});

describe('rewards', () => {
  const detail = async (samples: Writable[], train?: Writable) => {
    const result = await read(samples, train);
    return { draft: result.rollouts[0]?.draft, alerts: kinds(result), detail: result.rollouts[0]?.draft.rewardDetail };
  };

  test('a dict gives its usual key', async () => {
    const reward = { format: float(1), score: float(0.5) };
    expect(await detail([sample({ reward })])).toMatchObject({
      draft: { reward: 0.5 },
      alerts: [],
      detail: { key: 'score', components: { format: 1, score: 0.5 } },
    });
  });

  test('the train dump says which value of a dict was trained on', async () => {
    const reward = { score: float(0.5), strict: float(1) };
    expect(await detail([sample({ reward })], trainDump([trained(0)]))).toMatchObject({
      draft: { reward: 1 },
      detail: { key: 'strict', trainRaw: [1], normalized: [0.5] },
    });
  });

  test('a dict without a known key is unknown, not zero', async () => {
    const reward = { style: float(0), speed: float(0) };
    expect(await detail([sample({ reward })])).toMatchObject({ draft: { reward: null }, alerts: ['reward-key'] });
  });

  test('no reward is unknown, not zero', async () => {
    expect(await detail([sample({ reward: null })])).toMatchObject({ draft: { reward: null }, alerts: [] });
  });

  test('a reward that is split over siblings is said and not summed', async () => {
    const half = { reward: float(0.5) };
    const result = await detail([sample(half), sample(half), sample({ rollout_id: 1 })]);
    expect(result).toMatchObject({ draft: { reward: 0.5 }, alerts: ['reward-split'], detail: { shared: 'split' } });
  });

  test('the raw reward settles what siblings carry', async () => {
    const metadata = { raw_reward: float(2) };
    expect(await detail([sample({ metadata }), sample({ metadata })])).toMatchObject({
      alerts: ['reward-split'],
      detail: { shared: 'split', raw: [2, 2] },
    });
    const full = { metadata: { raw_reward: float(1) } };
    expect(await detail([sample(full), sample(full)])).toMatchObject({ alerts: [], detail: { shared: 'full' } });
  });

  test('siblings that differ', async () => {
    expect(await detail([sample({ reward: float(0) }), sample()])).toMatchObject({
      draft: { reward: 1 },
      alerts: ['reward-split'],
      detail: { shared: 'per_sample', samples: [0, 1] },
    });
  });
});

describe('the train dump', () => {
  test('is joined on the position', async () => {
    const values = tensor(storage('Float', [9, 9, 9, 9, 9, 9]));
    const { rollouts, alerts } = await read(
      [sample({ rollout_id: 0 }), sample({ rollout_id: 1 })],
      trainDump([trained(1, { values }), trained(0)]),
    );
    expect(alerts).toEqual([]);
    const [first, second] = rollouts.map((rollout) => rollout.segments[0]);
    expect(numbers(first, 'values')).toEqual([0.25, 0.5, 0.75, 1, 0.5, 0.25]);
    expect(numbers(second, 'values')).toEqual([9, 9, 9, 9, 9, 9]);
    expect(first?.columns.get('advantages')).toMatchObject({ start: 3, data: Float32Array.of(1, 2, 3, 4, 5, 6) });
    expect(first?.columns.has('logprobs.train')).toBe(true);
    expect(first?.draft.extra).toMatchObject({ train: { rollout_mask_sums: 4, data_parallel_rank: 0 } });
  });

  test('its mask is the one that was in the loss', async () => {
    const loss_masks = tensor(storage('Int', [0, 0, 0, 0, 1, 1]));
    const result = await read([sample()], trainDump([trained(0, { loss_masks })]));
    expect(kinds(result)).toEqual(['mask-differs']);
    expect(numbers(result.rollouts[0]?.segments[0], 'loss_mask')).toEqual([0, 0, 0, 0, 1, 1]);
    expect(numbers(result.rollouts[0]?.segments[0], 'sampled_mask')).toEqual([1, 1, 0, 0, 1, 1]);
  });

  test('a record with other tokens is left out', async () => {
    const tokens = tensor(storage('Long', [1, 2, 3, 11, 12, 21, 22, 13, 99]));
    const result = await read([sample()], trainDump([trained(0, { tokens })]));
    expect(kinds(result)).toEqual(['join-mismatch']);
    expect(result.rollouts[0]?.segments[0]?.columns.has('values')).toBe(false);
  });

  test('samples without a record are counted', async () => {
    const result = await read([sample(), sample({ rollout_id: 1 })], trainDump([trained(0)]));
    expect(result.alerts).toMatchObject([{ kind: 'train-absent', count: 1, severity: 'info' }]);
  });

  test('a column of the wrong length is left out and named', async () => {
    const values = tensor(storage('Float', [1]));
    const result = await read([sample()], trainDump([trained(0, { values })]));
    expect(result.alerts).toMatchObject([{ kind: 'length-mismatch', message: expect.stringContaining('values') }]);
    expect(result.rollouts[0]?.segments[0]?.columns.has('advantages')).toBe(true);
  });

  test('one that cannot be read does not stop the import', async () => {
    const main = dumpFile('/run/3.pt', rolloutDump([sample()]));
    const parts = [memoryFile('/run/train_3.pt', torchArchive(trainDump([trained(0)])).slice(0, 400))];
    const result = collect(await eventsOf(format, { main, parts }));
    expect(kinds(result)).toEqual(['part-unreadable']);
    expect(result.rollouts).toHaveLength(1);
  });

  test('alone it gives rollouts without texts', async () => {
    const main = dumpFile('/run/train_data/3.pt', trainDump([trained(0), trained(1)]));
    const result = collect(await eventsOf(format, { main, parts: [] }));
    expect(kinds(result)).toEqual(['text-absent']);
    expect(result.rollouts).toHaveLength(1);
    expect(result.rollouts[0]?.draft).toMatchObject({ externalId: '0', trainingStep: 3, reward: 1, status: 'unknown' });
    expect(result.rollouts[0]?.segments).toHaveLength(2);
    expect(result.rollouts.flatMap(stepsOf)).toHaveLength(4);
    expect(numbers(result.rollouts[0]?.segments[1], 'values')).toHaveLength(6);
  });

  test('a later version is read and said', async () => {
    const result = await read([sample()], trainDump([trained(0)], { format_version: 3 }));
    expect(kinds(result)).toEqual(['format-version']);
    expect(result.rollouts[0]?.segments[0]?.columns.has('values')).toBe(true);
  });

  test('columns of a rank (Miles) become records by their partition', async () => {
    const record = trained(0);
    const ranks: Writable = {
      rollout_id: 3,
      rank: 1,
      cp_size: 1,
      rollout_data: {
        partition: [1],
        tokens: [record.tokens ?? null],
        response_lengths: [6],
        loss_masks: [record.loss_masks ?? null],
        values: [record.values ?? null],
        rollout_ids: [0],
        rewards: floats([0.5]),
        raw_reward: floats([0, 1]),
      },
    };
    const { rollouts } = await read([sample({ rollout_id: 0 }), sample({ rollout_id: 1 })], ranks);
    expect(rollouts.map((rollout) => rollout.segments[0]?.columns.has('values'))).toEqual([false, true]);
    expect(rollouts[1]?.draft.rewardDetail).toMatchObject({ trainRaw: [1], normalized: [0.5] });
  });

  test('slices of context parallelism are left out', async () => {
    const record = trained(0);
    const ranks: Writable = {
      rollout_id: 3,
      rank: 0,
      cp_size: 2,
      rollout_data: {
        partition: [0],
        tokens: [record.tokens ?? null],
        response_lengths: [6],
        values: [tensor(storage('Float', [1, 2, 3]))],
      },
    };
    const result = await read([sample()], ranks);
    expect(kinds(result)).toEqual(['context-parallel']);
    expect(result.rollouts[0]?.segments[0]?.columns.has('values')).toBe(false);
  });
});

describe('detect and group', () => {
  const detected = async (file: SourceFile) => format.detect(await sniffOf(file));

  test('tells the dumps by their content', async () => {
    expect(await detected(dumpFile('/x/a', rolloutDump([sample()])))).toMatchObject({ version: 'rollout' });
    expect(await detected(dumpFile('/x/a', trainDump([trained(0)])))).toMatchObject({ version: 'train/2' });
    const other = await detected(dumpFile('/x/a', { weights: [] }));
    expect(other?.confidence).toBeLessThan(0.5);
    expect(await detected(memoryFile('/x/a', pickle(rolloutDump([])).bytes))).toMatchObject({ confidence: 0.9 });
    expect(await detected(memoryFile('/x/a.pt', Buffer.from('{"rollout_id": 3, "samples": []}')))).toBeNull();
  });

  test('a train dump goes under the rollout dump of its step', async () => {
    const files = [
      dumpFile('/run/rollout_data/3.pt', rolloutDump([sample()])),
      dumpFile('/run/rollout_data/4.pt', rolloutDump([sample()], { rollout_id: 4 })),
      dumpFile('/run/rollout_data/eval_3.pt', rolloutDump([sample()])),
      dumpFile('/run/train_data/3.pt', trainDump([trained(0)])),
      dumpFile('/run/train_data/5.pt', trainDump([trained(0)], { rollout_id: 5 })),
      dumpFile('/run/both/rollout_3.pt', rolloutDump([sample()])),
      dumpFile('/run/both/train_3.pt', trainDump([trained(0)])),
      dumpFile('/elsewhere/train_data/3.pt', trainDump([trained(0)])),
    ];
    const groups = await format.group?.(files);
    expect(groups?.map((group) => [group.main.path, ...group.parts.map((part) => part.path)])).toEqual([
      ['/run/rollout_data/3.pt', '/run/train_data/3.pt'],
      ['/run/rollout_data/4.pt'],
      ['/run/rollout_data/eval_3.pt'],
      ['/run/train_data/5.pt'],
      ['/run/both/rollout_3.pt', '/run/both/train_3.pt'],
      ['/elsewhere/train_data/3.pt'],
    ]);
  });

  test('a step above 255 is still found', async () => {
    const files = [
      dumpFile('/run/rollout_data/70000.pt', rolloutDump([sample()], { rollout_id: 70_000 })),
      dumpFile('/run/train_data/70000.pt', trainDump([trained(0)], { rollout_id: 70_000 })),
      dumpFile('/run/train_data/300.pt', trainDump([trained(0)], { rollout_id: 300 })),
    ];
    const groups = await format.group?.(files);
    expect(groups?.map((group) => group.parts.length)).toEqual([1, 0]);
  });

  test('a cut train dump stands alone, so that it is refused by its own name', async () => {
    const whole = torchArchive(trainDump([trained(0)]));
    const files = [
      dumpFile('/run/rollout_3.pt', rolloutDump([sample()])),
      memoryFile('/run/train_3.pt', whole.slice(0, whole.length - 200)),
    ];
    expect((await format.group?.(files))?.map((group) => group.parts.length)).toEqual([0, 0]);
  });
});

test('the dumps of the fixtures', async () => {
  const folder = join(import.meta.dirname, '../../fixtures/ingest/slime');
  const files = await Promise.all([...dumps.keys()].map((path) => diskFile(join(folder, path))));
  for (const [i, bytes] of [...dumps.values()].entries()) {
    const file = files[i];
    expect(await file?.readRange(0, file.size ?? 0)).toEqual(bytes);
  }
  const [group, second] = (await format.group?.(files)) ?? [];
  expect(second).toBeUndefined();
  const result = collect(await eventsOf(format, group ?? { main: memoryFile('none', new Uint8Array()), parts: [] }));
  expect(result.alerts).toEqual([]);
  expect(result.rollouts.map((r) => [r.draft.externalId, r.draft.status, r.segments.map((s) => s.draft.link)])).toEqual(
    [
      ['8', 'completed', [null, 'compaction']],
      ['9', 'aborted', [null]],
    ],
  );
  expect(result.rollouts.flatMap(stepsOf).map((step) => step.stepKind)).toEqual(['execution', 'summary', 'execution']);
  expect(numbers(result.rollouts[0]?.segments[1], 'returns')).toEqual([1, 1, 1]);
});
