import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RolloutAdvantages } from '../../../app/contract/estimator.ts';
import type { IngestEvent, TokenColumn } from '../../../app/contract/ingest.ts';
import type { WriteDb } from '../../../db/open.ts';
import { estimatorInputRows, inputsHash } from '../../../db/queries/estimator-input.ts';
import { queryRolloutIds, rolloutIdByUid, rolloutRows } from '../../../db/queries/rollouts.ts';
import { deleteRuns, insertRun, listRuns, type RunDraft, runByUid } from '../../../db/queries/runs.ts';
import { columnOf, itemMeans, series, tokenDetail } from '../../../db/queries/tokens.ts';
import {
  importEvents,
  inputDraft,
  newWorkspace,
  refusalOf,
  rolloutDraft,
  segmentDraft,
  simpleRollout,
  stepDraft,
} from './support.ts';

interface Given {
  readonly ids: number;
  readonly columns: readonly TokenColumn[];
}

/** A rollout with one segment per entry. */
function withColumns(segments: readonly Given[], key = 'a'): IngestEvent[] {
  return [
    { type: 'rollout', rollout: rolloutDraft({ key }) },
    ...segments.flatMap(({ ids, columns }, index): IngestEvent[] => [
      { type: 'segment', rollout: key, segment: segmentDraft({ index, link: index === 0 ? null : 'compaction' }) },
      {
        type: 'tokens',
        rollout: key,
        segment: index,
        columns: [{ name: 'ids', start: 0, data: Int32Array.from({ length: ids }, (_, i) => i) }, ...columns],
      },
    ]),
  ];
}

const result: RolloutAdvantages = {
  id: '',
  segments: [
    {
      index: 0,
      kind: 'execution',
      factor: null,
      lambda: 0.95,
      stats: { count: 2, min: -3, max: 1, mean: -1, maxAbs: 3 },
      advantages: [1, -3],
      returns: [1, 1],
    },
  ],
  scalar: null,
  baseline: null,
  warnings: ['small'],
};

function run(db: WriteDb, change: Partial<RunDraft> = {}): RunDraft {
  return {
    rolloutId: queryRolloutIds(db)[0] ?? 0,
    estimator: 'gae_local',
    estimatorVersion: '1',
    preset: null,
    params: { gamma: 1, lambda: 0.95 },
    critic: { kind: 'logged' },
    criticLabel: 'logged values',
    inputsHash: 'h',
    result,
    columns: [],
    ...change,
  };
}

function segmentIds(db: WriteDb): number[] {
  return db.column<number>('SELECT id FROM segments ORDER BY rollout_id, idx');
}

const current = { version: () => '1', inputsHash: () => 'h' };

