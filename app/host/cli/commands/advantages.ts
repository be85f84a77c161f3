// rollscope advantages: recompute and store advantages.

import type { z } from 'zod';
import { advantagesReport, type RolloutAdvantages } from '../../../contract/index.ts';
import type { Engine } from '../../../engine/engine.ts';
import { command, type Environment, exit, pairs, UsageError, workspaceOptions } from '../command.ts';
import { criticOption, parseCritic, resolveCritic } from '../critic.ts';
import { resolveRollouts } from '../rows.ts';
import { runJob } from '../run-job.ts';
import { deleteRuns, listRuns } from '../stored-runs.ts';
import { count, indented, number, oneLine, plural, table } from '../text.ts';
import { withWorkspace } from '../workspace.ts';

export const advantagesCommand = command({
  name: 'advantages',
  summary: 'recompute advantages with an estimator and store them',
  usage: '[ROLLOUT...] --estimator ID | --preset NAME [--param NAME=VALUE]... [--critic WHAT] [--tokens]',
  about:
    'Recomputes advantages from the logged rewards, masks and critic values, for the named rollouts or for all.\n' +
    'What cannot be computed is a refusal with a code, never a zero. --list prints the estimators and presets.\n' +
    '--critic says what stands in for critic values that were not logged; the result carries it as a label. A file\n' +
    'of values is joined by rollout and segment: native JSONL, Parquet (rollout, segment, values) or npz (ROLLOUT/SEGMENT).',
  options: {
    ...workspaceOptions,
    estimator: { type: 'string', value: 'ID', help: 'estimator, such as gae_cross' },
    preset: { type: 'string', value: 'NAME', help: 'a named estimator with its parameters' },
    param: { type: 'string', value: 'NAME=VALUE', multiple: true, help: 'a parameter; may be given several times' },
    tokens: { type: 'boolean', help: 'print every token too (a masked token is 0)' },
    critic: criticOption,
    runs: { type: 'boolean', help: 'list the stored runs and whether they still hold' },
    delete: { type: 'string', value: 'RUN|stale|all', help: 'delete stored runs' },
    list: { type: 'boolean', help: 'list estimators, their parameters, and presets' },
  },
  examples: [
    ['rollscope advantages --preset compactionrl-paper', 'all rollouts with one preset'],
    [
      'rollscope advantages cursor-7 --estimator gae_cross --param gamma=1 --param lambda=0.95',
      'one rollout, own parameters',
    ],
    ['rollscope advantages --preset sao-math --critic file:values.npz', 'critic values from a file of their own'],
    ['rollscope advantages --delete stale', 'forget runs whose inputs changed'],
    ['rollscope advantages --list', 'what there is to choose from'],
  ],
  async run({ values, positionals }, environment) {
    if (values.list)
      return withWorkspace({ db: values.db, create: true }, environment, (engine) => list(engine, environment));
    if (values.runs === true || values.delete !== undefined) {
      const { delete: which } = values;
      return withWorkspace({ db: values.db }, environment, async (engine) => {
        const named = await resolveRollouts(engine, positionals);
        return which === undefined
          ? listRuns(engine, named, environment)
          : deleteRuns(engine, which, named, environment);
      });
    }
    const { estimator, preset } = values;
    if (estimator === undefined && preset === undefined) {
      throw new UsageError('Name an --estimator or a --preset; --list shows what there is.');
    }
    const params = pairs('param', values.param ?? []);
    const asked = parseCritic(values.critic);
    return withWorkspace({ db: values.db }, environment, async (engine) => {
      const named = await resolveRollouts(engine, positionals);
      const { critic, joined } = await resolveCritic(engine, asked, environment);
      const request = {
        kind: 'advantages' as const,
        params,
        critic,
        ...(estimator === undefined ? {} : { estimator }),
        ...(preset === undefined ? {} : { preset }),
        ...(named.length > 0 ? { rollouts: named } : {}),
      };
      const report = advantagesReport.parse((await runJob(engine, request, environment)).result);
      const rollouts = [];
      for (const [at, result] of report.rollouts.entries()) {
        rollouts.push(await rolloutDocument(engine, result, report.runs[at] ?? null, values.tokens === true));
      }
      environment.output.answer(
        {
          estimator: report.estimator,
          preset: preset ?? null,
          params: report.params,
          critic: report.criticLabel,
          ...(joined === null ? {} : { joined }),
          rollouts,
        },
        () => reportText(report, environment.output.width),
      );
      return report.rollouts.some(({ error }) => error !== undefined) ? exit.refused : exit.done;
    });
  },
});

