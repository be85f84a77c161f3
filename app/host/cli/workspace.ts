// Opening the workspace for one command and closing it again, whatever happens in between.

import { existsSync } from 'node:fs';
import { createEngine, type Engine, type EngineOptions } from '../../engine/engine.ts';
import { Refusal } from '../../shared/errors.ts';
import { packageVersion, samplesFolder } from '../package-root.ts';
import { workspacePath } from '../workspace-path.ts';
import type { Environment } from './command.ts';

export interface WorkspaceUse {
  /** The `--db` option. */
  readonly db: string | undefined;
  /** Whether a workspace that does not exist yet is made; else that is a refusal. */
  readonly create?: boolean;
  readonly options?: Partial<EngineOptions>;
}

/**
 * Runs `work` on an engine over the workspace.
 * @throws Refusal `workspace-missing`, and whatever opening the file refuses.
 */
export async function withWorkspace<T>(
  use: WorkspaceUse,
  environment: Environment,
  work: (engine: Engine) => Promise<T>,
): Promise<T> {
  const dbPath = workspacePath(use.db, environment.env);
  if (!use.create && !existsSync(dbPath)) {
    throw new Refusal(
      'workspace-missing',
      `There is no workspace at ${dbPath}.`,
      'Make one with "rollscope import PATH", look at an example with "rollscope demo", or name another with --db.',
    );
  }
  const engine = await createEngine({
    dbPath,
    host: 'cli',
    version: packageVersion(),
    samplesDir: samplesFolder(),
    ...use.options,
  });
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}
