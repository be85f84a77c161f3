// Reading the library from the command line: result sets, page by page.

import type { Filter, RolloutRow, SortKey } from '../../contract/index.ts';
import { rolloutColumns } from '../../contract/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { UsageError } from './command.ts';

const pageRows = 200;

/** Rows of a filter in order, at most `limit`, with the number there are in all. */
export async function readRollouts(
  engine: Engine,
  where: Filter,
  sort: SortKey[],
  limit: number,
): Promise<{ rows: RolloutRow[]; total: number }> {
  const { set, total } = await engine.client.rollouts.query({ where, sort });
  const rows: RolloutRow[] = [];
  while (rows.length < Math.min(limit, total)) {
    const count = Math.min(pageRows, limit - rows.length);
    const page = await engine.client.rollouts.page({ set, start: rows.length, count });
    if (page.rows.length === 0) break;
    rows.push(...page.rows);
  }
  return { rows, total };
}

/** Public ids of the rollouts a person named by id, by the log's own id, or by the start of one. In order, each once. */
export async function resolveRollouts(engine: Engine, names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const id of names) ids.push((await engine.client.rollouts.get({ id })).rollout.id);
  return [...new Set(ids)];
}

/** `reward`, `-reward`, `group,-reward`: a minus sorts from large to small. @throws UsageError for an unknown column. */
export function parseSort(text: string | undefined): SortKey[] {
  if (text === undefined) return [];
  return text.split(',').map((part) => {
    const descending = part.startsWith('-');
    const name = part.replace(/^[-+]/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const column = rolloutColumns.find((each) => each === name);
    if (!column) throw new UsageError(`--sort: there is no column "${part}". There are ${rolloutColumns.join(', ')}.`);
    return { column, descending };
  });
}
