// Tables of rewards: recognised by their columns, read from CSV and JSONL, odd rows said.

import { describe, expect, it } from 'vitest';
import type { RewardDraft } from '../../../app/contract/ingest.ts';
import { formats } from '../../../app/ingest/formats/index.ts';
import { format as rewards } from '../../../app/ingest/formats/rewards.ts';
import { defaultLimits } from '../../../app/ingest/limits.ts';
import { recognise } from '../../../app/ingest/recognise.ts';
import { sniffFile } from '../../../app/ingest/sniff.ts';
import { jsonl, kinds, memoryFile, readText } from './support.ts';

async function firstFormat(text: string): Promise<string | undefined> {
  const sniff = await sniffFile(memoryFile('/x/table', text, 65_536), defaultLimits);
  return recognise(sniff, formats)[0]?.format.id;
}

async function read(text: string) {
  const { events, alerts } = await readText(rewards, text, '/x/table.csv');
  const found: RewardDraft[] = events.flatMap((event) => (event.type === 'reward' ? [event.reward] : []));
  return { found, alerts };
}

describe('recognised', () => {
  it.each([
    ['commas', 'rollout_id,reward\nr1,1\n'],
    ['semicolons, CRLF and a byte order mark', '\uFEFFtask;attempt;score\r\nt;1;0.5\r\n'],
    ['tabs', 'id\tpassed\nr1\ttrue\n'],
    ['JSON rows', jsonl({ rollout_id: 'r1', reward: 1 }, { rollout_id: 'r2', reward: 0 })],
  ])('%s', async (_what, text) => {
    expect(await firstFormat(text)).toBe('rewards');
  });

  it.each([
    ['a table without rewards', 'rollout_id,colour\nr1,red\n'],
    ['a table without ids', 'reward,colour\n1,red\n'],
    ['prose', 'Reward, as we said, is not id\n'],
    ['labels', jsonl({ rollout: 'r1', verdict: 'hack', kinds: [] })],
    [
      'a log with rewards',
      jsonl({
        id: 'a',
        reward: 1,
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: 'y' },
        ],
      }),
    ],
  ])('not %s', async (_what, text) => {
    expect(await firstFormat(text)).not.toBe('rewards');
  });
});

describe('read', () => {
  it('gives each row its reward, its place and its further columns', async () => {
    const { found, alerts } = await read(
      'rollout_id,task,attempt,training_step,reward,grader\nr1,t,2,7,0.5,g4\nr2,,,,-1e-3,\n"r, 3",t,,,yes,"say ""hi"""\n',
    );
    expect(alerts).toEqual([]);
    expect(found).toEqual([
      {
        rollout: 'r1',
        task: 't',
        attempt: 2,
        trainingStep: 7,
        run: null,
        reward: 0.5,
        detail: { grader: 'g4' },
        place: { line: 2 },
      },
      { rollout: 'r2', task: null, attempt: null, trainingStep: null, run: null, reward: -0.001, place: { line: 3 } },
      {
        rollout: 'r, 3',
        task: 't',
        attempt: null,
        trainingStep: null,
        run: null,
        reward: 1,
        detail: { grader: 'say "hi"' },
        place: { line: 4 },
      },
    ]);
  });

  it('says what a row lacks, and goes on', async () => {
    const { found, alerts } = await read('rollout_id,reward\nr1,high\n,1\nr2,0\nr3,1,extra\n');
    expect(found.map(({ rollout }) => rollout)).toEqual(['r2', 'r3']);
    expect(kinds(alerts)).toEqual(['reward-row', 'reward-row', 'csv-cells']);
    expect(alerts[0]?.message).toContain('Row 1 has no number as its reward');
  });

  it('keeps a record that cannot be read as an alert', async () => {
    const { found, alerts } = await read('rollout_id,reward\nr1,1\n"r2,0\nr3,1\n');
    expect(found.map(({ rollout }) => rollout)).toContain('r1');
    expect(alerts.length).toBeGreaterThan(0);
  });

  it('refuses a file without a header', async () => {
    await expect(read('just text\n')).rejects.toMatchObject({ code: 'csv-invalid' });
  });
});
