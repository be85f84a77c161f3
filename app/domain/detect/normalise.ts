// Undoes the cheap disguises of text before rules read it: split string literals, joined path pieces, variables that hold a
// constant, base64, hex and percent encoding. Each rewritten stretch still maps to the characters it came from.

import { fromBase64, fromHex } from './decode.ts';
import { fillFormats, joinCharacters, joinLiterals, joinPaths, turnReversed } from './join-pieces.ts';
import { type Edit, edited, type Mapped } from './mapped.ts';

const rounds = 3;
/** Texts above this are taken as they are: they are data, not disguise. */
const maxLength = 200_000;

/** Shell text with encodings decoded, constant variables put in their places and formats filled. */
export function normaliseShell(source: Mapped): Mapped {
  return repeat(source, [decodePiped, decodeEncoded, decodePercent, expandShellVariables, fillFormats]);
}

/** Program text with string literals joined, path pieces joined, constants put in and encodings decoded. */
export function normaliseCode(source: Mapped): Mapped {
  return repeat(source, [
    decodeEncoded,
    decodePercent,
    joinCharacters,
    turnReversed,
    joinLiterals,
    joinPaths,
    expandCodeConstants,
  ]);
}

function repeat(source: Mapped, passes: readonly ((text: string) => Edit[])[]): Mapped {
  if (source.text.length > maxLength) return source;
  let current = source;
  for (let round = 0; round < rounds; round++) {
    const before = current;
    for (const pass of passes) {
      const found = pass(current.text);
      let inserted = 0;
      for (const { text } of found) inserted += text.length;
      // Constants that stand for constants could make any amount of text out of little.
      if (inserted <= maxLength) current = edited(current, found);
    }
    if (current === before) break;
  }
  return current;
}

function edits(text: string, pattern: RegExp, value: (match: RegExpExecArray) => string | undefined): Edit[] {
  const found: Edit[] = [];
  for (const match of text.matchAll(pattern)) {
    const replacement = value(match);
    if (replacement === undefined || replacement === match[0]) continue;
    found.push({ start: match.index, end: match.index + match[0].length, text: replacement });
  }
  return found;
}

