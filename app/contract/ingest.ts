// What an importer yields: a stream of events, so that a rollout larger than memory can pass through. Types only.
//
// Order: `rollout` opens a rollout under a key that is unique within the file; `segment` opens segment 0, 1, 2... of it;
// `item` and `tokens` add to an open segment, items in log order; `segmentEnd` and `rolloutEnd` may patch what was not
// known at the opening. Several rollouts and segments may be open at once. `alert` may come at any time.

import type {
  AlertSeverity,
  ItemKind,
  ItemRole,
  KindSource,
  PartKind,
  RolloutStatus,
  SegmentKind,
  SegmentLink,
} from './vocabulary.ts';

/** JSON of unknown shape, as `JSON.parse` gives it. Never assign or merge it into objects: copy known keys. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Where in the file something stands. `line` counts from 1; `offset` is a byte offset into the decompressed bytes. */
export interface Place {
  readonly line?: number;
  readonly offset?: number;
}

export interface RolloutDraft {
  /** Unique within the file; other events refer to it. */
  readonly key: string;
  /** The log's own id of the rollout. */
  readonly externalId: string;
  readonly runId?: string | null;
  /** The log's own id of the group (same prompt, same policy); null where it has none. */
  readonly groupId?: string | null;
  readonly task?: string | null;
  readonly trainingStep?: number | null;
  readonly attempt?: number | null;
  readonly split?: string | null;
  readonly model?: string | null;
  readonly agent?: string | null;
  readonly status: RolloutStatus;
  readonly statusDetail?: string | null;
  /** What the trainer fed to its estimator before normalisation; null means unknown, never zero. */
  readonly reward: number | null;
  /** Reward components, placement, raw and normalised values: the log's object, kept as it is. */
  readonly rewardDetail?: Json;
  readonly excludedFromLoss?: boolean;
  /** The value of the state after the last token, for trainers that bootstrap truncated rollouts. */
  readonly bootstrapValue?: number | null;
  readonly startedAt?: string | null;
  readonly endedAt?: string | null;
  /** First lines of the task prompt, for lists (at most 240 characters). */
  readonly preview?: string;
  /** Everything of the log's record that no field above holds, so that nothing is lost. */
  readonly extra?: Json;
  readonly place?: Place;
}

export interface SegmentDraft {
  /** Position in the rollout, from 0, in time order. */
  readonly index: number;
  readonly externalId?: string | null;
  readonly kind: SegmentKind;
  readonly kindSource: KindSource;
  readonly link?: SegmentLink | null;
  /** Index of the segment this one follows from; null at the start. */
  readonly parentIndex?: number | null;
  /** Tokens of context just before and after the compaction that led here; null where the log does not say. */
  readonly contextBefore?: number | null;
  readonly contextAfter?: number | null;
  /** What caused the compaction: `auto`, `manual`, or the harness's own word. */
  readonly trigger?: string | null;
  readonly durationMs?: number | null;
  /** Tokens of the segment and of its prompt where the log counts them without listing ids. */
  readonly tokens?: number | null;
  readonly promptLength?: number | null;
  readonly tokenizer?: string | null;
  readonly agent?: string | null;
  readonly extra?: Json;
}

export interface PartDraft {
  readonly kind: PartKind;
  /** The text; for a `tool_call` the arguments as JSON text (or as the log wrote them); for `raw` the record's JSON. */
  readonly text: string;
  /** Tool name of a call or an observation. */
  readonly name?: string | null;
  /** Ties an observation to its call. */
  readonly callId?: string | null;
  readonly isError?: boolean;
}

export interface ItemDraft {
  readonly kind: ItemKind;
  readonly role: ItemRole;
  /** A summary written inside an execution segment is a step of kind `summary`. Only for `kind: 'step'`. */
  readonly stepKind?: 'execution' | 'summary';
  readonly parts: readonly PartDraft[];
  /** Context carried over from an earlier segment: shown, never trained, never counted as a step. */
  readonly copied?: boolean;
  /** Text that a compaction put into the context (the copied summary); the rules may read it. */
  readonly compactionSummary?: boolean;
  /** Action span [start, end) in the segment's tokens. */
  readonly tokenStart?: number | null;
  readonly tokenEnd?: number | null;
  readonly reward?: number | null;
  readonly advantage?: number | null;
  readonly weightVersion?: string | null;
  readonly finishReason?: string | null;
  readonly model?: string | null;
  /** Token usage as the log reports it for this call. */
  readonly promptTokens?: number | null;
  readonly completionTokens?: number | null;
  readonly time?: string | null;
  readonly durationMs?: number | null;
  readonly title?: string | null;
  readonly extra?: Json;
  readonly place?: Place;
}

