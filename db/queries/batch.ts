// Which rollouts belong together for an estimator: the group, or the batch of one training step.

import type { ReadDb } from '../connection.ts';

/** Row ids of the rollouts of the same run, training step and split, this one included; only itself where the log names no step. */
export function batchIds(db: ReadDb, rolloutId: number): number[] {
  return db.column<number>(
    `SELECT o.id FROM rollouts r JOIN rollouts o ON o.id = r.id
       OR (o.training_step = r.training_step AND o.run_id IS r.run_id AND o.split IS r.split AND o.source_id = r.source_id)
     WHERE r.id = ? AND o.uid IS NOT NULL ORDER BY o.id`,
    rolloutId,
  );
}

/** All rollouts in force, in order of import. */
export function allRolloutIds(db: ReadDb): number[] {
  return db.column<number>('SELECT id FROM rollouts WHERE uid IS NOT NULL ORDER BY id');
}

/** Rollouts in force that no rule pack has scanned yet: what an import brought, or an interrupted one left to do. */
export function unscannedRolloutIds(db: ReadDb): number[] {
  return db.column<number>('SELECT id FROM rollouts WHERE uid IS NOT NULL AND score IS NULL ORDER BY id');
}

/** Those of the rollouts that have critic values in at least one segment. */
export function withValues(db: ReadDb, rolloutIds: readonly number[]): number[] {
  return db.column<number>(
    `SELECT DISTINCT s.rollout_id FROM segments s JOIN token_columns c ON c.segment_id = s.id AND c.name = 'values'
     WHERE s.rollout_id IN (SELECT value FROM json_each(?)) ORDER BY s.rollout_id`,
    JSON.stringify(rolloutIds),
  );
}
