// What the estimators compute from: rewards and token columns of rollouts, stretched over all tokens of their segments.

import { createHash } from 'node:crypto';
import type { TokenArray } from '../../app/contract/ingest.ts';
import type { RolloutStatus, SegmentKind } from '../../app/contract/vocabulary.ts';
import { stretchColumn } from '../codec.ts';
import type { ReadDb } from '../connection.ts';
import { segmentPlaces } from './segments.ts';
import { columnsOf } from './tokens.ts';

/** Log-probabilities by who computed them, as far as the log has them. */
type LogprobColumns = Partial<Record<'rollout' | 'train' | 'old' | 'ref' | 'teacher', TokenArray>>;

/**
 * One segment: every column has one entry per token of the segment, or is null where the log has none. NaN in a float column
 * means that the log has no value there.
 */
interface EstimatorSegment {
  readonly segmentId: number;
  readonly index: number;
  readonly kind: SegmentKind;
  readonly tokens: number;
  readonly lossMask: TokenArray | null;
  readonly sampledMask: TokenArray | null;
  readonly values: TokenArray | null;
  readonly rewards: TokenArray | null;
  readonly advantages: TokenArray | null;
  readonly returns: TokenArray | null;
  readonly logprobs: LogprobColumns;
}

export interface EstimatorRollout {
  readonly rolloutId: number;
  readonly uid: string;
  readonly groupId: number | null;
  readonly status: RolloutStatus;
  readonly statusDetail: string | null;
  readonly reward: number | null;
  /** The log's reward object as JSON text. */
  readonly rewardDetail: string | null;
  readonly bootstrapValue: number | null;
  readonly excludedFromLoss: boolean;
  readonly trainingStep: number | null;
  /** Versions of the policy's weights over the rollout's steps, each once, in order of first use. */
  readonly weightVersions: readonly string[];
  readonly segments: readonly EstimatorSegment[];
}

type StoredRollout = Omit<EstimatorRollout, 'segments' | 'weightVersions' | 'excludedFromLoss'> & {
  readonly excludedFromLoss: number;
};

/** The inputs of these rollouts, in the order of the ids; rollouts that are gone are left out. */
export function estimatorInputRows(db: ReadDb, rolloutIds: ArrayLike<number>): EstimatorRollout[] {
  return db.snapshot(() => {
    const rows = new Map(
      db
        .all<StoredRollout>(
          `SELECT id AS rolloutId, uid, group_id AS groupId, status, status_detail AS statusDetail, reward,
             reward_detail AS rewardDetail, bootstrap_value AS bootstrapValue, excluded_from_loss AS excludedFromLoss,
             training_step AS trainingStep
           FROM rollouts WHERE uid IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
          JSON.stringify(Array.from(rolloutIds)),
        )
        .map((row) => [row.rolloutId, row]),
    );
    return Array.from(rolloutIds).flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      return [
        {
          ...row,
          excludedFromLoss: row.excludedFromLoss === 1,
          weightVersions: db.column<string>(
            `SELECT i.weight_version FROM segments s JOIN items i ON i.segment_id = s.id
             WHERE s.rollout_id = ? AND i.weight_version IS NOT NULL GROUP BY i.weight_version ORDER BY MIN(s.idx), MIN(i.id)`,
            id,
          ),
          segments: segmentsOf(db, id),
        },
      ];
    });
  });
}

function segmentsOf(db: ReadDb, rolloutId: number): EstimatorSegment[] {
  return segmentPlaces(db, rolloutId).map((place) => {
    const columns = new Map<string, TokenArray>();
    for (const column of columnsOf(db, place.id)) {
      if (column.name !== 'ids') columns.set(column.name, stretchColumn(column, place.tokens));
    }
    const logprobs: LogprobColumns = {};
    for (const name of ['rollout', 'train', 'old', 'ref', 'teacher'] as const) {
      const column = columns.get(`logprobs.${name}`);
      if (column !== undefined) logprobs[name] = column;
    }
    return {
      segmentId: place.id,
      index: place.index,
      kind: place.kind,
      tokens: place.tokens,
      lossMask: columns.get('loss_mask') ?? null,
      sampledMask: columns.get('sampled_mask') ?? null,
      values: columns.get('values') ?? null,
      rewards: columns.get('rewards') ?? null,
      advantages: columns.get('advantages') ?? null,
      returns: columns.get('returns') ?? null,
      logprobs,
    };
  });
}

/**
 * A hash that changes when the inputs of these rollouts may have changed: another content of their source, another reward,
 * another set of rollouts. Cheap: no column is read, since columns only change with the source's content.
 */
export function inputsHash(db: ReadDb, rolloutIds: ArrayLike<number>): string {
  const rows = db.all<Record<string, unknown>>(
    `SELECT r.uid, r.status, r.reward, r.bootstrap_value, r.excluded_from_loss, r.segments, r.tokens, r.trainable_tokens,
       COALESCE(hex(s.content_hash), s.imported_at) AS content
     FROM rollouts r JOIN sources s ON s.id = r.source_id
     WHERE r.uid IS NOT NULL AND r.id IN (SELECT value FROM json_each(?)) ORDER BY r.uid`,
    JSON.stringify(Array.from(rolloutIds)),
  );
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 32);
}