/** Names of token columns. Index t always describes token t itself, never the next one. */
export const tokenColumnNames = [
  'ids',
  'loss_mask',
  'sampled_mask',
  'logprobs.rollout',
  'logprobs.train',
  'logprobs.old',
  'logprobs.ref',
  'logprobs.teacher',
  'values',
  'rewards',
  'advantages',
  'returns',
  'kl',
  'entropy',
] as const;
export type TokenColumnName = (typeof tokenColumnNames)[number];

/** `u8` masks, `i32` ids, `f32`/`f64` numbers (f64 only where f32 would lose a digit). NaN in a float column means null. */
export type TokenDtype = 'u8' | 'i32' | 'f32' | 'f64';
export type TokenArray = Uint8Array | Int32Array | Float32Array | Float64Array;

/** One column over the tokens [start, start + data.length) of a segment. */
export interface TokenColumn {
  readonly name: TokenColumnName | (string & {});
  readonly start: number;
  readonly data: TokenArray;
}

/**
 * A place of a file up to which everything was read and given: reading can go on there in a later import. JSON, so that it can
 * be stored.
 */
export interface Checkpoint {
  /** Byte offset of the first byte that was not read. */
  readonly offset: number;
  /** Number of the line that begins (or goes on) there, from 1. */
  readonly line: number;
  /** What the reader knows of the part before, by names of its own. */
  readonly memory: { readonly [name: string]: Json };
}

/** A row of a table of rewards: which rollout of the workspace it names, and the reward that it gives to it. */
export interface RewardDraft {
  /** Id of the rollout, the log's or the workspace's; null where only the task is named. */
  readonly rollout: string | null;
  readonly task: string | null;
  readonly attempt: number | null;
  readonly trainingStep: number | null;
  readonly run: string | null;
  readonly reward: number;
  /** The further columns of the row. */
  readonly detail?: Json;
  readonly place?: Place;
}

export interface AlertDraft {
  /** Stable code, for example `json-invalid`, `record-unknown`, `line-truncated`, `length-mismatch`. */
  readonly kind: string;
  readonly severity: AlertSeverity;
  /** What happened, where, and what was done about it. */
  readonly message: string;
  readonly place?: Place;
  /** The first bytes of what was not understood, at most 4 KiB. */
  readonly raw?: string;
  /** How many occurrences this event stands for (default 1). */
  readonly count?: number;
  /** Key of the rollout it is about, where that is known. */
  readonly rollout?: string;
}

export type IngestEvent =
  | { readonly type: 'rollout'; readonly rollout: RolloutDraft }
  | { readonly type: 'segment'; readonly rollout: string; readonly segment: SegmentDraft }
  | { readonly type: 'item'; readonly rollout: string; readonly segment: number; readonly item: ItemDraft }
  | {
      readonly type: 'tokens';
      readonly rollout: string;
      readonly segment: number;
      readonly columns: readonly TokenColumn[];
    }
  | {
      readonly type: 'segmentEnd';
      readonly rollout: string;
      readonly segment: number;
      readonly patch: Partial<Omit<SegmentDraft, 'index'>>;
    }
  | {
      readonly type: 'rolloutEnd';
      readonly rollout: string;
      readonly patch: Partial<Omit<RolloutDraft, 'key' | 'externalId'>>;
    }
  /** A record that belongs to rollouts of another file of the same import (a train dump beside its rollout dump). */
  | { readonly type: 'alert'; readonly alert: AlertDraft }
  /** A reward for a rollout that another source holds; given when the whole table was read. */
  | { readonly type: 'reward'; readonly reward: RewardDraft }
  /** Everything before this place was given; only between rollouts, when nothing is open or held back. */
  | { readonly type: 'checkpoint'; readonly checkpoint: Checkpoint }
  /** Bytes of the source read so far, for progress. */
  | { readonly type: 'position'; readonly bytes: number };
