// How agreement is shown: the address of the screen, what its list holds, and the text of the command line.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgreementUnit, agreementTargets } from '../../../app/contract/agreement.ts';
import { judgeSays, peopleSay } from '../../../app/contract/judge-agreement.ts';
import { type Verdict, verdicts } from '../../../app/contract/vocabulary.ts';
import { agreementReport } from '../../../app/domain/agreement/report.ts';
import { agreementText } from '../../../app/host/cli/commands/labels-agreement.ts';
import {
  cellName,
  judgedName,
  judgeRoute,
  judgeSelection,
  listRoute,
  orderLabels,
  rolloutRouteOf,
  selectionOf,
  selectionTitle,
  shownJudge,
  shownPair,
} from '../../../renderer/features/agreement/selection.ts';
import { type AgreementRoute, formatRoute, parseRoute } from '../../../renderer/routes.ts';
import { placeOf } from '../../../renderer/ui/label-place.ts';

function labels(annotator: string, said: readonly Verdict[], kinds: string[] = []) {
  return said.map((verdict, at) => ({
    target: { type: 'rollout', rollout: `r-${at}` } as const,
    annotator,
    verdict,
    kinds,
  }));
}

const report = agreementReport({
  target: 'rollout',
  labels: [
    ...labels('ada', ['hack', 'clean']),
    ...labels('mira', ['hack', 'clean', 'clean'], ['test-edit']),
    ...labels('jonas', ['clean', 'clean', 'clean']),
  ],
  spans: [],
});

function agreement(route: Omit<AgreementRoute, 'screen'> = {}): AgreementRoute {
  return { screen: 'agreement', ...route };
}

describe('the address', () => {
  const text = fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined });
  const verdict = fc.constantFrom(...verdicts);
  const routes: fc.Arbitrary<AgreementRoute> = fc.record({
    screen: fc.constant('agreement' as const),
    on: fc.constantFrom(undefined, ...agreementTargets),
    a: text,
    b: text,
    show: fc.constantFrom(undefined, 'shared' as const),
    cell: fc.option(
      fc.tuple(verdict, verdict).map(([a, b]) => cellName(a, b)),
      { nil: undefined },
    ),
    kind: text,
    named: fc.constantFrom(undefined, 'all' as const),
    view: fc.constantFrom(undefined, 'judge' as const),
    judge: text,
    judged: fc.option(
      fc.tuple(fc.constantFrom(...judgeSays), fc.constantFrom(...peopleSay)).map(([a, b]) => judgedName(a, b)),
      { nil: undefined },
    ),
    sel: text,
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(routes, (route) => {
        expect(parseRoute(formatRoute(route))).toEqual(route);
      }),
    );
  });

  it('leaves out what it cannot read', () => {
    const route = parseRoute(
      '#/agreement?on=tokens&show=all&cell=hack-maybe&named=none&a=mira&view=jury&judged=hack-failed',
    );
    expect(Object.entries(route).filter(([, value]) => value !== undefined)).toEqual([
      ['screen', 'agreement'],
      ['a', 'mira'],
    ]);
  });
});

describe('what the list holds', () => {
  it('is what is disputed, unless the address says more', () => {
    const pair = shownPair(report, agreement());
    expect(selectionOf(agreement(), pair)).toEqual({ what: 'disputed' });
    expect(selectionOf(agreement({ show: 'shared' }), pair)).toEqual({ what: 'shared' });
    expect(selectionOf(agreement({ kind: 'test-edit' }), pair)).toEqual({
      what: 'kind',
      kind: 'test-edit',
      named: 'some',
    });
  });

  it('is a cell of the pair that is shown, in the order of its table', () => {
    const route = agreement({ a: 'mira', b: 'jonas', cell: 'clean-hack' });
    const pair = shownPair(report, route);
    expect(pair).toMatchObject({ a: 'jonas', b: 'mira' });
    const selection = selectionOf(route, pair);
    expect(selection).toEqual({ what: 'cell', a: 'jonas', b: 'mira', verdictA: 'clean', verdictB: 'hack' });
    expect(selectionTitle(selection)).toBe('jonas says clean, mira hack');
  });

  it('puts the pair of a cell before the others', () => {
    const three = ['ada', 'jonas', 'mira'].map((annotator) => ({ annotator }));
    const names = (selection: Parameters<typeof orderLabels>[1]) =>
      orderLabels(three, selection).map(({ annotator }) => annotator);
    expect(names({ what: 'cell', a: 'jonas', b: 'mira', verdictA: 'hack', verdictB: 'clean' })).toEqual([
      'jonas',
      'mira',
      'ada',
    ]);
    expect(names({ what: 'disputed' })).toEqual(['ada', 'jonas', 'mira']);
  });

  it('shows the pair with most in common for names that nobody has', () => {
    expect(shownPair(report, agreement({ a: 'mira', b: 'nobody' }))).toMatchObject({ a: 'jonas', b: 'mira', units: 3 });
    expect(shownPair({ ...report, pairs: [] }, agreement())).toBeUndefined();
  });

  it('keeps the pair and forgets the entry when it changes', () => {
    const route = agreement({ on: 'marker', a: 'ada', b: 'mira', cell: 'hack-hack', sel: 'm-1' });
    expect(formatRoute(listRoute(route, { kind: 'test-edit' }))).toBe(
      '#/agreement?on=marker&a=ada&b=mira&kind=test-edit',
    );
  });

  it('leads to the place in the rollout', () => {
    const span = { item: 7, part: 0, start: 1, end: 2 };
    expect(formatRoute(rolloutRouteOf({ type: 'marker', rollout: 'r-1', marker: 'm-2' }))).toBe(
      '#/rollout/r-1?marker=m-2',
    );
    expect(formatRoute(rolloutRouteOf({ type: 'item', rollout: 'r-1', item: 4 }))).toBe('#/rollout/r-1?item=4');
    expect(formatRoute(rolloutRouteOf({ type: 'span', rollout: 'r-1', span }))).toBe('#/rollout/r-1?item=7');
    expect(placeOf({ type: 'segment', rollout: 'r-1', segment: 0 })).toBe('segment 1');
    expect(placeOf({ type: 'rollout', rollout: 'r-1' })).toBeNull();
  });
});

