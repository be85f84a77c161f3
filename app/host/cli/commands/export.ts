// rollscope export: rollouts, markers or labels to a file.

import { resolve } from 'node:path';
import { command, exit, UsageError, workspaceOptions } from '../command.ts';
import { exportToFile, exportToStdout } from '../export-file.ts';
import { plural } from '../text.ts';
import { parseWhere } from '../where.ts';
import { withWorkspace } from '../workspace.ts';

const kinds = ['rollouts', 'markers', 'labels'] as const;

export const exportCommand = command({
  name: 'export',
  summary: 'write rollouts, markers or labels to a file',
  usage: '--what rollouts|markers|labels --to FILE [--where EXPR]',
  about:
    'Rollouts are written as native JSONL, which imports again without loss; markers and labels as JSONL or CSV.\n' +
    'A name ending in .gz or .zst is compressed. The file appears only when it is whole.',
  options: {
    ...workspaceOptions,
    what: { type: 'string', value: 'KIND', help: `what to write: ${kinds.join(', ')}` },
    to: { type: 'string', value: 'FILE', help: 'file to write, or - for stdout' },
    format: { type: 'string', value: 'jsonl|csv', help: 'default: csv for a name ending in .csv, else jsonl' },
    where: { type: 'string', value: 'EXPR', help: 'only these rollouts: see "rollscope rollouts --help"' },
    force: { type: 'boolean', help: 'replace a file that is there' },
  },
  examples: [
    [
      'rollscope export --what rollouts --where "marked = true" --to suspects.jsonl.zst',
      'the marked rollouts, to import elsewhere',
    ],
    ['rollscope export --what markers --to markers.csv', 'every marker as a table'],
  ],
  async run({ values }, environment) {
    const what = kinds.find((kind) => kind === values.what);
    if (!what) throw new UsageError(`--what must be one of ${kinds.join(', ')}.`);
    if (values.to === undefined) throw new UsageError('Name a file with --to, or - for stdout.');
    const { to } = values;
    const format = values.format ?? (/\.csv(\.gz|\.zst)?$/.test(to) ? 'csv' : 'jsonl');
    if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv.');
    if (what === 'rollouts' && format === 'csv') {
      throw new UsageError('Rollouts are written as JSONL only: a table cannot hold their steps and tokens.');
    }
    const where = parseWhere(values.where);
    const options = { what, format, ...(where.length > 0 ? { where } : {}) } as const;
    const { output } = environment;
    if (to === '-' && output.json) throw new UsageError('With --json, stdout holds the report: name a file with --to.');
    return withWorkspace({ db: values.db }, environment, async (engine) => {
      if (to === '-') {
        const { rows } = await exportToStdout(engine, options, output);
        output.note(`${plural(rows, 'row')}.`);
        return exit.done;
      }
      const written = await exportToFile(engine, options, resolve(environment.cwd, to), values.force === true);
      output.answer(
        written,
        () => `${plural(written.rows, 'row')} written to ${written.file}\nsha256 ${written.sha256}`,
      );
      return exit.done;
    });
  },
});
