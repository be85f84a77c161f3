// rollscope export: rollouts, markers or labels to a file.

import { resolve } from 'node:path';
import { command, exit, UsageError, workspaceOptions } from '../command.ts';
import { exportToFile, exportToStdout, maskedNote } from '../export-file.ts';
import { exportRuns } from '../export-runs.ts';
import { plural } from '../text.ts';
import { parseWhere } from '../where.ts';
import { withWorkspace } from '../workspace.ts';

const kinds = ['rollouts', 'markers', 'labels', 'judgements', 'advantages'] as const;

export const exportCommand = command({
  name: 'export',
  summary: 'write rollouts, markers, labels, judgements or advantages to a file',
  usage: '--what rollouts|markers|labels|judgements|advantages --to FILE [--where EXPR] [--reveal-credentials]',
  about:
    'Rollouts are written as native JSONL, which imports again without loss; markers, labels and judgements as JSONL or CSV.\n' +
    'Judgements are every one that the judge ever made, oldest first; inForce tells the newest of each marker.\n' +
    'Advantages (with returns and weights) are those of stored runs, as Parquet, npz or native JSONL.\n' +
    'A name ending in .gz or .zst is compressed. The file appears only when it is whole.\n' +
    'Keys, tokens and passwords in the texts are masked, and counted, unless you ask for them.',
  options: {
    ...workspaceOptions,
    what: { type: 'string', value: 'KIND', help: `what to write: ${kinds.join(', ')}` },
    to: { type: 'string', value: 'FILE', help: 'file to write, or - for stdout' },
    format: { type: 'string', value: 'jsonl|csv|parquet|npz', help: 'default: what the name ends in, else jsonl' },
    run: {
      type: 'string',
      value: 'newest|ID',
      help: 'advantages: of which stored run (default: newest of each rollout)',
    },
    where: { type: 'string', value: 'EXPR', help: 'only these rollouts: see "rollscope rollouts --help"' },
    shape: {
      type: 'string',
      value: 'acts|labelled',
      help: 'labels: the whole ledger (default), or one line per labelled rollout with its messages',
    },
    'reveal-credentials': { type: 'boolean', help: 'write credentials as they stand in the logs' },
    force: { type: 'boolean', help: 'replace a file that is there' },
  },
  examples: [
    [
      'rollscope export --what rollouts --where "marked = true" --to suspects.jsonl.zst',
      'the marked rollouts, to import elsewhere',
    ],
    [
      'rollscope export --what rollouts --where "label != hack and label != disputed" --to train.jsonl.zst',
      'training data without what people called a hack',
    ],
    ['rollscope export --what labels --shape labelled --to set.jsonl', 'a labelled set: messages, verdict, evidence'],
    ['rollscope export --what markers --to markers.csv', 'every marker as a table'],
    ['rollscope export --what judgements --to judgements.jsonl', 'what the intent judge said, to set beside labels'],
    ['rollscope export --what advantages --to advantages.npz', 'the newest recomputed advantages of every rollout'],
  ],
  async run({ values }, environment) {
    const what = kinds.find((kind) => kind === values.what);
    if (!what) throw new UsageError(`--what must be one of ${kinds.join(', ')}.`);
    if (values.to === undefined) throw new UsageError('Name a file with --to, or - for stdout.');
    const { to } = values;
    if (what === 'advantages') {
      const { format: asked, run, force } = values;
      const where = parseWhere(values.where);
      return withWorkspace({ db: values.db }, environment, (engine) =>
        exportRuns(engine, { to, format: asked, run, where, replace: force === true }, environment),
      );
    }
    const format = values.format ?? (/\.csv(\.gz|\.zst)?$/.test(to) ? 'csv' : 'jsonl');
    if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format must be jsonl or csv.');
    if (what === 'rollouts' && format === 'csv') {
      throw new UsageError('Rollouts are written as JSONL only: a table cannot hold their steps and tokens.');
    }
    const shape = values.shape ?? 'acts';
    if (shape !== 'acts' && shape !== 'labelled') throw new UsageError('--shape must be acts or labelled.');
    if (shape === 'labelled' && (what !== 'labels' || format === 'csv')) {
      throw new UsageError('--shape labelled goes with --what labels, as JSONL.');
    }
    const where = parseWhere(values.where);
    if (what === 'labels' && shape === 'acts' && where.length > 0) {
      throw new UsageError('The ledger is written whole; --where goes with --shape labelled.');
    }
    const reveal = values['reveal-credentials'] === true;
    const options = { what, format, reveal, shape, ...(where.length > 0 ? { where } : {}) } as const;
    const { output } = environment;
    if (to === '-' && output.json) throw new UsageError('With --json, stdout holds the report: name a file with --to.');
    return withWorkspace({ db: values.db }, environment, async (engine) => {
      if (to === '-') {
        const { rows, masked } = await exportToStdout(engine, options, output);
        output.note(`${plural(rows, 'row')}.${maskedNote(masked)}`);
        return exit.done;
      }
      const written = await exportToFile(engine, options, resolve(environment.cwd, to), values.force === true);
      output.answer(
        written,
        () =>
          `${plural(written.rows, 'row')} written to ${written.file}.${maskedNote(written.masked)}\nsha256 ${written.sha256}`,
      );
      return exit.done;
    });
  },
});
