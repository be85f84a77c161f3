// Writes one rollout as a rollscope-rollout/1 line. A rollout that was read from such a line becomes the same line again
// (its extras and token columns hold every value of it); a rollout of any other format becomes a proper native line
// that reads back into the same segments, items and columns. Pure: no file, no database.

import type { ItemDraft, Json, PartDraft, RolloutDraft, SegmentDraft, TokenColumn } from '../../contract/ingest.ts';
import { array, isArray, isObject, type JsonObject, leftover, text } from '../values.ts';
import { bigIntegersKey } from './native.ts';
import { itemsStatedKey } from './native-items.ts';
import { arrayKeys } from './native-tokens.ts';

/** A segment with everything that was stored of it. Items in order. */
interface NativeExportSegment {
  readonly segment: SegmentDraft;
  readonly columns: readonly TokenColumn[];
  readonly items: readonly ItemDraft[];
}

export interface NativeExportInput {
  readonly rollout: RolloutDraft;
  /** Segments in the order of their index. */
  readonly segments: readonly NativeExportSegment[];
  /** Where the rollout came from, written as `source` of rollouts of other formats. */
  readonly source?: { readonly file: string; readonly format: string };
}

/** One line of JSON without a line end. */
export function nativeLine(input: NativeExportInput): string {
  const extra = input.rollout.extra;
  const format = isObject(extra) ? text(extra, 'format') : null;
  return isObject(extra) && format?.startsWith('rollscope-rollout/') === true ? restored(input, extra) : built(input);
}

// --- A line that was native from the start -------------------------------------------------------------------------

function restored(input: NativeExportInput, extra: JsonObject): string {
  const marks = markTree(array(extra, bigIntegersKey));
  const head = leftover(extra, new Set([bigIntegersKey])) ?? {};
  const members = Object.entries(head).map(([key, value]) => member(key, jsonText(value, marks.children.get(key))));
  if (!Object.hasOwn(head, 'segments') && input.segments.length > 0) {
    const segmentMarks = marks.children.get('segments');
    const segments = input.segments.map((segment, i) =>
      restoredSegment(segment, segmentMarks?.children.get(String(i))),
    );
    members.push(member('segments', `[${segments.join(',')}]`));
  }
  return `{${members.join(',')}}`;
}

function restoredSegment(input: NativeExportSegment, marks: Marks | undefined): string {
  const rest = isObject(input.segment.extra) ? input.segment.extra : {};
  const members: string[] = [];
  const groups = new Map<string, string[]>();
  for (const column of input.columns) {
    const { group, key } = keyOf(column.name);
    const kept = group === null ? rest : (objectAt(rest, group) ?? {});
    // What stayed in the leftover is the original; the column is only what could be shown of it.
    if (Object.hasOwn(kept, key)) continue;
    if (group === null) members.push(member(key, arrayText(column)));
    else groups.set(group, [...(groups.get(group) ?? []), member(key, arrayText(column))]);
  }
  for (const [key, value] of Object.entries(rest)) {
    const added = groups.get(key);
    groups.delete(key);
    if (added === undefined || !isObject(value)) {
      members.push(member(key, jsonText(value, marks?.children.get(key))));
      continue;
    }
    const own = Object.entries(value).map(([name, inner]) =>
      member(name, jsonText(inner, marks?.children.get(key)?.children.get(name))),
    );
    members.push(member(key, `{${[...own, ...added].join(',')}}`));
  }
  for (const [key, added] of groups) members.push(member(key, `{${added.join(',')}}`));
  return `{${members.join(',')}}`;
}

function objectAt(parent: JsonObject, key: string): JsonObject | null {
  const value = parent[key];
  return isObject(value) ? value : null;
}

/** The key of a segment that a column came from; `logprobs.rollout` stands under `rollout` in `logprobs`. */
function keyOf(column: string): { group: string | null; key: string } {
  const plain = arrayKeys.find(([, name]) => name === column);
  if (plain !== undefined) return { group: null, key: plain[0] };
  const dot = column.indexOf('.');
  return dot < 0 ? { group: null, key: column } : { group: column.slice(0, dot), key: column.slice(dot + 1) };
}