describe('series', () => {
  it('equal a pass over the tokens, over several segments, masks and starts', () => {
    const segment = fc.record({
      values: fc.float32Array({ minLength: 1, maxLength: 400, size: 'max', noNaN: false, noDefaultInfinity: true }),
      prompt: fc.integer({ min: 0, max: 90 }),
      bits: fc.option(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 13 })),
    });
    const db = newWorkspace();
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 60 }),
        (segments, from, share, buckets) => {
          // The same file again: each run replaces the one before.
          importEvents(
            db,
            withColumns(
              segments.map(({ values, prompt, bits }) => ({
                ids: prompt + values.length,
                columns: [
                  { name: 'values', start: prompt, data: values },
                  ...(bits === null
                    ? []
                    : [
                        {
                          name: 'loss_mask',
                          start: prompt,
                          data: Uint8Array.from(values, (_, i) => bits[i % bits.length] ?? 0),
                        },
                      ]),
                ],
              })),
            ),
          );
          // The slow reference: one entry per token of the axis.
          const axis = segments.flatMap(({ values, prompt, bits }) => [
            ...Array.from({ length: prompt }, () => ({ value: Number.NaN, counts: false, trained: false })),
            ...Array.from(values, (value, i) => ({
              value,
              counts: bits === null || bits[i % bits.length] === 1,
              trained: bits !== null && bits[i % bits.length] === 1,
            })),
          ]);
          const start = Math.floor(from * axis.length);
          const end = Math.min(axis.length, start + 1 + Math.floor(share * axis.length));
          const got = series(db, rolloutIdByUid(db, 'a'), { column: 'values', start, end, buckets });
          const n = Math.min(buckets, end - start);
          expect(got.buckets).toBe(n);
          for (let b = 0; b < n; b++) {
            const tokens = axis.slice(
              start + Math.floor(((end - start) * b) / n),
              start + Math.floor(((end - start) * (b + 1)) / n),
            );
            // Buckets wider than 256 tokens round their edges: the pyramid has tests of its own.
            if ((end - start) / n >= 256) continue;
            const values = tokens.filter((t) => t.counts && Number.isFinite(t.value)).map((t) => t.value);
            expect(got.min[b]).toBe(values.length === 0 ? null : Math.min(...values));
            expect(got.max[b]).toBe(values.length === 0 ? null : Math.max(...values));
            if (values.length > 0) {
              const mean = values.reduce((sum, value) => sum + value / values.length, 0);
              expect(Math.abs((got.mean[b] ?? Number.NaN) - mean)).toBeLessThanOrEqual(
                1e-9 * Math.max(...values.map(Math.abs)),
              );
            }
            expect(got.trainable[b]).toBeCloseTo(tokens.filter((t) => t.trained).length / tokens.length, 12);
          }
          const all = axis.filter((t) => t.counts && Number.isFinite(t.value)).map((t) => Math.abs(t.value));
          expect(got.scale).toBe(all.length === 0 ? null : Math.max(...all));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('draw a long rollout from the pyramid, with exact extremes', () => {
    const db = newWorkspace();
    const n = 300_000;
    const values = Float32Array.from({ length: n }, (_, i) => Math.sin(i / 5_000));
    values[123_456] = 40;
    values[200_000] = -50;
    const mask = new Uint8Array(n).fill(1);
    mask[200_000] = 0;
    importEvents(
      db,
      withColumns([
        {
          ids: n,
          columns: [
            { name: 'values', start: 0, data: values },
            { name: 'loss_mask', start: 0, data: mask },
          ],
        },
      ]),
    );
    const got = series(db, 1, { column: 'values', start: 0, end: n, buckets: 500 });
    expect(got.scale).toBe(40);
    expect(got.max[Math.floor((123_456 / n) * 500)]).toBe(40);
    expect(Math.min(...got.min.map((value) => value ?? 0))).toBeGreaterThanOrEqual(-1);
    expect(got.trainable.every((share) => share > 0.99)).toBe(true);
    const whole = series(db, 1, { column: 'ids', start: 0, end: n, buckets: 1 });
    expect([whole.min[0], whole.max[0]]).toEqual([0, n - 1]);
  });

  it('draw a run, and what was logged minus the run', () => {
    const db = newWorkspace();
    const mask = { name: 'loss_mask', start: 1, data: Uint8Array.of(1, 0, 1) };
    importEvents(
      db,
      withColumns([
        { ids: 4, columns: [mask, { name: 'advantages', start: 1, data: Float32Array.of(2, 9, -1) }] },
        { ids: 2, columns: [] },
      ]),
    );
    const [first = 0] = segmentIds(db);
    const uid = insertRun(db, run(db, { columns: [{ segmentId: first, name: 'advantages', data: [0, 1.5, 0, -3] }] }));
    const request = { start: 0, end: 6, buckets: 6 };
    expect(series(db, 1, { column: `run:${uid}`, ...request }).mean).toEqual([null, 1.5, null, -3, null, null]);
    expect(series(db, 1, { column: `diff:${uid}`, ...request }).mean).toEqual([null, 0.5, null, 2, null, null]);
    expect(series(db, 1, { column: `diff:${uid}`, ...request }).scale).toBe(2);
    expect(series(db, 1, { column: 'loss_mask', ...request }).mean).toEqual([null, 1, 0, 1, null, null]);
    expect(refusalOf(() => series(db, 1, { column: 'run:a-none', ...request }))?.code).toBe('run-unknown');
  });

  it('have no values where there is no such column or no token', () => {
    const db = newWorkspace();
    importEvents(db, [...withColumns([{ ids: 3, columns: [] }]), ...simpleRollout({ key: 'empty' })]);
    const none = series(db, 1, { column: 'values', start: 0, end: 100, buckets: 2 });
    expect(none).toMatchObject({ start: 0, end: 3, buckets: 2, min: [null, null], trainable: [0, 0], scale: null });
    expect(series(db, 2, { column: 'values', start: 0, end: 100, buckets: 2 })).toMatchObject({
      start: 0,
      end: 0,
      buckets: 0,
      min: [],
    });
  });
});

