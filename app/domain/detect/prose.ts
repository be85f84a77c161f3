// Commands that stand in the assistant's text instead of a tool call: fenced blocks, XML-like calls, and the keystroke JSON of
// terminal agents. Only for steps without tool calls of their own.

import { draft, emit, type Sink } from './actions.ts';
import { codeActions } from './code.ts';
import { shellActions } from './commands.ts';
import { type Mapped, MappedBuilder, mapped, slice } from './mapped.ts';

const fence = /^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n([\s\S]*?)(?:^[ \t]*```|$(?![\s\S]))/gm;
const parameter =
  /<parameter(?:=|\s+name=")(command|cmd|code|keystrokes|script|path|file_text|new_str|old_str|content)"?>([\s\S]*?)<\/parameter>/g;
const tag = /<(execute_bash|bash|execute_ipython|command|tool_call)>([\s\S]*?)<\/\1>/g;
const jsonString = /"(keystrokes|command|cmd)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/** Adds the actions that an assistant's text spells out. */
export function proseActions(text: string, sink: Sink): void {
  if (!/```|<parameter|<execute|<bash|<command|<tool_call|"(?:keystrokes|command|cmd)"/.test(text)) return;
  const source = mapped(text);
  const calls = [...text.matchAll(parameter)];
  const path = calls.find((call) => call[1] === 'path')?.[2]?.trim() ?? null;
  for (const call of calls) {
    const body = inner(source, call.index + call[0].indexOf('>') + 1, call[2] ?? '');
    const name = call[1] ?? '';
    if (/^(?:file_text|new_str|content)$/.test(name)) write(body, path, sink);
    else if (name === 'code') codeActions(body, sink, 'python');
    else if (/^(?:command|cmd|keystrokes|script)$/.test(name) && path === null) shellActions(body, sink, 'bash');
  }
  if (calls.length > 0) return;
  const tags = [...text.matchAll(tag)];
  for (const match of tags) {
    const body = inner(source, match.index + match[0].indexOf('>') + 1, match[2] ?? '');
    if (match[1] === 'tool_call') jsonCommands(body, sink);
    else if (match[1] === 'execute_ipython') codeActions(body, sink, 'python');
    else shellActions(body, sink, 'bash');
  }
  if (tags.length > 0) return;
  if (/^\s*(?:```(?:json)?\s*)?\{[\s\S]*"(?:keystrokes|commands?)"/.test(text)) {
    jsonCommands(source, sink);
    return;
  }
  for (const block of text.matchAll(fence)) {
    const language = (block[1] ?? '').toLowerCase();
    const body = inner(source, block.index + block[0].indexOf('\n') + 1, block[2] ?? '');
    if (/^(?:bash|sh|shell|console|zsh|terminal)$/.test(language)) shellActions(body, sink, 'bash');
    else if (language !== '' && !/^(?:text|json|markdown|md|yaml|output|log|diff)$/.test(language))
      write(body, null, sink);
  }
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
    shellActions(unescapeJson(slice(source, start, start + (match[2] ?? '').length)), sink, 'terminal');
  }
}

/** The value of a JSON string whose inner text is given; escapes map to the characters they are written with. */
function unescapeJson(source: Mapped): Mapped {
  const out = new MappedBuilder();
  let at = 0;
  for (const match of source.text.matchAll(/\\(?:u[0-9a-fA-F]{4}|.)/g)) {
    out.add(source, at, match.index);
    const from = slice(source, match.index, match.index + match[0].length).pieces[0];
    let value = match[0].slice(1);
    try {
      const parsed: unknown = JSON.parse(`"${match[0]}"`);
      if (typeof parsed === 'string') value = parsed;
    } catch {
      // An escape that JSON does not know stands for its own character.
    }
    if (from !== undefined) out.replace(value, from.from, from.to);
    at = match.index + match[0].length;
  }
  out.add(source, at, source.text.length);
  return out.build();
}

function inner(source: Mapped, start: number, text: string): Mapped {
  const lead = text.length - text.trimStart().length;
  return slice(source, start + lead, start + text.trimEnd().length);
}
