// The calls of one context in the telemetry of Gemini CLI. Every request repeats the whole context: what is new in it becomes
// inputs and the results of calls, what the reply before it said is known already.

import { createHash } from 'node:crypto';
import type { IngestEvent, ItemDraft, Json, PartDraft, Place, SegmentDraft } from '../../contract/ingest.ts';
import { counted } from '../emit.ts';
import { noteUnusable } from '../field-notes.ts';
import { array, get, isArray, isObject, type JsonObject, leftover, objects, text } from '../values.ts';
import { apiContent } from './gemini-parts.ts';
import { unknownItem } from './harness.ts';
import { type OpenItem, segmentWriter } from './segment-writer.ts';

/** The context that a request holds, with a digest of each of its messages. */
export interface RequestContext {
  readonly contents: readonly Json[];
  readonly keys: readonly string[];
}

/** The context in the text of a request; null where it was not logged. */
export function contextOf(attributes: JsonObject): RequestContext | null {
  const given = jsonIn(attributes, 'request_text');
  if (given === null) return null;
  const contents = isArray(given) ? given : [given];
  return { contents, keys: contents.map(digestOf) };
}

export interface CallStream {
  readonly segment: number;
  add(item: ItemDraft): void;
  /** Whether a request goes on from all of the context, from a part of it, or from none. */
  goesOn(context: RequestContext): 'all' | 'part' | 'none';
  /** A request with the whole context; a `fresh` one has nothing to do with the one before. */
  request(context: RequestContext, time: string | null, place: Place, fresh: boolean): void;
  /** A reply; null where its text was not logged. */
  reply(response: Json | null, fields: Omit<ItemDraft, 'kind' | 'role' | 'parts'>): void;
  /** What is told of a tool call when it has ended. */
  toolCall(attributes: JsonObject, kept: JsonObject, place: Place): void;
  /** The context begins as a compressed one of another stream: what it is given at first is carried over. */
  goesOnFrom(before: CallStream | null): void;
  /** Digests of the context as the last request gave it. */
  known(): readonly string[];
  settle(everything?: boolean): IngestEvent[];
}

/** The JSON that stands as a text under a key; null where there is none, or where it is no JSON. */
export function jsonIn(attributes: JsonObject, key: string): Json | null {
  const said = text(attributes, key);
  if (said === null || said === '') return null;
  try {
    // Boundary: what JSON.parse gives is JSON.
    return JSON.parse(said) as Json;
  } catch {
    noteUnusable(attributes, key, 'an object');
    return null;
  }
}

const modelRoles: ReadonlySet<string> = new Set(['model', 'assistant']);
const mappedCall = new Set(['function_name', 'function_args']);

