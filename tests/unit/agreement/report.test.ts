// The report on small sets of labels whose figures are worked out by hand.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreementReport as schema } from '../../../app/contract/agreement.ts';
import { type Verdict, verdicts } from '../../../app/contract/vocabulary.ts';
import { agreementReport } from '../../../app/domain/agreement/report.ts';
import { type AgreementLabel, selectUnits, targetId, unitsOf } from '../../../app/domain/agreement/units.ts';

const short: Record<string, Verdict> = { h: 'hack', c: 'clean', u: 'unsure' };

/** Labels from one line per annotator, a letter per rollout (h, c, u; a dot for none), `r1` the first. */
function labelsOf(lines: Record<string, string>, kinds: readonly string[] = []): AgreementLabel[] {
  return Object.entries(lines).flatMap(([annotator, line]) =>
    [...line].flatMap((letter, at): AgreementLabel[] => {
      const verdict = short[letter];
      if (verdict === undefined) return [];
      const target = { type: 'rollout', rollout: `r${at + 1}` } as const;
      return [{ target, annotator, verdict, kinds: verdict === 'hack' ? [...kinds] : [] }];
    }),
  );
}

function reportOf(lines: Record<string, string>, kinds?: readonly string[]) {
  return agreementReport({ target: 'rollout', labels: labelsOf(lines, kinds), spans: [] });
}

const ids = (labels: AgreementLabel[], select: Parameters<typeof selectUnits>[1]): string[] =>
  selectUnits(unitsOf(labels), select).map(({ id }) => id);

describe('two annotators', () => {
  const lines = { mira: 'cchch.c', jonas: 'cchcccu' };
  const report = reportOf(lines);
  const [pair] = report.pairs;

  it('counts what was labelled, compared and disputed', () => {
    expect(report.annotators).toEqual([
      { name: 'jonas', labels: 7, hack: 1, clean: 5, unsure: 1 },
      { name: 'mira', labels: 6, hack: 2, clean: 4, unsure: 0 },
    ]);
    expect(report.units).toEqual({ labelled: 7, shared: 6, disputed: 2 });
  });

  it('gives the figures of the table', () => {
    expect(report.pairs).toHaveLength(1);
    // Jonas: hack 1, clean 4, unsure 1 of 6; Mira: hack 2, clean 4. p_o = 4/6, p_e = (1·2 + 4·4) / 36 = 1/2.
    expect(pair).toMatchObject({ a: 'jonas', b: 'mira', units: 6, hackShare: { a: 1 / 6, b: 2 / 6 } });
    expect(pair?.percent.value).toBeCloseTo(4 / 6, 12);
    expect(pair?.chance).toBeCloseTo(0.5, 12);
    expect(pair?.kappa.value).toBeCloseTo(1 / 3, 12);
    expect(pair?.hack.value).toBeCloseTo(2 / 3, 12);
    expect(pair?.clean.value).toBeCloseTo(6 / 8, 12);
    // Ratings: hack 3, clean 8, unsure 1 of 12. Observed disagreement 2/6, expected 2 (24 + 3 + 8) / (12 · 11).
    expect(report.overall.alpha.value).toBeCloseTo(1 - 2 / 6 / (70 / 132), 12);
    expect(report.overall.fleiss.raters).toBe(2);
  });

  it('keeps the rollouts behind every cell, and all cells together are all that is shared', () => {
    const cells = new Map(pair?.cells.map((cell) => [`${cell.verdictA}-${cell.verdictB}`, cell]));
    expect(cells.size).toBe(9);
    expect(cells.get('clean-hack')?.targets.map(targetId)).toEqual(['r5']);
    expect(cells.get('unsure-clean')?.targets.map(targetId)).toEqual(['r7']);
    expect(cells.get('clean-clean')?.targets.map(targetId)).toEqual(['r1', 'r2', 'r4']);
    expect([...cells.values()].reduce((sum, { count }) => sum + count, 0)).toBe(6);
    for (const cell of cells.values()) {
      const { verdictA, verdictB } = cell;
      expect(ids(labelsOf(lines), { what: 'cell', a: 'jonas', b: 'mira', verdictA, verdictB })).toEqual(
        cell.targets.map(targetId),
      );
    }
  });

  it('lists the disputed, hack against clean first', () => {
    expect(ids(labelsOf(lines), { what: 'disputed' })).toEqual(['r5', 'r7']);
    expect(ids(labelsOf({ a: 'hcch', b: 'uuhh' }), { what: 'disputed' })).toEqual(['r3', 'r1', 'r2']);
    expect(ids(labelsOf(lines), { what: 'shared' })).toHaveLength(6);
  });

  it('is the same at every run and fits the contract', () => {
    expect(reportOf(lines)).toEqual(report);
    expect(schema.parse(report)).toEqual(report);
  });

  it('does not depend on the order of the labels, as two merges may give them', () => {
    const labels = labelsOf({ a: 'hchuchcchhcu', b: 'hcchchcchucc', c: 'cchh..ccuhhc' }, ['test-edit']);
    const inOrder = agreementReport({ target: 'rollout', labels, spans: [] });
    expect(agreementReport({ target: 'rollout', labels: labels.toReversed(), spans: [] })).toEqual(inOrder);
  });
});

