// Turns the samples of one rollout, with the train records that belong to them, into events.

import type { AlertDraft, IngestEvent, TokenColumn } from '../../contract/ingest.ts';
import type { RolloutStatus } from '../../contract/vocabulary.ts';
import type { NumberData } from '../numbers.ts';
import { isMap, type PickleMap, type PickleValue, toJson } from '../pickle-values.ts';
import { itemsOf, type SampleTexts, textsOf, turnText } from './slime-items.ts';
import { settleReward } from './slime-reward.ts';
import type { SlimeSample } from './slime-sample.ts';
import { generationHeader, rolesOf, runsOf, type SampleRole, type SampleTokens } from './slime-segments.ts';
import type { TrainRecord } from './slime-train.ts';

/** What the rollouts of one dump have in common. */
export interface DumpContext {
  /** The training step: `rollout_id` at the top of the dump. */
  readonly trainingStep: number | null;
  readonly split: string;
  /** Records of the train dump by position; null without a train dump. */
  readonly train: ReadonlyMap<number, TrainRecord> | null;
  /** How the chat template opens an assistant turn, in tokens. */
  readonly header: readonly number[];
  readonly singles: ReadonlySet<number>;
}

/** Samples of the same `rollout_id`, in order of the dump; a sample without one stands alone. */
export function groupSamples(samples: readonly SlimeSample[]): SlimeSample[][] {
  const groups = new Map<string, SlimeSample[]>();
  for (const sample of samples) {
    const key = sample.rolloutId === null ? `position:${sample.position}` : `rollout:${sample.rolloutId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [sample]);
    else group.push(sample);
  }
  return [...groups.values()];
}

/** The tokens of a sample with its sampled spans. */
function tokensOf(sample: SlimeSample): SampleTokens {
  return {
    tokens: sample.tokens,
    promptLength: sample.promptLength,
    runs: sample.lossMask === null ? [] : runsOf(sample.lossMask, sample.promptLength),
    declared: sample.declaredKind,
  };
}

/** The chat template's opening of an assistant turn, from all samples of a dump. */
export function headerOf(samples: readonly SlimeSample[]): readonly number[] {
  return generationHeader(samples.map(tokensOf));
}

/** The events of one rollout. */
export function* rolloutEvents(samples: readonly SlimeSample[], context: DumpContext): Generator<IngestEvent> {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined) return;
  const externalId = first.rolloutId ?? `sample-${first.position}`;
  const key = externalId;
  const trainOf = (sample: SlimeSample) => context.train?.get(sample.position);
  const reward = settleReward(externalId, samples, trainOf, context.singles);
  for (const alert of reward.alerts) yield { type: 'alert', alert };
  const tokens = samples.map(tokensOf);
  const texts = samples.map((sample, i) => textsOf(sample, tokens[i]?.runs.length ?? 0));
  const status = statusOf(last, trainOf(last)?.truncated === true);
  yield {
    type: 'rollout',
    rollout: {
      key,
      externalId,
      groupId: first.groupIndex,
      task: taskOf(first.metadata),
      trainingStep: context.trainingStep,
      split: context.split,
      status: status.status,
      statusDetail: status.detail,
      reward: reward.terminal,
      rewardDetail: reward.detail,
      excludedFromLoss: samples.every((sample) => sample.removed),
      preview: previewOf(texts),
    },
  };
  const roles = rolesOf(tokens, context.header);
  let known: ReadonlySet<string> = new Set();
  for (const [index, sample] of samples.entries()) {
    const role = roles[index];
    const text = texts[index];
    const runs = tokens[index]?.runs ?? [];
    if (role === undefined || text === undefined) continue;
    yield { type: 'segment', rollout: key, segment: segmentOf(externalId, index, sample, role, trainOf(sample)) };
    const columns = columnsOf(sample, trainOf(sample));
    if (columns.columns.length > 0) yield { type: 'tokens', rollout: key, segment: index, columns: columns.columns };
    for (const alert of columns.alerts) yield { type: 'alert', alert };
    const { items, aligned } = itemsOf({
      sample,
      texts: text,
      runs,
      summary: role.kind === 'summary' ? 'segment' : role.summaryAtTail ? 'tail' : null,
      known,
      carried: role.carried === null ? null : { text: summaryText(texts[role.carried.from]), span: role.carried.span },
    });
    for (const item of items) yield { type: 'item', rollout: key, segment: index, item };
    if (!aligned && sample.lossMask !== null) yield { type: 'alert', alert: unaligned(sample, runs.length) };
    known = new Set(text.prompt.map(turnText));
  }
  yield { type: 'rolloutEnd', rollout: key, patch: {} };
}

function segmentOf(
  rollout: string,
  index: number,
  sample: SlimeSample,
  role: SampleRole,
  train: TrainRecord | undefined,
) {
  const extra = {
    position: sample.position,
    sample: sample.extra,
    ...(train === undefined ? {} : { train: train.extra }),
  };
  return {
    index,
    externalId: `${rollout}/${index}`,
    kind: role.kind,
    kindSource: role.kindSource,
    link: role.link,
    parentIndex: role.parentIndex,
    contextBefore: role.contextBefore,
    contextAfter: role.contextAfter,
    tokens: sample.tokens.length,
    promptLength: sample.promptLength,
    extra,
  };
}

/** The text that a summary step says: its text parts without the reasoning. Null when there is none. */
function summaryText(texts: SampleTexts | undefined): string | null {
  const turn = texts?.response.filter((candidate) => candidate.role === 'assistant').at(-1);
  const text = turn?.parts
    .filter((part) => part.kind === 'text')
    .map((part) => part.text)
    .join('\n');
  return text === undefined || text === '' ? null : text;
}

function columnsOf(
  sample: SlimeSample,
  train: TrainRecord | undefined,
): { columns: TokenColumn[]; alerts: AlertDraft[] } {
  if (sample.tokens.length === 0) return { columns: [], alerts: [] };
  const alerts: AlertDraft[] = [];
  const columns = new Map<string, TokenColumn>();
  const add = (column: TokenColumn): void => {
    if (!columns.has(column.name)) columns.set(column.name, column);
  };
  add({ name: 'ids', start: 0, data: idsOf(sample.tokens) });
  const start = sample.promptLength;
  const mask = trainedMask(sample, train, alerts);
  if (mask !== null) add({ name: 'loss_mask', start, data: mask });
  if (mask !== null && sample.lossMask !== null && !equal(mask, sample.lossMask)) {
    add({ name: 'sampled_mask', start, data: sample.lossMask });
  }
  for (const column of sample.columns) add(column);
  for (const column of train?.columns ?? []) add(column);
  return { columns: [...columns.values()], alerts };
}

/** What was really in the loss: nothing of a removed sample, and the trainer's own mask where it differs. */
function trainedMask(sample: SlimeSample, train: TrainRecord | undefined, alerts: AlertDraft[]): Uint8Array | null {
  const own = sample.lossMask === null || !sample.removed ? sample.lossMask : new Uint8Array(sample.lossMask.length);
  const trained = train?.lossMask ?? null;
  if (trained === null || own === null || equal(trained, own)) return trained ?? own;
  alerts.push({
    kind: 'mask-differs',
    severity: 'info',
    message: `The loss mask of ${sample.label} is another one in the train dump; the train dump's is used.`,
  });
  return trained;
}

