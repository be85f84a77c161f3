// Splits the text of a sampled response into turns and parts. A response keeps its special tokens, so the turns of the
// chat template can be found again: ChatML, GLM, Llama 3 and DeepSeek markers, with `<think>`, `<tool_call>` and
// `<tool_response>` inside the turns. Text without markers stays one turn. Nothing is dropped but the markers.

import type { PartDraft } from '../../contract/ingest.ts';
import type { ItemRole } from '../../contract/vocabulary.ts';

/** One turn of a conversation. `ended` is true when the text holds its end marker (the policy stopped by itself). */
export interface TextTurn {
  readonly role: ItemRole;
  readonly parts: readonly PartDraft[];
  readonly ended: boolean;
}

interface Template {
  readonly start: RegExp;
  readonly end: RegExp;
}

/** Start markers capture the role. An end marker with the line break that the template puts after it. */
const templates: readonly Template[] = [
  { start: /<\|im_start\|>([a-z_]+)\n?/g, end: /<\|im_end\|>\n?$/ },
  { start: /<\|start_header_id\|>([a-z_]+)<\|end_header_id\|>\n{0,2}/g, end: /<\|(?:eot|eom)_id\|>\n?$/ },
  {
    start: /<｜(User|Assistant|System|tool▁outputs▁begin)｜>\n?/g,
    end: /<｜(?:end▁of▁sentence|tool▁outputs▁end)｜>\n?$/,
  },
  { start: /<\|(system|user|assistant|observation|tool)\|>\n?/g, end: /<\|(?:endoftext|end)\|>\n?$/ },
];

const roles: ReadonlyMap<string, ItemRole> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['gpt', 'assistant'],
  ['model', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['observation', 'tool'],
  ['ipython', 'tool'],
  ['tool▁outputs▁begin', 'tool'],
]);

/** The role of an item for the role word of a log; `other` for a word that is not known. */
export function roleOf(word: string): ItemRole {
  return roles.get(word.toLowerCase()) ?? 'other';
}

/** Splits a response, which begins inside an assistant turn (the prompt ends with the marker that opens it). */
export function splitResponse(text: string): TextTurn[] {
  return split(text, 'assistant');
}

/** Splits a prompt; text without markers is one user turn. */
export function splitPrompt(text: string): TextTurn[] {
  return split(text, 'user');
}

function split(text: string, firstRole: ItemRole): TextTurn[] {
  const template = templateOf(text);
  const turns: TextTurn[] = [];
  const add = (role: ItemRole, body: string): void => {
    const content = body.replace(template.end, '');
    const ended = content.length < body.length;
    // The opening of a turn that nobody wrote (a prompt ends with one) is not a turn.
    if (content.trim() === '' && !ended) return;
    turns.push({ role, parts: partsOf(role, content), ended });
  };
  let role = firstRole;
  let from = 0;
  for (const match of text.matchAll(template.start)) {
    add(role, text.slice(from, match.index));
    role = roleOf(match[1] ?? '');
    from = match.index + match[0].length;
  }
  add(role, text.slice(from));
  return turns;
}

/** The template whose marker (start or end) stands first; the first one where there is none. */
function templateOf(text: string): Template {
  const [fallback] = templates;
  let best = fallback;
  let first = Number.POSITIVE_INFINITY;
  for (const template of templates) {
    const start = text.search(new RegExp(template.start.source));
    const end = text.search(new RegExp(template.end.source.replace(/\$$/, '')));
    for (const at of [start, end]) {
      if (at >= 0 && at < first) {
        first = at;
        best = template;
      }
    }
  }
  return best ?? { start: /$^/g, end: /$^/ };
}

function partsOf(role: ItemRole, content: string): PartDraft[] {
  if (role === 'assistant') return assistantParts(content);
  if (role === 'tool') return observationParts(content) ?? [{ kind: 'observation', text: trimBreaks(content) }];
  return observationParts(content) ?? [{ kind: 'text', text: trimBreaks(content) }];
}

