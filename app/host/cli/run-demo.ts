// The demo: the bundled samples through the whole main job.

import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { demoWorkspacePath } from '../workspace-path.ts';
import type { Environment } from './command.ts';
import { collectReport, type Report } from './report.ts';
import { runJob } from './run-job.ts';
import { withWorkspace } from './workspace.ts';

/** The demo's workspace: the named file, else one of its own beside the user's. `$ROLLSCOPE_DB` is never touched by it. */
export function demoPath(named: string | undefined, cwd: string): string {
  return named === undefined ? demoWorkspacePath() : resolve(cwd, named);
}

/** Imports the samples, computes, scans, and reports. Running it again on the same workspace adds nothing. */
export async function runDemo(db: string, environment: Environment): Promise<Report> {
  return withWorkspace({ db, create: true }, environment, async (engine) => {
    await runJob(engine, { kind: 'demo' }, environment);
    return collectReport(engine);
  });
}

/** Removes a workspace file with what SQLite keeps beside it. @throws Refusal `workspace-in-use`. */
export async function removeWorkspace(path: string): Promise<void> {
  try {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) await rm(file, { force: true });
  } catch (error) {
    throw new Refusal(
      'workspace-in-use',
      `The old demo workspace ${path} cannot be removed: ${messageOf(error)}.`,
      'Close the app that has it open, or name another file with --db.',
    );
  }
}
