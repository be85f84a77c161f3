// Gemini CLI chat sessions: one document, or in newer versions lines of the same records. Results of tools stand inside
// the call; a record that is written again under its id replaces the earlier one.

import type { IngestEvent, ItemDraft, Json, PartDraft, Place } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { alertEvent, isoTime, previewOf } from '../emit.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { array, get, idText, integer, isArray, isObject, type JsonObject, leftover, object, text } from '../values.ts';
import { notShown, objectsOf, readObjects, tally, textParts, unknownAlert, unknownItem } from './harness.ts';

function isHeader(value: JsonObject): boolean {
  return text(value, 'sessionId') !== null && text(value, 'projectHash') !== null;
}

function isMessage(value: JsonObject): boolean {
  return idText(value, 'id') !== null && text(value, 'type') !== null && get(value, 'content') !== undefined;
}

function detect(sniff: Sniff): Detection | null {
  const header = objectsOf(sniff).find(isHeader);
  if (header === undefined) return null;
  const lines = array(header, 'messages') === null;
  return {
    confidence: 0.97,
    reason: 'sessionId and projectHash of a chat session',
    version: lines ? 'lines' : 'document',
  };
}

interface Message {
  readonly value: JsonObject;
  readonly place: Place;
}

async function* read(source: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const notes = tally({
    'records-not-shown': notShown,
    'record-rewritten': {
      severity: 'info',
      describe: (_, n) => `${n} records were written again under the same id; the newest of each was kept.`,
    },
  });
  let header: JsonObject | null = null;
  const messages = new Map<string, Message>();
  const odd: { value: Json; place: Place }[] = [];
  const take = (value: Json, place: Place): void => {
    if (!isObject(value) || text(value, 'type') === null) {
      odd.push({ value, place });
      return;
    }
    const id = idText(value, 'id') ?? `record ${messages.size}`;
    if (messages.has(id)) notes.add('record-rewritten', '', place);
    messages.set(id, { value, place });
  };
  for await (const record of readObjects(source.main, context)) {
    if (record.kind === 'alert') {
      yield alertEvent(record.alert);
    } else if (isHeader(record.value)) {
      header ??= record.value;
      for (const message of array(record.value, 'messages') ?? []) take(message, record.place);
    } else if (object(record.value, '$set') !== null) {
      notes.add('records-not-shown', '$set', record.place);
    } else if (isMessage(record.value)) {
      take(record.value, record.place);
    } else {
      odd.push({ value: record.value, place: record.place });
    }
  }
  if (header === null && messages.size === 0) {
    throw new Refusal(
      'gemini-shape',
      `${source.main.path} holds no session of Gemini CLI.`,
      'Give a session-….json file.',
    );
  }
  yield* sessionEvents(header ?? {}, source.main.name, [...messages.values()], odd);
  const key = idText(header ?? {}, 'sessionId') ?? source.main.name;
  yield* notes.alerts(key);
  yield { type: 'rolloutEnd', rollout: key, patch: {} };
}

function* sessionEvents(
  header: JsonObject,
  name: string,
  messages: readonly Message[],
  odd: readonly { value: Json; place: Place }[],
): Generator<IngestEvent> {
  const key = idText(header, 'sessionId') ?? name;
  const models = messages.flatMap(({ value }) => text(value, 'model') ?? []);
  const prompt = messages.find(({ value }) => text(value, 'type') === 'user');
  yield {
    type: 'rollout',
    rollout: {
      key,
      externalId: key,
      model: models[0] ?? null,
      agent: 'gemini-cli',
      status: 'unknown',
      reward: null,
      startedAt: isoTime(get(header, 'startTime')),
      endedAt: isoTime(get(header, 'lastUpdated')),
      preview: previewOf(
        prompt === undefined
          ? ''
          : contentOf(prompt.value)
              .map((part) => part.text)
              .join('\n'),
      ),
      place: { line: 1, offset: 0 },
      extra: leftover(header, new Set(['messages', 'sessionId'])) ?? {},
    },
  };
  yield { type: 'segment', rollout: key, segment: { index: 0, kind: 'execution', kindSource: 'declared' } };
  for (const { value, place } of messages) {
    const item = itemOf(value, place);
    if (item.kind === 'unknown')
      yield alertEvent({
        ...unknownAlert(value, `A message of an unknown type (${item.title ?? ''})`, place),
        rollout: key,
      });
    yield { type: 'item', rollout: key, segment: 0, item };
  }
  for (const { value, place } of odd) {
    yield { type: 'item', rollout: key, segment: 0, item: unknownItem(value, null, place) };
    yield alertEvent({ ...unknownAlert(value, 'A record that is no message', place), rollout: key });
  }
}

