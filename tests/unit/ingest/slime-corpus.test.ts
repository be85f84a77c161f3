// The slime and Miles files of the reference corpus against its manifest and the expected samples. Skips where absent.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { format } from '../../../app/ingest/formats/slime.ts';
import { type Collected, collect, numbers, stepsOf } from '../../fixtures/collected.ts';
import { diskFile, eventsOf } from '../../fixtures/memory-source.ts';
import { sharedPath } from '../../shared-material.ts';

const root = sharedPath('corpus', 'rl-formats');
const skipped = root === null;
if (skipped) console.log('SKIPPED tests/unit/ingest/slime-corpus.test.ts: the reference corpus is not here');

interface ExpectedSample {
  readonly rollout_id: number | null;
  readonly tokens: number[];
  readonly response_length: number;
  readonly loss_mask: number[] | null;
  readonly rollout_log_probs: number[] | null;
  readonly reward: number | Record<string, number>;
}

async function imported(main: string, ...parts: string[]): Promise<Collected> {
  const files = await Promise.all([main, ...parts].map((path) => diskFile(join(root ?? '', path))));
  const [first, ...rest] = files;
  if (first === undefined) throw new Error('no file');
  return collect(await eventsOf(format, { main: first, parts: rest }));
}

function expectedSamples(name: string): ExpectedSample[] {
  return JSON.parse(readFileSync(join(root ?? '', 'slime/expected', name), 'utf8')).samples;
}

const tokensOf = (result: Collected): number =>
  result.rollouts.flatMap((r) => r.segments).reduce((sum, segment) => sum + numbers(segment, 'ids').length, 0);
const compactions = (result: Collected): number =>
  result.rollouts.flatMap((r) => r.segments).filter((segment) => segment.draft.link === 'compaction').length;

