// `advantages --runs` and `--delete`: what was computed before, whether it still holds, and taking it out.

import type { RunRow } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { Refusal } from '../../shared/errors.ts';
import { type Environment, type ExitCode, exit } from './command.ts';
import { oneLine, plural, table } from './text.ts';

const pageSize = 500;
const shown = 100;

/** The stored runs, newest first; only those of `rollouts` when any are named. */
async function storedRuns(engine: Engine, rollouts: readonly string[]): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (let start = 0; ; start += pageSize) {
    const page = await engine.client.advantages.allRuns({ start, count: pageSize });
    rows.push(...page.rows.filter(({ rollout }) => rollouts.length === 0 || rollouts.includes(rollout)));
    if (start + pageSize >= page.total) return rows;
  }
}

/** Prints the stored runs. */
export async function listRuns(
  engine: Engine,
  rollouts: readonly string[],
  environment: Environment,
): Promise<ExitCode> {
  const runs = await storedRuns(engine, rollouts);
  environment.output.answer({ runs }, () => {
    if (runs.length === 0) return 'No stored runs.';
    const rows = runs
      .slice(0, shown)
      .map((run) => [
        run.id,
        oneLine(run.externalId, 28),
        run.preset ?? run.estimator,
        `v${run.estimatorVersion}`,
        run.criticLabel,
        run.error ?? (run.stale ? 'stale' : 'current'),
        run.createdAt.slice(0, 16).replace('T', ' '),
      ]);
    const columns = ['Run', 'Rollout', 'Estimator', 'Version', 'Critic', 'State', 'Computed'].map((title) => ({
      title,
    }));
    const rest = runs.length > shown ? `\n… and ${runs.length - shown} more; --json lists all.` : '';
    const stale = runs.filter((run) => run.stale).length;
    return `${table(columns, rows)}${rest}\n\n${plural(runs.length, 'run')}, ${stale} stale (the estimator or its inputs changed since).`;
  });
  return exit.done;
}

/** Deletes one run by id, the stale ones, or all; of `rollouts` only when any are named. @throws Refusal `run-unknown`. */
export async function deleteRuns(
  engine: Engine,
  which: string,
  rollouts: readonly string[],
  environment: Environment,
): Promise<ExitCode> {
  const runs = await storedRuns(engine, rollouts);
  const chosen = runs.filter((run) => which === 'all' || (which === 'stale' ? run.stale : run.id === which));
  if (chosen.length === 0 && which !== 'all' && which !== 'stale') {
    throw new Refusal('run-unknown', `There is no stored run ${which}.`, 'List them with: rollscope advantages --runs');
  }
  let removed = 0;
  for (let start = 0; start < chosen.length; start += 10_000) {
    const ids = chosen.slice(start, start + 10_000).map(({ id }) => id);
    removed += (await engine.client.advantages.removeRuns({ ids })).removed;
  }
  environment.output.answer({ removed }, () => `${plural(removed, 'run')} deleted.`);
  return exit.done;
}