/** A context without any call. */
export function callStream(rollout: string, { index }: SegmentDraft): CallStream {
  const writer = segmentWriter(rollout, index);
  let known: readonly string[] = [];
  /** The context before a compression; null for one that was not compressed. */
  let carried: ReadonlySet<string> | null = null;
  let last: { readonly item: OpenItem; readonly texts: boolean } | null = null;
  /** The last reply is in no request so far. */
  let awaited = false;
  let calls = 0;
  /** Calls without a result, in their order. */
  let open: { readonly name: string | null; readonly id: string }[] = [];

  const add = ({ parts, ...fields }: ItemDraft): void => void writer.add(fields, parts);

  function answer(result: PartDraft, place: Place): void {
    const at = open.findIndex((call) => (result.callId ? call.id === result.callId : call.name === result.name));
    const call = open[at];
    open = open.filter((_, i) => i !== at);
    const step = call === undefined ? null : writer.answer(call.id, [{ ...result, callId: call.id }]);
    if (step === null) add({ kind: 'input', role: 'tool', title: 'Result without its call', place, parts: [result] });
  }

  function content(value: Json, isCarried: boolean, summary: boolean, time: string | null, place: Place): void {
    if (!isObject(value)) {
      add(unknownItem(value, null, place));
      return;
    }
    const isModel = modelRoles.has(text(value, 'role') ?? '');
    if (isModel && awaited && !isCarried) {
      awaited = false;
      return;
    }
    const { parts, results } = apiContent(get(value, 'parts'));
    const rest = leftover(value, new Set(['role', 'parts']));
    const extra = rest === undefined ? {} : { extra: rest };
    const own = { kind: 'input', role: isModel ? 'assistant' : 'user', time, place, ...extra } as const;
    if (isCarried || isModel) {
      const marks = summary ? { compactionSummary: true, title: 'Summary' } : {};
      add({ ...own, copied: true, ...marks, parts: [...parts, ...results] });
      return;
    }
    for (const result of results) answer(result, place);
    if (parts.length > 0 || results.length === 0) add({ ...own, parts });
  }

  return {
    segment: index,
    add,
    known: () => known,
    goesOnFrom: (before) => {
      carried = before === null ? null : new Set(before.known());
    },
    goesOn: ({ keys }) => {
      const prefix = sharedBy(known, keys);
      return prefix === known.length ? 'all' : prefix > 0 ? 'part' : 'none';
    },
    request: ({ contents, keys }, time, place, fresh) => {
      if (fresh) known = [];
      const prefix = sharedBy(known, keys);
      const before = new Set(known);
      if (prefix < known.length) {
        const title = `The context differs from here on: ${counted(known.length - prefix, 'message')} of it replaced`;
        add({ kind: 'boundary', role: 'other', title, time, place, parts: [] });
      }
      let summarised = carried === null;
      for (const [i, value] of contents.entries()) {
        const key = keys[i] ?? '';
        if (i < prefix || (prefix < known.length && before.has(key))) continue;
        // The first thing that the old context did not have is what it was compressed to.
        const summary = !summarised && carried?.has(key) === false && isObject(value) && text(value, 'role') === 'user';
        if (summary) summarised = true;
        content(value, carried !== null, summary, time, place);
      }
      carried = null;
      known = keys;
    },
    reply: (response, fields) => {
      const parts = replyParts(response).map((part) =>
        part.kind === 'tool_call' ? { ...part, callId: part.callId ?? `call ${++calls}` } : part,
      );
      const item = writer.add({ kind: 'step', role: 'assistant', ...fields }, parts);
      open = parts.flatMap((part) =>
        part.kind === 'tool_call' ? { name: part.name ?? null, id: part.callId ?? '' } : [],
      );
      last = { item, texts: response !== null };
      awaited = true;
    },
    toolCall: (attributes, kept, place) => {
      if (last === null) {
        add(unknownItem(kept, 'A tool call without its reply', place));
        return;
      }
      const { item, texts } = last;
      // What the text of the reply says already is not said again.
      const more = texts
        ? leftover(kept, mappedCall)
        : leftover(kept, new Set([...mappedCall, 'error', 'error.message']));
      const before = isObject(item.fields.extra) ? item.fields.extra : {};
      const told = array(before, 'toolCalls') ?? [];
      item.fields = {
        ...item.fields,
        extra: { ...before, toolCalls: [...told, { name: text(attributes, 'function_name'), ...more }] },
      };
      if (texts) return;
      const tie = { name: text(attributes, 'function_name'), callId: `call ${++calls}` };
      const failed = text(attributes, 'error') ?? text(attributes, 'error.message');
      writer.extend(item, [{ kind: 'tool_call', text: text(attributes, 'function_args') ?? '{}', ...tie }]);
      // Results are not logged; an error is.
      writer.answer(tie.callId, failed === null ? [] : [{ kind: 'observation', text: failed, ...tie, isError: true }]);
    },
    settle: (everything) => {
      const events = writer.settle(everything);
      if (everything) last = null;
      return events;
    },
  };
}

function digestOf(value: Json): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64');
}

/** How many digests two contexts have in common at their beginning. */
function sharedBy(known: readonly string[], given: readonly string[]): number {
  const other = known.findIndex((key, i) => key !== given[i]);
  return other < 0 ? known.length : other;
}

/** What a reply says: one response, or the pieces of a stream put together. */
function replyParts(response: Json | null): PartDraft[] {
  if (response === null) return [];
  const pieces = (isArray(response) ? response : [response]).filter(isObject);
  const said = pieces.flatMap((piece) => {
    const [candidate] = objects(piece, 'candidates');
    const message = candidate === undefined ? undefined : get(candidate, 'content');
    return isObject(message) ? [...apiContent(get(message, 'parts')).parts] : [];
  });
  const parts: PartDraft[] = [];
  for (const part of said) {
    const before = parts.at(-1);
    if (before !== undefined && before.kind === part.kind && (part.kind === 'text' || part.kind === 'reasoning'))
      parts.splice(-1, 1, { ...before, text: before.text + part.text });
    else parts.push(part);
  }
  // A reply in no known shape is shown as it stands.
  if (parts.length === 0 && pieces.length === 0) return [{ kind: 'raw', text: JSON.stringify(response) }];
  return parts;
}
