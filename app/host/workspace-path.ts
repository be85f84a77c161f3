// Which workspace file is meant when nobody names one: the same answer for the command line and the desktop app.

import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import envPaths from 'env-paths';

/** The platform's data folder of the app; not created. */
function dataFolder(): string {
  return envPaths('rollscope', { suffix: '' }).data;
}

/**
 * The workspace file: the one that was named, else `$ROLLSCOPE_DB`, else `workspace.rollscope` in the platform's data
 * folder. The folder of the last is made when it is missing; a named file's folder is not, so that a typing error shows.
 */
export function workspacePath(named: string | undefined, env: Readonly<Record<string, string | undefined>>): string {
  if (named !== undefined && named !== '') return resolve(named);
  const fromEnv = env.ROLLSCOPE_DB;
  if (fromEnv !== undefined && fromEnv !== '') return resolve(fromEnv);
  return ownFile('workspace.rollscope');
}

/** The workspace of the bundled demo, apart from the user's own. */
export function demoWorkspacePath(): string {
  return ownFile('demo.rollscope');
}

function ownFile(name: string): string {
  const file = join(dataFolder(), name);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}