/** `<tool_response>` blocks as observations, text around them as text; null where there is no block. */
function observationParts(content: string): PartDraft[] | null {
  const pattern = /<tool_response>\n?([\s\S]*?)(?:\n?<\/tool_response>|$)/g;
  if (!content.includes('<tool_response>')) return null;
  const parts: PartDraft[] = [];
  let from = 0;
  for (const match of content.matchAll(pattern)) {
    pushText(parts, content.slice(from, match.index));
    parts.push({ kind: 'observation', text: match[1] ?? '' });
    from = match.index + match[0].length;
  }
  pushText(parts, content.slice(from));
  return parts;
}

/** Reasoning, text and tool calls of an assistant turn, in order. */
export function assistantParts(content: string): PartDraft[] {
  const parts: PartDraft[] = [];
  let rest = content;
  const close = rest.indexOf('</think>');
  const open = rest.indexOf('<think>');
  if (close >= 0 && (open < 0 || open > close)) {
    // The prompt already opened the reasoning: everything up to its end is reasoning.
    pushReasoning(parts, rest.slice(0, close));
    rest = rest.slice(close + '</think>'.length);
  }
  const pattern = /<think>([\s\S]*?)(?:<\/think>|$)|<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;
  let from = 0;
  for (const match of rest.matchAll(pattern)) {
    pushText(parts, rest.slice(from, match.index));
    from = match.index + match[0].length;
    if (match[1] !== undefined) pushReasoning(parts, match[1]);
    else parts.push(toolCall(match[2] ?? ''));
  }
  pushText(parts, rest.slice(from));
  return parts;
}

function pushReasoning(parts: PartDraft[], text: string): void {
  const trimmed = trimBreaks(text);
  if (trimmed !== '') parts.push({ kind: 'reasoning', text: trimmed });
}

function pushText(parts: PartDraft[], text: string): void {
  if (text.trim() !== '') parts.push({ kind: 'text', text: trimBreaks(text) });
}

/** Line breaks around a block belong to the template, not to the text. */
function trimBreaks(text: string): string {
  return text.replace(/^\n+|\n+$/g, '');
}

/**
 * A tool call in one of the spellings of common templates: JSON `{"name", "arguments"}`, GLM `<arg_key>`/`<arg_value>`
 * pairs after the name, or `<function=name><parameter=key>` tags. What is none of them is kept as text of the call.
 */
function toolCall(body: string): PartDraft {
  const content = body.trim();
  return jsonCall(content) ?? pairCall(content) ?? tagCall(content) ?? { kind: 'tool_call', text: content };
}

function jsonCall(content: string): PartDraft | null {
  if (!content.startsWith('{')) return null;
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value !== 'object' || value === null || !('name' in value) || typeof value.name !== 'string')
      return null;
    const args = 'arguments' in value ? value.arguments : 'parameters' in value ? value.parameters : {};
    const text = typeof args === 'string' ? args : (JSON.stringify(args) ?? '{}');
    return { kind: 'tool_call', name: value.name, text };
  } catch {
    return null;
  }
}

function pairCall(content: string): PartDraft | null {
  const name = /^([\w.-]+)\s*(?:<arg_key>|$)/.exec(content)?.[1];
  if (name === undefined) return null;
  const pairs = [...content.matchAll(/<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/g)];
  return { kind: 'tool_call', name, text: argumentsJson(pairs) };
}

function tagCall(content: string): PartDraft | null {
  const name = /^<function=([^>\s]+)>/.exec(content)?.[1];
  if (name === undefined) return null;
  const pairs = [...content.matchAll(/<parameter=([^>\s]+)>\n?([\s\S]*?)\n?<\/parameter>/g)];
  return { kind: 'tool_call', name, text: argumentsJson(pairs) };
}

function argumentsJson(pairs: readonly RegExpMatchArray[]): string {
  return JSON.stringify(Object.fromEntries(pairs.map((pair) => [(pair[1] ?? '').trim(), pair[2] ?? ''])));
}
