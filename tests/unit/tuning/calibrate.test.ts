// Calibration against figures worked out by hand, and the honesty of what it reports.

import { describe, expect, it } from 'vitest';
import {
  calibrate,
  isotonic,
  type Labelled,
  needed,
  platt,
  probabilityOf,
} from '../../../app/domain/tuning/calibrate.ts';
import { brier, expectedError, reliabilityBins } from '../../../app/domain/tuning/reliability.ts';

/** Numbers from 0 to 1 that depend on nothing but the seed. */
function* numbers(seed: number): Generator<number, never> {
  let state = seed;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Rollouts whose score is a hack's probability to the given power. */
function drawn(count: number, power: number, seed = 7): Labelled[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => {
    const score = next.next().value;
    return { score, hack: next.next().value < score ** power };
  });
}

describe('isotonic regression', () => {
  it('pools what is out of order', () => {
    const labelled = [
      { score: 0.1, hack: false },
      { score: 0.2, hack: true },
      { score: 0.3, hack: false },
      { score: 0.4, hack: false },
      { score: 0.5, hack: true },
    ];
    const map = isotonic(labelled);
    expect(map).toEqual({ method: 'isotonic', scores: [0.1, 0.2, 0.5], probabilities: [0, 1 / 3, 1] });
    expect([0, 0.15, 0.2, 0.49, 0.5, 1].map((score) => probabilityOf(map, score))).toEqual([0, 0, 1 / 3, 1 / 3, 1, 1]);
  });
  it('takes equal scores as one step, in whatever order they come', () => {
    const labels = [true, false, true, false].map((hack) => ({ score: 0.5, hack }));
    expect(isotonic(labels)).toEqual({ method: 'isotonic', scores: [0.5], probabilities: [0.5] });
  });
  it('never falls', () => {
    const map = isotonic(drawn(300, 2).toSorted((a, b) => a.score - b.score));
    if (map.method !== 'isotonic') throw new Error('not isotonic');
    expect(map.probabilities).toEqual(map.probabilities.toSorted((a, b) => a - b));
  });
});

describe('Platt scaling', () => {
  it('has no gradient left at its end', () => {
    const labelled = drawn(60, 1);
    const map = platt(labelled);
    if (map.method !== 'platt') throw new Error('not platt');
    const n = labelled.filter(({ hack }) => hack).length;
    const residual = labelled.map(({ score, hack }) => ({
      score,
      r: (hack ? (n + 1) / (n + 2) : 1 / (labelled.length - n + 2)) - probabilityOf(map, score),
    }));
    expect(residual.reduce((sum, { r }) => sum + r, 0)).toBeCloseTo(0, 5);
    expect(residual.reduce((sum, { r, score }) => sum + r * score, 0)).toBeCloseTo(0, 5);
    expect(map.a).toBeLessThan(0);
  });
  it('stays finite where scores separate the labels, or are all equal', () => {
    const apart = Array.from({ length: 20 }, (_, i) => ({ score: i < 10 ? 0 : 1, hack: i >= 10 }));
    expect(probabilityOf(platt(apart), 1)).toBeGreaterThan(0.85);
    expect(probabilityOf(platt(apart), 1)).toBeLessThan(1);
    const equal = Array.from({ length: 20 }, (_, i) => ({ score: 0.5, hack: i % 2 === 0 }));
    expect(probabilityOf(platt(equal), 0.5)).toBeCloseTo(0.5, 3);
  });
});

describe('the report', () => {
  it('does not calibrate on few labels, and says how many it takes', () => {
    const report = calibrate(drawn(12, 1));
    expect(report).toMatchObject({ map: null, folds: null, calibrated: [], needed });
    expect(report.brier.raw).not.toBeNull();
    expect(calibrate([])).toMatchObject({ hack: 0, clean: 0, raw: [], brier: { raw: null, baseRate: null } });
  });
  it('leaves each rollout out once, then takes folds and isotonic steps', () => {
    expect(calibrate(drawn(120, 1))).toMatchObject({ folds: 120, map: { method: 'platt' } });
    expect(calibrate(drawn(900, 1))).toMatchObject({ folds: 10, map: { method: 'isotonic' } });
  });
  it('mends scores that claim too much, on rollouts the fit had not seen', () => {
    const report = calibrate(drawn(900, 3));
    expect(report.ece.raw).toBeGreaterThan(0.15);
    expect(report.ece.calibrated).toBeLessThan(0.06);
    expect(report.brier.calibrated ?? 1).toBeLessThan(report.brier.raw ?? 0);
  });
  it('promises nothing where scores say nothing', () => {
    const next = numbers(3);
    const noise = Array.from({ length: 100 }, (_, i) => ({ score: next.next().value, hack: i % 2 === 0 }));
    const report = calibrate(noise);
    expect(report.brier.calibrated ?? 0).toBeGreaterThan((report.brier.baseRate ?? 0) - 0.02);
  });
  it('depends on the labels, not on their order', () => {
    const labelled = drawn(80, 2);
    expect(calibrate(labelled.toReversed())).toEqual(calibrate(labelled));
  });
});

describe('reliability', () => {
  it('bins, counts and errs as by hand', () => {
    const bins = reliabilityBins([0.05, 0.05, 0.3, 1], [false, true, true, true]);
    expect(bins.map(({ low, mean, share }) => [low, mean, share.hits, share.of])).toEqual([
      [0, 0.05, 1, 2],
      [0.3, 0.3, 1, 1],
      [0.9, 1, 1, 1],
    ]);
    expect(expectedError(bins)).toBeCloseTo((2 * 0.45 + 0.7 + 0) / 4);
    expect(brier([0.5, 1], [true, false])).toBeCloseTo((0.25 + 1) / 2);
    expect(expectedError([])).toBeNull();
  });
});
