// Calls in an assistant's text that name their tool: `Action: sh` with its input, `<tool name="sh"><arg>..</arg></tool>`. Shells are read
// as commands, anything else by the names of its arguments.

import { addObject, draft, emit, type Sink } from './actions.ts';
import { codeActions } from './code.ts';
import { shellActions } from './commands.ts';
import { type Mapped, MappedBuilder, mapped, slice } from './mapped.ts';

const shell = /^(?:\w*(?:bash|shell|sh|exec\w*|terminal|command|console|cmd)|run\w*)$/i;
const code = /^(?:\w*(?:python|ipython|jupyter|notebook|repl|node|interpreter|cell)\w*)$/i;
const reAct =
  /^[ \t]*(?:\*\*)?Action(?:\*\*)?[ \t]*:[ \t]*[`"]?([\w.-]+)[`"]?[ \t]*(?:\n[ \t]*(?:\*\*)?Action[ _]?Input(?:\*\*)?[ \t]*:|[:([])[ \t]*([\s\S]*?)(?=\n[ \t]*(?:\*\*)?(?:Observation|Thought|Action|Final Answer)\b|$(?![\s\S]))/gim;
const element =
  /<(tool|tool_use|function|invoke|action|call|use_tool)\b[^>\n]*?\b(?:name|tool|type)\s*=\s*["']([\w.-]+)["'][^>\n]*>([\s\S]*?)<\/\1>/gi;
const argument = /<(\w+)(?:\s+[^>\n]*?name\s*=\s*["'](\w+)["'])?[^>\n]*>([\s\S]*?)<\/\1>/g;
const jsonText = /"(\w+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

interface Argument {
  readonly name: string;
  readonly value: Mapped;
}

/** Adds the actions of the named calls in a text. Returns whether there were any. */
export function namedCalls(text: string, source: Mapped, sink: Sink): boolean {
  let any = false;
  for (const match of text.matchAll(reAct)) {
    const body = match[2] ?? '';
    if (body.trim() === '') continue;
    const start = match.index + match[0].length - body.length;
    any = true;
    oneCall(
      match[1] ?? '',
      slice(source, start, start + body.replace(/[\])]?\s*$/, '').length),
      sink,
      /^\s*\{/.test(body) ? jsonArguments(source, start, body) : [],
    );
  }
  for (const match of text.matchAll(element)) {
    const body = match[3] ?? '';
    const start = match.index + match[0].lastIndexOf(`${body}</`);
    any = true;
    const args = tagArguments(source, start, body);
    oneCall(match[2] ?? '', args[0]?.value ?? slice(source, start, start + body.length), sink, args);
  }
  return any;
}

function oneCall(name: string, body: Mapped, sink: Sink, args: readonly Argument[]): void {
  const script = args.find((arg) =>
    /^(?:command|cmd|script|code|input|keystrokes|arg|args|line)$/i.test(arg.name),
  )?.value;
  const path = args.find((arg) => /^(?:path|file\w*|filename|target|uri)$/i.test(arg.name))?.value;
  const added = args.find((arg) =>
    /^(?:new\w*|content|contents|text|replacement|body|file_text|insert\w*)$/i.test(arg.name),
  )?.value;
  const removed = args.find((arg) => /^(?:old\w*|search|find|original)$/i.test(arg.name))?.value;
  if (shell.test(name) && path === undefined) shellActions(script ?? body, sink, name);
  else if (code.test(name) && path === undefined) codeActions(script ?? body, sink, name);
  else if (path !== undefined && (added !== undefined || removed !== undefined)) {
    const action = draft(name, mapped(''));
    addObject(sink, action, 'write', path);
    action.patches.push({ path: action.objects[0]?.path ?? null, added: added ?? null, removed: removed ?? null });
    emit(sink, action);
  } else {
    const action = draft(name, body);
    action.verbs.add(
      /search|find|list|grep|query/.test(name)
        ? 'search'
        : /fetch|open|browse|goto|visit|url|http/.test(name)
          ? 'fetch'
          : /read|view|cat|get|show/.test(name)
            ? 'read'
            : 'execute',
    );
    const word = path ?? (args.length === 0 && /^\s*[\w./~:-]+\s*$/.test(body.text) ? body : undefined);
    if (word !== undefined && /[/.]/.test(word.text))
      addObject(sink, action, [...action.verbs][0] === 'execute' ? 'read' : ([...action.verbs][0] ?? 'read'), word);
    for (const { value } of args) if (/^https?:\/\//.test(value.text)) addObject(sink, action, 'fetch', value);
    emit(sink, action);
  }
}

function jsonArguments(source: Mapped, start: number, body: string): Argument[] {
  return [...body.matchAll(jsonText)].map((match) => {
    const inner = match[2] ?? '';
    const at = start + match.index + match[0].length - 1 - inner.length;
    return { name: match[1] ?? '', value: unescaped(slice(source, at, at + inner.length)) };
  });
}

function tagArguments(source: Mapped, start: number, body: string): Argument[] {
  return [...body.matchAll(argument)].map((match) => {
    const inner = match[3] ?? '';
    const at = start + match.index + match[0].lastIndexOf(`${inner}</`);
    return { name: match[2] ?? match[1] ?? '', value: slice(source, at, at + inner.length) };
  });
}

/** The value of a JSON string whose inner text is given. */
export function unescaped(source: Mapped): Mapped {
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
