// Alerts on their way in, and which rollout each is about.

import type { AlertDraft } from '../../app/contract/ingest.ts';
import type { WriteDb } from '../connection.ts';
import { integer } from './ingest-rows.ts';

/** Longest raw quotation of an alert, characters. */
const rawMax = 4_096;

/** Inserts an alert of a source; gives its row id and how many occurrences it stands for. */
export function insertAlert(
  db: WriteDb,
  sourceId: number,
  rolloutId: number | null,
  alert: AlertDraft,
): { readonly id: number; readonly count: number } {
  const count = Math.max(1, integer(alert.count) ?? 1);
  const { lastId } = db.run(
    `INSERT INTO alerts (source_id, kind, severity, count, first_line, first_offset, message, raw, rollout_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    sourceId,
    alert.kind,
    alert.severity,
    count,
    integer(alert.place?.line),
    integer(alert.place?.offset),
    alert.message,
    alert.raw?.slice(0, rawMax) ?? null,
    rolloutId,
  );
  return { id: lastId, count };
}

/**
 * Ties alerts to rollouts: those the reader named, those on the line of a rollout, and all of them when the file holds one
 * rollout. Then counts warnings and errors per rollout.
 */
export function attributeAlerts(db: WriteDb, sourceId: number): void {
  if (db.value<number>('SELECT COUNT(*) FROM alerts WHERE source_id = ?', sourceId) === 0) return;
  const few = db.column<number>('SELECT id FROM rollouts WHERE source_id = ? LIMIT 2', sourceId);
  const only = few.length === 1 ? few[0] : undefined;
  if (only !== undefined) {
    db.run('UPDATE alerts SET rollout_id = ? WHERE source_id = ? AND rollout_id IS NULL', only, sourceId);
  } else {
    db.run(
      `UPDATE alerts SET rollout_id = (SELECT r.id FROM rollouts r WHERE r.source_id = alerts.source_id AND r.line = alerts.first_line LIMIT 1)
       WHERE source_id = ? AND rollout_id IS NULL AND first_line IS NOT NULL`,
      sourceId,
    );
  }
  db.run(
    `UPDATE rollouts SET alerts = a.n
     FROM (SELECT rollout_id, SUM(count) AS n FROM alerts
           WHERE source_id = ? AND severity <> 'info' AND rollout_id IS NOT NULL GROUP BY rollout_id) a
     WHERE rollouts.id = a.rollout_id`,
    sourceId,
  );
}
