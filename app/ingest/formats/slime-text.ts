// Splits the text of a sampled response into turns and parts. A response keeps its special tokens, so the turns of the
// chat template can be found again: ChatML, GLM, Llama 3 and DeepSeek markers, with `<think>`, `<tool_call>` and
// `<tool_response>` inside the turns. Text without markers stays one turn. Nothing is dropped but the markers.

import type { PartDraft } from '../../contract/ingest.ts';
import type { ItemRole } from '../../contract/vocabulary.ts';
import { assistantTextParts } from './text-calls.ts';

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

/** Reasoning, text and tool calls of an assistant turn, in order. The tags are special tokens here, never a quotation. */
export function assistantParts(content: string): PartDraft[] {
  return assistantTextParts(content, { broken: 'call' }).map((part) =>
    part.kind === 'text' || part.kind === 'reasoning' ? { ...part, text: trimBreaks(part.text) } : part,
  );
}

function pushText(parts: PartDraft[], text: string): void {
  if (text.trim() !== '') parts.push({ kind: 'text', text: trimBreaks(text) });
}

/** Line breaks around a block belong to the template, not to the text. */
function trimBreaks(text: string): string {
  return text.replace(/^\n+|\n+$/g, '');
}
