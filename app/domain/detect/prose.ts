// Commands that stand in the assistant's text instead of a tool call: fenced blocks, XML-like calls, and the keystroke JSON of
// terminal agents. Only for steps without tool calls of their own.

import { draft, emit, type Sink } from './actions.ts';
import { codeActions } from './code.ts';
import { shellActions } from './commands.ts';
import { type Mapped, mapped, slice } from './mapped.ts';
import { namedCalls, unescaped } from './prose-calls.ts';

const parameterOpen =
  /<parameter(?:=|\s+name=")(command|cmd|code|keystrokes|script|path|file_text|new_str|old_str|content)"?>/g;
const tagOpen = /<(execute_bash|bash|execute_ipython|command|tool_call)>/g;
const fenceLine = /^[ \t]*```[ \t]*([\w+-]*)[^\n]*$/gm;
const jsonString = /"(keystrokes|command|cmd)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/** Adds the actions that an assistant's text spells out. */
export function proseActions(text: string, sink: Sink): void {
  if (
    !/```|<parameter|<execute|<bash|<command|<tool|<invoke|<function|<action|<call|<use_tool|\bAction\b|"(?:keystrokes|command|cmd)"/.test(
      text,
    )
  )
    return;
  const source = mapped(text);
  if (!text.includes('<parameter') && namedCalls(text, source, sink)) return;
  const calls = elements(text, parameterOpen, () => '</parameter>');
  const path = calls.find((call) => call.name === 'path');
  const pathText = path === undefined ? null : text.slice(path.start, path.end).trim();
  for (const { name, start, end } of calls) {
    const body = inner(source, start, end);
    if (/^(?:file_text|new_str|content)$/.test(name)) write(body, pathText, sink);
    else if (name === 'code') codeActions(body, sink, 'python');
    else if (/^(?:command|cmd|keystrokes|script)$/.test(name) && pathText === null) shellActions(body, sink, 'bash');
  }
  if (calls.length > 0) return;
  const tags = elements(text, tagOpen, (name) => `</${name}>`);
  for (const { name, start, end } of tags) {
    const body = inner(source, start, end);
    if (name === 'tool_call') jsonCommands(body, sink);
    else if (name === 'execute_ipython') codeActions(body, sink, 'python');
    else shellActions(body, sink, 'bash');
  }
  if (tags.length > 0) return;
  if (/^\s*(?:```(?:json)?\s*)?\{[\s\S]*"(?:keystrokes|commands?)"/.test(text)) {
    jsonCommands(source, sink);
    return;
  }
  for (const { name, start, end } of fences(text)) {
    const language = name.toLowerCase();
    const body = inner(source, start, end);
    if (/^(?:bash|sh|shell|console|zsh|terminal)$/.test(language)) shellActions(body, sink, 'bash');
    else if (language !== '' && !/^(?:text|json|markdown|md|yaml|output|log|diff)$/.test(language))
      write(body, null, sink);
  }
}

/** A named stretch of a text. */
interface Element {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Elements that are opened and closed, in order and not inside each other. */
function elements(text: string, open: RegExp, closing: (name: string) => string): Element[] {
  const found: Element[] = [];
  const unclosed = new Set<string>();
  let last = 0;
  for (const match of text.matchAll(open)) {
    const name = match[1] ?? '';
    const close = closing(name);
    if (match.index < last || unclosed.has(close)) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf(close, start);
    if (end < 0) unclosed.add(close);
    else {
      found.push({ name, start, end });
      last = end + close.length;
    }
  }
  return found;
}

/** Fenced blocks with their language; the last one may stay open. */
function fences(text: string): Element[] {
  const found: Element[] = [];
  let open: { readonly name: string; readonly start: number } | null = null;
  for (const match of text.matchAll(fenceLine)) {
    if (open === null) open = { name: match[1] ?? '', start: match.index + match[0].length + 1 };
    else {
      found.push({ ...open, end: match.index });
      open = null;
    }
  }
  if (open !== null && open.start <= text.length) found.push({ ...open, end: text.length });
  return found;
}

function write(body: Mapped, path: string | null, sink: Sink): void {
  const action = draft('answer', mapped(''));
  action.verbs.add('write');
  action.patches.push({ path, added: body, removed: null });
  emit(sink, action);
}

function jsonCommands(source: Mapped, sink: Sink): void {
  for (const match of source.text.matchAll(jsonString)) {
    const start = match.index + match[0].length - 1 - (match[2] ?? '').length;
    shellActions(unescaped(slice(source, start, start + (match[2] ?? '').length)), sink, 'terminal');
  }
}

function inner(source: Mapped, start: number, end: number): Mapped {
  const text = source.text.slice(start, end);
  const lead = text.length - text.trimStart().length;
  return slice(source, start + lead, start + text.trimEnd().length);
}
