// OpenCode session exports (`opencode export`): one document with the session, its messages and their parts. A message of the
// model is a step, or several where it holds several model calls. A compaction is a message of the user that asks for it, the
// model's summary, and a context that goes on from the summary and the newest messages.

import type { IngestEvent, Place, RolloutDraft } from '../../contract/ingest.ts';
import type { RolloutStatus } from '../../contract/vocabulary.ts';
import { alertEvent, keyRegister, previewOf } from '../emit.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { array, get, idText, isObject, type JsonObject, leftover, object, objects, text, timeIn } from '../values.ts';
import { notShown, objectsOf, readObjects, tally, unknownAlert } from './harness.ts';
import { type OpenCodeMessage, openCodeMessage } from './opencode-message.ts';
import { openCodeSegments } from './opencode-segments.ts';

function isExport(value: JsonObject): boolean {
  const info = get(value, 'info');
  const messages = get(value, 'messages');
  if (!isObject(info) || !Array.isArray(messages) || typeof get(info, 'id') !== 'string') return false;
  const [first] = messages;
  if (first === undefined) return get(info, 'projectID') !== undefined && isObject(get(info, 'time'));
  return isObject(first) && isObject(get(first, 'info')) && Array.isArray(get(first, 'parts'));
}

function detect(sniff: Sniff): Detection | null {
  const found = objectsOf(sniff).find(isExport);
  if (found === undefined) return null;
  const said = text(object(found, 'info') ?? {}, 'version');
  const version = said === null ? {} : { version: said };
  return { confidence: 0.95, reason: 'a session (info) with messages of info and parts', ...version };
}

async function* read(source: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const keyOf = keyRegister();
  for await (const record of readObjects(source.main, context)) {
    if (record.kind === 'alert') yield alertEvent(record.alert);
    else if (isExport(record.value)) yield* sessionEvents(record.value, record.place, keyOf);
    else yield alertEvent(unknownAlert(record.value, 'A record that is no session', record.place));
  }
}

function* sessionEvents(root: JsonObject, place: Place, keyOf: ReturnType<typeof keyRegister>): Generator<IngestEvent> {
  const info = object(root, 'info') ?? {};
  const notes = tally({ 'records-not-shown': notShown });
  const given = array(root, 'messages') ?? [];
  const messages = given.map((value) => ({ value, message: openCodeMessage(value, notes, place) }));
  const read = messages.flatMap(({ message }) => message ?? []);
  const rollout = rolloutOf(root, info, read, place, keyOf([idText(info, 'id') ?? 'session']));
  const { key } = rollout;
  yield { type: 'rollout', rollout };
  const segments = openCodeSegments(key, idText(info, 'parentID') === null ? 'execution' : 'subagent', read, place);
  for (const { value, message } of messages) {
    if (message === null) {
      yield* segments.odd(value);
      yield alertEvent({ ...unknownAlert(value, 'A message without a role and parts', place), rollout: key });
      continue;
    }
    yield* segments.take(message);
    for (const part of message.odd)
      yield alertEvent({ ...unknownAlert(part, 'A part of a message of an unknown type', place), rollout: key });
  }
  yield* segments.end();
  yield* notes.alerts(key);
  yield { type: 'rolloutEnd', rollout: key, patch: {} };
}

const mappedInfo = new Set(['id', 'time']);

function rolloutOf(
  root: JsonObject,
  info: JsonObject,
  messages: readonly OpenCodeMessage[],
  place: Place,
  key: string,
): RolloutDraft {
  const replies = messages.filter(({ role }) => role === 'assistant');
  const last = replies.at(-1);
  const prompt = messages.find(({ role }) => role === 'user');
  const time = object(info, 'time') ?? {};
  const todos = objects(root, 'todos');
  const { status, detail } = statusOf(last);
  return {
    key,
    externalId: idText(info, 'id') ?? key,
    model: replies.find(({ model }) => model !== null)?.model ?? null,
    agent: 'opencode',
    status,
    statusDetail: detail,
    reward: null,
    startedAt: timeIn(time, 'created'),
    endedAt: timeIn(time, 'updated'),
    preview: previewOf((prompt?.parts ?? []).map((part) => (part.kind === 'text' ? part.text : '')).join('\n')),
    place,
    extra: {
      ...leftover(info, mappedInfo),
      ...leftover(root, new Set(['info', 'messages', 'todos'])),
      ...(todos.length === 0 ? {} : { todos }),
    },
  };
}

/** How the last reply ended: an export does not say what became of the task. */
function statusOf(last: OpenCodeMessage | undefined): {
  readonly status: RolloutStatus;
  readonly detail: string | null;
} {
  if (last === undefined) return { status: 'unknown', detail: null };
  const { error, finish } = last;
  if (error !== null) {
    if (error === 'MessageAbortedError') return { status: 'aborted', detail: error };
    const tooLong = error === 'MessageOutputLengthError' || error === 'ContextOverflowError';
    return { status: tooLong ? 'truncated' : 'failed', detail: error };
  }
  if (finish === 'stop') return { status: 'completed', detail: finish };
  return { status: finish === 'length' ? 'truncated' : 'unknown', detail: finish };
}

export const format: Format = { id: 'opencode', title: 'OpenCode session export', detect, read };
