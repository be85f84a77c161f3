// The judge beside people through the engine: its judgements in the agreement report and never among the labels, the units behind
// a cell, judgements as a file, and who must not get them.

import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportedJudgement, type JudgementFile, judgeReport } from '../../../app/contract/judge.ts';
import { checkRole } from '../../../app/engine/access.ts';
import { tellsAtAll } from '../../../app/engine/blindfold.ts';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';
import { type Act, answers, says, scriptedServer } from '../../fixtures/judge-server.ts';

const samples = resolve(import.meta.dirname, '../../../samples');
const secret = 'ghp_q7Rf2Kx9VbT3mZs8WcY5nHd1LpJ6gA0eUi4o';
let folder: string;
let engine: Engine;
/** Judged in this order: hack, clean, failed, hack. */
let judged: { readonly rollout: string; readonly marker: string }[];
let failed: string;

const refuses: Act = says('', { message: { role: 'assistant', content: null, refusal: 'No.' } });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-beside-'));
  const lines = readFileSync(join(samples, 'tally/step_12.jsonl'), 'utf8').trimEnd();
  const copies = Array.from({ length: 4 }, (_, at) =>
    lines.replaceAll('tally-12-', `copy-${at}-`).replaceAll('accounting', `accounting${at}`),
  );
  writeFileSync(join(folder, 'copies.jsonl'), `${copies.join('\n')}\n`);
  engine = await createEngine({
    dbPath: join(folder, 'w.rollscope'),
    host: 'test',
    version: 'test',
    annotator: 'ada',
    samplesDir: samples,
    indexAfterMs: null,
    judgePace: { retries: 0, firstDelayMs: 1, longestWaitMs: 10 },
  });
  const { jobs } = engine.client;
  const { id } = await jobs.start({ kind: 'import', paths: [join(folder, 'copies.jsonl')] });
  for await (const _ of await jobs.watch({ id }));
  const rationale = `It pushed with ${secret} in the address.`;
  await using server = await scriptedServer([
    answers({ p_hack: 0.9, rationale }),
    answers({ verdict: 'clean', p_hack: 0.2 }),
    refuses,
    answers({ p_hack: 0.7, kind: 'test-disable' }),
  ]);
  const settings = { endpoint: server.endpoint, model: 'tester', votes: 1, concurrency: 1 };
  const run = await jobs.start({ kind: 'judge', limit: 4, settings, consent: server.endpoint });
  let result: unknown;
  for await (const state of await jobs.watch({ id: run.id })) result = state.result;
  const report = judgeReport.parse(result);
  judged = report.judgements.map(({ rollout, marker }) => ({ rollout, marker }));
  failed = report.judgements.find(({ status }) => status === 'failed')?.marker ?? '';
  for (const [at, verdict] of (['hack', 'hack', 'clean', 'clean'] as const).entries()) {
    const { rollout = '', marker = '' } = judged[at] ?? {};
    const kinds = verdict === 'hack' ? ['test-edit'] : [];
    await engine.client.labels.label({ target: { type: 'marker', rollout, marker }, verdict, kinds });
  }
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the agreement report', () => {
  it('has the judge beside people and never among them', async () => {
    const report = await engine.client.agreement.report({ target: 'marker' });
    expect(report.annotators).toEqual([{ name: 'ada', labels: 4, hack: 2, clean: 2, unsure: 0 }]);
    expect(report.units).toEqual({ labelled: 4, shared: 0, disputed: 0 });
    expect(report.judges).toHaveLength(1);
    const [judge] = report.judges;
    expect(judge).toMatchObject({
      model: 'tester',
      promptVersion: 1,
      judged: { hack: 2, clean: 1, unsure: 0, failed: 1 },
    });
    expect(judge?.id).toBe(`tester@${judge?.promptHash.slice(0, 12)}`);
    expect(judge?.operating).toMatchObject({
      truePositives: 1,
      falsePositives: 1,
      falseNegatives: 1,
      trueNegatives: 0,
      undecided: { hack: 0, clean: 1 },
    });
    // (0.9 - 1)², (0.2 - 1)², (0.7 - 0)² over three.
    expect(judge?.probability.brier.raw).toBeCloseTo((0.01 + 0.64 + 0.49) / 3, 12);
    expect(judge?.kinds.map(({ kind, both, onlyJudge, onlyPeople }) => [kind, both, onlyJudge, onlyPeople])).toEqual([
      ['test-edit', 1, 0, 1],
      ['test-disable', 0, 1, 0],
    ]);
    // The labels were given on the machine's own screen, after the judgement.
    expect(judge?.warnings.map(({ code }) => code)).toContain('seen-judgement');
    expect((await engine.client.agreement.report({ target: 'item' })).judges).toEqual([]);
    const rollouts = await engine.client.agreement.report({});
    expect(rollouts.judges[0]?.judged).toEqual({ hack: 2, clean: 1, unsure: 0, failed: 1 });
    expect(rollouts.judges[0]?.cells.every(({ count }) => count === 0)).toBe(true);
  });

  it('lists the units of a cell with the judge’s own words', async () => {
    const { agreement } = engine.client;
    const [judge] = (await agreement.report({ target: 'marker' })).judges;
    const select = { what: 'judge', judge: judge?.id ?? '' } as const;
    for (const { said, people, count } of judge?.cells ?? []) {
      expect((await agreement.units({ target: 'marker', select: { ...select, said, people } })).total).toBe(count);
    }
    const differ = await agreement.units({ target: 'marker', select });
    expect(differ.units.map(({ judge: word, labels }) => [word?.said, labels[0]?.verdict]).toSorted()).toEqual([
      ['clean', 'hack'],
      ['hack', 'clean'],
    ]);
    const missing = await agreement.units({ target: 'marker', select: { ...select, said: 'failed', people: 'clean' } });
    expect(missing.units[0]).toMatchObject({
      target: { marker: failed },
      judge: { said: 'failed', pHack: null, kinds: [] },
    });
    const none = await agreement.units({ target: 'marker', select: { what: 'judge', judge: 'nobody@0' } });
    expect(none.total).toBe(0);
    expect((await agreement.units({ target: 'marker', select: { what: 'shared' } })).units).toEqual([]);
  });
});

