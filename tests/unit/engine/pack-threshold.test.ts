// A threshold becomes a version of the pack and is taken back; the contract of a task is versioned, and scoring follows it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';
import { parsePack } from '../../../app/engine/rules/parse-pack.ts';
import { starterPack } from '../../../app/engine/rules/starter-pack.ts';
import { nextVersion, withHead } from '../../../app/engine/scan/pack-threshold.ts';

const samples = resolve(import.meta.dirname, '../../../samples');
let folder: string;
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-threshold-'));
  engine = await createEngine({
    dbPath: join(folder, 'w.rollscope'),
    host: 'test',
    version: 'test',
    annotator: 'ada',
    indexAfterMs: null,
  });
  await ended((await engine.client.jobs.start({ kind: 'import', paths: [join(samples, 'tally')] })).id);
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ended(id: string): Promise<void> {
  let status = '';
  for await (const state of await engine.client.jobs.watch({ id })) status = state.status;
  expect(status).toBe('done');
}

async function suspect() {
  const { set } = await engine.client.rollouts.query({ sort: [{ column: 'score', descending: true }] });
  const [first] = (await engine.client.rollouts.page({ set, start: 0, count: 1 })).rows;
  if (first === undefined) throw new Error('nothing was imported');
  return first;
}

describe('the text of a pack', () => {
  it('changes at the threshold and the version only', () => {
    const yaml = withHead(starterPack, { threshold: '0.41', version: '"9"' });
    const parsed = parsePack(yaml);
    expect(parsed.ok && parsed.value.pack).toMatchObject({ threshold: 0.41, version: '9' });
    const before = starterPack.split('\n');
    const differing = yaml.split('\n').filter((line, i) => line !== before[i]);
    expect(differing.every((line) => /^(?:threshold|version):/u.test(line))).toBe(true);
  });
  it('gets a threshold where it has none, and is refused where it is no pack', () => {
    expect(withHead('id: x\nversion: 1 # mine\nrules: []\n', { threshold: '0.5', version: '"2"' })).toBe(
      'threshold: 0.5\nid: x\nversion: "2" # mine\nrules: []\n',
    );
    expect(() => withHead('- a\n', { threshold: '0.5', version: '"2"' })).toThrow('not a YAML map');
  });
  it('gets a version that nobody has', () => {
    expect(nextVersion('1.2', [])).toBe('1.2+threshold.1');
    expect(nextVersion('1.2+threshold.3', ['1.2', '1.2+threshold.7'])).toBe('1.2+threshold.8');
  });
});

describe('a threshold', () => {
  it('is stored as a version, marks anew, and is taken back', async () => {
    const before = await engine.client.scan.pack();
    expect(await suspect()).toMatchObject({ marked: true });
    const change = await engine.client.calibration.setThreshold({ threshold: 1 });
    await ended(change.job);
    const pack = await engine.client.scan.pack();
    expect(pack).toMatchObject({ id: before.id, threshold: 1, version: `${before.version}+threshold.1` });
    expect(await suspect()).toMatchObject({ marked: false });
    const back = await engine.client.calibration.undoThreshold({ pack: change.undo });
    await ended(back.job);
    expect(await engine.client.scan.pack()).toMatchObject({ version: before.version, threshold: before.threshold });
    expect(await suspect()).toMatchObject({ marked: true });
  });
});

describe('a task contract', () => {
  it('is versioned, holds for the task, is seen by the judge, and is taken back', async () => {
    const { id, score } = await suspect();
    const read = await engine.client.taskContracts.get({ rollout: id });
    expect(read).toMatchObject({ named: true, rollouts: 4, edits: [] });
    const contract = { forbids: [], grants: [{ what: 'rewriting the assertions of the visible tests', quote: '' }] };
    const edited = await engine.client.taskContracts.set({ rollout: id, contract, version: 0 });
    expect(edited.inForce).toEqual(contract);
    expect(edited.edits[0]).toMatchObject({ version: 1, annotator: 'ada', contract });
    await ended(edited.job ?? '');
    expect((await suspect()).score).not.toBe(score);
    const { example } = await engine.client.judge.preview({ rollouts: [id], weak: true });
    expect(example?.body ?? '').toContain('rewriting the assertions of the visible tests');
    await expect(engine.client.taskContracts.set({ rollout: id, contract, version: 0 })).rejects.toThrow(
      'changed meanwhile',
    );
    const back = await engine.client.taskContracts.set({ rollout: id, contract: null, version: 1 });
    await ended(back.job ?? '');
    expect(back.inForce).toEqual(read.read);
    expect((await suspect()).score).toBe(score);
  });
});
