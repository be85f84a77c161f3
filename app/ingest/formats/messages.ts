// One chat message into the parts of an item: OpenAI messages (typed content, tool calls), Anthropic blocks, ShareGPT
// turns, and the tags that models write into plain text (<think>, <tool_call>). The order of the log is kept.

import type { Json, PartDraft } from '../../contract/ingest.ts';
import type { ItemRole } from '../../contract/vocabulary.ts';
import { array, get, idText, isArray, isObject, type JsonObject, object, text } from '../values.ts';

const roles = new Map<string, ItemRole>([
  ['assistant', 'assistant'],
  ['gpt', 'assistant'],
  ['model', 'assistant'],
  ['function_call', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['ipython', 'tool'],
]);

/** The role of a message: `role` (OpenAI) or `from` (ShareGPT); anything unknown is `other`. */
export function roleOf(message: JsonObject): ItemRole {
  return roles.get((text(message, 'role') ?? text(message, 'from') ?? '').toLowerCase()) ?? 'other';
}

/** The id of the call that a tool message answers, where it says so. */
export function answeredCall(message: JsonObject): string | null {
  return idText(message, 'tool_call_id') ?? idText(message, 'tool_use_id');
}

/** What the message says, reduced to one text: for previews and for comparing messages. */
export function contentText(message: JsonObject): string {
  return contentOf(message)
    .filter((part) => part.kind === 'text' || part.kind === 'reasoning')
    .map((part) => part.text)
    .join('\n');
}

/** The parts of a message that the model wrote: reasoning, texts and tool calls in their order. */
export function assistantParts(message: JsonObject): PartDraft[] {
  const parts: PartDraft[] = [];
  for (const key of ['reasoning_content', 'reasoning', 'thinking']) {
    const reasoning = text(message, key);
    if (reasoning !== null && reasoning !== '') {
      parts.push({ kind: 'reasoning', text: reasoning });
      break;
    }
  }
  if (text(message, 'from')?.toLowerCase() === 'function_call') {
    const value = get(message, 'value') ?? null;
    parts.push(callOfText(typeof value === 'string' ? value : JSON.stringify(value)));
    return parts;
  }
  const own = contentOf(message);
  // Typed content says itself what is reasoning and what is a call; only plain text is looked through for tags.
  const plain = !isArray(get(message, 'content')) && !isArray(get(message, 'value'));
  for (const part of own) {
    if (plain && part.kind === 'text') parts.push(...taggedParts(part.text));
    else parts.push(part);
  }
  const refusal = text(message, 'refusal');
  if (refusal !== null && refusal !== '') parts.push({ kind: 'text', text: refusal });
  for (const call of array(message, 'tool_calls') ?? []) parts.push(callPart(call));
  const legacy = object(message, 'function_call');
  if (legacy !== null) parts.push(callPart(legacy));
  return parts;
}

/** The parts of an input message (system, user or other): its texts, everything else as raw JSON. */
export function inputParts(message: JsonObject): PartDraft[] {
  return contentOf(message);
}

/** The parts of a tool message as observations of the call that it answers. */
export function observationParts(message: JsonObject, name: string | null): PartDraft[] {
  return results(message, contentOf(message), text(message, 'name') ?? name);
}

/** Parts of a result: texts as observations, everything else as it is, all of them tied to the call. */
function results(message: JsonObject, own: readonly PartDraft[], name: string | null): PartDraft[] {
  const tie = { name, callId: answeredCall(message) };
  const isError = get(message, 'is_error') === true;
  const parts = own.length > 0 ? own : [{ kind: 'text' as const, text: '' }];
  return parts.map((part) =>
    part.kind === 'raw' ? { ...part, ...tie } : { kind: 'observation', text: part.text, ...tie, isError },
  );
}

function contentOf(message: JsonObject): PartDraft[] {
  const content = get(message, 'content') ?? get(message, 'value') ?? get(message, 'text');
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (isArray(content)) return content.flatMap(blockParts);
  return [{ kind: 'raw', text: JSON.stringify(content) }];
}

/** One block of typed content. `{type, text}` and `{type, value}` are both in use. */
function blockParts(block: Json): PartDraft[] {
  if (typeof block === 'string') return [{ kind: 'text', text: block }];
  if (!isObject(block)) return [{ kind: 'raw', text: JSON.stringify(block) }];
  const type = text(block, 'type') ?? (text(block, 'text') === null ? '' : 'text');
  const value = text(block, 'text') ?? text(block, 'value');
  switch (type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return value === null ? [{ kind: 'raw', text: JSON.stringify(block) }] : [{ kind: 'text', text: value }];
    case 'reasoning':
    case 'thinking': {
      const reasoning = text(block, 'thinking') ?? value;
      return reasoning === null
        ? [{ kind: 'raw', text: JSON.stringify(block) }]
        : [{ kind: 'reasoning', text: reasoning }];
    }
    case 'tool_call': {
      const call = get(block, 'value') ?? get(block, 'tool_call') ?? block;
      return [typeof call === 'string' ? callOfText(call) : callPart(call)];
    }
    case 'tool_use':
    case 'function_call':
      return [callPart(block)];
    case 'tool_result':
      return results(block, contentOf(block), text(block, 'name'));
    default:
      return [{ kind: 'raw', text: JSON.stringify(block) }];
  }
}

/** A tool call in any of the shapes in use; arguments as the log wrote them when they are a string, else as JSON. */
function callPart(call: Json): PartDraft {
  if (!isObject(call)) return { kind: 'tool_call', text: typeof call === 'string' ? call : JSON.stringify(call) };
  const inner = object(call, 'function') ?? call;
  const args = get(inner, 'arguments') ?? get(inner, 'input') ?? get(inner, 'parameters') ?? get(inner, 'args');
  return {
    kind: 'tool_call',
    text: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
    name: text(inner, 'name') ?? text(call, 'name'),
    callId: idText(call, 'id') ?? idText(call, 'call_id') ?? idText(call, 'tool_call_id'),
  };
}

/** A tool call that stands as JSON text; text that is no call object is kept as it is. */
function callOfText(json: string): PartDraft {
  const call = parsedCall(json);
  return call === null ? { kind: 'tool_call', text: json } : callPart(call);
}

function parsedCall(json: string): JsonObject | null {
  try {
    const value: Json = JSON.parse(json);
    return isObject(value) && (text(value, 'name') !== null || object(value, 'function') !== null) ? value : null;
  } catch {
    return null;
  }
}

const tag = /<(think|thinking|tool_call)>/gu;

/**
 * Text that a model wrote, cut at its tags: `<think>` blocks become reasoning (also when the opening tag stands in the
 * prompt, or the closing one is missing because the reply was cut), `<tool_call>` blocks that hold JSON become calls.
 * Tool calls in another notation stay text, so that nothing is guessed.
 */
export function taggedParts(content: string): PartDraft[] {
  const parts: PartDraft[] = [];
  const add = (kind: 'text' | 'reasoning', piece: string): void => {
    const trimmed = piece.replace(/^\r?\n|\r?\n$/gu, '');
    if (trimmed.trim() !== '') parts.push({ kind, text: trimmed });
  };
  let at = 0;
  const close = content.indexOf('</think>');
  const open = content.indexOf('<think>');
  if (close >= 0 && (open < 0 || open > close)) {
    add('reasoning', content.slice(0, close));
    at = close + '</think>'.length;
  }
  tag.lastIndex = at;
  for (let match = tag.exec(content); match !== null; match = tag.exec(content)) {
    const name = match[1] ?? '';
    const inside = match.index + match[0].length;
    const end = content.indexOf(`</${name}>`, inside);
    const isCall = name === 'tool_call';
    const body = content.slice(inside, end < 0 ? content.length : end);
    const call = isCall && end >= 0 ? parsedCall(body) : null;
    // A call that is no JSON or was cut, and a tag that is only mentioned further on, stay part of the text.
    const reasoning = !isCall && (end >= 0 || content.slice(0, match.index).trim() === '');
    if (call === null && !reasoning) continue;
    add('text', content.slice(at, match.index));
    if (call !== null) parts.push(callPart(call));
    else add('reasoning', body);
    at = end < 0 ? content.length : end + name.length + 3;
    tag.lastIndex = at;
  }
  if (parts.length === 0 && at === 0) return content.trim() === '' ? [] : [{ kind: 'text', text: content }];
  add('text', content.slice(at));
  return parts;
}
