// What the estimators compute from: rewards and token columns of rollouts, stretched over all tokens of their segments.

import { hash } from 'node:crypto';
import type { TokenArray, TokenDtype } from '../../app/contract/ingest.ts';
import type { RolloutStatus, SegmentKind } from '../../app/contract/vocabulary.ts';
import { stretchColumn, unpackColumn } from '../codec.ts';
import type { ReadDb } from '../connection.ts';
import { segmentPlaces } from './segments.ts';
import { valueColumn } from './values.ts';

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
  /** What the importer had to say that decides whether an estimator may be computed: kinds of its alerts, each once. */
  readonly alertKinds: readonly string[];
  readonly segments: readonly EstimatorSegment[];
}

type StoredRollout = Omit<EstimatorRollout, 'segments' | 'weightVersions' | 'alertKinds' | 'excludedFromLoss'> & {
  readonly excludedFromLoss: number;
};

/** Alerts that say that a rollout is not what its columns show. */
const tellingAlerts = "'parent-missing', 'mask-not-binary'";

/** What is read of every segment. */
export interface InputChoice {
  /** Row id of a joined file whose values stand in place of the logged ones. */
  readonly valueSet?: number | null;
  /** Columns by name, to read no more than is needed; all when absent. */
  readonly columns?: readonly string[];
}

/** The inputs of these rollouts, in the order of the ids; rollouts that are gone are left out. */
export function estimatorInputRows(
  db: ReadDb,
  rolloutIds: ArrayLike<number>,
  choice: InputChoice = {},
): EstimatorRollout[] {
  const ids = JSON.stringify(Array.from(rolloutIds));
  return db.snapshot(() => {
    const rows = new Map(
      db
        .all<StoredRollout>(
          `SELECT id AS rolloutId, uid, group_id AS groupId, status, status_detail AS statusDetail, reward,
             reward_detail AS rewardDetail, bootstrap_value AS bootstrapValue, excluded_from_loss AS excludedFromLoss,
             training_step AS trainingStep
           FROM rollouts WHERE uid IS NOT NULL AND id IN (SELECT value FROM json_each(?))`,
          ids,
        )
        .map((row) => [row.rolloutId, row]),
    );
    const versions = listed(
      db,
      `SELECT s.rollout_id AS rolloutId, i.weight_version AS text FROM segments s JOIN items i ON i.segment_id = s.id
       WHERE s.rollout_id IN (SELECT value FROM json_each(?)) AND i.weight_version IS NOT NULL
       GROUP BY s.rollout_id, i.weight_version ORDER BY MIN(s.idx), MIN(i.id)`,
      ids,
    );
    const alerts = listed(
      db,
      `SELECT DISTINCT rollout_id AS rolloutId, kind AS text FROM alerts
       WHERE rollout_id IN (SELECT value FROM json_each(?)) AND kind IN (${tellingAlerts}) ORDER BY kind`,
      ids,
    );
    return Array.from(rolloutIds).flatMap((id) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      return [
        {
          ...row,
          excludedFromLoss: row.excludedFromLoss === 1,
          weightVersions: versions.get(id) ?? [],
          alertKinds: alerts.get(id) ?? [],
          segments: segmentsOf(db, id, choice),
        },
      ];
    });
  });
}

/** Texts by rollout, in the order of the statement. */
function listed(db: ReadDb, sql: string, ids: string): Map<number, string[]> {
  const lists = new Map<number, string[]>();
  for (const { rolloutId, text } of db.all<{ rolloutId: number; text: string }>(sql, ids)) {
    const list = lists.get(rolloutId);
    if (list === undefined) lists.set(rolloutId, [text]);
    else list.push(text);
  }
  return lists;
}

const inputColumns = [
  'loss_mask',
  'sampled_mask',
  'values',
  'rewards',
  'advantages',
  'returns',
  'logprobs.rollout',
  'logprobs.train',
  'logprobs.old',
  'logprobs.ref',
  'logprobs.teacher',
];

