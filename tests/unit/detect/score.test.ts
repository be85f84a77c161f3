import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scoreRollout } from '../../../app/domain/detect/score.ts';

const hit = (
  rule: string,
  score: number,
  weak = false,
  kind = rule,
): { rule: string; score: number; weak: boolean; kind: string } => ({ rule, score, weak, kind });

describe('scoreRollout', () => {
  it('is the noisy-or of the best hit of each strong rule', () => {
    expect(scoreRollout([hit('a', 0.5), hit('a', 0.4), hit('b', 0.5)], 0.35).score).toBeCloseTo(0.75, 12);
  });

  it('takes a strong hit of a rule before a weak one of the same score', () => {
    expect(scoreRollout([hit('a', 0.5, true), hit('a', 0.5)], 0.35)).toMatchObject({ score: 0.5, marked: true });
    expect(scoreRollout([hit('a', 0.25, true), hit('a', 0.5)], 0.35).marked).toBe(true);
    expect(scoreRollout([hit('a', 0.25, true)], 0.35).marked).toBe(false);
  });

  it('is zero and unmarked without hits, even at threshold zero', () => {
    expect(scoreRollout([], 0)).toEqual({ score: 0, marked: false, kinds: [], topKind: null });
  });

  it('lists strong kinds by score, weak ones only when there is no strong hit', () => {
    expect(
      scoreRollout([hit('a', 0.4, false, 'x'), hit('b', 0.6, false, 'y'), hit('c', 0.9, true, 'z')], 0.35),
    ).toMatchObject({ kinds: ['y', 'x'], topKind: 'y' });
    expect(scoreRollout([hit('c', 0.2, true, 'z')], 0.35)).toMatchObject({ kinds: ['z'], marked: false });
  });

  it('never marks by weak hits alone, and never lowers a score', () => {
    const hits = fc.array(
      fc.record({
        rule: fc.constantFrom('a', 'b', 'c', 'd'),
        kind: fc.constant('k'),
        score: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(hits, hits, fc.double({ min: 0.01, max: 1, noNaN: true }), (strong, weak, threshold) => {
        const weakHits = weak.map((each) => ({ ...each, rule: `w${each.rule}`, weak: true }));
        const strongHits = strong.map((each) => ({ ...each, weak: false }));
        expect(scoreRollout(weakHits, threshold).marked).toBe(false);
        const both = scoreRollout([...strongHits, ...weakHits], threshold).score;
        expect(both).toBeGreaterThanOrEqual(scoreRollout(strongHits, threshold).score - 1e-12);
        expect(both).toBeLessThanOrEqual(1);
      }),
    );
  });
});
