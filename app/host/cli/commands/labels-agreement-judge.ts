// The part of `rollscope labels agreement` about the intent judge: beside people, and measured on their labels.

import {
  type AgreementTarget,
  type Coefficient,
  type JudgeAgreement,
  type JudgeSubset,
  judgeSays,
  type Proportion,
  peopleSay,
} from '../../../contract/index.ts';
import { count, plural, printable, table } from '../text.ts';

/** `0.57 (-0.20 to 1.00)`. */
export function figure({ value, low, high }: Pick<Coefficient, 'value' | 'low' | 'high'>): string {
  if (value === null) return 'not defined';
  return `${value.toFixed(2)}${low === null || high === null ? '' : ` (${low.toFixed(2)} to ${high.toFixed(2)})`}`;
}

/** The same for a share, with its counts. */
function share(of: Proportion): string {
  return of.value === null ? 'nothing to count' : `${figure(of)} ${count(of.hits)}/${count(of.of)}`;
}

/** The lines about one configuration. */
export function judgeLines(judge: JudgeAgreement, target: AgreementTarget): string[] {
  const { judged, unjudged, people, ceiling, kinds } = judge;
  const all = judged.hack + judged.clean + judged.unsure + judged.failed;
  const lines = [
    `The judge beside people: ${printable(judge.model)}, prompt version ${judge.promptVersion} (${printable(judge.id)})`,
    `${plural(all, target)} judged: ${judged.hack} hack, ${judged.clean} clean, ${judged.unsure} unsure, ${judged.failed} failed; labelled and never put to it: ${unjudged.hack} hack, ${unjudged.clean} clean.`,
    '',
    table(
      [{ title: '' }, { title: 'Judge with people' }, { title: 'People alone (the ceiling)' }],
      [
        ["Cohen's kappa, mean of pairs", figure(ceiling.kappa.judge), figure(ceiling.kappa.people)],
        ["Krippendorff's alpha", figure(ceiling.alpha.judge), figure(ceiling.alpha.people)],
        ["with people's verdict in common: Cohen's kappa", figure(people.kappa), ''],
        ['  same verdict', figure(people.percent), ''],
        ['  F1 on hack', figure(people.hack), ''],
        ['  F1 on clean', figure(people.clean), ''],
      ],
    ),
    '',
    table(
      [{ title: 'Judge \\ people' }, ...peopleSay.map((title) => ({ title, right: true }))],
      judgeSays.map((said) => [
        said,
        ...judge.cells.filter((cell) => cell.said === said).map((cell) => count(cell.count)),
      ]),
    ),
  ];
  if (judge.annotators.length > 0) {
    lines.push(
      '',
      table(
        [{ title: 'Judge with' }, { title: 'Both', right: true }, ...['Same', "Cohen's kappa", 'On hack'].map(titled)],
        judge.annotators.map((one) => [
          printable(one.annotator),
          count(one.units),
          figure(one.percent),
          figure(one.kappa),
          figure(one.hack),
        ]),
      ),
    );
  }
  lines.push('', ...detectorLines(judge));
  if (judge.subsets.length > 0) {
    lines.push(
      '',
      table(
        [
          { title: 'On a part' },
          { title: 'Units', right: true },
          ...['Precision', 'Recall', 'Undecided as missed'].map(titled),
        ],
        judge.subsets.map(({ subset, units, operating }) => [
          subsetNames[subset],
          count(units),
          share(operating.precision),
          share(operating.recall),
          share(operating.recallOfAll),
        ]),
      ),
    );
  }
  if (kinds.length > 0) {
    lines.push(
      '',
      table(
        [
          { title: 'Kind' },
          ...['Both', 'Judge only', 'People only'].map((title) => ({ title, right: true })),
          ...['F1', 'Kappa', 'Precision', 'Recall', 'People alone'].map(titled),
        ],
        kinds.map((one) => [
          printable(one.kind),
          count(one.both),
          count(one.onlyJudge),
          count(one.onlyPeople),
          figure(one.positive),
          figure(one.kappa),
          share(one.precision),
          share(one.recall),
          figure(one.among),
        ]),
      ),
    );
  }
  if (judge.warnings.length > 0) {
    lines.push('', 'Read with care', ...judge.warnings.map(({ message }) => printable(`  ${message}`)));
  }
  return lines;
}

const subsetNames = {
  reasoning: 'with reasoning',
  'no-reasoning': 'without reasoning',
  compacted: 'with compactions',
  'not-compacted': 'without compactions',
  cut: 'evidence cut',
  uncut: 'evidence whole',
} as const satisfies Record<JudgeSubset, string>;

const titled = (title: string): { title: string } => ({ title });

function detectorLines({ operating, rates, probability, votes }: JudgeAgreement): string[] {
  const { undecided } = operating;
  const { brier, map } = probability;
  const number = (value: number | null): string => (value === null ? 'not defined' : value.toFixed(3));
  const rows = [
    ['precision of hack', share(operating.precision)],
    ['recall', share(operating.recall)],
    [`recall, ${plural(undecided.hack, 'undecided hack')} as missed`, share(operating.recallOfAll)],
    ...rates.map(({ fpr, needed, threshold, truePositives }) => [
      `TPR of p_hack at ${100 * fpr} % FPR`,
      truePositives === null
        ? `takes ${needed.hack} hack and ${needed.clean} clean labels`
        : `${share(truePositives)}${threshold === null ? '' : `, p_hack from ${threshold.toFixed(2)}`}`,
    ]),
    [
      'Brier score of p_hack',
      `${number(brier.raw)}${map === null ? '' : `, calibrated ${number(brier.calibrated)}`}; base rate alone ${number(brier.baseRate)}`,
    ],
    [
      `votes with each other, ${plural(votes.markers, 'marker')}`,
      votes.markers === 0
        ? 'takes two valid votes on a marker'
        : `alpha ${figure(votes.alpha)}, same ${figure(votes.percent)}, ${count(votes.split)} split`,
    ],
    ['votes that count', `${count(votes.valid)} of ${count(votes.asked)}`],
  ];
  return [table([{ title: 'As a detector' }, { title: '95 % interval' }], rows, false)];
}