/** `$(echo X | base64 -d)` becomes the decoded text, `echo X | base64 -d` an echo of it; also with `printf` and `xxd -r -p`. */
function decodePiped(text: string): Edit[] {
  if (!/base64|xxd/.test(text)) return [];
  const piped =
    /(\$\(\s*)?(?:echo|printf)\s+(?:-n\s+|'%s'\s+|%s\s+)?["']?([A-Za-z0-9+/=]{8,})["']?\s*\|\s*(base64\s+(?:-d|-D|--decode)|xxd\s+-r\s+-p)(\s*\))?/g;
  return edits(text, piped, ([, open, data, how, close]) => {
    const value = how?.startsWith('xxd') === true ? fromHex(data ?? '') : fromBase64(data ?? '');
    if (value === undefined) return undefined;
    if (open !== undefined && close !== undefined) return value.trim();
    return `${open ?? ''}echo '${value.trim().replaceAll("'", '"')}'${close ?? ''}`;
  });
}

const encoded = /["'][A-Za-z0-9+/_-]{16}|\\x/;

/** Base64 and hex constants of at least 16 characters that give printable text. */
function decodeEncoded(text: string): Edit[] {
  if (!encoded.test(text)) return [];
  const literal = /(["'])([A-Za-z0-9+/_-]{16,}={0,2})\1/g;
  const constants = edits(text, literal, ([, quote, data = '']) => {
    const value = (/^(?:[0-9a-fA-F]{2})+$/.test(data) ? fromHex(data) : undefined) ?? fromBase64(data);
    return value === undefined ? undefined : `${quote}${value}${quote}`;
  });
  const escapes = edits(text, /(?:\\x[0-9a-fA-F]{2}){4,}/g, ([all]) => fromHex(all.replaceAll('\\x', '')));
  return [...constants, ...escapes];
}

/** `%61dmin` inside words that look like addresses or paths. */
function decodePercent(text: string): Edit[] {
  if (!text.includes('%')) return [];
  return edits(text, /(?<=[\w/.:-])(?:%[2-7][0-9a-fA-F])+(?=[\w/.%-])/g, ([all]) => {
    const value = fromHex(all.replaceAll('%', ''));
    return value === undefined || /[^\w./-]/.test(value) ? undefined : value;
  });
}

/** `V=x; $V` and `${V}y`: the constant that V holds at the place of use. */
function expandShellVariables(text: string): Edit[] {
  if (!text.includes('$')) return [];
  const set =
    /(?:^|[;&|(\n]|\b(?:export|local|readonly|declare)\s)[^\S\n]*([A-Za-z_]\w*)=("[^"`\n]*"|'[^'\n]*'|\$\([^)\n]*\)|[^\s;&|"'`()]+)?(?=[\s;&|)]|$)/g;
  const values = new Map<string, string>();
  const found: Edit[] = [];
  const sets = [...text.matchAll(set)].map((match) => ({
    at: match.index + match[0].length,
    name: match[1] ?? '',
    raw: match[2] ?? '',
  }));
  let done = 0;
  const assign = (until: number): void => {
    for (let next = sets[done]; next !== undefined && next.at <= until; next = sets[done]) {
      done++;
      const value = constantOf(next.raw, values);
      if (value === undefined) values.delete(next.name);
      else values.set(next.name, value);
    }
  };
  for (const match of text.matchAll(variable)) {
    assign(match.index);
    const value = values.get(match[1] ?? match[2] ?? '');
    if (value !== undefined) found.push({ start: match.index, end: match.index + match[0].length, text: value });
  }
  return found;
}

/** A longer constant is data. */
const longestValue = 1_000;
const variable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** The value of the right side of an assignment; undefined when it is not known before the command runs. */
function constantOf(raw: string, values: ReadonlyMap<string, string>): string | undefined {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  const bare = raw.startsWith('"') ? raw.slice(1, -1) : raw;
  const value = bare.replace(
    variable,
    (all, braced?: string, plain?: string) => values.get(braced ?? plain ?? '') ?? all,
  );
  return value.includes('$') || value.length > longestValue ? undefined : value;
}

const bound = /=[ \t]*(?:Path\()?(["'])((?:(?!\1)[^\\\n]){1,300})\1\)?[ \t]*(?=[;\n,)]|$)/g;
const used = /([(,[+/]\s*)\$?([A-Za-z_]\w*)(?=\s*[),+/\]]|\.(?:write_text|read_text|open)\b)/g;

/** `p = "conftest.py"` ... `open(p, "w")`: a name bound once to a literal is put in as an argument. */
function expandCodeConstants(text: string): Edit[] {
  if (!/=[ \t]*(?:Path\()?["']/.test(text)) return [];
  const values = new Map<string, string | null>();
  for (const match of text.matchAll(bound)) {
    const name = boundName(text, match.index);
    if (name !== undefined) values.set(name, values.has(name) ? null : (match[2] ?? ''));
  }
  if (values.size === 0) return [];
  const found: Edit[] = [];
  for (const match of text.matchAll(used)) {
    const value = values.get(match[2] ?? '');
    if (value === undefined || value === null) continue;
    const start = match.index + (match[1] ?? '').length;
    found.push({ start, end: match.index + match[0].length, text: JSON.stringify(value) });
  }
  return found;
}

/** The name before the `=` of an assignment that stands at the beginning of a statement, a list or a declaration. */
function boundName(text: string, equals: number): string | undefined {
  let end = equals;
  if (text.charAt(end - 1) === ':') end--;
  while (isBlank(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (isNamePart(text.charCodeAt(start - 1))) start--;
  if (start === end || !/[A-Za-z_]/.test(text.charAt(start))) return undefined;
  let before = text.charAt(start - 1) === '$' ? start - 1 : start;
  const edge = before;
  while (isBlank(text.charCodeAt(before - 1))) before--;
  const declared = before < edge && /\b(?:const|let|var|my|local)$/.test(text.slice(Math.max(0, before - 6), before));
  return before === 0 || declared || /[;\n{(,]/.test(text.charAt(before - 1)) ? text.slice(start, end) : undefined;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

function isNamePart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