function idsOf(tokens: NumberData): TokenColumn['data'] {
  return tokens instanceof Int32Array || tokens instanceof Float64Array ? tokens : new Int32Array(tokens);
}

function equal(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function statusOf(last: SlimeSample, trainTruncated: boolean): { status: RolloutStatus; detail: string | null } {
  const reason = last.metadata.get('abort_reason');
  const detail = typeof reason === 'string' ? reason : null;
  // Samples of the agent adapters are always `completed`; a cut shows in the metadata or in the train dump only.
  if (last.status === 'completed' && (last.truncated || trainTruncated)) {
    return { status: 'truncated', detail: detail ?? 'The log calls it completed and marks it as truncated.' };
  }
  return { status: last.status, detail };
}

const taskKeys = ['instance_id', 'task_id', 'task_name', 'task', 'problem_id', 'id'];

function taskOf(metadata: PickleMap): string | null {
  for (const key of taskKeys) {
    const value: PickleValue | undefined = metadata.get(key);
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return null;
}

function previewOf(texts: readonly SampleTexts[]): string {
  const turns = texts[0]?.prompt ?? [];
  const turn = turns.find((candidate) => candidate.role === 'user') ?? turns[0];
  return turn === undefined ? '' : turnText(turn).slice(0, 240).toWellFormed();
}

function unaligned(sample: SlimeSample, runs: number): AlertDraft {
  return {
    kind: 'spans-unaligned',
    severity: 'info',
    message: `The model calls in the text of ${sample.label} do not match its ${runs} sampled span${runs === 1 ? '' : 's'} one to one; its steps have no token spans.`,
  };
}

/** The `rollout_id` at the top of a dump: the training step. */
export function trainingStepOf(top: PickleValue): number | null {
  const value = isMap(top) ? toJson(top.get('rollout_id') ?? null) : null;
  return typeof value === 'number' && Number.isInteger(value) ? value : null;
}