interface ColumnRow {
  readonly segmentId: number;
  readonly name: string;
  readonly dtype: TokenDtype;
  readonly start: number;
  readonly data: Uint8Array;
}

/** One statement for all segments of a rollout; the names are this file's or the engine's own, never a log's. */
function columnRows(db: ReadDb, rolloutId: number, names: readonly string[]): ColumnRow[] {
  const list = names.map((name) => `'${name}'`).join(', ');
  return db.all<ColumnRow>(
    `SELECT c.segment_id AS segmentId, c.name, c.dtype, c.start, c.data
     FROM segments s JOIN token_columns c ON c.segment_id = s.id AND c.name IN (${list}) WHERE s.rollout_id = ?`,
    rolloutId,
  );
}

function segmentsOf(db: ReadDb, rolloutId: number, choice: InputChoice): EstimatorSegment[] {
  const { valueSet = null, columns: wanted = inputColumns } = choice;
  const names = valueSet === null ? wanted : wanted.filter((name) => name !== 'values');
  const places = segmentPlaces(db, rolloutId);
  const bySegment = new Map(places.map((place) => [place.id, new Map<string, TokenArray>()]));
  const tokens = new Map(places.map((place) => [place.id, place.tokens]));
  for (const { segmentId, name, dtype, start, data } of columnRows(db, rolloutId, names)) {
    const column = { name, start, data: unpackColumn(dtype, data) };
    bySegment.get(segmentId)?.set(name, stretchColumn(column, tokens.get(segmentId) ?? 0));
  }
  return places.map((place) => {
    const columns = bySegment.get(place.id) ?? new Map<string, TokenArray>();
    const joined = valueSet === null ? null : valueColumn(db, valueSet, place.id);
    if (joined !== null) columns.set('values', stretchColumn(joined, place.tokens));
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
 * another set of rollouts, other joined values. Cheap: no column is read, since columns only change with the source's
 * content. A file that grows keeps the rollouts that were complete, row by row: there the row stands for the content.
 */
export function inputsHash(db: ReadDb, rolloutIds: ArrayLike<number>, values: string | null = null): string {
  const facts = factsOf(db, rolloutIds).map(({ text }) => text);
  return hashOf(facts, values, db);
}

/** The hash of each of these rollouts on its own, for estimators that look at one rollout at a time. */
export function inputsHashes(
  db: ReadDb,
  rolloutIds: ArrayLike<number>,
  values: string | null = null,
): ReadonlyMap<number, string> {
  return new Map(factsOf(db, rolloutIds).map(({ id, text }) => [id, hashOf([text], values, db)]));
}

/** What decides about the content of each rollout, as text, in the order of the public ids. */
function factsOf(db: ReadDb, rolloutIds: ArrayLike<number>): { readonly id: number; readonly text: string }[] {
  return db.all<{ id: number; text: string }>(
    `SELECT r.id, json_array(r.uid, r.status, r.reward, r.bootstrap_value, r.excluded_from_loss, r.segments, r.tokens,
         r.trainable_tokens,
         CASE WHEN s.resume IS NULL THEN COALESCE(hex(s.content_hash), s.imported_at) ELSE r.source_id || ' ' || r.id END) AS text
     FROM rollouts r JOIN sources s ON s.id = r.source_id
     WHERE r.uid IS NOT NULL AND r.id IN (SELECT value FROM json_each(?)) ORDER BY r.uid`,
    JSON.stringify(Array.from(rolloutIds)),
  );
}

function hashOf(facts: readonly string[], values: string | null, db: ReadDb): string {
  const joined =
    values === null
      ? []
      : [values, db.value<number>('SELECT 1 FROM value_sets WHERE uid = ?', values) === 1 ? 'joined' : 'gone'];
  return hash('sha256', [...facts, ...joined].join('\n')).slice(0, 32);
}
