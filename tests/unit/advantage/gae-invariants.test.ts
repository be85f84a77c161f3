// Invariants of the GAE family (ADVANTAGES.md 9.1), over generated rollouts.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RolloutInput, SegmentInput } from '../../../app/domain/advantage/types.ts';
import {
  columns,
  counts,
  discounts,
  expectClose,
  mapNumbers,
  rollout,
  rollouts,
  runOne,
  segments,
  terminalOnly,
  trainable,
} from './build.ts';

const gaeIds = ['gae_local', 'gae_cross', 'gae_stitched'] as const;
function check<T>(property: fc.IRawProperty<T>): void {
  fc.assert(property, { numRuns: 150 });
}

describe('agreement of local, cross and stitched', () => {
  it('1: with one segment all three are the same', () => {
    check(
      fc.property(rollouts({ max: 1 }), discounts, (one, params) => {
        const local = trainable(runOne('gae_local', params, one));
        expect(trainable(runOne('gae_cross', params, one))).toEqual(local);
        expectClose(trainable(runOne('gae_stitched', params, one)), local);
      }),
    );
  });

  it('2: undiscounted, cross is local; with only the terminal reward it is stitched too', () => {
    check(
      fc.property(rollouts(), (one) => {
        const params = { gamma: 1, lambda: 1 };
        expect(trainable(runOne('gae_cross', params, one))).toEqual(trainable(runOne('gae_local', params, one)));
        const sparse = terminalOnly(one);
        expectClose(trainable(runOne('gae_cross', params, sparse)), trainable(runOne('gae_stitched', params, sparse)));
      }),
    );
  });

  it('3: without critic and token rewards cross is stitched for every discount', () => {
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const reward = one.reward ?? 0;
        const bare = { ...terminalOnly(mapNumbers(one, () => 0)), reward };
        const gap = runOne('approx_gap', params, bare).gap;
        expect(gap?.maxAbs ?? Number.NaN).toBeLessThan(1e-12);
        expect(gap?.signFlips).toBe(0);
      }),
    );
  });

  it('4: in the last segment that has a trainable token all three agree', () => {
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const last = counts(one).findLastIndex((n) => n > 0);
        const at = (id: string) => columns(runOne(id, params, one))[last] ?? [];
        expect(at('gae_cross')).toEqual(at('gae_local'));
        expectClose(at('gae_stitched'), at('gae_local'));
      }),
    );
  });
});

describe('algebra', () => {
  it.each(gaeIds)('5: %s is linear in values, rewards and terminal reward', (id) => {
    check(
      fc.property(rollouts(), discounts, fc.double({ min: -3, max: 3, noNaN: true }), (one, params, k) => {
        const base = trainable(runOne(id, params, one));
        expectClose(
          trainable(
            runOne(
              id,
              params,
              mapNumbers(one, (x) => k * x),
            ),
          ),
          base.map((a) => k * a),
          100,
        );
        // The other summand: another function of the same numbers, so that shapes agree.
        const other = mapNumbers(one, (x) => Math.sin(7 * x));
        const sum = mapNumbers(one, (x) => x + Math.sin(7 * x));
        const expected = trainable(runOne(id, params, other)).map((a, i) => a + (base[i] ?? 0));
        expectClose(trainable(runOne(id, params, sum)), expected, 100);
      }),
    );
  });

  it('6: undiscounted with only the terminal reward, a local advantage is R - V', () => {
    check(
      fc.property(rollouts(), (one) => {
        const sparse = terminalOnly(one);
        const result = runOne('gae_local', { gamma: 1, lambda: 1 }, sparse);
        for (const [s, seg] of result.segments.entries()) {
          for (const t of seg.positions) {
            const wanted = (sparse.reward ?? 0) - (sparse.segments[s]?.values?.[t] ?? 0);
            expect(seg.columns.advantages?.[t]).toBeCloseTo(wanted, 10);
          }
        }
      }),
    );
  });

  it('7: raising the terminal reward by h adds h times the discount to the end of the whole rollout', () => {
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const h = 0.625;
        const c = params.gamma * params.lambda;
        const n = counts(one);
        const total = n.reduce((a, b) => a + b, 0);
        const expected = Array.from({ length: total }, (_, place) => h * c ** (total - 1 - place));
        for (const id of ['gae_cross', 'gae_stitched']) {
          const before = trainable(runOne(id, params, one));
          const after = trainable(runOne(id, params, { ...one, reward: (one.reward ?? 0) + h }));
          expectClose(
            after.map((x, i) => x - (before[i] ?? 0)),
            expected,
            10,
          );
        }
      }),
    );
  });

  it('8: with gamma 1, raising every value by h lowers a local advantage by h times the discount to its segment end', () => {
    check(
      fc.property(rollouts(), fc.double({ min: 0, max: 1, noNaN: true }), (one, lambda) => {
        const h = 0.375;
        const params = { gamma: 1, lambda };
        const raised: RolloutInput = {
          ...one,
          segments: one.segments.map((seg) => ({ ...seg, values: Array.from(seg.values ?? [], (v) => (v ?? 0) + h) })),
        };
        const before = trainable(runOne('gae_local', params, one));
        const after = trainable(runOne('gae_local', params, raised));
        const expected = counts(one).flatMap((n) => Array.from({ length: n }, (_, i) => -h * lambda ** (n - 1 - i)));
        expectClose(
          after.map((x, i) => x - (before[i] ?? 0)),
          expected,
          10,
        );
      }),
    );
  });

  it('12: local returns minus values are the local advantages', () => {
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const result = runOne('gae_cross', { ...params, returns: 'local' }, one);
        const values = result.segments.flatMap((seg, s) =>
          Array.from(seg.positions, (t) => one.segments[s]?.values?.[t] ?? 0),
        );
        const difference = trainable(result, 'returns').map((r, i) => r - (values[i] ?? 0));
        expectClose(difference, trainable(result, 'local_advantages'));
      }),
    );
  });

  it('17: with a fixed lambda the factor does not fall from segment to segment', () => {
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const factors = runOne('gae_cross', params, one).segments.map((seg) => Math.abs(seg.factor ?? Number.NaN));
        for (const [s, factor] of factors.entries()) expect(factor).toBeGreaterThanOrEqual(factors[s - 1] ?? 0);
        expect(factors.at(-1)).toBe(1);
      }),
    );
  });
});