/** The file as text, with what is said of it at its end. */
async function exported(as: JudgementFile) {
  let text = '';
  for await (const piece of await engine.client.judge.exportJudgements({ as })) {
    if (piece.type === 'text') text += piece.text;
    else return { text, ...piece };
  }
  throw new Error('The export had no end.');
}

describe('judgements as a file', () => {
  it('are JSON lines with count and hash, credentials masked', async () => {
    const { text, rows, bytes, sha256, masked } = await exported('jsonl');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => exportedJudgement.parse(JSON.parse(line)));
    expect(rows).toBe(4);
    expect(lines.map(({ status, verdict }) => verdict ?? status)).toEqual(['hack', 'clean', 'failed', 'hack']);
    expect(lines.every(({ inForce, promptHash }) => inForce && /^[0-9a-f]{64}$/u.test(promptHash))).toBe(true);
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
    // The reason stands in the judgement and in its vote.
    expect(masked).toBe(2);
    expect(text).not.toContain(secret);
    const bare: string[] = [];
    await engine.exportTo({
      what: 'judgements',
      format: 'jsonl',
      reveal: true,
      write: async (one) => void bare.push(one),
    });
    expect(bare.join('')).toContain(secret);
  });

  it('are a table with the same rows', async () => {
    const { text, rows } = await exported('csv');
    const table: Record<string, string>[] = parse(text, { columns: true });
    expect(table).toHaveLength(rows);
    expect(table.map(({ marker }) => marker).toSorted()).toEqual(judged.map(({ marker }) => marker).toSorted());
    expect(table.map(({ verdict, pHack }) => [verdict, pHack])).toEqual([
      ['hack', '0.9'],
      ['clean', '0.2'],
      ['', ''],
      ['hack', '0.7'],
    ]);
    expect(text).not.toContain(secret);
  });

  it('are those of a filter where one is given', async () => {
    const [first] = judged;
    const { rollout } = await engine.client.rollouts.get({ id: first?.rollout ?? '' });
    const write = async (): Promise<void> => undefined;
    const where = [{ column: 'externalId', op: '=', value: rollout.externalId } as const];
    expect((await engine.exportTo({ what: 'judgements', format: 'jsonl', where, write })).rows).toBe(1);
    const nobody = [{ column: 'externalId', op: '=', value: 'nobody' } as const];
    expect((await engine.exportTo({ what: 'judgements', format: 'jsonl', where: nobody, write })).rows).toBe(0);
  });

  it('are neither for annotators nor for who reviews blind', () => {
    const path = ['judge', 'exportJudgements'];
    const as = (role: 'annotator' | 'adjudicator') => () =>
      checkRole({ annotator: 'lea', role, bound: true }, path, 'viewer');
    expect(as('annotator')).toThrow('annotator');
    expect(as('adjudicator')).not.toThrow();
    expect(tellsAtAll(path, { as: 'jsonl' })).toBe(true);
    expect(tellsAtAll(['agreement', 'report'], {})).toBe(true);
  });
});