/** Places of values that must be written as bare digits. */
interface Marks {
  readonly children: Map<string, Marks>;
}

function markTree(paths: readonly Json[] | null): Marks {
  const root: Marks = { children: new Map() };
  for (const path of paths ?? []) {
    if (!isArray(path)) continue;
    let at = root;
    for (const key of path) {
      const next: Marks = at.children.get(String(key)) ?? { children: new Map() };
      at.children.set(String(key), next);
      at = next;
    }
  }
  return root;
}

/** JSON text of a value; strings of digits at marked places become numbers again. */
function jsonText(value: Json, marks: Marks | undefined): string {
  if (marks === undefined) return JSON.stringify(value);
  if (typeof value === 'string' && marks.children.size === 0 && /^-?\d+$/u.test(value)) return value;
  if (isArray(value))
    return `[${value.map((element, i) => jsonText(element, marks.children.get(String(i)))).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => member(key, jsonText(inner, marks.children.get(key))))
    .join(',')}}`;
}

// --- A line made from a rollout of another format ------------------------------------------------------------------

function built(input: NativeExportInput): string {
  const { rollout } = input;
  const ids = segmentIds(input);
  const head: Record<string, Json> = {
    format: 'rollscope-rollout/1',
    producer: { name: 'rollscope' },
    run_id: rollout.runId ?? null,
    training_step: rollout.trainingStep ?? null,
    split: rollout.split ?? null,
    rollout_id: rollout.externalId,
    group_id: rollout.groupId ?? null,
    task_id: rollout.task ?? null,
    attempt: rollout.attempt ?? null,
    model: rollout.model ?? null,
    agent: rollout.agent == null ? null : { name: rollout.agent },
    // The format knows no "unknown": an absent status reads back as such.
    status: rollout.status === 'unknown' ? null : rollout.status,
    status_detail: rollout.statusDetail ?? null,
    excluded_from_loss: rollout.excludedFromLoss ?? false,
    bootstrap_value: rollout.bootstrapValue ?? null,
    reward: { terminal: rollout.reward, ...(rollout.rewardDetail == null ? {} : { detail: rollout.rewardDetail }) },
    metadata: {
      started_at: rollout.startedAt ?? null,
      ended_at: rollout.endedAt ?? null,
      ...(rollout.extra == null ? {} : { extra: rollout.extra }),
    },
    source: input.source === undefined ? null : { file: input.source.file, format: input.source.format },
  };
  const members = Object.entries(head).map(([key, value]) => member(key, JSON.stringify(value)));
  const segments = input.segments.map((segment, i) => builtSegment(segment, i, ids));
  return `{${[...members, member('segments', `[${segments.join(',')}]`)].join(',')}}`;
}

/** The segments' own ids where they are there and distinct, else numbered ones. */
function segmentIds(input: NativeExportInput): string[] {
  const own = input.segments.map(({ segment }) => segment.externalId ?? '');
  const distinct = new Set(own).size === own.length && !own.includes('');
  return distinct ? own : own.map((_, i) => `${input.rollout.externalId}/${i}`);
}

