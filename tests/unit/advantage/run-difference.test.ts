// Two columns of advantages side by side: figures against a plain computation, masks, and rollouts that only one side has.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RunDifference } from '../../../app/domain/advantage/run-difference.ts';

const rollout = { id: 'r-1', externalId: 'one' };

describe('the difference of two runs', () => {
  it('counts trainable tokens only', () => {
    const difference = new RunDifference();
    difference.add(rollout, [
      { index: 0, mask: [1, 0, 1, 1], a: [1, 9, -1, 2], b: [1, 0, 1, 2] },
      { index: 1, mask: null, a: [0.5], b: [4.5] },
    ]);
    difference.skip('a');
    difference.skip('b');
    difference.skip('b');
    expect(difference.result()).toMatchObject({
      rollouts: 1,
      onlyA: 1,
      onlyB: 2,
      tokens: 4,
      differing: 2,
      signFlips: 1,
      meanAbsA: 4.5 / 4,
      meanAbsB: 8.5 / 4,
      meanAbsDifference: 6 / 4,
      rows: [{ ...rollout, tokens: 4, largest: { segment: 1, token: 0, a: 0.5, b: 4.5 } }],
    });
  });

  it('has Pearson’s correlation, and none where a side does not vary', () => {
    const of = (a: number[], b: number[]): number | null => {
      const difference = new RunDifference();
      difference.add(rollout, [{ index: 0, mask: null, a, b }]);
      return difference.result().correlation;
    };
    expect(of([1, 2, 3], [2, 4, 6])).toBeCloseTo(1);
    expect(of([1, 2, 3], [-1, -2, -3])).toBeCloseTo(-1);
    expect(of([1, 1, 1], [1, 2, 3])).toBeNull();
    expect(of([], [])).toBeNull();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: -99, max: 99 }))), (pairs) => {
        const [a, b] = [pairs.map(([x]) => x), pairs.map(([, y]) => y)];
        const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
        const cov = (x: number[], y: number[]): number =>
          mean(x.map((value, i) => (value - mean(x)) * ((y[i] ?? 0) - mean(y))));
        const found = of(a, b);
        if (found === null) expect(Math.min(cov(a, a), cov(b, b)) || 0).toBeCloseTo(0);
        else expect(found).toBeCloseTo(cov(a, b) / Math.sqrt(cov(a, a) * cov(b, b)), 8);
      }),
    );
  });

  it('calls equal what rounding to float32 makes of the same number', () => {
    const difference = new RunDifference();
    difference.add(rollout, [{ index: 0, mask: null, a: [0.1, 3e7], b: [Math.fround(0.1), Math.fround(3e7 + 1)] }]);
    expect(difference.result()).toMatchObject({ differing: 0, tokens: 2 });
  });

  it('puts the rollouts that are furthest apart first', () => {
    const difference = new RunDifference();
    for (const [id, by] of [
      ['near', 0.1],
      ['same', 0],
      ['far', 5],
    ] as const) {
      difference.add({ id, externalId: id }, [{ index: 0, mask: null, a: [1], b: [1 + by] }]);
    }
    expect(difference.result().rows.map(({ id }) => id)).toEqual(['far', 'near', 'same']);
    expect(difference.result().rows[2]?.largest).toBeNull();
  });
});
