// rollscope labels: people's verdicts in and out.

import { basename, resolve } from 'node:path';
import { agreementTargets } from '../../../contract/index.ts';
import { labelFileLines } from '../../../engine/labels/label-files.ts';
import { command, exit, UsageError, workspaceOptions } from '../command.ts';
import { exportToFile, exportToStdout, maskedNote } from '../export-file.ts';
import { plural, printable } from '../text.ts';
import { withWorkspace } from '../workspace.ts';
import { showAgreement } from './labels-agreement.ts';

export const labelsCommand = command({
  name: 'labels',
  summary: "import or export people's verdicts as JSONL or CSV, or see how far they agree",
  usage: 'import FILE | export [--to FILE] [--reveal-credentials] | agreement [--on TARGET]',
  about:
    'The ledger of labels as JSON lines, one act a line, or as a table (a name ending in .csv). Importing the same file\n' +
    'again changes nothing. Rows of a labelled set (id, label, kinds, evidence) are read as well. Lines that\n' +
    'are not understood, or name no rollout of this workspace, are listed and left out. "-" reads standard input.\n' +
    '"agreement" compares the verdicts of annotators on the same targets: agreement beyond chance with bootstrap 95 %\n' +
    'intervals, pair by pair and kind by kind, and the list of what they disagree on; beside them, never among them, the\n' +
    'intent judge: how far it agrees with people, and what it is worth as a detector by their labels.',
  options: {
    ...workspaceOptions,
    to: { type: 'string', value: 'FILE', help: 'file to write (default: stdout)' },
    force: { type: 'boolean', help: 'replace a file that is there' },
    'reveal-credentials': { type: 'boolean', help: 'export: write credentials as they stand in notes and texts' },
    on: {
      type: 'string',
      value: 'TARGET',
      help: `what is compared: ${agreementTargets.join(', ')} (default: rollout)`,
    },
  },
  examples: [
    ['rollscope labels export --to labels.jsonl', 'hand your verdicts to a colleague'],
    ['rollscope labels import labels.jsonl', "take a colleague's verdicts in"],
    ['rollscope labels agreement --json | jq .overall.alpha', 'how far annotators agree beyond chance'],
  ],
  async run({ values, positionals }, environment) {
    const { output } = environment;
    const [what, file, ...more] = positionals;
    if (what === 'agreement' && file === undefined) return showAgreement(values, environment);
    if (values.on !== undefined) throw new UsageError('--on goes with "labels agreement".');
    const reveal = values['reveal-credentials'] === true;
    if (reveal && what !== 'export') throw new UsageError('--reveal-credentials goes with "labels export".');
    if (what === 'export' && file === undefined) {
      return withWorkspace({ db: values.db }, environment, async (engine) => {
        const format = /\.csv(\.gz|\.zst)?$/iu.test(values.to ?? '') ? 'csv' : 'jsonl';
        const options = { what: 'labels', format, reveal } as const;
        if (values.to === undefined) {
          if (output.json)
            throw new UsageError('With --json, name a file with --to: the labels are JSON lines themselves.');
          const { rows, masked } = await exportToStdout(engine, options, output);
          output.note(`${plural(rows, 'act')}.${maskedNote(masked)}`);
          return exit.done;
        }
        const written = await exportToFile(engine, options, resolve(environment.cwd, values.to), values.force === true);
        output.answer(
          written,
          () => `${plural(written.rows, 'act')} written to ${written.file}.${maskedNote(written.masked)}`,
        );
        return exit.done;
      });
    }
    if (what !== 'import' || file === undefined || more.length > 0) {
      throw new UsageError('Say "labels import FILE", "labels export" or "labels agreement".');
    }
    const result = await withWorkspace({ db: values.db }, environment, (engine) =>
      engine.labelsImport(
        labelFileLines(file === '-' ? null : resolve(environment.cwd, file), file),
        file === '-' ? 'stdin' : basename(file),
      ),
    );
    output.answer(result, () =>
      [
        `${plural(result.imported, 'act')} imported, ${plural(result.duplicates, 'duplicate')} left as they are, ${result.skipped.length} lines skipped.`,
        ...result.skipped.slice(0, 20).map(({ line, reason }) => printable(`  ${file}:${line}: ${reason}`)),
        ...(result.skipped.length > 20 ? [`  … and ${result.skipped.length - 20} more; --json lists all.`] : []),
      ].join('\n'),
    );
    return result.skipped.length > 0 ? exit.refused : exit.done;
  },
});