/** Inserts masked tokens with wild columns after every token. */
function withObservations(seg: SegmentInput): SegmentInput {
  const twice = <T>(xs: ArrayLike<T>, filler: T): T[] => Array.from(xs).flatMap((x) => [x, filler]);
  return {
    ...seg,
    lossMask: twice<number | boolean>(seg.lossMask, 0),
    values: twice<number | null>(seg.values ?? [], Number.NaN),
    rewards: twice<number | null>(seg.rewards ?? [], 0),
  };
}

describe('what must not matter', () => {
  it.each(gaeIds)('9 and 16: %s ignores inserted observations, also when their values are NaN', (id) => {
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const spaced = { ...one, segments: one.segments.map(withObservations) };
        expect(trainable(runOne(id, params, spaced))).toEqual(trainable(runOne(id, params, one)));
        expect(
          columns(runOne(id, params, spaced))
            .flat()
            .every(Number.isFinite),
        ).toBe(true);
      }),
    );
  });

  it.each(['gae_cross', 'gae_stitched'])('10: %s ignores inserted empty and all-masked segments', (id) => {
    const nothing: SegmentInput = { kind: 'summary', lossMask: [], values: [] };
    const masked: SegmentInput = { kind: 'execution', lossMask: [0, 0], values: [null, Number.POSITIVE_INFINITY] };
    check(
      fc.property(rollouts(), discounts, (one, params) => {
        const padded = { ...one, segments: [nothing, ...one.segments.flatMap((seg) => [seg, masked, nothing])] };
        expect(trainable(runOne(id, params, padded))).toEqual(trainable(runOne(id, params, one)));
      }),
    );
  });

  it('11: splitting a segment leaves stitched as it is and moves cross by the gap formula', () => {
    check(
      fc.property(segments({ filled: true }), segments({ filled: true }), discounts, (left, right, params) => {
        const split = rollout([left, right], { reward: 0.5 });
        const joined = rollout(
          [
            {
              kind: 'execution',
              lossMask: [...Array.from(left.lossMask), ...Array.from(right.lossMask)],
              values: [...Array.from(left.values ?? []), ...Array.from(right.values ?? [])],
              rewards: [...Array.from(left.rewards ?? []), ...Array.from(right.rewards ?? [])],
            },
          ],
          { reward: 0.5 },
        );
        const whole = trainable(runOne('gae_stitched', params, joined));
        expectClose(trainable(runOne('gae_stitched', params, split)), whole);
        const gap = whole.map((x, i) => x - (trainable(runOne('gae_cross', params, split))[i] ?? 0));
        expectClose(gap, gapFormula(left, right, params.gamma, params.lambda), 10);
      }),
    );
  });
});

/** ADVANTAGES.md 2.6 for two segments, term by term. */
function gapFormula(left: SegmentInput, right: SegmentInput, gamma: number, lambda: number): number[] {
  const c = gamma * lambda;
  const at = (seg: SegmentInput) =>
    Array.from(seg.lossMask).flatMap((m, t) =>
      m === 1 ? [{ v: seg.values?.[t] ?? 0, r: seg.rewards?.[t] ?? 0 }] : [],
    );
  const residuals = (seg: SegmentInput) => {
    const tokens = at(seg);
    return tokens.map(({ v, r }, i) => r + gamma * (tokens[i + 1]?.v ?? 0) - v);
  };
  const discounted = (xs: number[]) => xs.reduce((total, x, l) => total + c ** l * x, 0);
  const ownResiduals = residuals(left);
  const later = residuals(right);
  const bridge = gamma * (at(right)[0]?.v ?? 0) + c * discounted(later);
  const n = ownResiduals.length;
  const ofLeft = ownResiduals.map(
    (_, i) => (1 - c ** later.length) * discounted(ownResiduals.slice(i)) + c ** (n - 1 - i) * bridge,
  );
  return [...ofLeft, ...later.map(() => 0)];
}
