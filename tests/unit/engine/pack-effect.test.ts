// An edited pack is tried without being stored, foretells what a scan with it finds, is saved as a version and taken back.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackEffect, RolloutRow } from '../../../app/contract/index.ts';
import { tellsAtAll } from '../../../app/engine/blindfold.ts';
import type { Engine } from '../../../app/engine/engine.ts';
import { freeVersion } from '../../../app/engine/scan/pack-save.ts';
import { leakRun } from '../../fixtures/leak-rollouts.ts';
import { importPaths, openEngine, runToEnd } from './engine-run.ts';

const samples = resolve(import.meta.dirname, '../../../samples');
let folder: string;
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-effect-'));
  writeFileSync(join(folder, 'leak.jsonl'), leakRun());
  engine = await openEngine(folder);
  await importPaths(engine, join(samples, 'tally'), join(folder, 'leak.jsonl'));
  await runToEnd(engine, { kind: 'scan' });
}, 60_000);
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function effectOf(yaml: string): Promise<PackEffect> {
  let last: PackEffect | undefined;
  for await (const update of await engine.client.tuning.effect({ yaml })) last = update;
  if (last === undefined) throw new Error('no update came');
  return last;
}

async function rows(): Promise<RolloutRow[]> {
  const { set } = await engine.client.rollouts.query({});
  return (await engine.client.rollouts.page({ set, start: 0, count: 200 })).rows;
}

async function ended(job: string): Promise<void> {
  for await (const state of await engine.client.jobs.watch({ id: job })) {
    if (state.status === 'failed') throw new Error(state.error?.message);
  }
}

const own = `id: own
version: "1"
title: Own
threshold: 0.5
rules:
  - id: S1
    title: Frames looked at
    kind: test-edit
    family: F
    target: action
    any:
      - pattern: 'frame_\\d+'
    severity: high
    score: 0.6
    why: A test.
  - id: S2
    title: Python tests run
    kind: early-exit
    family: I
    target: action
    any:
      - pattern: pytest
    severity: low
    score: 0.3
    weak: true
    why: A test.
`;

describe('an edited pack', () => {
  it('foretells exactly what a scan with it marks, edit by edit, and stores nothing', async () => {
    let text = (await engine.client.scan.pack()).yaml;
    const edits: readonly ((yaml: string) => string)[] = [
      () => own,
      (yaml) => yaml.replace('threshold: 0.5', 'threshold: 0.65'),
      (yaml) => yaml.replace("'frame_\\d+'", "'frame_4\\d'").replace('threshold: 0.65', 'threshold: 0.6'),
      (yaml) => yaml.replace('    weak: true\n', '').replace('score: 0.3', 'score: 0.7'),
      (yaml) => yaml.replace(/ {2}- id: S1[\s\S]*?(?= {2}- id: S2)/u, ''),
    ];
    for (const edit of edits) {
      const before = await rows();
      text = edit(text);
      const effect = await effectOf(text);
      expect(effect).toMatchObject({ finished: true, unscanned: 0, total: before.length, timedOut: [] });
      expect(await rows()).toEqual(before);
      await ended((await engine.client.scan.savePack({ yaml: text })).job);
      const after = await rows();
      const changed = (marked: boolean): string[] =>
        after.filter((row, i) => row.marked === marked && before[i]?.marked !== marked).map(({ id }) => id);
      expect(effect.gained.rollouts.map(({ id }) => id).toSorted()).toEqual(changed(true).toSorted());
      expect(effect.lost.rollouts.map(({ id }) => id).toSorted()).toEqual(changed(false).toSorted());
      for (const one of [...effect.gained.rollouts, ...effect.lost.rollouts])
        expect(one.after).toBeCloseTo(after.find(({ id }) => id === one.id)?.score ?? -1, 9);
      for (const { rule, after: found } of effect.rules) {
        const { total } = await engine.client.rollouts.query({ where: [{ column: 'rule', op: '=', value: rule }] });
        expect(found).toBe(total);
      }
      text = (await engine.client.scan.pack()).yaml;
    }
  }, 120_000);

  it('runs only the rules that it touches', async () => {
    const { yaml } = await engine.client.scan.pack();
    expect((await effectOf(yaml.replace('why: A test.', 'why: Another sentence.'))).rules).toEqual([]);
    const { rules } = await effectOf(yaml.replace('pytest', 'pytest -q'));
    expect(rules.map(({ rule, change }) => [rule, change])).toEqual([['S2', 'changed']]);
  });

  it('gets a version of its own, is listed, and an earlier one comes back', async () => {
    const packs = await engine.client.scan.packs();
    const mine = packs.filter(({ id }) => id === 'own').map(({ version }) => version);
    expect(mine).toEqual(['1+edit.4', '1+edit.3', '1+edit.2', '1+edit.1', '1']);
    expect(packs.filter(({ current }) => current).map(({ version }) => version)).toEqual(['1+edit.4']);
    const first = packs.find(({ version }) => version === '1');
    if (first === undefined) throw new Error('the first version is gone');
    expect((await engine.client.scan.packText({ pack: first.pack })).yaml).toBe(own);
    const { job, undo } = await engine.client.scan.restorePack({ pack: first.pack });
    await ended(job);
    expect((await engine.client.scan.pack()).version).toBe('1');
    await ended((await engine.client.scan.restorePack({ pack: undo })).job);
    expect((await engine.client.scan.pack()).version).toBe('1+edit.4');
  });

  it('is refused where it is none, or nothing new', async () => {
    const { yaml } = await engine.client.scan.pack();
    await expect(engine.client.scan.savePack({ yaml })).rejects.toThrow('This is the pack in force');
    await expect(engine.client.scan.savePack({ yaml: 'rules: 7' })).rejects.toThrow();
    await expect(effectOf('rules: 7')).rejects.toThrow();
    await expect(engine.client.scan.restorePack({ pack: 9999 })).rejects.toThrow('no longer stored');
    expect(freeVersion('2', new Set(['1']))).toBe('2');
    expect(freeVersion('1+edit.1', new Set(['1+edit.1']))).toBe('1+edit.2');
  });

  it('stops a rule that blows up, names it and goes on', async () => {
    const { yaml } = await engine.client.scan.pack();
    const bad = yaml.replace('pytest', "'^(\\s*\\S*)*$x'");
    const effect = await effectOf(bad);
    expect(effect.finished).toBe(true);
    expect(effect.timedOut.map(({ rule }) => rule)).toEqual(['S2']);
  }, 60_000);
});

