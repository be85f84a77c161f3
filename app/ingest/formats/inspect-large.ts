// A sample of Inspect that is too large for one document: long runs repeat the whole prompt in every model event. Its
// events are read one by one, and each message of their prompts is kept once, in the way in which newer logs pool them
// (`input_refs` into `message_pool`). What comes out is read like any other sample.

import { createHash } from 'node:crypto';
import type { AlertDraft, Json } from '../../contract/ingest.ts';
import { cutObject } from '../json-object.ts';
import type { ReadContext } from '../source.ts';
import { array, isArray, isObject, type JsonObject, object, text } from '../values.ts';

const listed: ReadonlySet<string> = new Set(['events', 'messages']);

/** A sample read from its bytes. Memory grows with what its events say, not with what they repeat. */
export async function largeSample(
  chunks: AsyncIterable<Uint8Array>,
  context: ReadContext,
  report: (alert: AlertDraft) => void,
): Promise<JsonObject> {
  const members = new Map<string, Json>();
  const lists = new Map<string, Json[]>([...listed].map((key) => [key, []]));
  const pool = messagePool();
  for await (const { key, element, value } of cutObject(chunks, listed, context.limits, report)) {
    context.checkCancelled();
    if (!element) members.set(key, value);
    else lists.get(key)?.push(key === 'events' ? pool.pooled(value) : value);
  }
  const own = poolOf(Object.fromEntries(members));
  const events = (lists.get('events') ?? []).map((event) => moved(event, own.length));
  return {
    ...Object.fromEntries(members),
    ...Object.fromEntries(lists),
    events,
    message_pool: [...own, ...pool.messages],
  };
}

/** The pool that the log itself has, in either of its shapes. */
function poolOf(sample: JsonObject): readonly Json[] {
  return array(sample, 'message_pool') ?? array(object(sample, 'events_data') ?? {}, 'messages') ?? [];
}

/** Marks references into the pool made here, until it is known how long the log's own pool is. */
const marker = 'pooled_input_refs';

function messagePool() {
  const messages: Json[] = [];
  const known = new Map<string, number>();
  const indexOf = (message: Json): number => {
    const key = createHash('sha1').update(JSON.stringify(message)).digest('base64');
    const found = known.get(key) ?? messages.length;
    if (found === messages.length) {
      messages.push(message);
      known.set(key, found);
    }
    return found;
  };
  return {
    messages,
    /** A model event with references instead of its prompt, and without the raw request, which repeats it. */
    pooled: (event: Json): Json => {
      if (!isObject(event) || text(event, 'event') !== 'model') return event;
      const input = array(event, 'input') ?? [];
      const request = object(event, 'call') === null ? {} : { call: {} };
      if (input.length === 0) return { ...event, ...request };
      const refs: [number, number][] = [];
      for (const message of input) {
        const index = indexOf(message);
        const last = refs.at(-1);
        if (last !== undefined && last[1] === index) last[1] = index + 1;
        else refs.push([index, index + 1]);
      }
      return { ...event, ...request, input: [], [marker]: refs };
    },
  };
}

/** An event with its references moved behind the log's own pool. */
function moved(event: Json, by: number): Json {
  const refs = isObject(event) ? array(event, marker) : null;
  if (!isObject(event) || refs === null) return event;
  const { [marker]: _, ...rest } = event;
  const shifted = refs.map((range) =>
    isArray(range) ? range.map((index) => (typeof index === 'number' ? index + by : index)) : range,
  );
  return { ...rest, input_refs: shifted };
}
