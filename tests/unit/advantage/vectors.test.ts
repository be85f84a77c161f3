// The runner of golden vectors: malformed files, cases that fail, what it does not know, non-finite numbers, generated inputs.

import { describe, expect, it } from 'vitest';
import { runVectors } from '../../../app/domain/advantage/vectors.ts';
import { Refusal } from '../../../app/shared/errors.ts';

const rollouts = [
  {
    rollout_id: 'r0',
    group_id: 'g0',
    status: 'terminated',
    reward: 1,
    segments: [{ kind: 'execution', loss_mask: [1, 0, 1], values: [0.2, 'NaN', 0.4] }],
  },
];
const base = {
  name: 'one',
  estimator: 'gae_local',
  params: { gamma: 1, lambda: 1 },
  input: { rollouts },
  expected: { advantages: [[[0.8, 0, 0.6]]] },
  tolerance: { abs: 1e-9, rel: 1e-9 },
};
const run = (...cases: object[]) => runVectors({ schema: 'rollscope-golden-1', cases });
const first = (one: object) => run({ ...base, ...one }).cases[0];

describe('outcomes', () => {
  it('passes with the largest difference', () => {
    expect(first({})).toEqual({ name: 'one', estimator: 'gae_local', status: 'pass', worst: expect.any(Number) });
  });

  it('fails at the first place that does not agree', () => {
    expect(first({ expected: { advantages: [[[0.8, 0, 0.61]]] } })).toMatchObject({
      status: 'fail',
      detail: 'advantages[0][0][2]: 0.61 expected, 0.6 computed',
    });
    expect(first({ expected: { advantages: [[[0.8, 0]]] } })?.detail).toBe(
      'advantages[0][0]: 2 entries expected, 3 computed',
    );
    expect(first({ expected: { advantages: [[0.8]] } })?.status).toBe('fail');
    expect(first({ expected: { cross_factor: [[1]] } })?.detail).toBe(
      'cross_factor[0][0]: 1 expected, nothing computed',
    );
    expect(first({ expected: { total: 'NaN' } })?.status).toBe('fail');
  });

  it('keeps to the tolerance exactly: abs + rel * |expected|', () => {
    const within = (shift: number, tolerance: object) =>
      first({ tolerance, expected: { advantages: [[[0.8 + shift, 0, 0.6]]] } })?.status;
    expect(within(0.001, { abs: 0.0011, rel: 0 })).toBe('pass');
    expect(within(0.001, { abs: 0.0009, rel: 0 })).toBe('fail');
    expect(within(0.08, { abs: 0, rel: 0.1 })).toBe('pass');
    expect(within(0.1, { abs: 0, rel: 0.1 })).toBe('fail');
  });

  it('passes an expected refusal on its code alone', () => {
    const input = { rollouts: [{ ...rollouts[0], reward: null }] };
    expect(first({ input, expected: { error: 'reward_missing', where: 'elsewhere' } })).toEqual({
      name: 'one',
      estimator: 'gae_local',
      status: 'pass',
    });
    expect(first({ input, expected: { error: 'values_missing' } })?.detail).toContain(
      'but the refusal was reward_missing',
    );
    expect(first({ input })?.detail).toContain('Refused with reward_missing');
    expect(first({ expected: { error: 'reward_missing' } })?.detail).toContain('but a result was computed');
  });

  it('says what it does not know instead of passing it', () => {
    const report = run(base, { ...base, estimator: 'gae_quantum' }, { ...base, expected: { entropy: [1] } });
    expect(report).toMatchObject({ passed: 1, failed: 0, unsupported: 2 });
    expect(report.cases[2]?.detail).toContain('entropy');
    const both = first({ expected: { entropy: [1], advantages: [[[9, 0, 9]]] } });
    expect(both?.status).toBe('fail');
    expect(first({ expected: {} })?.status).toBe('fail');
  });

  it('a malformed input fails its own case and names the place', () => {
    const report = run({ ...base, input: { rollouts: [{ ...rollouts[0], segments: [{ kind: 'execution' }] }] } }, base);
    expect(report).toMatchObject({ passed: 1, failed: 1 });
    expect(report.cases[0]?.detail).toMatch(/rollouts\.0\.segments\.0\.loss_mask/);
    expect(first({ input: { generator: 'other' } })?.detail).toContain('large_input');
    expect(first({ input: {} })?.detail).toContain('rollouts');
  });
});