describe('one token', () => {
  it('has every column’s figure, its item and its step', () => {
    const db = newWorkspace();
    importEvents(db, [
      ...withColumns([
        { ids: 2, columns: [] },
        {
          ids: 6,
          columns: [
            { name: 'values', start: 2, data: Float64Array.of(0.1, Number.NaN, 0.3, 0.4) },
            { name: 'loss_mask', start: 2, data: Uint8Array.of(1, 1, 0, 1) },
          ],
        },
      ]),
      { type: 'item', rollout: 'a', segment: 0, item: stepDraft('one') },
      { type: 'item', rollout: 'a', segment: 1, item: inputDraft('in') },
      { type: 'item', rollout: 'a', segment: 1, item: stepDraft('two', { tokenStart: 2, tokenEnd: 4 }) },
      { type: 'item', rollout: 'a', segment: 1, item: stepDraft('three', { tokenStart: 5, tokenEnd: 6 }) },
    ]);
    const [, second = 0] = segmentIds(db);
    const uid = insertRun(
      db,
      run(db, { columns: [{ segmentId: second, name: 'advantages', data: [0, 0, 7, 8, 0, 9] }] }),
    );
    expect(tokenDetail(db, 1, 4, uid)).toEqual({
      axis: 4,
      segment: 1,
      index: 2,
      item: 2,
      step: 2,
      trainable: true,
      values: [
        { name: 'ids', value: 2 },
        { name: 'loss_mask', value: 1 },
        { name: 'values', value: 0.1 },
        { name: 'run.advantages', value: 7 },
      ],
    });
    expect(tokenDetail(db, 1, 5)).toMatchObject({ step: 2, values: [{}, {}, { name: 'values', value: null }] });
    expect(tokenDetail(db, 1, 6)).toMatchObject({ item: null, step: null, trainable: false });
    expect(tokenDetail(db, 1, 7)).toMatchObject({ item: 3, step: 3 });
    // Before the columns' start only the id is known.
    expect(tokenDetail(db, 1, 2).values).toEqual([{ name: 'ids', value: 0 }]);
    expect(refusalOf(() => tokenDetail(db, 1, 8))?.code).toBe('token-unknown');
  });

  it('of a log without tokens is placed by its share of the text', () => {
    const db = newWorkspace();
    importEvents(
      db,
      simpleRollout({ key: 'a' }, [inputDraft('x'.repeat(40)), stepDraft('y'.repeat(120)), stepDraft('z'.repeat(40))]),
    );
    const at = (axis: number) => tokenDetail(db, 1, axis).item;
    expect([at(0), at(9), at(10), at(39), at(40), at(49)]).toEqual([0, 0, 1, 1, 2, 2]);
    expect(tokenDetail(db, 1, 20).step).toBe(1);
  });
});