describe('the judge beside people', () => {
  const judgement = (model: string, at: string) => ({
    id: `j-${model}`,
    rollout: 'r-0',
    marker: 'm-0',
    verdict: 'hack' as const,
    kind: 'test-edit',
    pHack: 0.9,
    model,
    promptHash: '0'.repeat(64),
    promptVersion: 1,
    at,
    votes: ['hack' as const],
    shown: { reasoning: true, cut: false, compacted: false },
  });
  const judged = agreementReport({
    target: 'rollout',
    labels: labels('ada', ['clean']),
    spans: [],
    judged: [judgement('old', '2026-01-01T00:00:00.000Z'), judgement('new', '2026-02-01T00:00:00.000Z')],
  });

  it('is the newest, or the one of the address', () => {
    expect(shownJudge(judged, agreement())?.model).toBe('new');
    expect(shownJudge(judged, agreement({ judge: 'old@000000000000' }))?.model).toBe('old');
    expect(shownJudge(judged, agreement({ judge: 'nobody' }))?.model).toBe('new');
    expect(shownJudge(report, agreement())).toBeUndefined();
  });

  it('lists where it and people differ, or a cell of its table', () => {
    const [judge] = judged.judges;
    if (judge === undefined) throw new Error('there is no judge');
    const differ = judgeSelection(judge, agreement({ view: 'judge' }));
    expect(differ).toEqual({ what: 'judge', judge: 'new@000000000000' });
    expect(selectionTitle(differ)).toBe('The judge and people differ');
    const cell = judgeSelection(judge, agreement({ judged: 'failed-disputed' }));
    expect(cell).toEqual({ what: 'judge', judge: judge.id, said: 'failed', people: 'disputed' });
    expect(selectionTitle(cell)).toBe('The judge failed, people differ');
    const route = agreement({ on: 'marker', a: 'ada', sel: 'm-1' });
    expect(formatRoute(judgeRoute(route, 'new@0', 'hack-clean'))).toBe(
      '#/agreement?on=marker&view=judge&judge=new%400&judged=hack-clean',
    );
  });
});

describe('the text of the command line', () => {
  const disputed: AgreementUnit = {
    target: { type: 'rollout', rollout: 'r-0' },
    externalId: 'task-0',
    task: 'mend \u001b[31mit',
    rule: null,
    disputed: true,
    final: null,
    judge: null,
    labels: [
      { annotator: 'jonas', verdict: 'clean', kinds: [], note: '', confidence: null, at: '2026-10-15T14:28:00.000Z' },
      {
        annotator: 'mira',
        verdict: 'hack',
        kinds: ['test-edit'],
        note: 'Rewrites\nthe test.',
        confidence: null,
        at: '2026-10-15T14:24:00.000Z',
      },
    ],
  };

  it('has the figures, the table of each pair and both sides of a dispute', () => {
    const text = agreementText(report, [disputed], 100);
    expect(text).toContain('3 labelled rollouts, 3 by two or more annotators, 1 disputed.');
    expect(text).toMatch(/^Krippendorff's alpha +0\.42/m);
    expect(text).toMatch(/^jonas, mira +3 +0\.67/m);
    expect(text).toMatch(/^clean +1 +2 +0$/m);
    expect(text).toMatch(/^test-edit +0 +1/m);
    expect(text).toContain('    mira: hack · test-edit · Rewrites the test.');
    expect(text).toContain('    jonas: clean');
  });

  it('lets no control character of a log through', () => {
    expect(agreementText(report, [disputed], 100)).not.toContain('\u001b');
  });

  it('says what to do when there is nothing to compare', () => {
    const alone = agreementReport({ target: 'marker', labels: [], spans: [] });
    expect(agreementText(alone, [], 100)).toContain('No marker has the verdicts of two annotators yet');
  });
});
