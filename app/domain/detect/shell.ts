// A tolerant reader of POSIX-like shell text: simple commands with their words unquoted, redirections, here-documents and
// pipelines. It never fails: text that is no shell comes back as odd commands. It does not expand; see normalise.ts.

import { type Mapped, MappedBuilder, slice } from './mapped.ts';

interface ShellRedirect {
  /** `>`, `>>`, `<`, `<<<`, `&>`, ... without the descriptor number. */
  readonly op: string;
  readonly target: Mapped;
}

/** A here-document: its body, and where the body stands in the text that was parsed. */
interface Heredoc {
  readonly body: Mapped;
  readonly from: Mapped;
  readonly start: number;
  readonly end: number;
}

export interface ShellCommand {
  /** Words after quote removal; the first is the program. */
  readonly words: readonly Mapped[];
  readonly assignments: readonly { readonly name: string; readonly value: Mapped }[];
  readonly redirects: readonly ShellRedirect[];
  readonly heredocs: readonly Heredoc[];
  /** Commands joined by `|` share a number. */
  readonly pipeline: number;
  /** Span in the text that was parsed, here-document bodies left out. */
  readonly start: number;
  readonly end: number;
}

interface Draft {
  words: Mapped[];
  assignments: { name: string; value: Mapped }[];
  redirects: ShellRedirect[];
  heredocs: Heredoc[];
  start: number;
  end: number;
}

const maxDepth = 5;
const skipped = new Set(['then', 'do', 'else', 'elif', 'if', 'while', 'until', '{', '}', '!', 'fi', 'done', 'esac']);
const redirectStarts = /[\d<>&]/;
const assignment = /^([A-Za-z_]\w*)\+?=/;

/** The simple commands of a shell text in the order in which they stand, those inside `$(...)` and backticks included. */
export function parseShell(source: Mapped): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let pipeline = 0;
  parseInto(source, 0);
  return commands;

  function parseInto(input: Mapped, depth: number): void {
    const text = input.text;
    const nested: Mapped[] = [];
    const pending: { delimiter: string; stripTabs: boolean; into: Draft }[] = [];
    let draft: Draft | null = null;
    let i = 0;
    pipeline++;

    function open(at: number): Draft {
      draft ??= { words: [], assignments: [], redirects: [], heredocs: [], start: at, end: at };
      return draft;
    }
    function close(): void {
      if (draft !== null && (draft.words.length > 0 || draft.assignments.length > 0 || draft.redirects.length > 0)) {
        commands.push({ ...draft, pipeline });
      }
      draft = null;
    }

    while (i < text.length) {
      const c = text.charAt(i);
      if (c === ' ' || c === '\t' || c === '\r') i++;
      else if (c === '\\' && text[i + 1] === '\n') i += 2;
      else if (c === '#') {
        while (i < text.length && text[i] !== '\n') i++;
      } else if (c === '\n') {
        i = readHeredocs(i + 1);
        close();
        pipeline++;
      } else if (c === ';' || c === '(' || c === ')') {
        close();
        pipeline++;
        i++;
      } else if (c === '|') {
        close();
        if (text[i + 1] === '|') pipeline++;
        i += text[i + 1] === '|' || text[i + 1] === '&' ? 2 : 1;
      } else if (c === '&' && text[i + 1] !== '>') {
        close();
        pipeline++;
        i += text[i + 1] === '&' ? 2 : 1;
      } else if ((c === '<' || c === '>') && text[i + 1] === '(') {
        const end = matching(text, i + 1, '(', ')');
        nested.push(slice(input, i + 2, end));
        i = end + 1;
      } else if (
        redirectStarts.test(c) &&
        /^(?:\d*(?:<<<|<<-?|<>|>>|>&|>\||<&|[<>])|&>>?)/.test(text.slice(i, i + 8))
      ) {
        i = readRedirect(i);
      } else {
        i = readCommandWord(i);
      }
    }
    readHeredocs(text.length);
    close();
    if (depth < maxDepth) for (const inner of nested) parseInto(inner, depth + 1);

    function readCommandWord(at: number): number {
      const word = readWord(input, at, nested);
      const current = open(at);
      const name = assignment.exec(word.value.text);
      if (current.words.length === 0 && name?.[1] !== undefined) {
        current.assignments.push({ name: name[1], value: slice(word.value, name[0].length, word.value.text.length) });
      } else if (!(current.words.length === 0 && skipped.has(word.value.text))) {
        current.words.push(word.value);
      }
      current.end = word.end;
      return Math.max(word.end, at + 1);
    }

    function readRedirect(at: number): number {
      const op = /^\d*(<<<|<<-?|<>|>>|>&|>\||<&|[<>])|^(&>>?)/.exec(text.slice(at, at + 8));
      const name = op?.[1] ?? op?.[2] ?? '>';
      let next = at + (op?.[0].length ?? 1);
      while (text[next] === ' ' || text[next] === '\t') next++;
      const word = readWord(input, next, nested);
      const current = open(at);
      if (name === '<<' || name === '<<-') {
        pending.push({ delimiter: word.value.text, stripTabs: name === '<<-', into: current });
      } else {
        current.redirects.push({ op: name, target: word.value });
      }
      current.end = Math.max(word.end, next);
      return Math.max(word.end, at + 1);
    }

    function readHeredocs(at: number): number {
      let line = at;
      for (const wanted of pending.splice(0)) {
        const start = line;
        let end = -1;
        while (line < text.length) {
          const newline = text.indexOf('\n', line);
          const stop = newline < 0 ? text.length : newline;
          const content = text.slice(line, stop);
          const next = newline < 0 ? text.length : newline + 1;
          if ((wanted.stripTabs ? content.replace(/^\t+/, '') : content) === wanted.delimiter) {
            end = line;
            line = next;
            break;
          }
          line = next;
        }
        const stop = end < 0 ? text.length : end;
        wanted.into.heredocs.push({ body: slice(input, start, stop), from: input, start, end: stop });
      }
      return line;
    }
  }
}

