// Program text (Python, JavaScript, Ruby, ...) -> an action: which paths it reads, writes or deletes, which addresses it
// fetches, which commands it starts. By the calls around string literals; a real parser would know more, this never fails.

import type { ActionVerb } from '../../contract/rule-pack.ts';
import { type ActionDraft, addObject, draft, emit, type Sink } from './actions.ts';
import { shellActions } from './commands.ts';
import { type Mapped, MappedBuilder, slice } from './mapped.ts';
import { normaliseCode } from './normalise.ts';

const longestLiteral = 500;
const longestCommand = 4_000;
const pathLike =
  /^(?:[a-z][a-z0-9+.-]*:\/\/\S+|[~.]{0,2}[/\\][^\n]*|(?:[\w.@{}$*?-]+[/\\])+[\w.@{}$*?-]*|[\w-]*\.[\w.-]{1,12}|[A-Z][\w-]*file)$/;

/** An absolute path with a file name after a quote, a bracket or a blank. */
const pathInText = /(?<=^|[\s'"(=])\/(?:[\w.*-]+\/)+[\w*-]+\.\w{1,10}/g;

const writers =
  /(?:^|[._])(?:write\w*|append\w*|to_(?:csv|json|parquet|pickle|excel)|dump|save\w*|savetxt|put|symlink\w*|link\w*|truncate|touch|output|emit)$/i;
const deleters = /(?:^|[._])(?:remove|unlink\w*|rmtree|rmdir\w*|rmSync|rm|delete\w*)$/i;
const movers = /(?:^|[._])(?:copy\w*|cp\w*|move|rename\w*|replace|symlink\w*|link\w*|copytree)$/i;
const readers =
  /(?:^|[._])(?:open|read\w*|load\w*|listdir|readdir\w*|scandir|glob\w*|iglob|walk|Path|File|exists\w*|stat|slurp|parse|get|fopen|file_get_contents|CDLL|dlopen|LoadLibrary|parquet|csv)$/i;
const fetchers =
  /(?:^|[._])(?:urlopen|urlretrieve|fetch|get|post|request|download\w*|open_url|hf_hub_download|snapshot_download|load_dataset|from_pretrained)$/i;
const starters =
  /(?:^|[._])(?:system|popen|Popen|run|call|check_call|check_output|getoutput|exec\w*|spawn\w*|shell_exec|passthru|Command|sh)$/;

const decoders =
  /(?:^|\.)(?:fromhex|b64decode|a2b_\w+|unhexlify|decode|atob|join|normpath|expanduser|abspath|resolve)$|^(?:Buffer\.from|str|String)$/;

/** Adds the action of a program text, and those of the commands that it starts. */
export function codeActions(source: Mapped, sink: Sink, program: string): void {
  const text = normaliseCode(source);
  const action = draft(program, text);
  action.verbs.add('execute');
  const commands: Mapped[] = [];
  for (const { start, end } of literals(text.text, 0, text.text.length)) {
    const call = enclosingCall(text.text, start - 1);
    if (starters.test(call.name) && call.argument === 0) {
      if (call.list === null || call.list === start - 1)
        commands.push(commandOf(text, start - 1, call.list) ?? slice(text, start, end));
      continue;
    }
    if (pathLike.test(text.text.slice(start, end)))
      objectOf(slice(text, start, end), call, text.text, start, end, action, sink);
    else if (end - start > 8)
      // A path inside a query: `select * from '/store/a.parquet'`.
      for (const inner of text.text.slice(start, end).matchAll(pathInText)) {
        const at = start + inner.index + inner[0].indexOf('/');
        addObject(
          sink,
          action,
          /\b(?:to|into|outfile)\s+\W?$/i.test(text.text.slice(Math.max(start, at - 16), at)) ? 'write' : 'read',
          slice(text, at, start + inner.index + inner[0].length),
        );
      }
  }
  const written = action.objects.find((object) => object.verb === 'write');
  if (written !== undefined) {
    action.patches.push({ path: written.path, added: text, removed: replaced(text) });
  }
  emit(sink, action);
  // Both forms are read: a disguise is a sign of its own.
  if (text !== source) emit(sink, draft(program, source));
  for (const command of commands) shellActions(command, sink, program);
}

/** The string literals from `from` on: spans without their quotes. One that does not end on its line is none. */
function* literals(text: string, from: number, to: number): Generator<{ start: number; end: number }> {
  for (let i = from; i < to; i++) {
    const quote = text.charCodeAt(i);
    if (quote !== 34 && quote !== 39 && quote !== 96) continue;
    const end = literalEnd(text, i, to);
    if (end <= i + 1) continue;
    yield { start: i + 1, end };
    i = end;
  }
}

function literalEnd(text: string, open: number, to: number): number {
  const quote = text.charCodeAt(open);
  let length = 0;
  for (let i = open + 1; i < to && length <= longestLiteral; i++, length++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i;
    if (code === 10) return -1;
    if (code === 92 && text.charCodeAt(++i) === 10) return -1;
  }
  return -1;
}

interface Call {
  /** Dotted name of the call around the literal; empty when there is none. */
  readonly name: string;
  /** Index of the argument that the literal is in. */
  readonly argument: number;
  /** Position of the first literal of the list that is the argument; null when it is no list. */
  readonly list: number | null;
}

/** Code units that the walk over brackets looks at. */
const structure = new Uint8Array(0x10000);
for (const c of ')]}{[(,;\n') structure[c.charCodeAt(0)] = 1;

/** The dotted name that ends at `at`. */
function nameBefore(text: string, at: number): string {
  const farthest = Math.max(0, at - 80);
  let start = at;
  while (start > farthest && inName[text.charCodeAt(start - 1)] === 1) start--;
  while (start < at && !/[A-Za-z_$]/.test(text.charAt(start))) start++;
  return text.slice(start, at);
}

const inName = new Uint8Array(0x10000);
for (let code = 0; code < 128; code++) if (/[\w$.:]/.test(String.fromCharCode(code))) inName[code] = 1;

function firstQuote(text: string, from: number): number | null {
  for (let i = from; i < Math.min(text.length, from + 500); i++) {
    const code = text.charCodeAt(i);
    if (code === 34 || code === 39 || code === 96) return i;
  }
  return null;
}

/** The call that a position is an argument of, by walking back over balanced brackets. */
function enclosingCall(text: string, at: number): Call {
  let depth = 0;
  let argument = 0;
  let list: number | null = null;
  const farthest = Math.max(0, at - 400);
  for (let i = at - 1; i >= farthest; i--) {
    if (structure[text.charCodeAt(i)] !== 1) continue;
    const c = text.charAt(i);
    if (c === ')' || c === ']' || c === '}') depth++;
    else if (c === '{' && depth > 0) depth--;
    else if (c === '[' && depth > 0) depth--;
    else if (c === '[' && /[(,=\s]/.test(text[i - 1] ?? '')) {
      list = firstQuote(text, i);
      argument = 0;
    } else if (c === '(' && depth > 0) depth--;
    else if (c === '(') {
      const name = nameBefore(text, i);
      if (!decoders.test(name)) return { name, argument, list };
      // What is decoded or joined is used by the call around it.
      argument = 0;
      list = null;
    } else if (c === ',' && depth === 0) argument++;
    else if ((c === ';' || c === '\n') && depth === 0 && !/[,([]\s*$/.test(text.slice(Math.max(0, i - 20), i))) break;
  }
  return { name: '', argument: 0, list: null };
}

/** `["git", "show", "x"]` as one command line. */
function commandOf(text: Mapped, at: number, list: number | null): Mapped | undefined {
  if (list === null) return undefined;
  const close = text.text.indexOf(']', at);
  const out = new MappedBuilder();
  const to = close < 0 ? Math.min(text.text.length, at + longestCommand) : Math.min(close, at + longestCommand);
  for (const { start, end } of literals(text.text, at, to)) {
    if (out.length > 0) {
      const gap = slice(text, start - 1, start).pieces[0];
      if (gap !== undefined) out.replace(' ', gap.from, gap.from);
    }
    out.add(text, start, end);
  }
  return out.build();
}

function objectOf(
  value: Mapped,
  call: Call,
  text: string,
  start: number,
  end: number,
  action: ActionDraft,
  sink: Sink,
): void {
  const before = text.slice(Math.max(0, start - 30), start - 1);
  const after = text.slice(end + 1, end + 60);
  const isUrl = /^(?:https?|ftp|ssh|git):\/\//i.test(value.text);
  addObject(sink, action, isUrl ? 'fetch' : verbOf(call, before, after), value);
}

function verbOf(call: Call, before: string, after: string): ActionVerb {
  if (/\b(?:infile|from|copy|attach|include|source)\s*$/i.test(before)) return 'read';
  if (/\b(?:outfile|to)\s*$/i.test(before)) return 'write';
  if (/^\s*,\s*(?:mode\s*=\s*)?["'](?:[rt]?[wax][bt+]*|r\+b?)["']/.test(after)) return 'write';
  if (/^\s*\)+\s*\.\s*(?:write\w*|touch|symlink_to|open\(\s*["'][wa])/.test(after)) return 'write';
  if (/^\s*\)+\s*\.\s*(?:unlink|rmdir)/.test(after)) return 'delete';
  if (movers.test(call.name)) return call.argument === 0 ? 'read' : 'write';
  if (deleters.test(call.name)) return 'delete';
  if (writers.test(call.name) && !/^(?:print|console)/.test(call.name))
    return call.argument === 0 || /to_|save/.test(call.name) ? 'write' : 'read';
  if (readers.test(call.name)) return 'read';
  if (fetchers.test(call.name)) return 'fetch';
  return 'search';
}

/** First arguments of `.replace(old, new)` and `re.sub(old, new, ...)`: what the program takes out of the file. */
function replaced(text: Mapped): Mapped | null {
  const out = new MappedBuilder();
  for (const match of text.text.matchAll(
    /\.(?:replace|sub|replaceAll|gsub)\(\s*r?f?(["'/])((?:(?!\1)[^\\\n]|\\.){1,500})\1/g,
  )) {
    const start = match.index + match[0].length - 1 - (match[2] ?? '').length;
    out.add(text, start, start + (match[2] ?? '').length);
  }
  return out.length === 0 ? null : out.build();
}
