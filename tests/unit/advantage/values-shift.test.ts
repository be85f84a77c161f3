// Joined critic values that are off by one token, and logs that cannot tell.

import { describe, expect, it } from 'vitest';
import { shiftOf, valuesBehind } from '../../../app/domain/advantage/values-shift.ts';

const logged = Array.from({ length: 40 }, (_, t) => Math.sin(t * 1.7));
const moved = (by: number) => logged.map((_, t) => logged[t + by] ?? 0);

describe('values against those of the log', () => {
  it('are named when they belong to the token after or before', () => {
    expect(shiftOf(moved(1), logged)).toBe(1);
    expect(shiftOf(moved(-1), logged)).toBe(-1);
    expect(shiftOf(logged, logged)).toBe(0);
  });

  it('of another critic are not called shifted, and neither is rounding', () => {
    expect(
      shiftOf(
        logged.map((v, t) => v + Math.cos(t)),
        logged,
      ),
    ).toBe(0);
    expect(shiftOf(Float32Array.from(logged), logged)).toBe(0);
    expect(shiftOf(moved(2), logged)).toBe(0);
  });

  it('too few of them, or none in common, say nothing', () => {
    expect(shiftOf(moved(1).slice(0, 5), logged.slice(0, 5))).toBe(0);
    expect(
      shiftOf(
        moved(1),
        logged.map(() => Number.NaN),
      ),
    ).toBe(0);
  });

  it('a constant critic cannot be shifted', () => {
    expect(shiftOf(new Float64Array(20).fill(0.5), new Float64Array(20).fill(0.5))).toBe(0);
  });

  it('stand behind logged returns and advantages', () => {
    const advantages = logged.map((v) => v / 2);
    const returns = logged.map((v, t) => v + (advantages[t] ?? 0));
    expect(shiftOf(moved(1), valuesBehind(returns, advantages))).toBe(1);
  });
});
