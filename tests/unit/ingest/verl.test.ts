// verl dumps: the v1 trainer's uid, groups by prompt, and turns whose special tokens were dropped.

import { describe, expect, it } from 'vitest';
import { format } from '../../../app/ingest/formats/verl.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { sniffFile } from '../../../app/ingest/sniff.ts';
import { jsonl, kinds, memoryFile, only, readText } from './support.ts';

const input = 'system\nYou are an engineer.\nuser\nFix the parser.\nassistant\n';
const summary = 'Goal: fix the parser. Done so far: found the faulty loop in lexer.py, line 40.';

describe('verl', () => {
  it('makes the outputs of one session the segments of one rollout', async () => {
    const row = (uid: string, prompt: string, output: string, score: number) => ({
      input: prompt,
      output,
      gts: 'x',
      score,
      step: 3,
      uid,
    });
    const rest = `system\nYou are an engineer.\nuser\nFix the parser.\nuser\n${summary}\nassistant\n`;
    const result = await readText(
      format,
      jsonl(
        row(
          'p_0_0',
          input,
          `Looking.\n{"name": "bash", "arguments": {"command": "ls"}}\nuser\nlexer.py\nassistant\n${summary}`,
          1,
        ),
        row('p_0_1', rest, 'All fixed now.', 1),
        row('p_1_0', input, 'No idea.', 0),
      ),
      '/runs/rollout_data_dir/3.jsonl',
    );
    expect(result.alerts).toEqual([]);
    expect(
      result.rollouts.map(({ rollout }) => [
        rollout.externalId,
        rollout.groupId,
        rollout.reward,
        rollout.trainingStep,
        rollout.split,
      ]),
    ).toEqual([
      ['p_0', 'p', 1, 3, 'train'],
      ['p_1', 'p', 0, 3, 'train'],
    ]);
    const [first, second] = result.rollouts[0]?.segments ?? [];
    expect(second?.segment).toMatchObject({ kind: 'execution', link: 'compaction', parentIndex: 0 });
    const steps = first?.items.filter((item) => item.kind === 'step') ?? [];
    expect(steps.map((step) => step.stepKind)).toEqual(['execution', 'summary']);
    // The call and its result stay together although the log dropped their tags.
    expect(steps[0]?.parts.map((part) => [part.kind, part.name, part.text])).toEqual([
      ['text', undefined, 'Looking.'],
      ['tool_call', 'bash', '{"command":"ls"}'],
      ['observation', 'bash', 'lexer.py'],
    ]);
    expect(second?.items.filter((item) => item.compactionSummary).map((item) => item.copied)).toEqual([true]);
  });

  it('groups rows of one step by their prompt, and takes step and split from the path', async () => {
    const row = (prompt: string, score: number, request: string) => ({
      input: prompt,
      output: 'x',
      score,
      request_id: request,
      acc: score > 0,
    });
    const result = await readText(
      format,
      jsonl(row(input, 1, 'a'), row(input, 0, 'b'), row('user\nother\n', 0, 'c')),
      '/runs/validation_data_dir/40.jsonl',
    );
    const [a, b, c] = result.rollouts.map(({ rollout }) => rollout);
    expect(a).toMatchObject({
      externalId: 'a',
      trainingStep: 40,
      split: 'eval',
      rewardDetail: { components: { acc: true } },
    });
    expect(a?.groupId).toBe(b?.groupId);
    expect(a?.groupId).not.toBe(c?.groupId);
  });

  it('keeps a row that is something else as an alert', async () => {
    const result = await readText(format, jsonl({ input: 'a', output: 'b', score: 1, step: 1 }, { loss: 0.1 }, 5));
    expect(only(result.rollouts).rollout.reward).toBe(1);
    expect(kinds(result.alerts)).toEqual(['record-unknown', 'record-unknown']);
  });

  it('is recognised by its keys, not by its name', async () => {
    const sniff = (text: string) => sniffFile(memoryFile('/x.bin', text), defaultLimits);
    expect(
      format.detect(await sniff(jsonl({ input: 'a', output: 'b', score: 1, step: 1 })))?.confidence,
    ).toBeGreaterThan(0.9);
    expect(format.detect(await sniff(jsonl({ input: 'a', output: 'b', score: 1, uid: 'q_0_1' })))?.version).toBe('v1');
    expect(format.detect(await sniff(jsonl({ prompt: 'a', output: 'b' })))).toBeNull();
  });
});