describe('files', () => {
  const refusal = (file: unknown): Refusal => {
    try {
      runVectors(file);
    } catch (thrown) {
      if (thrown instanceof Refusal) return thrown;
    }
    throw new Error('a refusal was expected');
  };

  it.each([
    [null, 'the document'],
    [[], 'the document'],
    [{ cases: [] }, 'schema'],
    [{ schema: 'rollscope-golden-9', cases: [] }, 'schema'],
    [{ schema: 'rollscope-golden-1' }, 'cases'],
    [{ schema: 'rollscope-golden-1', cases: [{ name: 'x' }] }, 'cases[0].estimator'],
    [
      { schema: 'rollscope-golden-1', cases: [base, { ...base, tolerance: { abs: -1, rel: 0 } }] },
      'cases[1].tolerance.abs',
    ],
  ])('%j is refused with the place %s', (file, place) => {
    const thrown = refusal(file);
    expect(thrown.code).toBe('vectors_malformed');
    expect(thrown.message).toContain(place);
    expect(thrown.hint).toContain('rollscope-golden-1');
  });

  it('an empty file is a file', () => {
    expect(run()).toEqual({ cases: [], passed: 0, failed: 0, unsupported: 0 });
  });
});

describe('generated inputs', () => {
  const large = {
    ...base,
    params: { gamma: 1, lambda: 1 },
    input: {
      generator: 'large_input',
      spec: { seed: 5, n_tokens: 7, n_segments: 2, obs: true },
      reward: 1,
      status: 'terminated',
    },
  };
  // The first draws of the documented sequence from seed 5, by exact integer arithmetic.
  const draws: number[] = [];
  let state = 5n;
  for (let i = 0; i < 14; i += 1) {
    state = (1664525n * state + 1013904223n) % 4294967296n;
    draws.push(Number(state) / 4294967296);
  }
  const tokens = Array.from({ length: 7 }, (_, t) => ({
    value: 2 * (draws[2 * t] ?? 0) - 1,
    trained: t === 6 || (draws[2 * t + 1] ?? 1) < 0.7,
  }));
  const places = tokens.flatMap(({ trained }, t) => (trained ? [t] : []));
  const expected = {
    trainable_per_segment: [places.filter((t) => t < 3).length, places.filter((t) => t >= 3).length],
    raw_positions: places,
    advantages_at: places.map((t) => 1 - (tokens[t]?.value ?? 0)),
    returns_at: places.map(() => 1),
    sum_advantages: places.reduce((sum, t) => sum + 1 - (tokens[t]?.value ?? 0), 0),
    token_mean_weight: 1 / places.length,
  };

  it('are regenerated by the documented rule and sampled at raw positions', () => {
    expect(run({ ...large, expected }).cases[0]).toMatchObject({ status: 'pass' });
  });

  it('a masked or absent position does not pass', () => {
    const masked = Array.from({ length: 7 }, (_, t) => t).filter((t) => !places.includes(t));
    for (const position of [...masked, 7, -1, 0.5]) {
      expect(run({ ...large, expected: { raw_positions: [position] } }).cases[0]?.status).toBe('fail');
    }
  });

  it('refuses more tokens than memory should hold', () => {
    const spec = { ...large.input.spec, n_tokens: 1e12 };
    expect(run({ ...large, input: { ...large.input, spec }, expected }).cases[0]?.detail).toContain('n_tokens');
  });
});
