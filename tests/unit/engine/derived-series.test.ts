// Derived columns are what the estimators say: in a workspace, at every token, and over buckets; refusals stay refusals.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runEstimator } from '../../../app/domain/advantage/registry.ts';
import type { RolloutInput } from '../../../app/domain/advantage/types.ts';
import {
  DerivedCache,
  DerivedSegment,
  derivedOf,
  pointwiseAt,
  residualParams,
} from '../../../app/engine/advantages/derived-series.ts';
import { createEngine, type Engine } from '../../../app/engine/engine.ts';
import { addToBuckets, emptyBuckets } from '../../../db/pyramid.ts';

const mask = [0, 1, 1, 0, 1, 1, 1];
const values = [0, 0.2, 0.5, 0.9, 0.1, -0.3, 0.4];
const engineLogprobs = [-1, -0.5, -2, -1, -0.1, -4, -0.7];
// Ratios 1.05, 7.4 (too high for both), 0.05 (too low for both), 0.6 (too low for DIS, kept by IcePop), 1.
const trainerLogprobs = [-1, -0.45, 0, -1, -3.1, -4.5, -0.7];
const referenceLogprobs = [-1, -0.5, -1.5, -1, -0.2, -4, -0.9];
const logged = [0, 0.5, 0.1, 0, -0.2, 1, 0.3];

const rollout = (id: string, segment: object) => ({
  format: 'rollscope-rollout/1',
  run_id: 'r',
  rollout_id: id,
  group_id: 'g',
  training_step: 2,
  status: 'completed',
  reward: { terminal: 1 },
  segments: [0, 1].map((k) => ({
    id: `${id}/${k}`,
    kind: 'execution',
    parent: k === 0 ? null : `${id}/0`,
    link: k === 0 ? null : 'compaction',
    token_ids: mask.map((_, t) => t),
    prompt_len: 0,
    align: 'full',
    loss_mask: mask,
    steps: [],
    messages: [],
    ...segment,
  })),
});

let folder: string;
let engine: Engine;
const ids = new Map<string, string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-derived-'));
  engine = await createEngine({ dbPath: join(folder, 'w.rollscope'), version: 'test', host: 'cli' });
  const logprobs = { rollout: engineLogprobs, train: trainerLogprobs, ref: referenceLogprobs };
  const full = rollout('full', { values, logprobs, advantages: logged });
  const gap = rollout('gap', { logprobs: { ...logprobs, train: trainerLogprobs.with(2, Number.NaN) } });
  const log = join(folder, 'log.jsonl');
  writeFileSync(log, `${JSON.stringify(full)}\n${JSON.stringify(gap)}\n`);
  const { id } = await engine.client.jobs.start({ kind: 'import', paths: [log] });
  for await (const state of await engine.client.jobs.watch({ id })) expect(state.error ?? null).toBeNull();
  for (const name of ['full', 'gap']) ids.set(name, (await engine.client.rollouts.get({ id: name })).rollout.id);
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const idOf = (name: string): string => ids.get(name) ?? '';

/** A column at every token of the axis. */
async function column(name: string, of = 'full'): Promise<(number | null)[]> {
  const series = await engine.client.rollouts.series({ id: idOf(of), column: name, start: 0, end: 14, buckets: 14 });
  return series.mean;
}

/** The same rollout for the estimators. */
const input: RolloutInput = {
  id: 'full',
  groupId: 'g',
  status: 'terminated',
  reward: 1,
  segments: [0, 1].map((index) => ({
    index,
    kind: 'execution',
    lossMask: mask,
    values: values.map(Math.fround),
    advantages: logged,
    logprobs: {
      policy: trainerLogprobs.map(Math.fround),
      train_old: trainerLogprobs.map(Math.fround),
      rollout: engineLogprobs.map(Math.fround),
      infer_old: engineLogprobs.map(Math.fround),
      ref: referenceLogprobs.map(Math.fround),
    },
  })),
};

/** What an estimator gives for a column of both segments; null where a token is masked. */
function estimated(estimator: string, params: object, name: 'advantages' | 'ratio' | 'keep' | 'kl'): (number | null)[] {
  const [result] = runEstimator(estimator, params, { rollouts: [input] }).rollouts;
  expect(result?.error).toBeNull();
  return (result?.segments ?? []).flatMap(({ columns }) =>
    mask.map((trained, t) => (trained === 0 ? null : (columns[name]?.[t] ?? null))),
  );
}

function expectClose(got: readonly (number | null)[], wanted: readonly (number | null)[]): void {
  expect(got.map((x) => x === null)).toEqual(wanted.map((x) => x === null));
  for (const [t, value] of got.entries())
    if (value !== null) expect(value, `token ${t}`).toBeCloseTo(wanted[t] ?? Number.NaN, 5);
}

