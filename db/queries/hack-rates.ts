// How many rollouts are marked and how many are labelled hack, by training step, task, model or run.

import type { HackRateOver, HackRateSeries } from '../../app/contract/hack-rate.ts';
import type { ReadDb } from '../connection.ts';
import { columns, conditions, from, type RolloutQuery } from './rollout-filter.ts';

/** Counts of one place on the axis, for one series. */
export interface HackCount {
  /** Training step, or name of the task, model or run; null where the log does not say. */
  readonly key: string | number | null;
  readonly series: string | null;
  readonly rollouts: number;
  /** Those that were scanned. */
  readonly scanned: number;
  readonly marked: number;
  readonly hack: number;
  readonly clean: number;
}

/** Counts over a column; `by` splits them into series. */
export function hackCounts(
  db: ReadDb,
  query: RolloutQuery,
  over: HackRateOver,
  by: HackRateSeries | null,
): HackCount[] {
  const { sql, params } = conditions(query);
  return db.all(
    `SELECT ${columns[over].sql} AS key, ${by === null ? 'NULL' : columns[by].sql} AS series, COUNT(*) AS rollouts,
       COUNT(r.score) AS scanned, COUNT(CASE WHEN r.score IS NOT NULL AND r.marked THEN 1 END) AS marked,
       COUNT(CASE WHEN r.label = 'hack' THEN 1 END) AS hack, COUNT(CASE WHEN r.label = 'clean' THEN 1 END) AS clean
     ${from} WHERE ${sql} GROUP BY 1, 2 ORDER BY key IS NULL, key, series`,
    ...params,
  );
}