describe('means over items', () => {
  it('are over trainable tokens with a value, of the log or of a run', () => {
    const db = newWorkspace();
    importEvents(
      db,
      withColumns([
        {
          ids: 6,
          columns: [
            { name: 'advantages', start: 1, data: Float32Array.of(1, 2, 30, Number.NaN, 5) },
            { name: 'loss_mask', start: 1, data: Uint8Array.of(1, 1, 0, 1, 1) },
          ],
        },
      ]),
    );
    const [segment = 0] = segmentIds(db);
    const uid = insertRun(
      db,
      run(db, { columns: [{ segmentId: segment, name: 'advantages', data: [0, 4, 6, 0, 8, 10] }] }),
    );
    const spans = [
      { segment: 0, tokenStart: 0, tokenEnd: 4 },
      { segment: 0, tokenStart: 3, tokenEnd: 5 },
      { segment: 0, tokenStart: 4, tokenEnd: 6 },
      { segment: 0, tokenStart: null, tokenEnd: null },
      { segment: 9, tokenStart: 0, tokenEnd: 1 },
    ];
    expect(itemMeans(db, 1, 'logged', spans)).toEqual([1.5, null, 5, null, null]);
    expect(itemMeans(db, 1, uid, spans)).toEqual([5, 8, 9, null, null]);
  });
});

describe('inputs of estimators', () => {
  it('are stretched over all tokens of a segment, missing ones null', () => {
    const db = newWorkspace();
    importEvents(db, [
      {
        type: 'rollout',
        rollout: rolloutDraft({ key: 'a', groupId: 'g', reward: null, bootstrapValue: 0.5, rewardDetail: { raw: 2 } }),
      },
      { type: 'segment', rollout: 'a', segment: segmentDraft({ index: 0 }) },
      { type: 'item', rollout: 'a', segment: 0, item: stepDraft('x', { weightVersion: 'v2' }) },
      { type: 'item', rollout: 'a', segment: 0, item: stepDraft('y', { weightVersion: 'v1' }) },
      { type: 'item', rollout: 'a', segment: 0, item: stepDraft('z', { weightVersion: 'v2' }) },
      {
        type: 'tokens',
        rollout: 'a',
        segment: 0,
        columns: [
          { name: 'ids', start: 0, data: Int32Array.of(1, 2, 3) },
          { name: 'loss_mask', start: 1, data: Uint8Array.of(0, 1) },
          { name: 'values', start: 1, data: Float32Array.of(0.5, 0.25) },
          { name: 'logprobs.old', start: 0, data: Float64Array.of(-1, -2, -3) },
        ],
      },
      ...simpleRollout({ key: 'b' }),
    ]);
    const ids = queryRolloutIds(db);
    const [b, a] = estimatorInputRows(db, [ids[1] ?? 0, ids[0] ?? 0, 999]);
    expect(b).toMatchObject({ reward: 1, groupId: null, segments: [{ lossMask: null, values: null, logprobs: {} }] });
    expect(a).toMatchObject({
      reward: null,
      bootstrapValue: 0.5,
      rewardDetail: '{"raw":2}',
      weightVersions: ['v2', 'v1'],
    });
    expect(a?.segments[0]).toMatchObject({ tokens: 3, rewards: null, lossMask: Uint8Array.of(0, 0, 1) });
    expect([...(a?.segments[0]?.values ?? [])]).toEqual([Number.NaN, 0.5, 0.25]);
    expect(a?.segments[0]?.logprobs).toEqual({ old: Float64Array.of(-1, -2, -3) });
  });

  it('have a hash that changes with content and siblings, not with the order of ids', () => {
    const db = newWorkspace();
    const hash = (byte: number) => ({ contentHash: new Uint8Array(32).fill(byte) });
    importEvents(db, [...simpleRollout({ key: 'a' }), ...simpleRollout({ key: 'b' })], {}, hash(1));
    const before = inputsHash(db, queryRolloutIds(db));
    expect(inputsHash(db, [...queryRolloutIds(db)].reverse())).toBe(before);
    expect(inputsHash(db, queryRolloutIds(db).subarray(1))).not.toBe(before);
    importEvents(db, [...simpleRollout({ key: 'a' }), ...simpleRollout({ key: 'b' })], {}, hash(1));
    expect(inputsHash(db, queryRolloutIds(db))).toBe(before);
    importEvents(db, [...simpleRollout({ key: 'a' }), ...simpleRollout({ key: 'b' })], {}, hash(2));
    expect(inputsHash(db, queryRolloutIds(db))).not.toBe(before);
  });
});