function builtSegment(input: NativeExportSegment, index: number, ids: readonly string[]): string {
  const { segment, columns } = input;
  const { messages, steps } = conversation(input.items);
  const tokens = columns.reduce((most, column) => Math.max(most, column.start + column.data.length), 0);
  const prompt = segment.promptLength ?? 0;
  const others = columns.filter((column) => column.name !== 'ids');
  const response = others.every((column) => column.start === prompt && column.start + column.data.length === tokens);
  const head: Record<string, Json> = {
    id: ids[index] ?? String(index),
    kind: segment.kind,
    kind_source: segment.kindSource === 'declared' ? 'producer' : 'inferred',
    parent: segment.parentIndex == null ? null : (ids[segment.parentIndex] ?? null),
    link: segment.link ?? null,
    messages,
    steps,
    tokenizer: segment.tokenizer ?? null,
    prompt_len: segment.promptLength ?? null,
    align: response ? 'response' : 'full',
    [itemsStatedKey]: true,
    metadata: {
      trigger: segment.trigger ?? null,
      context_before: segment.contextBefore ?? null,
      context_after: segment.contextAfter ?? null,
      duration_ms: segment.durationMs ?? null,
      agent: segment.agent ?? null,
      ...(segment.extra == null ? {} : { extra: segment.extra }),
    },
    ...(columns.length === 0 && segment.tokens != null ? { counts: { tokens: segment.tokens } } : {}),
  };
  const members = Object.entries(head).map(([key, value]) => member(key, JSON.stringify(value)));
  const groups = new Map<string, string[]>();
  for (const column of columns) {
    const { group, key } = keyOf(column.name);
    const body = column.name === 'ids' || response ? arrayText(column) : paddedText(column, tokens);
    if (group === null) members.push(member(key, body));
    else groups.set(group, [...(groups.get(group) ?? []), member(key, body)]);
  }
  for (const [key, inner] of groups) members.push(member(key, `{${inner.join(',')}}`));
  return `{${members.join(',')}}`;
}

function conversation(items: readonly ItemDraft[]): { messages: Json[]; steps: Json[] } {
  const messages: Json[] = [];
  const steps: Json[] = [];
  for (const item of items) {
    const index = messages.length;
    messages.push(...messagesOf(item));
    if (item.kind === 'step') steps.push(stepOf(item, steps.length, index));
  }
  return { messages, steps };
}

/** A step or input as one message, followed by the tool messages of its observations. */
function messagesOf(item: ItemDraft): Json[] {
  const isResult = (part: PartDraft): boolean =>
    part.kind === 'observation' || (part.kind === 'raw' && part.callId != null);
  const marks = { ...hintOf(item), ...(item.extra == null ? {} : { rollscope_extra: item.extra }) };
  const only = item.parts[0];
  if (item.role === 'tool' && item.parts.length === 1 && only !== undefined && isResult(only)) {
    return [{ ...toolMessage(only), ...marks }];
  }
  const firstResult = item.parts.findIndex(isResult);
  const own = firstResult < 0 ? item.parts : item.parts.slice(0, firstResult);
  const results = item.parts.slice(own.length);
  // Calls after the first result (parallel calls of one reply): all parts in one message, in their order.
  const inline = item.role !== 'assistant' || !results.every(isResult);
  const said =
    inline && results.length > 0 ? { content: item.parts.map(blockOf) } : content(own, item.role === 'assistant');
  return [{ role: item.role, ...said, ...marks }, ...(inline ? [] : results.map(toolMessage))];
}

/** What the reader could not know from a plain message: that an assistant message is no step, that it was copied... */
function hintOf(item: ItemDraft): JsonObject {
  const plain = item.kind === 'step' || (item.kind === 'input' && item.role !== 'assistant' && item.role !== 'tool');
  if (plain && item.copied !== true && item.compactionSummary !== true && item.title == null) return {};
  if (item.kind === 'step') return {};
  return {
    rollscope_item: {
      kind: item.kind,
      ...(item.title == null ? {} : { title: item.title }),
      ...(item.copied === true ? { copied: true } : {}),
      ...(item.compactionSummary === true ? { compaction_summary: true } : {}),
    },
  };
}

