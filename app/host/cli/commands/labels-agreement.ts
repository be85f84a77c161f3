// rollscope labels agreement: how far annotators agree, and on what they do not.

import {
  type AgreementPair,
  type AgreementReport,
  type AgreementTarget,
  type AgreementUnit,
  type AgreementWarning,
  agreementTargets,
  type LabelTarget,
  verdicts,
} from '../../../contract/index.ts';
import type { Engine } from '../../../engine/engine.ts';
import { type Environment, type ExitCode, exit, UsageError } from '../command.ts';
import { count, indented, plural, printable, table } from '../text.ts';
import { withWorkspace } from '../workspace.ts';
import { figure, judgeLines } from './labels-agreement-judge.ts';

const pageSize = 200;
/** Pairs whose verdicts are printed against each other. */
const tablesShown = 3;
/** Disputed targets printed as text; `--json` has all. */
const disputesShown = 20;

/** Prints the report; with `--json` also every disputed target with its labels as `disputed`. */
export async function showAgreement(
  values: { readonly db?: string | undefined; readonly on?: string | undefined },
  environment: Environment,
): Promise<ExitCode> {
  const target = targetOption(values.on);
  const { report, disputed } = await withWorkspace({ db: values.db }, environment, async (engine) => ({
    report: await engine.client.agreement.report({ target }),
    disputed: await disputedUnits(engine, target),
  }));
  const { output } = environment;
  output.answer({ ...report, disputed }, () => agreementText(report, disputed, output.width));
  return exit.done;
}

function targetOption(text: string | undefined): AgreementTarget {
  if (text === undefined) return 'rollout';
  const found = agreementTargets.find((target) => target === text);
  if (found === undefined) {
    throw new UsageError(`--on must be one of ${agreementTargets.join(', ')}, not "${text}".`);
  }
  return found;
}

async function disputedUnits(engine: Engine, target: AgreementTarget): Promise<AgreementUnit[]> {
  const units: AgreementUnit[] = [];
  for (;;) {
    const page = await engine.client.agreement.units({ target, start: units.length, count: pageSize });
    units.push(...page.units);
    if (page.units.length === 0 || units.length >= page.total) return units;
  }
}

function targetText({ type, rollout, marker, segment, item }: LabelTarget): string {
  if (type === 'marker') return `${marker ?? '?'} in ${rollout}`;
  if (type === 'segment') return `${rollout} segment ${(segment ?? 0) + 1}`;
  return type === 'item' ? `${rollout} item ${(item ?? 0) + 1}` : rollout;
}

