// The rollouts of a group or training step in counts: all that baselines and loss normalisers need, without token columns.

import type { RolloutStatus, SegmentKind } from '../../app/contract/vocabulary.ts';
import type { WhatIfMember } from '../../app/contract/what-if.ts';
import type { ReadDb } from '../connection.ts';

interface StoredMember {
  readonly rolloutId: number;
  readonly uid: string;
  readonly externalId: string;
  readonly groupId: number | null;
  readonly status: RolloutStatus;
  readonly statusDetail: string | null;
  readonly reward: number | null;
  readonly marked: number;
  readonly score: number | null;
  readonly label: WhatIfMember['label'];
  readonly tokens: number;
}

/** A rollout of the batch; its segments in order. */
export interface BatchMember extends Omit<StoredMember, 'marked'> {
  readonly marked: boolean;
  readonly segments: readonly {
    readonly index: number;
    readonly kind: SegmentKind;
    readonly tokens: number;
    readonly trainable: number;
  }[];
}

/**
 * These rollouts in the order of the ids; those that are gone are left out. A segment counts trainable tokens only where the log
 * has a mask: what is estimated from texts is trained by no estimator.
 */
export function batchMembers(db: ReadDb, rolloutIds: readonly number[]): BatchMember[] {
  const ids = JSON.stringify(rolloutIds);
  return db.snapshot(() => {
    const segments = new Map<number, BatchMember['segments'][number][]>();
    for (const { rolloutId, ...segment } of db.all<BatchMember['segments'][number] & { readonly rolloutId: number }>(
      `SELECT s.rollout_id AS rolloutId, s.idx AS "index", s.kind, s.tokens,
         CASE WHEN EXISTS (
           SELECT 1 FROM token_columns c WHERE c.segment_id = s.id AND c.name IN ('loss_mask', 'sampled_mask')
         ) THEN s.trainable_tokens ELSE 0 END AS trainable
       FROM segments s WHERE s.rollout_id IN (SELECT value FROM json_each(?)) ORDER BY s.rollout_id, s.idx`,
      ids,
    )) {
      const of = segments.get(rolloutId);
      if (of === undefined) segments.set(rolloutId, [segment]);
      else of.push(segment);
    }
    const rows = new Map(
      db
        .all<StoredMember>(
          `SELECT id AS rolloutId, uid, external_id AS externalId, group_id AS groupId, status, status_detail AS statusDetail,
             reward, marked, score, label, tokens
           FROM rollouts WHERE uid IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
          ids,
        )
        .map((row) => [row.rolloutId, row]),
    );
    return rolloutIds.flatMap((id): BatchMember[] => {
      const row = rows.get(id);
      return row === undefined ? [] : [{ ...row, marked: row.marked === 1, segments: segments.get(id) ?? [] }];
    });
  });
}
