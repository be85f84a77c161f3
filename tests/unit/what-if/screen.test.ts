// The screen's own arithmetic: settings as text, layers for drawing, buckets, the table and its CSV.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type WhatIfRow, type WhatIfSetting, whatIfNormalisers } from '../../../app/contract/index.ts';
import type { Layer } from '../../../app/domain/advantage/what-if/layer.ts';
import { formatSetting, parseSetting, plainSetting, settingOfRun } from '../../../renderer/data/what-if-setting.ts';
import { sortedRows, sortOf, toCsv } from '../../../renderer/features/what-if/figures.ts';
import { countChanges, drawnLayers, formatFigure } from '../../../renderer/features/what-if/layers.ts';
import { unpackRollout } from '../../../renderer/features/what-if/unpack.ts';
import { bucketSeries } from '../../../renderer/ui/axis/buckets.ts';

describe('a setting as text', () => {
  it('comes back as it was', () => {
    const setting: fc.Arbitrary<WhatIfSetting> = fc.record({
      estimator: fc.string({ minLength: 1 }),
      preset: fc.option(fc.string(), { nil: null }),
      params: fc.dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        fc.oneof(
          fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Object.is(x, -0)),
          fc.string(),
          fc.boolean(),
          fc.constant({ mode: 'length_adaptive', alpha: 1.5, length: 'rollout_trainable', max: 1 }),
        ),
        { noNullPrototype: true },
      ),
      critic: fc.oneof(
        fc.constantFrom({ kind: 'logged' as const }, { kind: 'none' as const }, { kind: 'group-mean' as const }),
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .filter((value) => !Object.is(value, -0))
          .map((value) => ({ kind: 'constant' as const, value })),
      ),
      normaliser: fc.constantFrom(...whatIfNormalisers),
      withoutHacks: fc.constantFrom('none', 'marked', 'labelled'),
      withoutKinds: fc.subarray(['execution', 'summary', 'subagent', 'other']),
      reward: fc.option(
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((x) => !Object.is(x, -0)),
        { nil: null },
      ),
    });
    fc.assert(
      fc.property(setting, (one) => {
        expect(parseSetting(formatSetting(one))).toEqual(one);
      }),
    );
  });

  it('is null for what is none', () => {
    for (const text of [
      '',
      'preset=vapo',
      'est=x&.gamma={',
      'est=x&norm=by_mood',
      'est=x&reward=much',
      'est=x&no=dreams',
    ]) {
      expect(parseSetting(text), text).toBeNull();
    }
  });

  it('of a stored run names only what differs from its preset and the defaults', () => {
    const params = { gamma: 0.9, lambda: 0.5, whiten: null, truncation: 'zero', kl: null };
    expect(settingOfRun({ estimator: 'gae_local', preset: 'webrl', params })).toEqual(
      plainSetting('gae_local', 'webrl'),
    );
    expect(
      settingOfRun({ estimator: 'gae_local', preset: 'webrl', params: { ...params, lambda: 0.7 } }).params,
    ).toEqual({
      lambda: 0.7,
    });
    const lambda = { alpha: 1.5, length: 'segment_trainable', max: 1, mode: 'length_adaptive' };
    const paper = { estimator: 'gae_cross', preset: 'compactionrl-paper', params: { lambda, gamma: 1, factor: 'own' } };
    expect(settingOfRun(paper)).toEqual(plainSetting('gae_cross', 'compactionrl-paper'));
    expect(settingOfRun({ estimator: 'group', preset: null, params: { kind: 'rloo', ddof: 1 } }).params).toEqual({
      kind: 'rloo',
    });
  });
});

function layer(advantages: readonly number[], trained: readonly number[], weight = 0.5): Layer {
  return {
    advantages: Float64Array.from(advantages),
    weights: Float64Array.from(trained, (t) => t * weight),
    trained: Uint8Array.from(trained),
    scalar: null,
    baseline: null,
    refusal: null,
    warnings: [],
  };
}

describe('layers', () => {
  const a = layer([0, 1, -2, 0], [0, 1, 1, 0]);
  const b = layer([3, -1, 0, 0], [1, 1, 1, 0], 0.25);

  it('take the difference over tokens that either side trains', () => {
    const { difference } = drawnLayers(a, b, 'advantage');
    expect(Array.from(difference.values)).toEqual([3, -2, 2, 0]);
    expect(Array.from(difference.trained)).toEqual([1, 1, 1, 0]);
    const signal = drawnLayers(a, b, 'signal');
    expect(Array.from(signal.a.values)).toEqual([0, 0.5, 1, 0]);
    expect(Array.from(signal.difference.values)).toEqual([0.75, -0.25, -1, 0]);
  });

  it('count signs', () => {
    expect(countChanges(a, b)).toEqual({ tokens: 3, flips: 1, lost: 1, gained: 1 });
  });

  it('read as figures of any size', () => {
    expect([0, 0.5, -12.25, 3.2e-6, -1e7].map(formatFigure)).toEqual([
      '0',
      '+0.5000',
      '−12.2500',
      '+3.20e-6',
      '−1.00e+7',
    ]);
  });
});