async function rolloutDocument(
  engine: Engine,
  result: RolloutAdvantages,
  run: string | null,
  tokens: boolean,
): Promise<unknown> {
  const columns = tokens && run !== null && !result.error ? await engine.readTokens(result.id, run) : [];
  return {
    id: result.id,
    run,
    segments: result.segments.map((segment) => {
      const own = columns.find(({ index }) => index === segment.index)?.columns;
      return {
        index: segment.index,
        kind: segment.kind,
        factor: segment.factor,
        lambda: segment.lambda,
        stats: segment.stats,
        ...(own?.['run.advantages'] ? { advantages: own['run.advantages'] } : {}),
        ...(own?.['run.returns'] ? { returns: own['run.returns'] } : {}),
        ...(own?.['run.weights'] ? { weights: own['run.weights'] } : {}),
      };
    }),
    scalar: result.scalar,
    baseline: result.baseline,
    ...(result.tokenWeight ? { tokenWeight: result.tokenWeight } : {}),
    warnings: result.warnings,
    ...(result.error ? { error: result.error } : {}),
  };
}

function reportText(report: z.infer<typeof advantagesReport>, width: number): string {
  if (report.rollouts.length === 0) return 'No rollouts.';
  const rows = report.rollouts.flatMap((rollout) =>
    rollout.segments.map((segment, at) => [
      at === 0 ? rollout.id : '',
      String(segment.index),
      segment.kind,
      number(segment.factor),
      count(segment.stats.count),
      number(segment.stats.min),
      number(segment.stats.mean),
      number(segment.stats.max),
    ]),
  );
  const refused = report.rollouts.filter((rollout) => rollout.error !== undefined);
  const lines = [`${report.estimator}  ${oneLine(JSON.stringify(report.params), width - 20)}`];
  if (report.criticLabel !== 'logged values' && report.criticLabel !== 'none logged') {
    lines.push(`critic: ${report.criticLabel}`);
  }
  if (rows.length > 0) {
    const columns = [
      { title: 'Rollout' },
      { title: 'Seg', right: true },
      { title: 'Kind' },
      { title: 'Factor', right: true },
      { title: 'Tokens', right: true },
      { title: 'Min', right: true },
      { title: 'Mean', right: true },
      { title: 'Max', right: true },
    ];
    lines.push('', table(columns, rows));
  }
  if (refused.length > 0) lines.push('', 'Refused');
  for (const { id, error } of refused.slice(0, 20))
    lines.push(indented(2, `${id}  ${error?.code}: ${error?.message}`, width));
  if (refused.length > 20) lines.push(`  … and ${refused.length - 20} more; --json lists all.`);
  const computed = report.rollouts.length - refused.length;
  lines.push(
    '',
    `${plural(computed, 'rollout')} computed and stored${refused.length > 0 ? `, ${refused.length} refused` : ''}.`,
  );
  return lines.join('\n');
}

async function list(engine: Engine, environment: Environment) {
  const known = await engine.client.advantages.estimators();
  environment.output.answer(known, () =>
    [
      'Estimators',
      ...known.estimators.flatMap((each) => [
        `  ${each.id.padEnd(18)} ${each.summary}`,
        ...each.parameters.map(
          (parameter) => `      ${parameter.name} = ${JSON.stringify(parameter.default)}  ${parameter.help}`,
        ),
      ]),
      '',
      'Presets',
      ...known.presets.flatMap((preset) => [
        `  ${preset.name.padEnd(26)} ${preset.estimator} ${JSON.stringify(preset.params)}`,
        `      ${preset.note}`,
      ]),
    ].join('\n'),
  );
  return exit.done;
}
