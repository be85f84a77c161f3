// The example of ADVANTAGES.md 2.7, worked by hand, and the figures that section 2.2 warns with.

import { describe, expect, it } from 'vitest';
import { columns, expectClose, rollout, runOne, segment } from './build.ts';

const one = rollout([segment('aa', { values: [0.2, 0.4] }), segment('a', { values: [0.6] })], { reward: 1 });
const params = { gamma: 1, lambda: 0.8 };

describe('lengths (2, 1), gamma 1, lambda 0.8, V = (.2, .4 | .6), R = 1', () => {
  it('naive: each segment is paid the whole reward', () => {
    // delta = (0 + .4 - .2, 1 - .4 | 1 - .6) = (.2, .6 | .4); A = (.2 + .8*.6, .6 | .4)
    expectClose(columns(runOne('gae_local', params, one)).flat(), [0.68, 0.6, 0.4]);
  });

  it('cross: the first segment is scaled by .8 for the one token after it', () => {
    const result = runOne('gae_cross', params, one);
    expectClose(columns(result).flat(), [0.544, 0.48, 0.4]);
    expectClose(
      result.segments.map((seg) => seg.factor ?? 0),
      [0.8, 1],
    );
    expect(result.segments.map((seg) => seg.tokensAfter)).toEqual([1, 0]);
  });

  it('stitched: the second segment is the next state of the first', () => {
    // delta = (.4 - .2, .6 - .4, 1 - .6) = (.2, .2, .4); A = (.2 + .8*.52, .2 + .8*.4, .4)
    expectClose(columns(runOne('gae_stitched', params, one)).flat(), [0.616, 0.52, 0.4]);
  });

  it('gap: largest .072, mean (.072 + .040 + 0)/3, no sign differs', () => {
    const { gap } = runOne('approx_gap', params, one);
    expectClose([gap?.maxAbs ?? 0, gap?.meanAbs ?? 0], [0.072, 0.112 / 3]);
    expect(gap?.signFlips).toBe(0);
    expect(gap?.tokens).toBe(3);
  });

  it('last_segment: without a critic earlier segments get exactly 0', () => {
    const flat = rollout([segment('aa', { values: [0, 0] }), segment('a', { values: [0] })]);
    expect(columns(runOne('gae_local', { ...params, reward_placement: 'last_segment' }, flat))).toEqual([[0, 0], [1]]);
  });
});

describe('a summary before much trained text', () => {
  const long = (summary: number) =>
    rollout([
      segment('a'.repeat(summary), { kind: 'summary', values: new Float64Array(summary) }),
      segment('a'.repeat(20_000), { values: new Float64Array(20_000) }),
    ]);
  const lambda = (length: string) => ({ alpha: 1.5, length });
  const first = (tokens: number, length: string) =>
    runOne('gae_cross', { gamma: 1, lambda: lambda(length) }, long(tokens));

  it('of 200 tokens has the factor 1e-29 with segment lengths, and is flagged', () => {
    const result = first(200, 'segment_trainable');
    expect(result.segments[0]?.factor?.toExponential(1)).toBe('1.0e-29');
    expect(result.segments[0]?.logFactor).toBeCloseTo(20_000 * Math.log(1 - 1 / 300), 6);
    expect(result.warnings.map(({ code }) => code)).toEqual(['factor_small']);
    expect(result.warnings[0]?.segments).toEqual([0]);
  });

  it('of 1000 tokens has 1.6e-6', () => {
    expect(first(1000, 'segment_trainable').segments[0]?.factor?.toExponential(1)).toBe('1.6e-6');
  });

  it('keeps at least about half with one lambda per rollout', () => {
    const result = first(200, 'rollout_trainable');
    expect(result.segments[0]?.factor).toBeGreaterThan(0.513);
    expect(result.warnings).toEqual([]);
  });

  it('keeps a finite logarithm where the factor underflows to 0', () => {
    const [summary] = first(10, 'segment_trainable').segments;
    expect(summary?.factor).toBe(0);
    expect(summary?.logFactor).toBeCloseTo(20_000 * Math.log(1 - 1 / 15), 6);
  });
});
