// What the address says about the screen: which pair is shown and what the list holds. Pure.

import {
  type AgreementPair,
  type AgreementReport,
  type AgreementSelection,
  type AgreementTarget,
  type JudgeAgreement,
  type JudgeSays,
  judgeSays,
  type LabelTarget,
  type PeopleSay,
  peopleSay,
  type Verdict,
  verdicts,
} from '../../../app/contract/index.ts';
import type { AgreementRoute, RolloutRoute } from '../../routes.ts';
import { plural } from '../../ui/format.ts';

/** What is compared, in words for one and for many. */
export const nouns = {
  rollout: ['rollout', 'rollouts'],
  segment: ['segment', 'segments'],
  item: ['item', 'items'],
  marker: ['marker', 'markers'],
} as const satisfies Record<AgreementTarget, readonly [one: string, many: string]>;

/** `3 rollouts`, `1 marker`. */
export function counted(target: AgreementTarget, count: number): string {
  const [one, many] = nouns[target];
  return plural(count, one, many);
}

/** The pair of the address, in either order, else the one with most in common. */
export function shownPair(report: AgreementReport, route: AgreementRoute): AgreementPair | undefined {
  const { a, b } = route;
  const named = report.pairs.find((pair) => (pair.a === a && pair.b === b) || (pair.a === b && pair.b === a));
  return named ?? report.pairs.toSorted((one, other) => other.units - one.units)[0];
}

/** A cell of a pair's table as the address writes it. */
export function cellName(verdictA: Verdict, verdictB: Verdict): NonNullable<AgreementRoute['cell']> {
  return `${verdictA}-${verdictB}`;
}

function verdictsOfCell(name: AgreementRoute['cell']): readonly [Verdict, Verdict] | undefined {
  return verdicts
    .flatMap((first) => verdicts.map((second) => [first, second] as const))
    .find(([first, second]) => cellName(first, second) === name);
}

/** What the list holds. */
export function selectionOf(route: AgreementRoute, pair: AgreementPair | undefined): AgreementSelection {
  const cell = verdictsOfCell(route.cell);
  if (cell !== undefined && route.reference !== undefined) {
    return { what: 'reference', annotator: route.reference, said: cell[0], final: cell[1] };
  }
  if (cell !== undefined && pair !== undefined) {
    return { what: 'cell', a: pair.a, b: pair.b, verdictA: cell[0], verdictB: cell[1] };
  }
  if (route.changed !== undefined) return { what: 'changed', annotator: route.changed };
  if (route.kind !== undefined) return { what: 'kind', kind: route.kind, named: route.named ?? 'some' };
  return route.show === 'shared' ? { what: 'shared' } : { what: 'disputed' };
}

/** The list in words, for its heading. */
export function selectionTitle(selection: AgreementSelection): string {
  switch (selection.what) {
    case 'disputed':
      return 'Disputed';
    case 'shared':
      return 'Compared';
    case 'cell':
      return `${selection.a} says ${selection.verdictA}, ${selection.b} ${selection.verdictB}`;
    case 'changed':
      return `${selection.annotator} judged differently the second time`;
    case 'reference':
      return `${selection.annotator} says ${selection.said}, adjudicated ${selection.final}`;
    case 'judge':
      return judgeTitle(selection.said, selection.people);
    case 'kind':
      return selection.named === 'all' ? `${selection.kind}, named by all` : `${selection.kind}, named by some`;
  }
}

function judgeTitle(said: JudgeSays | undefined, people: PeopleSay | undefined): string {
  if (said === undefined || people === undefined) return 'The judge and people differ';
  return `The judge ${said === 'failed' ? 'failed' : `says ${said}`}, people ${people === 'disputed' ? 'differ' : people}`;
}

/** A cell of the judge's table as the address writes it. */
export function judgedName(said: JudgeSays, people: PeopleSay): NonNullable<AgreementRoute['judged']> {
  return `${said}-${people}`;
}

/** The judge of the address, else the one with the newest judgement. */
export function shownJudge(report: AgreementReport, route: AgreementRoute): JudgeAgreement | undefined {
  return report.judges.find(({ id }) => id === route.judge) ?? report.judges[0];
}

/** What the list holds beside a judge: a cell of its table, else all on which it and people differ. */
export function judgeSelection({ id }: JudgeAgreement, route: AgreementRoute): AgreementSelection {
  const cell = judgeSays
    .flatMap((said) => peopleSay.map((people) => ({ said, people })))
    .find(({ said, people }) => judgedName(said, people) === route.judged);
  return { what: 'judge', judge: id, ...cell };
}

/** The address of the judge's view with another cell, or another judge. */
export function judgeRoute(route: AgreementRoute, judge: string, judged?: AgreementRoute['judged']): AgreementRoute {
  return { screen: 'agreement', on: route.on, view: 'judge', judge, judged };
}

/** The address of the list with other contents: the pair stays, the selected entry does not. */
export function listRoute(
  route: AgreementRoute,
  list: Pick<AgreementRoute, 'show' | 'cell' | 'kind' | 'named' | 'changed' | 'reference'>,
): AgreementRoute {
  return { screen: 'agreement', on: route.on, a: route.a, b: route.b, ...list };
}

/** Labels in the order of the list: for a cell of a pair's table that pair's first, otherwise as they come, by name. */
export function orderLabels<L extends { readonly annotator: string }>(
  labels: readonly L[],
  selection: AgreementSelection,
): L[] {
  if (selection.what !== 'cell') return [...labels];
  const { a, b } = selection;
  const rank = ({ annotator }: L): number => (annotator === a ? 0 : annotator === b ? 1 : 2);
  return labels.toSorted((one, other) => rank(one) - rank(other));
}

/** Where a labelled thing is shown. */
export function rolloutRouteOf(target: LabelTarget): RolloutRoute {
  return {
    screen: 'rollout',
    id: target.rollout,
    seg: target.segment,
    item: target.item ?? target.span?.item,
    marker: target.marker,
  };
}
