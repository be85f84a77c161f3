// F1 of two annotators' spans.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Span } from '../../../app/contract/records.ts';
import { joinSpans, spanAgreement, tallySpans } from '../../../app/domain/agreement/spans.ts';

function at(start: number, end: number, item = 0, part = 0): Span {
  return { item, part, start, end };
}

const span = fc
  .record({ item: fc.nat(1), part: fc.nat(1), start: fc.nat(30), length: fc.nat(12) })
  .map(({ length, ...place }): Span => ({ ...place, end: place.start + length }));
const spans = fc.array(span, { maxLength: 8 });

/** The characters of spans, one by one. */
function characters(list: readonly Span[]): Set<string> {
  return new Set(
    list.flatMap(({ item, part, start, end }) =>
      Array.from({ length: Math.max(0, end - start) }, (_, i) => `${item} ${part} ${start + i}`),
    ),
  );
}

describe('joining', () => {
  it('makes one of spans that overlap and keeps those that only touch', () => {
    expect(joinSpans([at(5, 9), at(0, 6), at(9, 12), at(3, 3)])).toEqual([at(0, 9), at(9, 12)]);
  });
  it('keeps parts apart', () => {
    expect(joinSpans([at(0, 9), at(0, 9, 0, 1), at(0, 9, 1)])).toHaveLength(3);
  });
});

describe('a tally', () => {
  it('counts equal, touching and missed spans', () => {
    const a = [at(0, 10), at(20, 30), at(50, 60)];
    const b = [at(0, 10), at(25, 40), at(70, 80)];
    expect(tallySpans(a, b)).toEqual({
      spansA: 3,
      spansB: 3,
      hitA: 2,
      hitB: 2,
      equal: 1,
      lengthA: 30,
      lengthB: 35,
      lengthShared: 15,
    });
  });

  it('counts every character once, as a slow count of sets does', () => {
    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const tally = tallySpans(a, b);
        const inA = characters(a);
        const inB = characters(b);
        expect(tally.lengthA).toBe(inA.size);
        expect(tally.lengthB).toBe(inB.size);
        expect(tally.lengthShared).toBe([...inA].filter((character) => inB.has(character)).length);
      }),
    );
  });

  it('does not depend on who is first', () => {
    fc.assert(
      fc.property(spans, spans, (a, b) => {
        const one = spanAgreement([tallySpans(a, b)]);
        const other = spanAgreement([tallySpans(b, a)]);
        for (const figure of ['exact', 'overlap', 'characters'] as const) {
          expect(one?.[figure].value).toBe(other?.[figure].value);
        }
      }),
    );
  });
});

describe('F1 over rollouts', () => {
  it('pools spans before it divides', () => {
    // A: 1 + 2 spans, B: 1 + 1; one equal, one more touches. P = 2/2, R = 2/3.
    const agreement = spanAgreement([
      tallySpans([at(0, 10)], [at(0, 10)]),
      tallySpans([at(0, 10), at(40, 50)], [at(5, 15)]),
    ]);
    expect(agreement).toMatchObject({ rollouts: 2, spansA: 3, spansB: 2 });
    expect(agreement?.exact.value).toBeCloseTo(2 / 5, 12);
    expect(agreement?.overlap.value).toBeCloseTo(0.8, 12);
    expect(agreement?.characters.value).toBeCloseTo(30 / 50, 12);
  });

  it('is 0 where only one marked something, and nothing where nobody did', () => {
    expect(spanAgreement([tallySpans([at(0, 10)], [])])?.overlap.value).toBe(0);
    expect(spanAgreement([tallySpans([], [])])).toBeNull();
    expect(spanAgreement([])).toBeNull();
  });
});
