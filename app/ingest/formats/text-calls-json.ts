// Tool calls that a model wrote as JSON, in the spellings of the chat templates in use: one object, several after each
// other, or a list; the arguments under `arguments`, `parameters`, `input` or `args`.

import type { Json, PartDraft } from '../../contract/ingest.ts';
import { get, idText, isArray, isObject, type JsonObject, object, text } from '../values.ts';

const argumentKeys = ['arguments', 'parameters', 'input', 'args', 'tool_input', 'action_input'] as const;
const nameKeys = ['name', 'tool_name', 'tool', 'function_name', 'action'] as const;

/** A call object in any of the shapes in use; null for an object that names no tool. */
export function callOfObject(call: JsonObject): PartDraft | null {
  const inner = object(call, 'function') ?? call;
  const name =
    nameKeys.map((key) => text(inner, key)).find((value) => value !== null && value !== '') ?? text(call, 'function');
  if (name === null || name === undefined) return null;
  const key = argumentKeys.find((candidate) => get(inner, candidate) !== undefined);
  const args = key === undefined ? {} : (get(inner, key) ?? {});
  const callId = idText(call, 'id') ?? idText(call, 'call_id') ?? idText(call, 'tool_call_id');
  return {
    kind: 'tool_call',
    text: typeof args === 'string' ? args : JSON.stringify(args),
    name,
    callId,
  };
}

/** Whether an object is a call and nothing else: it names a tool and has arguments, and no keys beside the usual ones. */
export function isBareCall(value: Json): value is JsonObject {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  const usual = new Set(['name', 'arguments', 'parameters', 'id', 'type']);
  const args = get(value, 'arguments') ?? get(value, 'parameters');
  return (
    text(value, 'name') !== null && (isObject(args) || typeof args === 'string') && keys.every((k) => usual.has(k))
  );
}

/** The value of a JSON text; undefined when it is none. */
export function parsed(json: string): Json | undefined {
  try {
    const value: Json = JSON.parse(json);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * The calls of a text that is JSON through and through: an object, a list of objects, or several of either one after the
 * other (separated by white space, `,` or `;`). Null when anything in it is no call.
 */
export function jsonCalls(body: string): PartDraft[] | null {
  const calls: PartDraft[] = [];
  let at = skip(body, 0);
  if (at >= body.length) return null;
  while (at < body.length) {
    const end = jsonEnd(body, at);
    if (end < 0) return null;
    const value = parsed(body.slice(at, end));
    for (const element of isArray(value) ? value : [value]) {
      const call = isObject(element) ? callOfObject(element) : null;
      if (call === null) return null;
      calls.push(call);
    }
    at = skip(body, end);
  }
  return calls;
}

function skip(body: string, from: number): number {
  let at = from;
  while (at < body.length && /[\s,;]/u.test(body.charAt(at))) at++;
  return at;
}

/** The end of the JSON object or array that begins at a position (strings are stepped over); -1 when it has none. */
export function jsonEnd(body: string, from: number): number {
  let depth = 0;
  let inString = false;
  const first = body.charAt(from);
  if (first !== '{' && first !== '[') return -1;
  for (let at = from; at < body.length; at++) {
    const char = body.charCodeAt(at);
    if (inString) {
      if (char === 0x5c) at++;
      else if (char === 0x22) inString = false;
    } else if (char === 0x22) inString = true;
    else if (char === 0x7b || char === 0x5b) depth++;
    else if ((char === 0x7d || char === 0x5d) && --depth === 0) return at + 1;
  }
  return -1;
}
