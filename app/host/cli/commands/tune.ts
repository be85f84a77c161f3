// rollscope tune: the rule pack against people's labels.

import type { CalibrationReport, Proportion, TuneReport } from '../../../contract/index.ts';
import { command, exit, numberOption, workspaceOptions } from '../command.ts';
import { count, indented, table } from '../text.ts';
import { withWorkspace } from '../workspace.ts';
import { runScan } from './scan.ts';

export const tuneCommand = command({
  name: 'tune',
  summary: 'precision, recall and F1 of the rule pack against the labels',
  usage: '[--rules FILE] [--threshold X] [--weighted]',
  about:
    'Compares what the pack marks with what people said: of the pack, of each rule, and at every threshold. Shares come\n' +
    'with their Wilson 95 % interval and the counts behind them. --rules scans with that pack first; it stays in force.',
  options: {
    ...workspaceOptions,
    rules: { type: 'string', value: 'FILE', help: 'rule pack to scan with before' },
    weighted: {
      type: 'boolean',
      help: 'weight by the sampling plan: each label speaks for the rollouts that its queue drew it from',
    },
    threshold: {
      type: 'string',
      value: 'X',
      help: "score from which a rollout counts as marked (default: the pack's)",
    },
  },
  examples: [
    ['rollscope tune', 'how good the pack in force is'],
    ['rollscope tune --rules my-pack.yaml --json | jq .overall.f1', 'one number for a pack of your own'],
  ],
  async run({ values }, environment) {
    const threshold = numberOption('threshold', values.threshold, { min: 0, max: 1 });
    const { report, calibration } = await withWorkspace({ db: values.db }, environment, async (engine) => {
      if (values.rules !== undefined) await runScan(engine, { rules: values.rules }, environment);
      return {
        report: await engine.client.tuning.evaluate({
          ...(threshold === null ? {} : { threshold }),
          ...(values.weighted === true ? { weighted: true } : {}),
        }),
        calibration: await engine.client.calibration.report(),
      };
    });
    environment.output.answer({ ...report, calibration }, () =>
      [tuneText(report, environment.output.width), ...calibrationText(calibration)].join('\n'),
    );
    return exit.done;
  },
});

/** `0.86 (0.60–0.96), 12 of 14`. */
function share(value: Proportion): string {
  if (value.value === null) return '–';
  const interval =
    value.low === null || value.high === null ? '' : ` (${value.low.toFixed(2)}–${value.high.toFixed(2)})`;
  // Weighted counts are sums of weights and no whole numbers.
  const [hits, of] = [value.hits, value.of].map((n) => (Number.isInteger(n) ? String(n) : n.toFixed(1)));
  return `${value.value.toFixed(2)}${interval}  ${hits}/${of}`;
}

/** Scores as probabilities: what the calibration says in a few lines; nothing without labels. */
function calibrationText({ hack, clean, needed, map, folds, brier, ece }: CalibrationReport): string[] {
  if (hack + clean === 0) return [];
  const figure = (value: number | null): string => (value === null ? '–' : value.toFixed(3));
  if (map === null) {
    return [
      '',
      `Not calibrated: that takes ${needed.platt} hack and ${needed.platt} clean labels on scanned rollouts.`,
    ];
  }
  const how = folds === hack + clean ? 'each rollout left out once' : `${folds} folds`;
  return [
    '',
    `Scores as probabilities (${map.method}, ${how})`,
    `  Brier  raw ${figure(brier.raw)}  calibrated ${figure(brier.calibrated)}  base rate alone ${figure(brier.baseRate)}`,
    `  ECE    raw ${figure(ece.raw)}  calibrated ${figure(ece.calibrated)}`,
  ];
}

function tuneText(report: TuneReport, width: number): string {
  const { labelled, overall } = report;
  const lines = [
    `${report.pack.id} ${report.pack.version}, threshold ${report.pack.threshold.toFixed(2)}`,
    `${count(labelled.hack)} hack and ${count(labelled.clean)} clean labels; ${labelled.unsure} unsure and ${labelled.disputed} disputed left out.`,
  ];
  if (labelled.hack + labelled.clean === 0) {
    lines.push(
      '',
      'There is nothing to compare with yet: label some rollouts in the app, or take labels in with "rollscope labels import FILE".',
    );
    return lines.join('\n');
  }
  if (report.weighting !== null) {
    const { cases, unknown, population, prevalence } = report.weighting;
    lines.push(
      `Weighted by the sampling plan: ${count(cases)} labelled rollouts speak for ${count(Math.round(population))}, of which ${prevalence.value === null ? 'none' : `${(100 * prevalence.value).toFixed(1)} %`} are hacks.`,
    );
    if (unknown > 0)
      lines.push(`${count(unknown)} labelled outside of queues are left out: nobody knows their chance.`);
  }
  lines.push(
    '',
    `precision  ${share(overall.precision)}`,
    `recall     ${share(overall.recall)}`,
    `F1         ${overall.f1 === null ? '–' : overall.f1.toFixed(2)}`,
    '',
    table(
      [
        { title: 'Rule' },
        { title: 'Kind' },
        { title: 'Hack', right: true },
        { title: 'Clean', right: true },
        { title: 'None', right: true },
        { title: 'Precision' },
        { title: 'Recall' },
      ],
      report.rules
        .filter(({ hits }) => hits.hack + hits.clean + hits.unlabelled > 0)
        .map((rule) => [
          `${rule.rule}${rule.weak ? ' (weak)' : ''}`,
          rule.kind,
          count(rule.hits.hack),
          count(rule.hits.clean),
          count(rule.hits.unlabelled),
          share(rule.precision),
          share(rule.recall),
        ]),
    ),
  );
  const silent = report.rules.filter(({ hits }) => hits.hack + hits.clean + hits.unlabelled === 0).length;
  if (silent > 0) lines.push(`${silent} of ${report.rules.length} rules found nothing.`);
  if (report.flips.length > 0) {
    lines.push('', 'Pack and label disagree');
    for (const flip of report.flips.slice(0, 20)) {
      lines.push(
        indented(
          2,
          `${flip.rollout}  label ${flip.label}  score ${flip.score.toFixed(2)}  ${flip.kinds.join(', ')}`,
          width,
        ),
      );
    }
    if (report.flips.length > 20) lines.push(`  … and ${report.flips.length - 20} more; --json lists all.`);
  }
  return lines.join('\n');
}