describe('several annotators', () => {
  const report = reportOf({ a: 'hhcc.', b: 'hccch', c: '.hcch', d: '..u..' });

  it('compares those who share something, pair by pair', () => {
    expect(report.pairs.map(({ a, b, units }) => `${a}${b} ${units}`)).toEqual([
      'ab 4',
      'ac 3',
      'ad 1',
      'bc 4',
      'bd 1',
      'cd 1',
    ]);
  });

  it("takes Fleiss' kappa over the commonest number of annotators and says so", () => {
    // r1 and r5 have two verdicts, r2 and r4 three, r3 four: of equally common numbers the larger.
    expect(report.overall.fleiss).toMatchObject({ raters: 3, of: 2 });
    expect(report.overall.alpha.of).toBe(5);
    expect(report.warnings.map(({ code }) => code)).toContain('uneven-raters');
  });
});

describe('kinds', () => {
  const labels: AgreementLabel[] = [
    ...labelsOf({ a: 'hh', b: 'h.' }, ['test-edit']),
    ...labelsOf({ b: '.h' }, ['grader-patch']),
    ...labelsOf({ a: '..c', b: '..h' }, ['test-edit']),
    // Kinds on anything but a hack do not count.
    { target: { type: 'rollout', rollout: 'r4' }, annotator: 'a', verdict: 'clean', kinds: ['early-exit'] },
    { target: { type: 'rollout', rollout: 'r4' }, annotator: 'b', verdict: 'clean', kinds: ['early-exit'] },
  ];
  const { kinds } = agreementReport({ target: 'rollout', labels, spans: [] });

  it('counts who names it, the most contested first', () => {
    expect(kinds.map(({ kind, all, some }) => [kind, all, some])).toEqual([
      ['test-edit', 1, 2],
      ['grader-patch', 0, 1],
    ]);
    expect(kinds[0]?.positive.value).toBeCloseTo(2 / 4, 12);
    expect(kinds[0]?.pairs).toEqual([{ a: 'a', b: 'b', both: 1, onlyA: 1, onlyB: 1, neither: 1, positive: 0.5 }]);
  });

  it('finds the rollouts behind its counts', () => {
    expect(ids(labels, { what: 'kind', kind: 'test-edit', named: 'all' })).toEqual(['r1']);
    expect(ids(labels, { what: 'kind', kind: 'test-edit', named: 'some' })).toEqual(['r3', 'r2']);
    expect(ids(labels, { what: 'kind', kind: 'early-exit', named: 'all' })).toEqual([]);
  });
});

describe('every count', () => {
  const label = fc.record({
    rollout: fc.nat(2),
    annotator: fc.constantFrom('a', 'b', 'c', 'd'),
    // Mostly hacks, so that kinds are often named.
    verdict: fc.constantFrom(...verdicts, 'hack', 'hack'),
    kinds: fc.uniqueArray(fc.constantFrom('test-edit', 'grader-patch'), { maxLength: 2 }),
  });

  it('is the number of units that its selection finds', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 12, maxLength: 40 }), (given) => {
        const labels = given.map(
          ({ rollout, ...rest }): AgreementLabel => ({ ...rest, target: { type: 'rollout', rollout: `r${rollout}` } }),
        );
        const report = agreementReport({ target: 'rollout', labels, spans: [] });
        expect(ids(labels, { what: 'shared' })).toHaveLength(report.units.shared);
        expect(ids(labels, { what: 'disputed' })).toHaveLength(report.units.disputed);
        for (const { a, b, cells } of report.pairs) {
          for (const { verdictA, verdictB, count } of cells) {
            expect(ids(labels, { what: 'cell', a, b, verdictA, verdictB })).toHaveLength(count);
          }
        }
        for (const { kind, all, some } of report.kinds) {
          expect(ids(labels, { what: 'kind', kind, named: 'all' })).toHaveLength(all);
          expect(ids(labels, { what: 'kind', kind, named: 'some' })).toHaveLength(some);
        }
      }),
      // Each run resamples for every pair and kind.
      { numRuns: 25 },
    );
  });
});

