// One sample of a slime or Miles rollout dump as a typed record: which fields mean what, what was wrong with them, and
// what is left over. A per-token list of the wrong length is reported and left out; the sample stays.

import type { AlertDraft, Json, TokenColumn } from '../../contract/ingest.ts';
import { type RolloutStatus, rolloutStatuses, type SegmentKind, segmentKinds } from '../../contract/vocabulary.ts';
import { countOf, floats, type NumberData } from '../numbers.ts';
import { isKind, isMap, type PickleMap, type PickleValue, toJson } from '../pickle-values.ts';
import type { TorchFile } from '../torch.ts';

export interface SlimeSample {
  /** Index in the dump; the train dump refers to it. */
  readonly position: number;
  /** How messages call the sample. */
  readonly label: string;
  /** The rollout execution; null when the sample stands alone. */
  readonly rolloutId: string | null;
  readonly groupIndex: string | null;
  readonly prompt: PickleValue;
  /** `metadata.messages`, where the trainer kept the conversation. */
  readonly messages: readonly PickleValue[] | null;
  readonly response: string | null;
  readonly tokens: NumberData;
  readonly promptLength: number;
  readonly responseLength: number;
  /** Over the response; null when the log's mask was unusable. */
  readonly lossMask: Uint8Array | null;
  /** Further columns, already placed. */
  readonly columns: readonly TokenColumn[];
  readonly weightVersions: readonly string[];
  readonly reward: PickleValue;
  readonly status: RolloutStatus;
  /** `metadata.truncated`, or the trainer's own flag. */
  readonly truncated: boolean;
  readonly removed: boolean;
  readonly metadata: PickleMap;
  readonly declaredKind: SegmentKind | null;
  readonly extra: Json;
}

export type Report = (alert: AlertDraft) => void;

/** Fields that have a place of their own in the records; everything else is kept as `extra`. */
const placed = new Set([
  'tokens',
  'prompt',
  'response',
  'response_length',
  'loss_mask',
  'rollout_log_probs',
  'teacher_log_probs',
  'opd_reverse_kl',
]);

/** Per-token fields of a sample over its response, with the column they become. */
const sampleColumns = [
  ['rollout_log_probs', 'logprobs.rollout'],
  ['teacher_log_probs', 'logprobs.teacher'],
  ['opd_reverse_kl', 'opd_reverse_kl'],
] as const;

/**
 * Reads one sample. Null (with an alert) when it is no dict or has no usable token ids and no text; never throws for
 * what the sample holds.
 */
export async function readSample(
  value: PickleValue,
  position: number,
  torch: TorchFile,
  report: Report,
): Promise<SlimeSample | null> {
  if (!isMap(value)) {
    report({
      kind: 'record-unknown',
      severity: 'error',
      message: `Sample ${position} is not a dict; it was left out.`,
      raw: JSON.stringify(toJson(value)).slice(0, 4096),
    });
    return null;
  }
  const rolloutId = idOf(value.get('rollout_id'));
  const label = rolloutId === null ? `sample ${position}` : `sample ${position} (rollout ${rolloutId})`;
  const metadataValue = value.get('metadata');
  const metadata: PickleMap = isMap(metadataValue) ? metadataValue : new Map();
  const train = value.get('train_metadata');
  const tokens = (await numbersOf(value.get('tokens'), torch, `${label}, tokens`, report)) ?? new Int32Array(0);
  const responseLength = await responseLengthOf(value.get('response_length'), tokens.length, label, report);
  const promptLength = tokens.length - responseLength;
  const maskValue = value.get('loss_mask') ?? null;
  const lossMask =
    maskValue === null
      ? new Uint8Array(responseLength).fill(1)
      : maskOf(await fitting(maskValue, responseLength, torch, `${label}: loss_mask`, report));
  const unusable = new Set(lossMask === null ? ['loss_mask'] : []);
  const columns: TokenColumn[] = [];
  for (const [field, name] of sampleColumns) {
    const column = value.get(field) ?? null;
    if (column === null) continue;
    const data = await fitting(column, responseLength, torch, `${label}: ${field}`, report);
    if (data === null) unusable.add(field);
    else columns.push({ name, start: promptLength, data: floats(data) });
  }
  const response = value.get('response');
  const messages = metadata.get('messages');
  return {
    position,
    label,
    rolloutId,
    groupIndex: idOf(value.get('group_index')),
    prompt: value.get('prompt') ?? null,
    messages: Array.isArray(messages) && messages.every(isMap) && messages.length > 0 ? messages : null,
    response: typeof response === 'string' && response !== '' ? response : null,
    tokens,
    promptLength,
    responseLength,
    lossMask,
    columns,
    weightVersions: textsOf(value.get('weight_versions')),
    reward: value.get('reward') ?? null,
    status: statusOf(value.get('status') ?? null, label, report),
    truncated: metadata.get('truncated') === true,
    removed: value.get('remove_sample') === true,
    metadata,
    declaredKind: isMap(train) ? kindOf(train.get('segment_type')) : null,
    extra: leftover(value, unusable),
  };
}