describe.skipIf(skipped)('slime corpus', () => {
  test.each([
    ['slime/rollout_data/0.pt', 'rollout_data_0.json', 4, 8, 2055],
    ['slime/written_by_torch/rollout_data_0.pt', 'rollout_data_0.json', 4, 8, 2055],
    ['slime/rollout_data/1.pt', 'rollout_data_1.json', 3, 4, 979],
    ['miles/rollout_data/0.pt', 'rollout_data_0.json', 4, 8, 2055],
  ])('%s has the samples of %s', async (path, name, rollouts, samples, tokens) => {
    const result = await imported(path);
    const segments = result.rollouts.flatMap((rollout) => rollout.segments);
    expect([result.rollouts.length, segments.length, tokensOf(result)]).toEqual([rollouts, samples, tokens]);
    const expected = expectedSamples(name);
    for (const [i, sample] of expected.entries()) {
      const segment = segments.find((candidate) => Object(candidate.draft.extra).position === i);
      expect(numbers(segment, 'ids')).toEqual(sample.tokens);
      expect(segment?.draft.promptLength).toBe(sample.tokens.length - sample.response_length);
      expect(numbers(segment, 'loss_mask')).toEqual(sample.loss_mask ?? new Array(sample.response_length).fill(1));
      expect(numbers(segment, 'logprobs.rollout')).toEqual(sample.rollout_log_probs ?? []);
    }
  });

  test('step 0: segments, summaries, statuses', async () => {
    const { rollouts, alerts } = await imported('slime/rollout_data/0.pt');
    expect(alerts).toEqual([]);
    expect(rollouts.map((r) => [r.draft.externalId, r.draft.status, r.draft.reward, r.draft.excludedFromLoss])).toEqual(
      [
        ['0', 'completed', 1, false],
        ['1', 'truncated', 0, false],
        ['2', 'truncated', 1, false],
        ['3', 'aborted', 0, true],
      ],
    );
    expect(rollouts.map((r) => r.segments.map((s) => [s.draft.kind, s.draft.link, s.draft.parentIndex]))).toEqual([
      [
        ['execution', null, null],
        ['execution', 'compaction', 0],
      ],
      [['execution', null, null]],
      [
        ['execution', null, null],
        ['summary', 'summary_of', 0],
        ['execution', 'compaction', 0],
        ['execution', 'fork', 2],
      ],
      [['execution', null, null]],
    ]);
    expect(rollouts.map((r) => r.segments.map((s) => stepsOf(s).map((step) => step.stepKind)))).toEqual([
      [
        ['execution', 'execution', 'execution', 'summary'],
        ['execution', 'execution', 'execution'],
      ],
      [['execution', 'execution']],
      [['execution', 'execution', 'execution'], ['summary'], ['execution', 'execution'], ['execution']],
      [[]],
    ]);
    expect(rollouts[0]?.segments[1]?.draft).toMatchObject({ contextBefore: 449, contextAfter: 136 });
    const carried = rollouts[2]?.segments[2]?.items.find((item) => item.compactionSummary === true);
    expect(carried).toMatchObject({ copied: true, parts: [{ text: expect.stringContaining('ISO week dates') }] });
    expect(rollouts[0]?.segments[1]?.items.filter((item) => item.compactionSummary === true)).toHaveLength(1);
  });

  test('every sampled token belongs to a step', async () => {
    const { rollouts } = await imported('slime/rollout_data/0.pt');
    for (const segment of rollouts.flatMap((rollout) => rollout.segments)) {
      const trained = numbers(segment, 'loss_mask').reduce((sum, bit) => sum + bit, 0);
      const inSteps = stepsOf(segment).reduce((sum, step) => sum + (step.tokenEnd ?? 0) - (step.tokenStart ?? 0), 0);
      expect(inSteps).toBe(trained);
    }
  });

  test('step 1: a split reward, a failed rollout, teacher log-probs, no mask', async () => {
    const result = await imported('slime/rollout_data/1.pt');
    expect(result.alerts.map((alert) => alert.kind)).toEqual(['reward-split']);
    expect(result.rollouts.map((r) => [r.draft.status, r.draft.reward])).toEqual([
      ['completed', 0.5],
      ['failed', 0],
      ['completed', 1],
    ]);
    expect(compactions(result)).toBe(1);
    expect(numbers(result.rollouts[1]?.segments[0], 'logprobs.teacher')).toHaveLength(110);
    expect(numbers(result.rollouts[2]?.segments[0], 'loss_mask')).toEqual([1, 1, 1]);
  });

  test('the evaluation dump', async () => {
    const result = await imported('slime/rollout_data/eval_0.pt');
    expect(result.rollouts.map((r) => r.draft)).toMatchObject([{ split: 'eval', groupId: null, reward: 1 }]);
    expect(tokensOf(result)).toBe(19);
  });

  test.each([
    ['slime/rollout_data/0.pt', ['slime/train_data/0.pt']],
    ['slime/written_by_torch/rollout_data_0.pt', ['slime/written_by_torch/train_data_0.pt']],
    ['miles/rollout_data/0.pt', ['miles/train_data/0_0.pt', 'miles/train_data/0_1.pt']],
  ])('%s joined with %j has the logged advantages', async (main, parts) => {
    const result = await imported(main, ...parts);
    expect(result.alerts).toEqual([]);
    const expected = JSON.parse(readFileSync(join(root ?? '', 'slime/expected/advantages_0.json'), 'utf8')).slime_ppo;
    for (const segment of result.rollouts.flatMap((rollout) => rollout.segments)) {
      const position = Object(segment.draft.extra).position;
      for (const column of ['advantages', 'returns']) {
        const logged = numbers(segment, column);
        expect(logged).toHaveLength(expected[column][position].length);
        for (const [i, value] of logged.entries()) expect(value).toBeCloseTo(expected[column][position][i], 5);
      }
      expect(numbers(segment, 'values')).toHaveLength(expected.advantages[position].length);
      expect(segment.columns.has('logprobs.train') && segment.columns.has('logprobs.ref')).toBe(true);
    }
  });

  test('written by torch gives the same rollouts', async () => {
    const own = await imported('slime/rollout_data/0.pt', 'slime/train_data/0.pt');
    const torch = await imported('slime/written_by_torch/rollout_data_0.pt', 'slime/written_by_torch/train_data_0.pt');
    expect(torch).toEqual(own);
  });

  test('the train dump alone', async () => {
    const result = await imported('slime/train_data/0.pt');
    expect([result.rollouts.length, tokensOf(result)]).toEqual([4, 2055]);
    expect(result.alerts.map((alert) => alert.kind)).toEqual(['text-absent']);
  });

  test('tensor-valued fields', async () => {
    const result = await imported('slime/written_by_torch/rollout_data_with_tensor_fields.pt');
    expect(result.alerts).toEqual([]);
    const [sample] = expectedSamples('rollout_data_0.json');
    expect(numbers(result.rollouts[0]?.segments[0], 'ids')).toEqual(sample?.tokens);
    const logged = numbers(result.rollouts[0]?.segments[0], 'logprobs.rollout');
    for (const [i, value] of logged.entries()) expect(value).toBeCloseTo(sample?.rollout_log_probs?.[i] ?? 0, 6);
    expect(result.rollouts[0]?.segments[0]?.draft.extra).toMatchObject({
      sample: { extra_noncontiguous: { $tensor: { dtype: 'f32', shape: [3, 2] } } },
    });
  });

  test.each([
    ['slime/bad/empty.pt', 'torch-container', ''],
    ['slime/bad/not_a_zip.pt', 'slime-shape', 'no list of samples'],
    ['slime/bad/missing_storage_record.pt', 'torch-storage', 'data/"0" is missing'],
    ['slime/bad/tensor_larger_than_storage.pt', 'tensor-bounds', 'storage holds 2'],
    ['slime/bad/truncated_rollout_data_0.pt', 'zip-invalid', 'cannot be read'],
    ['slime/bad/truncated_train_data_0.pt', 'zip-invalid', 'cannot be read'],
    ['slime/malicious/billion_laughs.pt', 'limit-exceeded', 'pickleValues'],
    ['slime/malicious/inst_opcode.pt', 'pickle-class', 'os.system (opcode INST at byte 11)'],
    ['slime/malicious/nested_in_metadata.pt', 'pickle-class', 'builtins.eval (opcode GLOBAL at byte 75)'],
    ['slime/malicious/os_system_global_reduce.pt', 'pickle-class', 'posix.system (opcode GLOBAL at byte 2)'],
    ['slime/malicious/os_system_stack_global.pt', 'pickle-class', 'os.system (opcode STACK_GLOBAL at byte 16)'],
    ['slime/malicious/subprocess_newobj_build.pt', 'pickle-class', 'subprocess.Popen (opcode GLOBAL at byte 2)'],
    ['slime/written_by_torch/legacy_non_zip_rollout_data_0.pt', 'torch-legacy', 'legacy'],
    ['skyrl/dumped_data/global_step_5_training_input.pkl', 'pickle-class', 'TrainingInputBatch'],
  ])('%s is refused: %s', async (path, code, message) => {
    await expect(imported(path)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w/),
    });
  });

  test('every bad and malicious file is either refused or reported', async () => {
    for (const folder of ['slime/bad', 'slime/malicious']) {
      for (const name of readdirSync(join(root ?? '', folder))) {
        const outcome = await imported(join(folder, name)).then(
          (result) => result.alerts.length,
          (error) => (typeof error.hint === 'string' ? 1 : 0),
        );
        expect([name, outcome > 0]).toEqual([name, true]);
      }
    }
  });

  test('a sample of wrong lengths is named, and a foreign record is a label', async () => {
    const bad = await imported('slime/bad/length_mismatch.pt');
    expect(bad.alerts).toMatchObject([
      {
        kind: 'length-mismatch',
        message: expect.stringContaining('sample 0 (rollout 0): loss_mask has 391 values for 392'),
      },
    ]);
    expect(bad.rollouts).toHaveLength(1);
    const slip = await imported('slime/malicious/zip_slip.pt');
    expect(slip.rollouts).toEqual([]);
    expect(slip.alerts).toMatchObject([{ kind: 'archive-stranger', message: expect.stringContaining('evil.txt') }]);
  });

  test('dumps are grouped by their step and place', async () => {
    const paths = [
      'slime/rollout_data/0.pt',
      'slime/rollout_data/1.pt',
      'slime/rollout_data/eval_0.pt',
      'slime/train_data/0.pt',
      'slime/written_by_torch/rollout_data_0.pt',
      'slime/written_by_torch/rollout_data_with_tensor_fields.pt',
      'slime/written_by_torch/train_data_0.pt',
      'miles/rollout_data/0.pt',
      'miles/train_data/0_0.pt',
      'miles/train_data/0_1.pt',
    ];
    const files = await Promise.all(paths.map((path) => diskFile(join(root ?? '', path))));
    const groups = (await format.group?.(files)) ?? [];
    const named = groups.map((group) =>
      [group.main, ...group.parts].map((file) => file.path.slice((root ?? '').length + 1)),
    );
    expect(named).toEqual([
      ['slime/rollout_data/0.pt', 'slime/train_data/0.pt'],
      ['slime/rollout_data/1.pt'],
      ['slime/rollout_data/eval_0.pt'],
      ['slime/written_by_torch/rollout_data_0.pt', 'slime/written_by_torch/train_data_0.pt'],
      ['slime/written_by_torch/rollout_data_with_tensor_fields.pt'],
      ['miles/rollout_data/0.pt', 'miles/train_data/0_0.pt', 'miles/train_data/0_1.pt'],
    ]);
  });
});
