// Intervals: the same at every run, near what theory says, and absent where they would mean nothing.

import { describe, expect, it } from 'vitest';
import { createDraws, estimate, quantile, resample, type Statistic } from '../../../app/domain/agreement/bootstrap.ts';

const share: Statistic<boolean> = (patterns, times) => {
  let hits = 0;
  let all = 0;
  for (const [at, hit] of patterns.entries()) {
    all += times[at] ?? 0;
    if (hit) hits += times[at] ?? 0;
  }
  return all === 0 ? null : hits / all;
};

function sample(hits: number, misses: number, settings?: { resamples: number; seed: number }) {
  const units = [...Array.from({ length: hits }, () => true), ...Array.from({ length: misses }, () => false)];
  return resample(units, String, settings);
}

describe('resampling', () => {
  it('draws as many units as there are, each time', () => {
    const { patterns, counts, resamples } = sample(30, 20);
    expect(patterns).toEqual([true, false]);
    expect([...counts]).toEqual([30, 20]);
    expect(resamples).toHaveLength(1000);
    for (const times of resamples) expect(times.reduce((sum, count) => sum + count, 0)).toBe(50);
  });

  it('is the same at every run and another with another seed', () => {
    const one = estimate(sample(30, 20), share);
    expect(estimate(sample(30, 20), share)).toEqual(one);
    const firsts = (seed: number) => sample(30, 20, { resamples: 20, seed }).resamples.map((times) => times[0]);
    expect(firsts(1)).not.toEqual(firsts(2));
  });

  it('draws every place about equally often', () => {
    const draw = createDraws(7);
    const counts = new Int32Array(10);
    for (let i = 0; i < 100_000; i++) {
      const place = draw(10);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    // Ten standard deviations of a binomial count of 100,000 draws at 0.1 are 950.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(950);
  });

  it('takes a seed of 0, which the generator itself cannot', () => {
    const draw = createDraws(0);
    expect(new Set(Array.from({ length: 50 }, () => draw(1000))).size).toBeGreaterThan(40);
  });
});

describe('percentile intervals', () => {
  it('of a share is near its normal interval', () => {
    const { value, low, high, of } = estimate(sample(120, 80), share);
    const half = 1.96 * Math.sqrt((0.6 * 0.4) / 200);
    expect(value).toBe(0.6);
    expect(of).toBe(200);
    expect(low).toBeCloseTo(0.6 - half, 1.7);
    expect(high).toBeCloseTo(0.6 + half, 1.7);
  });

  it('narrows as the root of the number of units', () => {
    const width = (n: number): number => {
      const { low, high } = estimate(sample(n / 2, n / 2), share);
      return (high ?? 0) - (low ?? 0);
    };
    expect(width(100) / width(1600)).toBeGreaterThan(3.4);
    expect(width(100) / width(1600)).toBeLessThan(4.6);
  });

  it('is absent for one unit, without variation, and where most resamples do not define the figure', () => {
    expect(estimate(sample(1, 0), share)).toEqual({ value: 1, low: null, high: null, of: 1 });
    expect(estimate(sample(40, 0), share)).toEqual({ value: 1, low: null, high: null, of: 40 });
    // Defined only on resamples that are exactly half and half, about one in ten.
    const rare: Statistic<boolean> = (_patterns, times) => (times[0] === 25 ? 0.5 : null);
    expect(estimate(sample(25, 25), rare)).toMatchObject({ value: 0.5, low: null, high: null });
  });

  it('is absent with the figure itself', () => {
    expect(estimate(sample(0, 0), share)).toEqual({ value: null, low: null, high: null, of: 0 });
  });

  it('takes quantiles between the order statistics', () => {
    expect(quantile([1, 2, 3, 4], 0)).toBe(1);
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4], 1)).toBe(4);
    expect(quantile([9], 0.3)).toBe(9);
  });
});