describe('buckets', () => {
  it('hold min, max and mean of the trained tokens, whatever their number', () => {
    const numbers = fc.array(fc.tuple(fc.double({ min: -5, max: 5, noNaN: true }), fc.boolean()), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 60 }), (tokens, wanted) => {
        const values = Float64Array.from(tokens, ([x]) => x);
        const trained = Uint8Array.from(tokens, ([, on]) => (on ? 1 : 0));
        const buckets = Math.min(wanted, tokens.length);
        const series = bucketSeries({ values, trained }, 0, tokens.length, buckets);
        const kept = tokens.filter(([, on]) => on).map(([x]) => x);
        const lows = series.min.filter((x) => x !== null);
        expect(lows.length === 0 ? null : Math.min(...lows)).toBe(kept.length === 0 ? null : Math.min(...kept));
        expect(series.scale).toBe(kept.length === 0 ? null : Math.max(...kept.map(Math.abs)));
        for (let at = 0; at < buckets; at += 1) {
          const [low, mean, high] = [series.min[at], series.mean[at], series.max[at]];
          if (low === null || low === undefined) expect([mean, high]).toEqual([null, null]);
          else
            expect(low <= (mean ?? Number.NaN) + 1e-9 && (mean ?? Number.NaN) <= (high ?? Number.NaN) + 1e-9).toBe(
              true,
            );
        }
      }),
    );
  });
});

describe('packed columns', () => {
  it('come back as typed arrays, one under all of its names', () => {
    const data = (array: Uint8Array | Float32Array) => Buffer.from(array.buffer).toString('base64');
    const { segments } = unpackRollout({
      id: 'r',
      groupId: 'g',
      status: 'terminated',
      reward: 1,
      bootstrapValue: null,
      segments: [
        {
          index: 0,
          kind: 'execution',
          tokens: 3,
          columns: [
            { names: ['lossMask'], dtype: 'u8', data: data(Uint8Array.of(0, 1, 1)) },
            { names: ['values'], dtype: 'f32', data: data(Float32Array.of(Number.NaN, 0.5, -2)) },
            {
              names: ['logprobs.policy', 'logprobs.old', 'unheard-of'],
              dtype: 'f32',
              data: data(Float32Array.of(0, -1, -2)),
            },
          ],
        },
        { index: 1, kind: 'summary', tokens: 2, columns: [] },
      ],
    });
    expect(segments[0]?.lossMask).toEqual(Uint8Array.of(0, 1, 1));
    expect(segments[0]?.values).toEqual(Float32Array.of(Number.NaN, 0.5, -2));
    expect(segments[0]?.logprobs?.policy).toBe(segments[0]?.logprobs?.old);
    expect(segments[1]).toMatchObject({ lossMask: new Uint8Array(2), values: null });
  });
});

function row(id: string, rest: Partial<WhatIfRow>): WhatIfRow {
  return {
    id,
    externalId: id,
    group: 'g',
    reward: null,
    marked: false,
    score: null,
    label: null,
    tokens: 10,
    flips: 0,
    lost: 0,
    gained: 0,
    meanA: null,
    meanB: null,
    signalA: null,
    signalB: null,
    shareA: null,
    shareB: null,
    whyA: null,
    whyB: null,
    ...rest,
  };
}

describe('the table', () => {
  const rows = [
    row('r-1', { shareA: 0.2, shareB: 0.7 }),
    row('r-2', { shareA: null, whyA: 'left out' }),
    row('r-3', { shareA: 0.8, shareB: 0.3, externalId: '=HYPERLINK("x")' }),
  ];

  it('sorts in either direction, with what has no value last', () => {
    const ids = (text: string | undefined) => sortedRows(rows, sortOf(text)).map(({ id }) => id);
    expect(ids(undefined)).toEqual(['r-3', 'r-1', 'r-2']);
    expect(ids('shareA')).toEqual(['r-1', 'r-3', 'r-2']);
    expect(ids('-shareB')).toEqual(['r-1', 'r-3', 'r-2']);
    expect(ids('nonsense').at(-1)).toBe('r-2');
  });

  it('is CSV that no spreadsheet takes for a formula', () => {
    const comparison = {
      scope: 'group' as const,
      rows,
      kinds: [],
      summaries: [],
      totals: {
        rollouts: 3,
        tokens: 30,
        flips: 0,
        lost: 0,
        gained: 0,
        moved: 0,
        marked: 0,
        markedShareA: 0,
        markedShareB: 0,
      },
      notesA: [],
      notesB: [],
      elapsedMs: 1,
    };
    const [head, first, , last] = toCsv(comparison, sortOf(undefined)).split('\r\n');
    expect(head?.split(',').slice(0, 3)).toEqual(['rollout', 'external_id', 'group']);
    expect(first).toContain(`r-3,"'=HYPERLINK(""x"")",g`);
    expect(last).toContain('left out');
    expect(head?.split(',')).toHaveLength(19);
  });
});