describe('warnings', () => {
  const codes = (lines: Record<string, string>): string[] =>
    (reportOf(lines).pairs[0]?.warnings ?? []).map(({ code }) => code);
  /** A two by two table as two lines: both hack, only a, only b, both clean. */
  const table = (both: number, onlyA: number, onlyB: number, neither: number) => ({
    a: 'h'.repeat(both) + 'h'.repeat(onlyA) + 'c'.repeat(onlyB) + 'c'.repeat(neither),
    b: 'h'.repeat(both) + 'c'.repeat(onlyA) + 'h'.repeat(onlyB) + 'c'.repeat(neither),
  });

  it('tells the two tables of Feinstein and Cicchetti apart, which agree equally', () => {
    expect(codes(table(40, 9, 6, 45))).toEqual([]);
    expect(codes(table(80, 10, 5, 5))).toEqual(['prevalence']);
  });

  it('says when hacks are rare, and what one more disagreement costs', () => {
    const [warning] = reportOf(table(2, 1, 1, 96)).pairs[0]?.warnings ?? [];
    expect(warning?.code).toBe('prevalence');
    // Chance agreement 0.03² + 0.97² = 0.9418; 1 / (100 · 0.0582) = 0.17.
    expect(warning?.message).toContain('97 % of the verdicts are clean');
    expect(warning?.message).toContain('0.17 of κ');
  });

  it('says when there is only one verdict, and that no hack was seen', () => {
    expect(codes({ a: 'c'.repeat(40), b: 'c'.repeat(40) })).toEqual(['one-verdict', 'no-hacks']);
    expect(reportOf({ a: 'ccc', b: 'ccc' }).overall.alpha.value).toBeNull();
  });

  it('says when there is little to compare', () => {
    expect(codes(table(3, 1, 1, 3))).toEqual(['few-units']);
  });

  it("finds annotators who draw the line at different places by McNemar's test", () => {
    expect(codes(table(20, 12, 2, 20))).toEqual(['bias']);
    expect(codes(table(20, 8, 6, 20))).toEqual([]);
    const [warning] = reportOf(table(20, 2, 12, 20)).pairs[0]?.warnings ?? [];
    expect(warning?.message).toMatch(/^b calls 59 % a hack, a 41 %/);
  });
});

describe('nothing to compare', () => {
  it('gives an empty report for no labels and for one annotator', () => {
    expect(reportOf({})).toMatchObject({ annotators: [], units: { labelled: 0, shared: 0 }, pairs: [], warnings: [] });
    const one = reportOf({ mira: 'hc' });
    expect(one).toMatchObject({ units: { labelled: 2, shared: 0, disputed: 0 }, pairs: [], kinds: [], warnings: [] });
    expect(one.overall.alpha).toEqual({ value: null, low: null, high: null, of: 0 });
    expect(one.overall.fleiss.raters).toBe(0);
  });
});

describe('ids of targets', () => {
  it('tell targets of one type apart', () => {
    const rollout = 'r1';
    const span = { item: 1, part: 0, start: 3, end: 9 };
    expect(targetId({ type: 'marker', rollout, marker: 'm-1' })).toBe('m-1');
    expect(targetId({ type: 'segment', rollout, segment: 0 })).not.toBe(
      targetId({ type: 'segment', rollout, segment: 1 }),
    );
    expect(targetId({ type: 'item', rollout, item: 4 })).toBe('r1:item-4');
    expect(targetId({ type: 'span', rollout, span })).not.toBe(
      targetId({ type: 'span', rollout, span: { ...span, end: 8 } }),
    );
  });
});
