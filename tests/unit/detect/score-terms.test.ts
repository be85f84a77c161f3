import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreRollout } from '../../../app/domain/detect/score.ts';
import { scoreTerms } from '../../../app/domain/detect/score-terms.ts';

const hit = fc.record({
  rule: fc.constantFrom('A1', 'A2', 'B1', 'B2'),
  kind: fc.constantFrom('x', 'y'),
  score: fc.double({ min: 0, max: 0.999, noNaN: true }),
  weak: fc.boolean(),
});

describe('scoreTerms', () => {
  it('puts the score together again from its terms', () => {
    fc.assert(
      fc.property(
        fc.array(hit, { maxLength: 12 }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (hits, threshold) => {
          const terms = scoreTerms(hits, threshold);
          const whole = scoreRollout(hits, threshold);
          expect(terms.score).toBe(whole.score);
          const product = terms.strong.reduce((left, { score }) => left * (1 - score), 1);
          expect(terms.strongSum).toBeCloseTo(1 - product, 12);
          expect(1 - (1 - terms.strongSum) * (1 - terms.weakCapped)).toBeCloseTo(whole.score, 9);
          expect(terms.weakCapped).toBeLessThanOrEqual(Math.min(terms.weakSum, 0.95 * threshold) + 1e-9);
          expect([...terms.strong, ...terms.weak].reduce((sum, { hits: count }) => sum + count, 0)).toBe(hits.length);
        },
      ),
    );
  });
  it('names the best hit of each rule, the highest first', () => {
    const one = (rule: string, score: number, weak = false) => ({ rule, kind: 'x', score, weak });
    const terms = scoreTerms([one('A', 0.2), one('A', 0.5), one('B', 0.6), one('C', 0.9, true)], 0.35);
    expect(terms.strong).toEqual([
      { rule: 'B', score: 0.6, hits: 1 },
      { rule: 'A', score: 0.5, hits: 2 },
    ]);
    expect(terms.weak).toEqual([{ rule: 'C', score: 0.9, hits: 1 }]);
    expect(terms.strongSum).toBeCloseTo(0.8);
    expect(terms.weakCapped).toBeCloseTo(0.95 * 0.35);
    expect(terms.marked).toBe(true);
  });
});