describe('over a workspace', () => {
  it('TD residuals are segment-local GAE with λ 0, by the parameters of the run', async () => {
    expectClose(await column('td:'), estimated('gae_local', { lambda: 0 }, 'advantages'));
    const run = await engine.client.advantages.compute({
      rollout: idOf('full'),
      estimator: 'gae_cross',
      params: { gamma: 0.9, lambda: 0.7 },
    });
    expectClose(await column(`td:${run.id}`), estimated('gae_local', { lambda: 0, gamma: 0.9 }, 'advantages'));
    // By hand, the last two trained tokens: 0.9·0.4 + 0.3, and 1 − 0.4.
    expect((await column(`td:${run.id}`)).slice(-2)).toEqual([expect.closeTo(0.66, 5), expect.closeTo(0.6, 5)]);
  });

  it('ratios, fates and KL are those of the estimators', async () => {
    expectClose(await column('ratio:dis'), estimated('dis', {}, 'ratio'));
    const dis = [null, 0, 1, null, -1, -1, 0];
    expect(await column('fate:dis')).toEqual([...dis, ...dis]);
    const kept = estimated('dis', {}, 'keep').map((keep) => (keep === null ? null : keep === 1));
    expect((await column('fate:dis')).map((fate) => (fate === null ? null : fate === 0))).toEqual(kept);
    const icepop = [null, 0, 1, null, -1, 0, 0];
    expect(await column('fate:icepop')).toEqual([...icepop, ...icepop]);
    for (const kind of ['k1', 'k2', 'k3']) expectClose(await column(`kl:${kind}`), estimated('kl', { kind }, 'kl'));
  });

  it('weights and |weight × advantage| are over the training step', async () => {
    const weight = (await column('weight:token_mean'))[1] ?? 0;
    // Ten trained tokens of this rollout and ten of the other.
    expect(weight).toBeCloseTo(1 / 20, 7);
    expect((await column('weight:segment_mean'))[1]).toBeCloseTo(1 / 4 / 5, 7);
    expectClose(
      await column('signal:logged'),
      [...logged, ...logged].map((a, t) => (mask[t % 7] === 0 ? null : Math.abs(a) / 20)),
    );
  });

  it('says of one token what the columns say, without those that are refused', async () => {
    const [run] = await engine.client.advantages.runs({ rollout: idOf('full') });
    const names = ['ratio:dis', 'fate:dis', 'fate:icepop', 'kl:k1', 'kl:k2', 'kl:k3', `diff:${run?.id}`];
    names.push(`td:${run?.id}`, 'weight:token_mean', `signal:${run?.id}`);
    for (const axis of [1, 4, 13]) {
      const { values: shown } = await engine.client.rollouts.token({
        id: idOf('full'),
        axis,
        ...(run && { run: run.id }),
      });
      const derived = shown.filter(({ name }) => name.includes(':'));
      expect(derived.map(({ name }) => name)).toEqual(names);
      for (const { name, value } of derived)
        expect(value, name).toBeCloseTo((await column(name))[axis] ?? Number.NaN, 6);
    }
    const masked = await engine.client.rollouts.token({ id: idOf('full'), axis: 3 });
    expect(masked.values.filter(({ name }) => name.includes(':'))).toEqual([]);
    // The token without a trainer's log-prob has no ratio; the weight it has.
    const gap = await engine.client.rollouts.token({ id: idOf('gap'), axis: 2 });
    expect(gap.values.map(({ name }) => name).filter((name) => name.includes(':'))).toEqual(['weight:token_mean']);
  });

  it('a refusal is told as the estimator words it, not drawn', async () => {
    await expect(column('ratio:dis', 'gap')).rejects.toMatchObject({ code: 'logprobs_policy_missing' });
    await expect(column('td:', 'gap')).rejects.toMatchObject({ code: 'values_missing' });
  });
});

it('names are of derived columns or of none', () => {
  expect(derivedOf('td:')).toEqual({ kind: 'td', run: null });
  expect(derivedOf('signal:logged')).toEqual({ kind: 'signal', run: null });
  for (const stored of ['values', 'weight:other', 'ratio', 'run:a-1', 'fate:none', 'kl:k9'])
    expect(derivedOf(stored)).toBeNull();
});

it('another kind of run says nothing about residuals', () => {
  expect(residualParams({ estimator: 'group', params: { kind: 'grpo', gamma: 0.3 } })).toEqual({
    lambda: 0,
    whiten: null,
  });
  expect(pointwiseAt(input, new Set(['values']))).toEqual([]);
});

it('a pyramid drawn from afar gives the same extremes and means as the column', () => {
  const n = 70_000;
  const data = Float32Array.from({ length: n }, (_, t) => Math.sin(t / 50) + (t === 54_321 ? 9 : 0));
  const counted = { start: 0, data: Uint8Array.from({ length: n }, (_, t) => (t % 10 < 7 ? 1 : 0)) };
  const segment = new DerivedSegment(data);
  const before = segment.bytes;
  const read = (pyramid: Uint8Array | null) => {
    const into = emptyBuckets(100);
    addToBuckets(into, { start: 0, length: n, data: () => data, pyramid, mask: counted }, 0, 0, n);
    return into;
  };
  const [far, near] = [read(segment.pyramid(counted)), read(null)];
  expect(Math.max(...far.max)).toBe(Math.max(...near.max));
  expect(far.count.reduce((a, b) => a + b)).toBe(near.count.reduce((a, b) => a + b));
  for (const [b, sum] of far.sum.entries())
    expect(Math.abs(sum / (far.count[b] ?? 1) - (near.sum[b] ?? 0) / (near.count[b] ?? 1))).toBeLessThan(0.2);
  expect(segment.bytes).toBeGreaterThan(before);
  expect(segment.pyramid(counted)).toBe(segment.pyramid(counted));
  expect(new DerivedSegment(data.subarray(0, 1000)).pyramid(counted)).toBeNull();
});

it('the cache keeps what was used last within its bytes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 40 }), (keys) => {
      const cache = new DerivedCache(3 * 400);
      const recent: number[] = [];
      for (const key of keys) {
        let made = false;
        cache.get(String(key), () => {
          made = true;
          return new Map([[1, new DerivedSegment(new Float32Array(100))]]);
        });
        expect(made).toBe(!recent.slice(-3).includes(key));
        if (recent.includes(key)) recent.splice(recent.indexOf(key), 1);
        recent.push(key);
      }
    }),
  );
});