describe('estimator runs', () => {
  it('replace the older run of the same estimator and parameters, whatever the order of keys', () => {
    const db = newWorkspace();
    importEvents(db, withColumns([{ ids: 2, columns: [] }]));
    const [segment = 0] = segmentIds(db);
    const columns = [{ segmentId: segment, name: 'advantages' as const, data: Float64Array.of(1, -3) }];
    const first = insertRun(db, run(db, { columns }));
    const other = insertRun(db, run(db, { params: { gamma: 0.5, lambda: 0.95 } }));
    const again = insertRun(db, run(db, { columns, params: { lambda: 0.95, gamma: 1 }, preset: 'compaction-rl' }));
    expect(first).toMatch(/^a-[0-9a-f]{12}$/);
    expect(again).toBe(first);
    expect(listRuns(db, 1, current).map((stored) => [stored.id, stored.preset, stored.stale])).toEqual([
      [again, 'compaction-rl', false],
      [other, null, false],
    ]);
    expect(db.value('SELECT COUNT(*) FROM estimator_columns')).toBe(1);
  });

  it('keep the result without its tokens, which are columns', () => {
    const db = newWorkspace();
    importEvents(db, withColumns([{ ids: 2, columns: [] }]));
    const uid = insertRun(db, run(db));
    const stored = runByUid(db, uid, current)?.result;
    const { advantages: _a, returns: _r, ...segment } = result.segments[0] ?? {};
    expect(stored).toEqual({ ...result, segments: [segment] });
    expect(runByUid(db, 'a-none', current)).toBeNull();
  });

  it('are stale when the estimator or the inputs changed', () => {
    const db = newWorkspace();
    importEvents(db, withColumns([{ ids: 2, columns: [] }]));
    const uid = insertRun(db, run(db));
    const stale = (now: Parameters<typeof listRuns>[2]) => runByUid(db, uid, now)?.stale;
    expect(stale(current)).toBe(false);
    expect(stale({ ...current, version: () => '2' })).toBe(true);
    expect(stale({ ...current, version: () => undefined })).toBe(true);
    expect(stale({ ...current, inputsHash: () => 'other' })).toBe(true);
  });

  it('set the largest |advantage| of the list; a refusal or weights leave it', () => {
    const db = newWorkspace();
    importEvents(db, withColumns([{ ids: 2, columns: [] }]));
    const [segment = 0] = segmentIds(db);
    const largest = () => rolloutRows(db, queryRolloutIds(db))[0]?.maxAbsAdvantage;
    expect(largest()).toBeNull();
    insertRun(db, run(db, { columns: [{ segmentId: segment, name: 'advantages', data: [1, -3] }] }));
    expect(largest()).toBe(3);
    insertRun(
      db,
      run(db, { estimator: 'token_weights', columns: [{ segmentId: segment, name: 'weights', data: [1, 1] }] }),
    );
    insertRun(
      db,
      run(db, {
        estimator: 'gae_cross',
        result: { ...result, segments: [], error: { code: 'values_missing', message: 'm' } },
      }),
    );
    expect(largest()).toBe(3);
  });

  it('vanish with the rollout and on demand', () => {
    const db = newWorkspace();
    importEvents(db, withColumns([{ ids: 2, columns: [] }]));
    const [segment = 0] = segmentIds(db);
    const uid = insertRun(db, run(db, { columns: [{ segmentId: segment, name: 'returns', data: [1, 2] }] }));
    expect(deleteRuns(db, [uid, 'a-unknown'])).toBe(1);
    expect([listRuns(db, 1, current).length, db.value('SELECT COUNT(*) FROM estimator_columns')]).toEqual([0, 0]);
    insertRun(db, run(db));
    importEvents(db, withColumns([{ ids: 3, columns: [] }]));
    expect(db.value('SELECT COUNT(*) FROM estimator_runs')).toBe(0);
    expect(columnOf(db, segmentIds(db)[0] ?? 0, 'ids')?.data).toHaveLength(3);
  });
});
