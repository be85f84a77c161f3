// rollscope import --watch: follows files until Ctrl-C and says on stderr what each round brought.

import { type ImportedFile, type ImportReport, importReport, type JobRequest } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Environment } from './command.ts';
import { bytes, plural, printable } from './text.ts';

/**
 * Follows until the person stops it; gives the report over everything that came.
 * @throws Refusal with the job's own code when it failed.
 */
export async function watchImport(
  engine: Engine,
  request: Extract<JobRequest, { kind: 'follow' }>,
  { output, signal }: Environment,
): Promise<ImportReport> {
  const { client } = engine;
  const { id } = await client.jobs.start(request);
  const stop = (): void => {
    // The job may have ended in the meantime; then there is nothing to stop.
    client.jobs.cancel({ id }).catch(() => undefined);
  };
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const told = new Map<string, ImportedFile>();
  let waiting = false;
  try {
    for await (const state of await client.jobs.watch({ id })) {
      const report = importReport.safeParse(state.result).data;
      for (const file of report?.files ?? []) {
        const line = lineOf(file, told.get(file.path));
        told.set(file.path, file);
        if (line !== null) output.note(printable(line));
      }
      if (!waiting && state.phase === 'following') {
        waiting = true;
        output.note(`Following ${plural(state.done, 'file')}; Ctrl-C ends it and keeps everything.`);
      }
      if (state.error !== null) throw new Refusal(state.error.code, state.error.message, state.error.hint ?? undefined);
      if (state.status === 'done' && report !== undefined) return report;
    }
    throw new Refusal('job-lost', `The job ${id} ended without a word.`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** What is new of a file since the line before; null for nothing. */
function lineOf(file: ImportedFile, before: ImportedFile | undefined): string | null {
  const newRollouts = file.rollouts - (before?.rollouts ?? 0);
  const newBytes = (file.growth?.newBytes ?? file.size ?? 0) - (before?.growth?.newBytes ?? 0);
  const same = before !== undefined && before.status === file.status && before.message === file.message;
  if (same && newRollouts === 0 && file.growth?.newBytes === before.growth?.newBytes) return null;
  if (file.status === 'appended')
    return `appended  ${file.path}  +${plural(newRollouts, 'rollout')}, ${bytes(newBytes)}`;
  const what = file.message ?? `${plural(file.rollouts, 'rollout')}, ${bytes(file.size ?? 0)}`;
  return `${file.status.padEnd(9)} ${file.path}  ${what}`;
}
