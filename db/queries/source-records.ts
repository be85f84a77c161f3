// What a source brought, by type of record, for its report.

import type { ReadDb } from '../connection.ts';

export interface RecordCount {
  /** `step`, `input`, `boundary` or `unknown`; with its role where there are several. */
  readonly type: string;
  readonly count: number;
}

/** Items of a source's rollouts by kind and role, the most frequent first. Copied context counts apart. */
export function recordCounts(db: ReadDb, sourceId: number): RecordCount[] {
  return db.all<RecordCount>(
    `SELECT CASE WHEN i.copied = 1 THEN 'carried ' ELSE '' END || i.kind ||
       CASE WHEN i.kind = 'input' THEN ' (' || i.role || ')' WHEN i.step_kind = 'summary' THEN ' (summary)' ELSE '' END AS type,
       COUNT(*) AS count
     FROM rollouts r JOIN items i ON i.rollout_id = r.id WHERE r.source_id = ? AND r.uid IS NOT NULL
     GROUP BY type ORDER BY count DESC, type`,
    sourceId,
  );
}
