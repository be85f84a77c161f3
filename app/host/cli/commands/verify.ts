// rollscope verify: are the trainer's advantages what they should be, and if not, why.

import { type RolloutVerification, type VerifyReport, verifyReport } from '../../../contract/index.ts';
import type { Engine } from '../../../engine/engine.ts';
import { command, exit, UsageError, workspaceOptions } from '../command.ts';
import { criticOption, parseCritic, resolveCritic } from '../critic.ts';
import { resolveRollouts } from '../rows.ts';
import { runJob } from '../run-job.ts';
import { count, number, oneLine, plural, table } from '../text.ts';
import { parseWhere } from '../where.ts';
import { withWorkspace } from '../workspace.ts';

export const verifyCommand = command({
  name: 'verify',
  summary: 'compare logged advantages with recomputed ones and say where and why they part',
  usage: '[ROLLOUT... | --where EXPR] [--expect PRESET] [--critic WHAT]',
  about:
    'Fits every preset and its options to the advantages (or returns) that the trainer logged, for the named rollouts or\n' +
    'for all, and names the nearest fit, the first token that differs walking backwards, and the likeliest reason.\n' +
    'Exit status: 0 when everything compared is clean, 2 when something was found or could not be compared. Rollouts\n' +
    'without logged advantages are listed and do not count. --expect names the preset the trainer is meant to follow:\n' +
    'then its conventions (whitening, observations as transitions) are clean, and anything else is a finding.',
  options: {
    ...workspaceOptions,
    expect: { type: 'string', value: 'PRESET', help: 'the preset that the trainer is meant to follow' },
    where: { type: 'string', value: 'EXPR', help: 'only these rollouts: see "rollscope rollouts --help"' },
    critic: criticOption,
  },
  examples: [
    ['rollscope verify', 'every rollout with logged advantages'],
    ['rollscope verify --json > verify.json', 'the same for a machine; exit status 2 fails the build'],
    ['rollscope verify --expect verl-gae', 'whitening as verl does it is what is wanted'],
  ],
  async run({ values, positionals }, environment) {
    const asked = parseCritic(values.critic);
    const where = parseWhere(values.where);
    if (where.length > 0 && positionals.length > 0) throw new UsageError('Name rollouts or give --where, not both.');
    return withWorkspace({ db: values.db }, environment, async (engine) => {
      const rollouts = await resolveRollouts(engine, positionals);
      const { critic, joined } = await resolveCritic(engine, asked, environment);
      const request = {
        kind: 'verify' as const,
        critic,
        ...(values.expect === undefined ? {} : { expect: values.expect }),
        ...(rollouts.length > 0 ? { rollouts } : where.length > 0 ? { where } : {}),
      };
      const report = verifyReport.parse((await runJob(engine, request, environment)).result);
      const names = await externalIds(engine, report);
      const summary = summaryOf(report);
      environment.output.answer(
        {
          summary,
          ...(joined === null ? {} : { joined }),
          rollouts: report.rollouts.map(({ id, ...one }) => ({ id, externalId: names.get(id) ?? null, ...one })),
        },
        () => verifyText(report, names, environment.output.width),
      );
      return summary.found > 0 || summary.refused > 0 ? exit.refused : exit.done;
    });
  },
});

/** The log's own names of the rollouts, which a person knows better than ours. */
async function externalIds(engine: Engine, report: VerifyReport): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const { set, total } = await engine.client.rollouts.query({});
  const wanted = new Set(report.rollouts.map(({ id }) => id));
  for (let start = 0; start < total && names.size < wanted.size; start += 200) {
    const { rows } = await engine.client.rollouts.page({ set, start, count: 200 });
    for (const row of rows) if (wanted.has(row.id)) names.set(row.id, row.externalId);
  }
  return names;
}

interface Summary {
  readonly clean: number;
  readonly found: number;
  readonly refused: number;
  readonly notLogged: number;
}

function summaryOf({ rollouts }: VerifyReport): Summary {
  const of = (status: RolloutVerification['status']): number => rollouts.filter((one) => one.status === status).length;
  return { clean: of('clean'), found: of('found'), refused: of('refused'), notLogged: of('not-logged') };
}

const columns = [
  { title: 'Rollout' },
  { title: 'Tokens', right: true },
  { title: 'Worst', right: true },
  { title: 'Parts at' },
  { title: 'Diagnosis' },
  { title: 'Best fit' },
];

function verifyText(report: VerifyReport, names: ReadonlyMap<string, string>, width: number): string {
  const compared = report.rollouts.filter(({ status }) => status !== 'not-logged');
  const { clean, found, refused, notLogged } = summaryOf(report);
  const silent = notLogged > 0 ? `${plural(notLogged, 'rollout')} without logged advantages.` : '';
  if (compared.length === 0) return silent === '' ? 'No rollouts.' : silent;
  const name = ({ id }: RolloutVerification): string => oneLine(names.get(id) ?? id, 28);
  const rows = compared.map((one) => [
    name(one),
    count(one.tokens),
    number(one.fits[0]?.max),
    partsAt(one),
    one.diagnosis.title,
    oneLine(one.fits[0] === undefined ? '–' : fitText(one.fits[0]), Math.max(24, width - 88)),
  ]);
  const lines = [table(columns, rows)];
  for (const one of compared.filter(({ status }) => status !== 'clean').slice(0, 40)) {
    const { title, sentence, confidence, evidence } = one.diagnosis;
    lines.push('', `${name(one)}  ${title}  (confidence ${confidence.toFixed(2)})`);
    for (const text of [sentence, ...evidence]) lines.push(...wrapped(text, width));
    const also = one.alternatives.map((other) => other.title).join(', ');
    if (also !== '') lines.push(...wrapped(`Would also do: ${also}.`, width));
  }
  const total = [`${count(clean)} of ${plural(compared.length, 'rollout')} clean`];
  if (found > 0) total.push(`${count(found)} with a finding`);
  if (refused > 0) total.push(`${count(refused)} not comparable`);
  lines.push('', `${total.join(', ')}.${silent === '' ? '' : ` ${silent}`}`);
  return lines.join('\n');
}

function fitText(fit: RolloutVerification['fits'][number]): string {
  return fit.presets.length > 0 ? `${fit.presets[0]} (${fit.label})` : fit.label;
}

/** The segment and token at which most segments first differ: the last segment in time that does. */
function partsAt({ divergences }: RolloutVerification): string {
  const last = divergences.at(-1);
  return last === undefined ? '–' : `segment ${last.segment}, token ${count(last.token)}`;
}

/** A sentence from the engine on as many lines as it takes, two spaces in. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of oneLine(text, 2_000).split(' ')) {
    if (line !== '' && line.length + word.length + 3 > Math.max(40, width)) {
      lines.push(`  ${line}`);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, `  ${line}`];
}