/** The report for a terminal of `width` columns. */
export function agreementText(report: AgreementReport, disputed: readonly AgreementUnit[], width: number): string {
  const { annotators, units, overall } = report;
  const lines = [
    `${plural(units.labelled, `labelled ${report.target}`)}, ${count(units.shared)} by two or more annotators, ${count(units.disputed)} disputed.`,
    '',
    table(
      [{ title: 'Annotator' }, ...['Labels', ...verdicts].map((title) => ({ title, right: true }))],
      annotators.map((one) => [
        printable(one.name),
        ...[one.labels, one.hack, one.clean, one.unsure].map((value) => count(value)),
      ]),
    ),
  ];
  const judges = report.judges
    .filter(({ cells }) => cells.some((cell) => cell.count > 0))
    .flatMap((judge) => ['', ...judgeLines(judge, report.target)]);
  if (units.shared === 0 && report.repeats.length === 0) {
    lines.push(
      '',
      `No ${report.target} has the verdicts of two annotators yet, so that there is nothing to compare: label the same ones under`,
      'another name (Settings in the app), or take a colleague\'s labels in with "rollscope labels import FILE".',
    );
    return [...lines, ...judges].join('\n');
  }
  lines.push(
    '',
    table(
      [{ title: 'Overall' }, { title: '95 % interval' }],
      [
        ["Krippendorff's alpha", figure(overall.alpha)],
        [
          `Fleiss' kappa (${plural(overall.fleiss.of, report.target)} with ${overall.fleiss.raters} annotators)`,
          figure(overall.fleiss),
        ],
        ['same verdict', figure(overall.percent)],
        ['agreement on hack', figure(overall.hack)],
        ['agreement on clean', figure(overall.clean)],
      ],
      false,
    ),
    '',
    table(
      [
        { title: 'Pair' },
        { title: 'Both', right: true },
        { title: 'Same' },
        { title: "Cohen's kappa" },
        { title: 'On hack' },
        { title: 'Span F1' },
      ],
      report.pairs.map((pair) => [
        printable(`${pair.a}, ${pair.b}`),
        count(pair.units),
        figure(pair.percent),
        figure(pair.kappa),
        figure(pair.hack),
        pair.spans === null ? '–' : figure(pair.spans.characters),
      ]),
    ),
    ...report.pairs.slice(0, tablesShown).map((pair) => `\n${pairTable(pair)}`),
  );
  if (report.pairs.length > tablesShown) {
    lines.push(
      '',
      `--json has the verdicts of the other ${report.pairs.length - tablesShown} pairs against each other.`,
    );
  }
  if (report.kinds.length > 0) {
    lines.push(
      '',
      table(
        [
          { title: 'Kind' },
          { title: 'All', right: true },
          { title: 'Some', right: true },
          { title: 'Agreement on it' },
          { title: 'Alpha' },
        ],
        report.kinds.map((kind) => [
          printable(kind.kind),
          count(kind.all),
          count(kind.some),
          figure(kind.positive),
          figure(kind.alpha),
        ]),
      ),
    );
  }
  const { repeats, adjudicated } = report;
  if (repeats.length > 0) {
    lines.push('', 'With themselves, on items that came twice', withReference(repeats));
  }
  if (adjudicated.annotators.length > 0) {
    lines.push('', 'With the adjudicated verdicts', withReference(adjudicated.annotators));
  }
  const warnings = [
    ...report.warnings.map(({ message }) => message),
    ...report.pairs.flatMap(({ a, b, warnings }) =>
      warnings.filter(({ code }) => isOwn(report, code)).map(({ message }) => `${a}, ${b}: ${message}`),
    ),
  ];
  if (warnings.length > 0) lines.push('', 'Read with care', ...warnings.map((message) => printable(`  ${message}`)));
  lines.push(...judges);
  if (disputed.length > 0)
    lines.push('', 'Disputed', ...disputed.slice(0, disputesShown).flatMap((unit) => disputeLines(unit, width)));
  if (disputed.length > disputesShown) {
    lines.push(`  … and ${count(disputed.length - disputesShown)} more; --json lists all.`);
  }
  return lines.join('\n');
}

/** Annotators against a reference of their own. */
function withReference(rows: readonly Omit<AgreementReport['repeats'][number], 'changed'>[]): string {
  return table(
    [
      { title: 'Annotator' },
      { title: 'Both', right: true },
      { title: 'Same' },
      { title: "Cohen's kappa" },
      { title: 'On hack' },
    ],
    rows.map(({ annotator, units, percent, kappa, hack }) => [
      printable(annotator),
      count(units),
      figure(percent),
      figure(kappa),
      figure(hack),
    ]),
  );
}

/** Whether a pair's warning says more than the overall ones do: a single pair is the whole, and few units are in the table. */
function isOwn({ pairs }: AgreementReport, code: AgreementWarning['code']): boolean {
  return code === 'bias' || (pairs.length > 1 && code !== 'few-units');
}

/** The verdicts of a pair against each other: the first annotator's in rows, the second's in columns. */
function pairTable({ a, b, cells }: AgreementPair): string {
  return table(
    [{ title: printable(`${a} \\ ${b}`) }, ...verdicts.map((title) => ({ title, right: true }))],
    verdicts.map((verdict) => [
      verdict,
      ...cells.filter(({ verdictA }) => verdictA === verdict).map((cell) => count(cell.count)),
    ]),
  );
}

function disputeLines({ target, externalId, task, labels }: AgreementUnit, width: number): string[] {
  const about = [externalId, task].filter((part) => part !== null).join(', ');
  return [
    indented(2, `${targetText(target)}${about === '' ? '' : `  ${about}`}`, width),
    ...labels.map(({ annotator, verdict, kinds, note }) =>
      indented(
        4,
        [`${annotator}: ${verdict}`, kinds.join(', '), note].filter((part) => part !== '').join(' · '),
        width,
      ),
    ),
  ];
}
