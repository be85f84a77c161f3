// A stored rollout as the drafts it was made of, for writing it out again. The reverse of ingest-write.

import type { ItemDraft, Json, PartDraft, RolloutDraft, SegmentDraft, TokenColumn } from '../../app/contract/ingest.ts';
import type {
  ItemKind,
  ItemRole,
  PartKind,
  RolloutStatus,
  SegmentKind,
  SegmentLink,
} from '../../app/contract/vocabulary.ts';
import { Refusal } from '../../app/shared/errors.ts';
import { decodeBody } from '../codec.ts';
import type { ReadDb } from '../connection.ts';
import { storedJson } from '../row.ts';
import { body } from './bodies.ts';
import { columnsOf } from './tokens.ts';

export interface StoredSegmentDraft {
  readonly segment: SegmentDraft;
  readonly columns: readonly TokenColumn[];
  readonly items: readonly ItemDraft[];
}

export interface StoredRolloutDraft {
  readonly rollout: RolloutDraft;
  readonly segments: readonly StoredSegmentDraft[];
  readonly source: { readonly file: string; readonly format: string };
}

type Flag = 0 | 1;

interface RolloutRecord {
  readonly externalId: string;
  readonly runId: string | null;
  readonly groupId: string | null;
  readonly task: string | null;
  readonly trainingStep: number | null;
  readonly attempt: number | null;
  readonly split: string | null;
  readonly model: string | null;
  readonly agent: string | null;
  readonly status: RolloutStatus;
  readonly statusDetail: string | null;
  readonly reward: number | null;
  readonly rewardDetail: string | null;
  readonly excluded: Flag;
  readonly bootstrapValue: number | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly preview: string;
  readonly extraBody: number | null;
  readonly file: string;
  readonly format: string;
}

interface SegmentRecord {
  readonly id: number;
  readonly index: number;
  readonly externalId: string | null;
  readonly kind: SegmentKind;
  readonly kindSource: 'declared' | 'inferred';
  readonly link: SegmentLink | null;
  readonly parentIndex: number | null;
  readonly contextBefore: number | null;
  readonly contextAfter: number | null;
  readonly trigger: string | null;
  readonly durationMs: number | null;
  readonly tokens: number;
  readonly estimated: Flag;
  readonly promptLength: number | null;
  readonly tokenizer: string | null;
  readonly agent: string | null;
  readonly extraBody: number | null;
}

interface ItemRecord {
  readonly id: number;
  readonly kind: ItemKind;
  readonly stepKind: 'execution' | 'summary' | null;
  readonly role: ItemRole;
  readonly copied: Flag;
  readonly compactionSummary: Flag;
  readonly title: string | null;
  readonly tokenStart: number | null;
  readonly tokenEnd: number | null;
  readonly reward: number | null;
  readonly advantage: number | null;
  readonly weightVersion: string | null;
  readonly finishReason: string | null;
  readonly model: string | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly time: string | null;
  readonly durationMs: number | null;
  readonly extraBody: number | null;
}

interface PartRecord {
  readonly itemId: number;
  readonly kind: PartKind;
  readonly name: string | null;
  readonly callId: string | null;
  readonly isError: Flag;
  readonly codec: 0 | 1;
  readonly bytes: number;
  readonly data: Uint8Array;
}

/** One rollout with all of it. Refuses an id that is gone (`rollout-unknown`). */
export function rolloutDraft(db: ReadDb, rolloutId: number): StoredRolloutDraft {
  return db.snapshot(() => {
    const record = db.get<RolloutRecord>(
      `SELECT r.external_id AS externalId, r.run_id AS runId, g.external_id AS groupId, r.task, r.training_step AS trainingStep,
         r.attempt, r.split, r.model, r.agent, r.status, r.status_detail AS statusDetail, r.reward,
         r.reward_detail AS rewardDetail, r.excluded_from_loss AS excluded, r.bootstrap_value AS bootstrapValue,
         r.started_at AS startedAt, r.ended_at AS endedAt, r.preview, r.extra_body AS extraBody, s.path AS file, s.format
       FROM rollouts r JOIN sources s ON s.id = r.source_id LEFT JOIN groups g ON g.id = r.group_id
       WHERE r.id = ? AND r.uid IS NOT NULL`,
      rolloutId,
    );
    if (record === undefined) throw new Refusal('rollout-unknown', 'The rollout is gone.', 'Import its log again.');
    const { excluded, rewardDetail, extraBody, file, format, ...rollout } = record;
    return {
      rollout: {
        ...rollout,
        key: record.externalId,
        excludedFromLoss: excluded === 1,
        rewardDetail: rewardDetail === null ? null : storedJson<Json>(rewardDetail),
        extra: extraOf(db, extraBody),
      },
      segments: segmentsOf(db, rolloutId),
      source: { file, format },
    };
  });
}

function segmentsOf(db: ReadDb, rolloutId: number): StoredSegmentDraft[] {
  return db
    .all<SegmentRecord>(
      `SELECT id, idx AS "index", external_id AS externalId, kind, kind_source AS kindSource, link, parent_idx AS parentIndex,
         context_before AS contextBefore, context_after AS contextAfter, "trigger", duration_ms AS durationMs, tokens,
         tokens_estimated AS estimated, prompt_length AS promptLength, tokenizer, agent, extra_body AS extraBody
       FROM segments WHERE rollout_id = ? ORDER BY idx`,
      rolloutId,
    )
    .map(({ id, extraBody, estimated, tokens, ...segment }) => ({
      // An estimate is ours, not the log's: it is made again when the line is read.
      segment: { ...segment, tokens: estimated === 1 ? null : tokens, extra: extraOf(db, extraBody) },
      columns: columnsOf(db, id),
      items: itemsOf(db, id),
    }));
}

function itemsOf(db: ReadDb, segmentId: number): ItemDraft[] {
  const parts = new Map<number, PartDraft[]>();
  for (const part of db.iterate<PartRecord>(
    `SELECT p.item_id AS itemId, p.kind, p.name, p.call_id AS callId, p.is_error AS isError, b.codec, b.bytes, b.data
     FROM items i JOIN parts p ON p.item_id = i.id JOIN bodies b ON b.id = p.body_id
     WHERE i.segment_id = ? ORDER BY i.idx, p.idx`,
    segmentId,
  )) {
    const list = parts.get(part.itemId) ?? [];
    const { kind, name, callId } = part;
    list.push({ kind, name, callId, isError: part.isError === 1, text: decodeBody(part) });
    parts.set(part.itemId, list);
  }
  return db
    .all<ItemRecord>(
      `SELECT id, kind, step_kind AS stepKind, role, copied, compaction_summary AS compactionSummary, title,
         token_start AS tokenStart, token_end AS tokenEnd, reward, advantage, weight_version AS weightVersion,
         finish_reason AS finishReason, model, prompt_tokens AS promptTokens, completion_tokens AS completionTokens, time,
         duration_ms AS durationMs, extra_body AS extraBody
       FROM items WHERE segment_id = ? ORDER BY idx`,
      segmentId,
    )
    .map(({ id, stepKind, copied, compactionSummary, extraBody, ...item }) => ({
      ...item,
      ...(stepKind === null ? {} : { stepKind }),
      copied: copied === 1,
      compactionSummary: compactionSummary === 1,
      parts: parts.get(id) ?? [],
      extra: extraOf(db, extraBody),
    }));
}

function extraOf(db: ReadDb, bodyId: number | null): Json {
  const text = bodyId === null ? null : body(db, bodyId);
  return text === null ? null : storedJson<Json>(text);
}