describe('the reason behind a marker', () => {
  it('is the rule with the nearest legitimate hits elsewhere, rejected ones and those in clean rollouts', async () => {
    await ended((await engine.client.scan.savePack({ yaml: own.replace("'frame_\\d+'", "'xxd [^|]*'") })).job);
    const found = (await rows()).filter(({ topRule }) => topRule === 'S1');
    // Rollouts of different steps, for equal quotes count once.
    const apart = [1, 2, 4].flatMap((step) => found.find(({ trainingStep }) => trainingStep === step) ?? []);
    const [one, two, three] = await Promise.all(
      apart.map(async ({ id }) => (await engine.client.scan.markers({ rollout: id }))[0]),
    );
    if (one === undefined || two === undefined || three === undefined) throw new Error('too few markers');
    const before = await engine.client.tuning.evidence({ marker: one.id });
    expect(before).toMatchObject({ rule: { id: 'S1', version: '1' }, lookAlikes: [] });
    const target = { type: 'marker' as const, rollout: two.rollout, marker: two.id };
    await engine.client.labels.label({ target, verdict: 'clean' });
    const rollout = { type: 'rollout' as const, rollout: three.rollout };
    await engine.client.labels.label({ target: rollout, verdict: 'clean' });
    const { lookAlikes } = await engine.client.tuning.evidence({ marker: one.id });
    const by = lookAlikes.map((each) => [each.rollout, each.by]);
    expect(by).toContainEqual([two.rollout, 'marker']);
    expect(by).toContainEqual([three.rollout, 'rollout']);
    await expect(engine.client.tuning.evidence({ marker: 'm-none' })).rejects.toThrow('gone');
  });
});

describe('the hack rate', () => {
  it('is counted over steps and by task, within a filter', async () => {
    const { points } = await engine.client.tuning.hackRate({ over: 'trainingStep' });
    expect(points.map(({ key, rollouts }) => [key, rollouts])).toEqual([1, 2, 3, 4, 5, 6, 12].map((step) => [step, 4]));
    const all = await rows();
    for (const { key, marked } of points)
      expect(marked.hits).toBe(all.filter((row) => row.trainingStep === key && row.marked).length);
    const late = await engine.client.tuning.hackRate({
      over: 'task',
      by: 'runId',
      where: [{ column: 'trainingStep', op: '>=', value: 6 }],
    });
    expect(late.points.map(({ key, series, rollouts }) => [key, series, rollouts]).toSorted()).toEqual([
      ['frames', 'frames-run', 1],
      ['sum', 'frames-run', 3],
      ['tally-parenthesised-amounts', 'demo-tally', 4],
    ]);
  });
});

describe('blindness', () => {
  it('sees through alternatives and the columns of markers', () => {
    const query = (where: unknown) => tellsAtAll(['rollouts', 'query'], { where, sort: [] });
    const task = { column: 'task', op: '=', value: 'x' };
    expect(query([task, { any: [[task], [task, { any: [[task], [task]] }]] }])).toBe(false);
    for (const column of ['score', 'kind', 'rule', 'attempted', 'standing', 'label']) {
      expect(query([{ column, op: 'some', value: null }])).toBe(true);
      expect(query([task, { any: [[task], [{ any: [[task], [{ column, op: 'some', value: null }]] }]] }])).toBe(true);
    }
    expect(tellsAtAll(['tuning', 'hackRate'], { over: 'task' })).toBe(true);
  });
});
