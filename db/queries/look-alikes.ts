// Hits of a rule that people found legitimate: markers they rejected, and markers in rollouts they labelled clean.

import type { ReadDb } from '../connection.ts';

/** A legitimate hit. */
export interface LegitimateHit {
  readonly marker: string;
  readonly rollout: string;
  readonly task: string | null;
  readonly quote: string;
  /** Whether people rejected the marker itself, or called its rollout clean. */
  readonly by: 'marker' | 'rollout';
}

/** Most hits that are compared. */
const most = 2000;

/** The rule and quote of a marker; undefined when there is no such marker. */
export function markerText(db: ReadDb, uid: string): { rule: string; quote: string; rollout: string } | undefined {
  return db.get(
    'SELECT m.rule, m.quote, r.uid AS rollout FROM markers m JOIN rollouts r ON r.id = m.rollout_id WHERE m.uid = ?',
    uid,
  );
}

/** The legitimate hits of a rule in other rollouts than `rollout` (public id), rejected ones first, then the newest; at most 2,000. */
export function legitimateHits(db: ReadDb, rule: string, rollout: string): LegitimateHit[] {
  return db.all(
    `WITH verdicts AS MATERIALIZED (
       SELECT target ->> '$.marker' AS marker, verdict FROM target_verdicts WHERE target_type = 'marker')
     SELECT m.uid AS marker, r.uid AS rollout, r.task, m.quote,
       CASE WHEN v.verdict = 'clean' THEN 'marker' ELSE 'rollout' END AS "by"
     FROM markers m JOIN rollouts r ON r.id = m.rollout_id LEFT JOIN verdicts v ON v.marker = m.uid
     WHERE m.rule = ? AND r.uid IS NOT NULL AND r.uid IS NOT ?
       AND (v.verdict = 'clean' OR (r.label = 'clean' AND v.verdict IS NULL))
     ORDER BY v.verdict IS NULL, m.id DESC LIMIT ${most}`,
    rule,
    rollout,
  );
}