const mapped = new Set(['type', 'content', 'timestamp', 'thoughts', 'model', 'toolCalls']);

function itemOf(message: JsonObject, place: Place): ItemDraft {
  const type = text(message, 'type') ?? '';
  const extra = leftover(message, mapped) ?? {};
  const shared = { time: isoTime(get(message, 'timestamp')), place };
  switch (type) {
    case 'user':
      return { kind: 'input', role: 'user', parts: contentOf(message), ...shared, extra };
    case 'gemini':
    case 'model':
    case 'assistant': {
      const tokens = object(message, 'tokens') ?? {};
      const output = integer(tokens, 'output');
      const thoughts = integer(tokens, 'thoughts');
      return {
        kind: 'step',
        role: 'assistant',
        stepKind: 'execution',
        parts: [...thoughtsOf(message), ...contentOf(message), ...callsOf(message)],
        model: text(message, 'model'),
        promptTokens: integer(tokens, 'input'),
        completionTokens: output === null ? null : output + (thoughts ?? 0),
        ...shared,
        extra: { ...extra, ...callExtra(message) },
      };
    }
    case 'info':
    case 'warning':
    case 'error':
      return { kind: 'boundary', role: 'other', title: type, parts: contentOf(message), ...shared, extra };
    default:
      return unknownItem(message, type, place);
  }
}

/** The text of a message: a string, or parts in the API's notation. */
function contentOf(message: JsonObject): PartDraft[] {
  const content = get(message, 'content');
  if (typeof content === 'string') return textParts('text', content);
  if (content === undefined || content === null) return [];
  return (isArray(content) ? content : [content]).flatMap((part): PartDraft[] => {
    if (typeof part === 'string') return textParts('text', part);
    const said = isObject(part) ? text(part, 'text') : null;
    return said === null ? [{ kind: 'raw', text: JSON.stringify(part) }] : textParts('text', said);
  });
}

function thoughtsOf(message: JsonObject): PartDraft[] {
  return (array(message, 'thoughts') ?? []).filter(isObject).flatMap((thought) => {
    const lines = [text(thought, 'subject'), text(thought, 'description')].filter((line) => line !== null);
    return textParts('reasoning', lines.join('\n'));
  });
}

function callsOf(message: JsonObject): PartDraft[] {
  return (array(message, 'toolCalls') ?? []).flatMap((call): PartDraft[] => {
    if (!isObject(call)) return [{ kind: 'raw', text: JSON.stringify(call) }];
    const name = text(call, 'name');
    const callId = idText(call, 'id');
    const args = get(call, 'args') ?? {};
    const isError = text(call, 'status') === 'error';
    const own: PartDraft = {
      kind: 'tool_call',
      text: typeof args === 'string' ? args : JSON.stringify(args),
      name,
      callId,
    };
    const results = get(call, 'result') ?? [];
    const observed = (isArray(results) ? results : [results]).map((result): PartDraft => {
      const said = resultText(result);
      return said === null
        ? { kind: 'raw', text: JSON.stringify(result), name, callId }
        : { kind: 'observation', text: said, name, callId, ...(isError ? { isError } : {}) };
    });
    return [own, ...observed];
  });
}

/** What a function answered: `output` or `error` of its response, or a text; null for anything else. */
function resultText(result: Json): string | null {
  if (typeof result === 'string') return result;
  if (!isObject(result)) return null;
  const response = object(object(result, 'functionResponse') ?? {}, 'response');
  if (response === null) return text(result, 'text');
  const keys = Object.keys(response);
  const said = text(response, 'output') ?? text(response, 'error');
  return said !== null && keys.length === 1 ? said : null;
}

const mappedCall = new Set(['id', 'name', 'args', 'result']);

function callExtra(message: JsonObject): JsonObject {
  const calls = (array(message, 'toolCalls') ?? [])
    .filter(isObject)
    .flatMap((call) => leftover(call, mappedCall) ?? []);
  const thoughts = (array(message, 'thoughts') ?? [])
    .filter(isObject)
    .flatMap((thought) => get(thought, 'timestamp') ?? []);
  return {
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
    ...(thoughts.length === 0 ? {} : { thoughtTimes: thoughts }),
  };
}

export const format: Format = { id: 'gemini-cli', title: 'Gemini CLI session', detect, read };