/** Reads one word from `at`, without its quotes. Command substitutions are collected and kept in the word as they stand. */
function readWord(input: Mapped, at: number, nested: Mapped[]): { value: Mapped; end: number } {
  const text = input.text;
  const out = new MappedBuilder();
  // In `D:\judge\cases.cs` the backslash parts names and quotes nothing.
  const drive = /^[A-Za-z]:\\/.test(text.slice(at, at + 3));
  let i = at;
  while (i < text.length) {
    const plain = plainEnd(text, i);
    out.add(input, i, plain);
    i = plain;
    const c = text.charAt(i);
    if (c === '' || wordEnd.test(c)) break;
    if (c === '\\' && drive) {
      out.add(input, i, i + 1);
      i++;
    } else if (c === '\\') {
      if (text[i + 1] !== '\n') out.add(input, i + 1, i + 2);
      i += 2;
    } else if (c === "'") {
      const end = closing(text, i + 1, "'");
      out.add(input, i + 1, end);
      i = end + 1;
    } else if (c === '"') {
      i = readDouble(input, i + 1, out, nested);
    } else if (c === '$' && text[i + 1] === "'") {
      const end = closingEscaped(text, i + 2, "'");
      addEscaped(input, i + 2, end, out);
      i = end + 1;
    } else {
      const substitution = substitutionAt(input, i, nested);
      const end = substitution ?? i + 1;
      out.add(input, i, end);
      i = end;
    }
  }
  return { value: out.build(), end: i };
}

const wordEnd = /[\s;|&<>()]/;
/** Not plain in a word: what ends it, quotes, the backslash, and what a substitution begins with. */
const special = new Uint8Array(128);
for (const c of '\t\n\v\f\r ;|&<>()\\\'"$`') special[c.charCodeAt(0)] = 1;

/** The end of the characters that stand for themselves. */
function plainEnd(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128 ? special[code] === 1 : wordEnd.test(text.charAt(i))) break;
  }
  return i;
}

/** The end of the characters that stand for themselves in double quotes. */
function plainInDouble(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34 || c === 92 || c === 36 || c === 96) break;
  }
  return i;
}

function readDouble(input: Mapped, at: number, out: MappedBuilder, nested: Mapped[]): number {
  const text = input.text;
  let i = at;
  while (i < text.length && text[i] !== '"') {
    const plain = plainInDouble(text, i);
    if (plain > i) {
      out.add(input, i, plain);
      i = plain;
    } else if (text[i] === '\\' && /["$`\\\n]/.test(text[i + 1] ?? '')) {
      if (text[i + 1] !== '\n') out.add(input, i + 1, i + 2);
      i += 2;
    } else {
      const end = substitutionAt(input, i, nested) ?? i + 1;
      out.add(input, i, end);
      i = end;
    }
  }
  return i + 1;
}

/** End of the `$(...)`, backtick or `${...}` that starts at `at`; undefined where none starts. */
function substitutionAt(input: Mapped, at: number, nested: Mapped[]): number | undefined {
  const text = input.text;
  if (text[at] === '`') {
    const end = closingEscaped(text, at + 1, '`');
    nested.push(slice(input, at + 1, end));
    return Math.min(end + 1, text.length);
  }
  if (text[at] !== '$') return undefined;
  if (text[at + 1] === '(') {
    const end = matching(text, at + 1, '(', ')');
    if (text[at + 2] !== '(') nested.push(slice(input, at + 2, end));
    return Math.min(end + 1, text.length);
  }
  if (text[at + 1] === '{') return Math.min(matching(text, at + 1, '{', '}') + 1, text.length);
  return undefined;
}

/** Index of the bracket that closes the one at `at`, quotes respected; the end of the text when there is none. */
function matching(text: string, at: number, opening: string, closer: string): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === "'" && opening === '(') i = closing(text, i + 1, "'");
    else if (c === '"') i = closingEscaped(text, i + 1, '"');
    else if (c === opening) depth++;
    else if (c === closer && --depth === 0) return i;
  }
  return text.length;
}

function closing(text: string, at: number, quote: string): number {
  const end = text.indexOf(quote, at);
  return end < 0 ? text.length : end;
}

function closingEscaped(text: string, at: number, quote: string): number {
  for (let i = at; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return i;
  }
  return text.length;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '', b: '', e: '', '0': '' };

function addEscaped(input: Mapped, start: number, end: number, out: MappedBuilder): void {
  const text = input.text;
  let i = start;
  while (i < end) {
    if (text[i] !== '\\') {
      out.add(input, i, i + 1);
      i++;
      continue;
    }
    const hex = /^\\x([0-9a-fA-F]{1,2})/.exec(text.slice(i, i + 4));
    const length = hex === null ? 2 : hex[0].length;
    const from = slice(input, i, Math.min(end, i + length)).pieces[0];
    const known = escapes[text[i + 1] ?? ''];
    const value = hex === null ? (known ?? text[i + 1] ?? '') : String.fromCharCode(Number.parseInt(hex[1] ?? '0', 16));
    if (from !== undefined) out.replace(value, from.from, from.to);
    i += length;
  }
}
