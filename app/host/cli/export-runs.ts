// `export --what advantages`: stored runs as Parquet, npz or native JSONL.

import { resolve } from 'node:path';
import type { Filter } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { type Environment, type ExitCode, exit, UsageError } from './command.ts';
import { writeWhole } from './export-file.ts';
import { plural } from './text.ts';

const formats = ['jsonl', 'parquet', 'npz'] as const;

/** The format asked for, else the one that the name says, else JSONL. @throws UsageError. */
function formatOf(asked: string | undefined, to: string): (typeof formats)[number] {
  const named = /\.(parquet|npz)$/u.exec(to)?.[1];
  const format = formats.find((one) => one === (asked ?? named ?? 'jsonl'));
  if (format === undefined) throw new UsageError(`Advantages are written as ${formats.join(', ')}, not "${asked}".`);
  if (format !== 'jsonl' && /\.(gz|zst)$/u.test(to)) {
    throw new UsageError(`A ${format} file is not compressed again: leave out .gz or .zst.`);
  }
  return format;
}

/** Writes the runs of the filtered rollouts, or one run, to a file or (JSONL only) to stdout. */
export async function exportRuns(
  engine: Engine,
  asked: {
    readonly to: string;
    readonly format: string | undefined;
    readonly run: string | undefined;
    readonly where: Filter;
    readonly replace: boolean;
  },
  environment: Environment,
): Promise<ExitCode> {
  const { output } = environment;
  const format = formatOf(asked.format, asked.to);
  const options = {
    format,
    ...(asked.where.length > 0 ? { where: asked.where } : {}),
    ...(asked.run === undefined || asked.run === 'newest' ? {} : { run: asked.run }),
  };
  if (asked.to === '-') {
    if (format !== 'jsonl') throw new UsageError(`A ${format} file is not written to stdout: name one with --to.`);
    const { rows } = await engine.exportAdvantages({ ...options, write: (chunk) => output.write(String(chunk)) });
    output.note(`${plural(rows, 'segment')}.`);
    return exit.done;
  }
  const written = await writeWhole(resolve(environment.cwd, asked.to), asked.replace, (write) =>
    engine.exportAdvantages({ ...options, write }),
  );
  output.answer({ ...written, format }, () => {
    const stale = written.stale > 0 ? `\n${plural(written.stale, 'run')} stale: recompute before you use them.` : '';
    return `${plural(written.rows, 'segment')} of ${plural(written.rollouts, 'rollout')} written to ${written.file}.${stale}\nsha256 ${written.sha256}`;
  });
  return exit.done;
}