async function responseLengthOf(
  value: PickleValue | undefined,
  total: number,
  label: string,
  report: Report,
): Promise<number> {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= total) return value;
  report({
    kind: 'length-mismatch',
    severity: 'error',
    message: `${label}: response_length is ${JSON.stringify(toJson(value ?? null))} but there are ${total} tokens; all of them are taken as prompt.`,
  });
  return 0;
}

/** A per-token column when it has one value per response token; else null, and an alert that names it. */
export async function fitting(
  value: PickleValue,
  length: number,
  torch: TorchFile,
  what: string,
  report: Report,
): Promise<NumberData | null> {
  const data = await numbersOf(value, torch, what, report);
  if (data === null || data.length === length) return data;
  report({
    kind: 'length-mismatch',
    severity: 'error',
    message: `${what} has ${data.length} values for ${length} response tokens; the column was left out.`,
  });
  return null;
}

/**
 * The numbers of a list, tensor or numpy array; null for nothing or for something else (with an alert). None in a list
 * becomes NaN. Integers that a double cannot hold are reported.
 */
export async function numbersOf(
  value: PickleValue | undefined,
  torch: TorchFile,
  what: string,
  report: Report,
): Promise<NumberData | null> {
  if (value === undefined || value === null) return null;
  if (isKind(value, 'tensor') || isKind(value, 'array')) {
    const { data, unsafe } = await torch.numbers(value);
    if (unsafe > 0) report(unsafeAlert(what, unsafe));
    return data;
  }
  if (!Array.isArray(value)) {
    report({ kind: 'field-type', severity: 'error', message: `${what} is not a list of numbers; it was left out.` });
    return null;
  }
  let unsafe = 0;
  const data = new Float64Array(value.length);
  // Millions of values in a dump: an index is several times faster than an iterator here.
  for (let i = 0; i < value.length; i++) {
    const element = value[i] ?? null;
    if (typeof element === 'number') data[i] = element;
    else if (typeof element === 'boolean') data[i] = element ? 1 : 0;
    else if (element === null) data[i] = Number.NaN;
    else if (typeof element === 'bigint') {
      data[i] = Number(element);
      unsafe++;
    } else if (isKind(element, 'tensor') && countOf(element.layout.shape) === 1) {
      data[i] = (await torch.numbers(element)).data[0] ?? Number.NaN;
    } else {
      report({ kind: 'field-type', severity: 'error', message: `${what} is not a list of numbers; it was left out.` });
      return null;
    }
  }
  if (unsafe > 0) report(unsafeAlert(what, unsafe));
  return data.every((number) => number === (number | 0)) ? new Int32Array(data) : data;
}

function unsafeAlert(what: string, count: number): AlertDraft {
  return {
    kind: 'number-unsafe',
    severity: 'warning',
    message: `${what} holds integers beyond 2^53, which were rounded.`,
    count,
  };
}

/** A mask as 0 and 1. */
export function maskOf(data: NumberData | null): Uint8Array | null {
  if (data === null) return null;
  const mask = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) mask[i] = (data[i] ?? 0) > 0 ? 1 : 0;
  return mask;
}

/** An id as text; null for none. */
export function idOf(value: PickleValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' || typeof value === 'bigint' ? value.toString() : null;
}

function textsOf(value: PickleValue | undefined): string[] {
  return Array.isArray(value) ? value.map((element) => idOf(element) ?? 'null') : [];
}

function statusOf(value: PickleValue, label: string, report: Report): RolloutStatus {
  const known = rolloutStatuses.find((status) => status === value);
  if (known !== undefined) return known;
  if (value !== null) {
    report({
      kind: 'field-unknown',
      severity: 'warning',
      message: `${label}: the status ${JSON.stringify(toJson(value))} is not known.`,
    });
  }
  return 'unknown';
}

function kindOf(value: PickleValue | undefined): SegmentKind | null {
  return segmentKinds.find((kind) => kind === value) ?? null;
}

/** What no record holds, without nulls; columns that could not be used stay visible here. */
function leftover(sample: PickleMap, unusable: ReadonlySet<string>): Json {
  const entries: [string, Json][] = [];
  for (const [key, value] of sample) {
    if (typeof key !== 'string' || value === null) continue;
    if (placed.has(key) && !unusable.has(key)) continue;
    entries.push([key, toJson(key === 'metadata' && isMap(value) ? withoutMessages(value) : value)]);
  }
  return Object.fromEntries(entries);
}

function withoutMessages(metadata: PickleMap): PickleMap {
  return new Map([...metadata].filter(([key]) => key !== 'messages'));
}
