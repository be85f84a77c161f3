// One rollout with everything a screen shows before it scrolls: segments, markers, labels, siblings.

import type { RolloutDetail } from '../../app/contract/rollouts.ts';
import { defined } from '../../app/shared/assert.ts';
import { Refusal } from '../../app/shared/errors.ts';
import type { ReadDb } from '../connection.ts';
import { body } from './bodies.ts';
import { currentLabels } from './labels.ts';
import { markersOf } from './markers.ts';
import { rolloutRows } from './rollouts.ts';
import { axisLength, segmentPlaces, segmentRows } from './segments.ts';

type Sibling = RolloutDetail['group']['siblings'][number];

/** The rollouts of the same group in order of import, this one included; only itself where it has no group. */
export function siblings(db: ReadDb, rolloutId: number): Sibling[] {
  const rows = db.all<Omit<Sibling, 'marked'> & { marked: number }>(
    `SELECT o.uid AS id, o.external_id AS externalId, o.reward, o.status, o.segments, o.score, o.marked
     FROM rollouts r JOIN rollouts o ON o.id = r.id OR o.group_id = r.group_id
     WHERE r.id = ? AND o.uid IS NOT NULL ORDER BY o.id`,
    rolloutId,
  );
  return rows.map((row) => ({ ...row, marked: row.marked === 1 }));
}

/** Row ids of the rollouts of the same group, this one included, in order of import. */
export function siblingIds(db: ReadDb, rolloutId: number): number[] {
  return db.column<number>(
    `SELECT o.id FROM rollouts r JOIN rollouts o ON o.id = r.id OR o.group_id = r.group_id
     WHERE r.id = ? AND o.uid IS NOT NULL ORDER BY o.id`,
    rolloutId,
  );
}

/** Mean and sample standard deviation (divisor n - 1) of the known rewards; null where undefined. */
function spread(rewards: readonly number[]): { mean: number | null; std: number | null } {
  const n = rewards.length;
  if (n === 0) return { mean: null, std: null };
  const mean = rewards.reduce((sum, reward) => sum + reward, 0) / n;
  if (n === 1) return { mean, std: null };
  return { mean, std: Math.sqrt(rewards.reduce((sum, reward) => sum + (reward - mean) ** 2, 0) / (n - 1)) };
}

/** Everything about one rollout but its items and tokens, from one snapshot. Refuses an id that is gone (`rollout-unknown`). */
export function rolloutDetail(db: ReadDb, rolloutId: number): RolloutDetail {
  return db.snapshot(() => {
    const [rollout] = rolloutRows(db, [rolloutId]);
    if (rollout === undefined) {
      throw new Refusal('rollout-unknown', 'This rollout is no longer in the workspace.', 'Go back to the library.');
    }
    const kept = defined(
      db.get<{ extraBody: number | null; rewardDetail: string | null }>(
        'SELECT extra_body AS extraBody, reward_detail AS rewardDetail FROM rollouts WHERE id = ?',
        rolloutId,
      ),
      'the rollout just read',
    );
    const group = siblings(db, rolloutId);
    return {
      rollout,
      segments: segmentRows(db, rolloutId),
      markers: markersOf(db, rolloutId),
      labels: currentLabels(db, rollout.id),
      group: { siblings: group, ...spread(group.flatMap((sibling) => sibling.reward ?? [])) },
      extra: kept.extraBody === null ? null : body(db, kept.extraBody),
      rewardDetail: kept.rewardDetail,
      axisLength: axisLength(segmentPlaces(db, rolloutId)),
    };
  });
}