/** Parts as `content`: the usual keys where they say it all, typed content where order or tags would be lost. */
function content(parts: readonly PartDraft[], assistant: boolean): JsonObject {
  const order = parts.map((part) => part.kind).join(' ');
  const plain = assistant ? /^(reasoning ?)?(text ?)?(tool_call ?)*$/u : /^(text)?$/u;
  const tagged = parts.some((part) => part.kind === 'text' && /<\/?(?:think|thinking|tool_call)>/u.test(part.text));
  if (!plain.test(order) || (assistant && tagged)) return { content: parts.map(blockOf) };
  const reasoning = parts.find((part) => part.kind === 'reasoning');
  const said = parts.find((part) => part.kind === 'text');
  const calls = parts.filter((part) => part.kind === 'tool_call').map(callOf);
  return {
    content: said?.text ?? null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning.text }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function blockOf(part: PartDraft): Json {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'reasoning':
      return { type: 'reasoning', text: part.text };
    case 'tool_call':
      return { type: 'tool_call', tool_call: callOf(part) };
    case 'observation':
      return resultBlock(part, part.text);
    case 'raw':
      return part.callId == null ? rawOf(part.text) : resultBlock(part, [rawOf(part.text)]);
  }
}

function resultBlock(part: PartDraft, said: Json): JsonObject {
  return {
    type: 'tool_result',
    ...(part.callId == null ? {} : { tool_use_id: part.callId }),
    ...(part.name == null ? {} : { name: part.name }),
    ...(part.isError === true ? { is_error: true } : {}),
    content: said,
  };
}

/** The JSON of a raw part as a block of its own; text that is none stays text. */
function rawOf(json: string): Json {
  try {
    const value: Json = JSON.parse(json);
    return isObject(value) ? value : { type: 'raw', value };
  } catch {
    return { type: 'text', text: json };
  }
}

function callOf(part: PartDraft): JsonObject {
  return {
    ...(part.callId == null ? {} : { id: part.callId }),
    type: 'function',
    function: { ...(part.name == null ? {} : { name: part.name }), arguments: part.text },
  };
}

function toolMessage(part: PartDraft): JsonObject {
  return {
    role: 'tool',
    content: part.kind === 'raw' ? [rawOf(part.text)] : part.text,
    ...(part.callId == null ? {} : { tool_call_id: part.callId }),
    ...(part.name == null ? {} : { name: part.name }),
    ...(part.isError === true ? { is_error: true } : {}),
  };
}

function stepOf(item: ItemDraft, i: number, index: number): JsonObject {
  const span = item.tokenStart == null || item.tokenEnd == null ? {} : { action: [item.tokenStart, item.tokenEnd] };
  const usage = { prompt_tokens: item.promptTokens ?? null, completion_tokens: item.completionTokens ?? null };
  const ended =
    item.time != null && item.durationMs != null
      ? new Date(Date.parse(item.time) + item.durationMs).toISOString()
      : null;
  return {
    i,
    kind: item.stepKind ?? 'execution',
    message_index: index,
    ...span,
    reward: item.reward ?? null,
    advantage: item.advantage ?? null,
    weight_version: item.weightVersion ?? null,
    finish_reason: item.finishReason ?? null,
    model: item.model ?? null,
    usage,
    time: { start: item.time ?? null, end: ended },
  };
}

// --- Token arrays ---------------------------------------------------------------------------------------------------

function member(key: string, json: string): string {
  return `${JSON.stringify(key)}:${json}`;
}

/** A column as a JSON array; NaN is null. Minus zero keeps its sign, as Python writes it. */
function arrayText(column: TokenColumn): string {
  const out: string[] = new Array(column.data.length);
  for (let i = 0; i < out.length; i++) out[i] = numberText(column.data[i] ?? 0);
  return `[${out.join(',')}]`;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) return 'null';
  return Object.is(value, -0) ? '-0.0' : String(value);
}

/** A column stretched over all tokens of the segment: 0 in a mask, null elsewhere. */
function paddedText(column: TokenColumn, tokens: number): string {
  const fill = column.data instanceof Uint8Array ? '0' : 'null';
  const before: string[] = new Array(column.start).fill(fill);
  const after: string[] = new Array(Math.max(0, tokens - column.start - column.data.length)).fill(fill);
  const own: string[] = Array.from(column.data, numberText);
  return `[${[...before, ...own, ...after].join(',')}]`;
}
