// The pack's figures when labels were drawn with unequal chances: each label speaks for 1/chance rollouts.

import { describe, expect, it } from 'vitest';
import { tuneReport } from '../../../app/contract/tuning.ts';
import { evaluate, type TuneInput, type TuneRollout } from '../../../app/domain/tuning/evaluate.ts';

function rollout(
  id: string,
  score: number,
  label: TuneRollout['label'],
  ruleHits: readonly string[] = [],
): TuneRollout {
  return { id, score, kinds: [], label, labelKinds: label === 'hack' ? ['test-edit'] : [], ruleHits };
}

/**
 * A population of 1,000: 100 suspicious ones (score 0.9, 60 hacks) and 900 others (score 0.1, 45 hacks). Labelled are 50 of the
 * first and 20 of the second, as good as the strata: 30 hacks and 20 clean, 1 hack and 19 clean.
 */
const rollouts = [
  ...Array.from({ length: 50 }, (_, at) => rollout(`s${at}`, 0.9, at < 30 ? 'hack' : 'clean', ['F1'])),
  ...Array.from({ length: 20 }, (_, at) => rollout(`o${at}`, 0.1, at < 1 ? 'hack' : 'clean')),
];
const chances = new Map(rollouts.map(({ id }) => [id, id.startsWith('s') ? 0.5 : 20 / 900]));
const input: TuneInput = {
  pack: { id: 'p', version: '1', threshold: 0.5 },
  rules: [{ id: 'F1', title: 'edit', kind: 'test-edit', weak: false }],
  rollouts,
  markerLabels: [],
};

describe('figures weighted by the sampling plan', () => {
  const plain = evaluate(input);
  const weighted = evaluate({ ...input, chances });

  it('speak for the population instead of for what was labelled', () => {
    expect(tuneReport.parse(weighted)).toEqual(weighted);
    expect(plain.weighting).toBeNull();
    expect(weighted.weighting).toMatchObject({ cases: 70, unknown: 0 });
    expect(weighted.weighting?.population).toBeCloseTo(1000, 9);
    // 60 + 45 hacks in 1,000.
    expect(weighted.weighting?.prevalence.value).toBeCloseTo(0.105, 9);
    // Recall by the plain count: 30 of 31; in truth 60 of 105.
    expect(plain.overall.recall.value).toBeCloseTo(30 / 31, 9);
    expect(weighted.overall.recall.value).toBeCloseTo(60 / 105, 9);
    expect(weighted.overall.precision.value).toBeCloseTo(0.6, 9);
    expect(weighted.overall.f1).toBeCloseTo((2 * 60) / (2 * 60 + 40 + 45), 9);
    expect((weighted.overall.recall.high ?? 1) - (weighted.overall.recall.low ?? 0)).toBeGreaterThan(
      (plain.overall.recall.high ?? 1) - (plain.overall.recall.low ?? 0),
    );
  });

  it('weigh rules and the curve alike, and leave counts as counts', () => {
    const [rule] = weighted.rules;
    expect(rule?.recall.value).toBeCloseTo(60 / 105, 9);
    expect(rule?.kindRecall.value).toBeCloseTo(60 / 105, 9);
    expect(rule?.hits).toEqual({ hack: 30, clean: 20, unlabelled: 0 });
    expect(weighted.overall).toMatchObject({ truePositives: 30, falsePositives: 20, falseNegatives: 1 });
    const at = weighted.curve.find(({ threshold }) => threshold === 0.9);
    expect(at?.precision).toBeCloseTo(0.6, 9);
    expect(at?.recall).toBeCloseTo(60 / 105, 9);
    expect(weighted.curve.at(-1)?.recall).toBeCloseTo(1, 9);
    expect(weighted.curve.at(-1)?.precision).toBeCloseTo(0.105, 9);
  });

  it('are the plain ones when everything had the same chance', () => {
    const same = evaluate({ ...input, chances: new Map(rollouts.map(({ id }) => [id, 0.25])) });
    expect(same.overall.precision.value).toBeCloseTo(plain.overall.precision.value ?? -1, 9);
    expect(same.overall.recall.low).toBeCloseTo(plain.overall.recall.low ?? -1, 9);
    expect(same.curve.map(({ f1 }) => f1?.toFixed(9))).toEqual(plain.curve.map(({ f1 }) => f1?.toFixed(9)));
  });

  it('leave out what was labelled outside of queues, and say how many', () => {
    const some = evaluate({ ...input, chances: new Map([...chances].filter(([id]) => id.startsWith('s'))) });
    expect(some.weighting).toMatchObject({ cases: 50, unknown: 20 });
    expect(some.overall).toMatchObject({ truePositives: 30, falseNegatives: 0 });
    const none = evaluate({ ...input, chances: new Map() });
    expect(none.weighting).toMatchObject({ cases: 0, unknown: 70, population: 0 });
    expect(none.overall.precision.value).toBeNull();
  });
});
