// Plain chats: one rollout per row of `messages` (OpenAI), `conversations` (ShareGPT, Harbor export) or `traj`
// (tau-bench), as JSON lines or as one array; a bare list of messages is one rollout.

import type { IngestEvent, Json, Place } from '../../contract/ingest.ts';
import { alertEvent, alertOf, keyRegister } from '../emit.ts';
import { readRecords } from '../records.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { array, isArray, isObject, type JsonObject, text } from '../values.ts';
import { type ChatRow, chatRowOf, isMessage, rolloutOfRow } from './chat-row.ts';
import { chatSegments } from './chat-segments.ts';

/** Keys that tell a log of another harness, which only happens to hold messages too. */
const foreign = ['trajectory_format', 'projectHash', 'schema_version', 'eval', 'payload', 'sessionId'];

function detect(sniff: Sniff): Detection | null {
  const candidates: unknown[] = sniff.lines.length > 0 ? [...sniff.lines] : [sniff.whole ?? sniff.prefix];
  for (const candidate of candidates) {
    const value = asJson(candidate);
    if (value === null) continue;
    // An array file: its elements are rows, or messages of one rollout.
    const rows = isArray(value) && !value.some(isMessage) ? value : [value];
    for (const row of rows) {
      const found = detectRow(row);
      if (found !== null) return found;
    }
  }
  // The first row may be longer than the head and no valid prefix.
  const marked = /^\s*\[?\s*\{\s*"(?:messages|conversations)"\s*:\s*\[\s*\{\s*"(?:role|from|content|value)"\s*:/u.test(
    sniff.text,
  );
  return marked ? { confidence: 0.6, reason: 'rows begin with a list of messages' } : null;
}

function detectRow(row: Json): Detection | null {
  if (isMessage(row)) return { confidence: 0.5, reason: 'single messages, read as one rollout' };
  const chat = chatRowOf(row);
  if (chat === null || chat.messages.length === 0) return null;
  const other = foreign.some((key) => Object.hasOwn(chat.row, key));
  const confidence = other ? 0.3 : chat.shape === 'bare' ? 0.6 : 0.85;
  return { confidence, reason: reasonOf(chat) };
}

function reasonOf(chat: ChatRow): string {
  if (chat.shape === 'bare') return 'a list of messages with role and content';
  const first = chat.messages.find(isMessage);
  const turn = first !== undefined && text(first, 'from') !== null ? 'from and value' : 'role and content';
  return `rows with ${chat.shape} of ${turn}`;
}

/** Parsed JSON of a sniff (typed `unknown` there) as JSON; null for what is neither array nor object. */
function asJson(value: unknown): Json {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? value : null;
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

async function* read(source: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const keyOf = keyRegister();
  const loose: Json[] = [];
  let loosePlace: Place | undefined;
  let rowNumber = Number(context.bookmark?.kept('rows') ?? 0);
  context.bookmark?.keep('rows', () => rowNumber);
  // Messages on lines of their own are one conversation, whose end only the end of the file tells.
  context.bookmark?.holdsBack(() => loose.length > 0);
  for await (const record of readRecords(source.main, context)) {
    context.checkCancelled();
    if (record.kind === 'alert') {
      yield alertEvent(record.alert);
      continue;
    }
    const { value, place } = record;
    if (isMessage(value)) {
      loose.push(value);
      loosePlace ??= place;
      continue;
    }
    // An array on a line of its own is one list of messages; so is a document that is one array.
    rowNumber++;
    const chat = chatRowOf(value);
    if (chat === null) {
      const message = 'This record has no list of messages and was skipped.';
      yield alertEvent(alertOf('record-unknown', 'warning', message, { place, raw: JSON.stringify(value) }));
      continue;
    }
    yield* readRow(chat, rowNumber, place, keyOf);
  }
  if (loose.length > 0) {
    yield* readRow({ shape: 'bare', messages: loose, row: {} }, rowNumber + 1, loosePlace ?? {}, keyOf);
  }
}

function* readRow(
  chat: ChatRow,
  rowNumber: number,
  place: Place,
  keyOf: ReturnType<typeof keyRegister>,
): Generator<IngestEvent> {
  const rollout = { ...rolloutOfRow(chat, rowNumber, keyOf), place };
  yield { type: 'rollout', rollout };
  yield* chatSegments(rollout.key, withSystem(chat), place);
  const odd = chat.messages.filter((message) => !isObject(message)).length;
  if (odd > 0) {
    const text = `${odd} of the messages of ${rollout.externalId} are no objects; they are shown as they stand.`;
    yield alertEvent({ ...alertOf('record-unknown', 'info', text, { place, count: odd }), rollout: rollout.key });
  }
  yield { type: 'rolloutEnd', rollout: rollout.key, patch: {} };
}

/** ShareGPT rows may hold the system prompt beside the turns. */
function withSystem(chat: ChatRow): readonly Json[] {
  const system = text(chat.row, 'system');
  if (chat.shape !== 'conversations' || system === null || system === '') return chat.messages;
  return [{ role: 'system', content: system }, ...(array(chat.row, 'conversations') ?? [])];
}

export const format: Format = {
  id: 'chat',
  title: 'Chat messages (OpenAI, ShareGPT, tau-bench)',
  detect,
  resume: true,
  read,
};
