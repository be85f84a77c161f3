// The coefficients against worked examples that others published, and against their own identities.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chanceAgreement,
  cohenKappa,
  fleissKappa,
  krippendorffAlpha,
  percentAgreement,
  type Ratings,
  specificAgreement,
  tableAgreement,
} from '../../../app/domain/agreement/coefficients.ts';

/** Ratings of units from one line of categories per annotator; a dot is a missing value. */
function unitsOfLines(categories: string, ...lines: string[]): Ratings[] {
  const rows = lines.map((line) => line.split(' '));
  return (rows[0] ?? []).map((_, unit) =>
    [...categories].map((category) => rows.filter((row) => row[unit] === category).length),
  );
}

/** The units of a two by two table: both first, only a first, only b first, neither. */
function twoByTwo(both: number, onlyA: number, onlyB: number, neither: number): Ratings[] {
  return [
    ...Array.from({ length: both }, () => [2, 0]),
    ...Array.from({ length: onlyA + onlyB }, () => [1, 1]),
    ...Array.from({ length: neither }, () => [0, 2]),
  ];
}

describe("Cohen's kappa", () => {
  it('of the table in Cohen, "Weighted kappa", Psychological Bulletin 70 (1968) is .492', () => {
    const table = [
      [88, 14, 18],
      [10, 40, 10],
      [2, 6, 12],
    ];
    expect(tableAgreement(table).observed).toBeCloseTo(0.7, 12);
    expect(tableAgreement(table).chance).toBeCloseTo(0.41, 12);
    expect(cohenKappa(table)).toBeCloseTo(0.492, 3);
  });

  // A. R. Feinstein and D. V. Cicchetti, "High agreement but low kappa: I", J. Clin. Epidemiol. 43 (1990) 543-549.
  it.each([
    [40, 9, 6, 45, 0.7],
    [80, 10, 5, 5, 0.32],
  ])('of Feinstein and Cicchetti, with equal agreement: %i %i %i %i is %f', (both, onlyA, onlyB, neither, kappa) => {
    const table = [
      [both, onlyA],
      [onlyB, neither],
    ];
    expect(tableAgreement(table).observed).toBeCloseTo(0.85, 12);
    expect(cohenKappa(table)).toBeCloseTo(kappa, 2);
  });

  it('is 1 for the same answers, 0 for independent ones, below 0 for opposite ones', () => {
    expect(
      cohenKappa([
        [3, 0],
        [0, 5],
      ]),
    ).toBeCloseTo(1, 12);
    expect(
      cohenKappa([
        [4, 2],
        [8, 4],
      ]),
    ).toBeCloseTo(0, 12);
    expect(
      cohenKappa([
        [0, 5],
        [5, 0],
      ]),
    ).toBeCloseTo(-1, 12);
  });

  it('is not defined without units or with a single category', () => {
    expect(
      cohenKappa([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull();
    expect(
      cohenKappa([
        [7, 0],
        [0, 0],
      ]),
    ).toBeNull();
  });
});

describe("Fleiss' kappa", () => {
  it('of the 30 patients with six diagnoses each in Fleiss (1971) is .430', () => {
    // Table 1 of the paper: depression, personality disorder, schizophrenia, neurosis, other.
    const diagnoses = [
      '00060',
      '03003',
      '01401',
      '00006',
      '03030',
      '20400',
      '00402',
      '20310',
      '20040',
      '00006',
      '10050',
      '11040',
      '03300',
      '10050',
      '02031',
      '00501',
      '30012',
      '51000',
      '02040',
      '10203',
      '00006',
      '01050',
      '02013',
      '20040',
      '10041',
      '05010',
      '40002',
      '02040',
      '10500',
      '00006',
    ].map((row) => [...row].map(Number));
    expect(percentAgreement(diagnoses)).toBeCloseTo(0.5556, 4);
    expect(chanceAgreement(diagnoses)).toBeCloseTo(0.22, 3);
    expect(fleissKappa(diagnoses)).toBeCloseTo(0.43, 3);
  });

  it('of ten subjects with fourteen ratings each (the example of the Wikipedia article) is .210', () => {
    const ratings = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    expect(percentAgreement(ratings)).toBeCloseTo(0.378, 3);
    expect(chanceAgreement(ratings)).toBeCloseTo(0.213, 3);
    expect(fleissKappa(ratings)).toBeCloseTo(0.21, 3);
  });

  it('refuses units with unequal numbers of ratings', () => {
    expect(() =>
      fleissKappa([
        [2, 0],
        [2, 1],
      ]),
    ).toThrow(RangeError);
  });
});

// K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), sections A, B and C.
describe("Krippendorff's alpha", () => {
  it('of two observers and binary data is .095', () => {
    const units = unitsOfLines('01', '0 1 0 0 0 0 0 0 1 0', '1 1 1 0 0 1 0 0 0 0');
    expect(krippendorffAlpha(units)).toBeCloseTo(0.095, 3);
  });

  it('of two observers and nominal data is .692', () => {
    const units = unitsOfLines('abcde', 'a a b b d c c c e d d a', 'b a b b b c c c e d d d');
    expect(krippendorffAlpha(units)).toBeCloseTo(0.692, 3);
  });

  it('of four observers with missing data is .743', () => {
    const units = unitsOfLines(
      '12345',
      '1 2 3 3 2 1 4 1 2 . . .',
      '1 2 3 3 2 2 4 1 2 5 . 3',
      '. 3 3 3 2 3 4 2 2 5 1 .',
      '1 2 3 3 2 4 4 1 2 5 1 .',
    );
    expect(krippendorffAlpha(units)).toBeCloseTo(0.743, 3);
  });

  it('is not defined when all say the same or nobody shares a unit', () => {
    expect(
      krippendorffAlpha([
        [2, 0],
        [3, 0],
      ]),
    ).toBeNull();
    expect(
      krippendorffAlpha([
        [1, 0],
        [0, 1],
      ]),
    ).toBeNull();
    expect(krippendorffAlpha([])).toBeNull();
  });
});

describe('agreement specific to a category', () => {
  it('is 2a / (2a + b + c), the other category d in the place of a', () => {
    // The table of Feinstein and Cicchetti with κ = 0.32: 160/175 on one category, 10/25 on the other.
    const units = twoByTwo(80, 10, 5, 5);
    expect(specificAgreement(units, 0)).toBeCloseTo(160 / 175, 12);
    expect(specificAgreement(units, 1)).toBeCloseTo(10 / 25, 12);
  });

  it('of three annotators counts all their pairs', () => {
    // One unit hack hack clean: one pair agrees on hack, two pairs have one hack: 2 / (2 + 2).
    expect(specificAgreement([[2, 1]], 0)).toBeCloseTo(0.5, 12);
  });

  it('is not defined for a category that nobody used', () => {
    expect(specificAgreement([[0, 2]], 0)).toBeNull();
  });
});

describe('identities', () => {
  const ratings = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 20 });

  it('a unit that occurs twice is two units', () => {
    fc.assert(
      fc.property(ratings, fc.array(fc.nat(3), { minLength: 20, maxLength: 20 }), (units, times) => {
        const repeated = units.flatMap((unit, at) => Array.from({ length: times[at] ?? 0 }, () => unit));
        for (const statistic of [percentAgreement, krippendorffAlpha, chanceAgreement]) {
          const expected = statistic(repeated);
          const actual = statistic(units, times);
          if (expected === null) expect(actual).toBeNull();
          else expect(actual).toBeCloseTo(expected, 9);
        }
      }),
    );
  });

  it("for two annotators alpha is Scott's pi with the correction for small samples", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), fc.nat(20), (both, apart, neither) => {
        const units = twoByTwo(both, apart, 0, neither);
        const pi = fleissKappa(units);
        const alpha = krippendorffAlpha(units);
        if (pi === null) expect(alpha).toBeNull();
        else expect(alpha).toBeCloseTo(1 - ((1 - pi) * (2 * units.length - 1)) / (2 * units.length), 9);
      }),
    );
  });

  it('kappa does not depend on who is first or on the order of the categories', () => {
    const square = fc.array(fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(square, (table) => {
        const turned = table.map((_, row) => table.map((line) => line[row] ?? 0));
        const reversed = table.toReversed().map((line) => line.toReversed());
        const kappa = cohenKappa(table);
        for (const other of [turned, reversed]) {
          if (kappa === null) expect(cohenKappa(other)).toBeNull();
          else expect(cohenKappa(other)).toBeCloseTo(kappa, 9);
        }
      }),
    );
  });
});
