// Undoes the cheap disguises of text before rules read it: split string literals, joined path pieces, variables that hold a
// constant, base64, hex and percent encoding. Each rewritten stretch still maps to the characters it came from.

import { type Edit, edited, type Mapped } from './mapped.ts';

const rounds = 3;
/** Texts above this are taken as they are: they are data, not disguise. */
const maxLength = 200_000;

/** Shell text with encodings decoded and constant variables put in their places. */
export function normaliseShell(source: Mapped): Mapped {
  return repeat(source, [decodePiped, decodeEncoded, decodePercent, expandShellVariables]);
}

/** Program text with string literals joined, path pieces joined, constants put in and encodings decoded. */
export function normaliseCode(source: Mapped): Mapped {
  return repeat(source, [decodeEncoded, decodePercent, joinLiterals, joinPaths, expandCodeConstants]);
}

function repeat(source: Mapped, passes: readonly ((text: string) => Edit[])[]): Mapped {
  if (source.text.length > maxLength) return source;
  let current = source;
  for (let round = 0; round < rounds; round++) {
    const before = current;
    for (const pass of passes) current = edited(current, pass(current.text));
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
  const escapes = edits(text, /(?:\\x[0-9a-fA-F]{2}){4,}/g, ([all]) => printable(fromHex(all.replaceAll('\\x', ''))));
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

const connector = /["']\s*(?:\+|\.\.|\.)\s*["']/g;
const longestPiece = 400;

/** `"ta" + "sk"` and `'ta' . 'sk'` become one literal. */
function joinLiterals(text: string): Edit[] {
  const found: Edit[] = [];
  let last = 0;
  for (const match of text.matchAll(connector)) {
    const close = match.index;
    const open = close + match[0].length - 1;
    const quote = text.charAt(close);
    const start = openingQuote(text, close);
    const end = closingQuote(text, open);
    if (start < last || end < 0) continue;
    const left = text.slice(start + 1, close);
    const right = text.slice(open + 1, end);
    last = end + 1;
    if (!right.includes(quote)) found.push({ start, end: last, text: quote + left + right + quote });
  }
  return found;
}

/** The quote on the same line that opens the literal which ends at `close`; -1 when there is none near. */
function openingQuote(text: string, close: number): number {
  const quote = text.charAt(close);
  for (let i = close - 1; i >= Math.max(0, close - longestPiece - 1); i--) {
    const c = text.charAt(i);
    if (c === quote) return i;
    if (c === '\\' || c === '\n') return -1;
  }
  return -1;
}

function closingQuote(text: string, open: number): number {
  const quote = text.charAt(open);
  for (let i = open + 1; i <= Math.min(text.length - 1, open + longestPiece + 1); i++) {
    const c = text.charAt(i);
    if (c === quote) return i;
    if (c === '\\' || c === '\n') return -1;
  }
  return -1;
}

const pieceList = String.raw`((?:\s*\*?\[?\s*(?:["'][^"'\n]*["']|os\.sep|path\.sep)\s*\]?\s*,?)+)`;
const joinCall = new RegExp(String.raw`\b(?:os\.path|path|posixpath|filepath|File)\.join\(${pieceList}\)`, 'gi');
const slashJoin = new RegExp(String.raw`(["'])/\1\.join\(${pieceList}\)`, 'g');
const emptyJoin = new RegExp(String.raw`(["'])\1\.join\(${pieceList}\)`, 'g');
const arrayJoin = /\[((?:\s*["'][^"'\n]*["']\s*,?)+)\]\.join\((["'])([/]?)\2\)/g;
const pathSlash = /\bPath\((["'])([^"'\n]*)\1\)\s*\/\s*(["'])([^"'\n]*)\3/g;

function piecesOf(inner: string): string[] {
  return [...inner.matchAll(/["']([^"'\n]*)["']|(os|path)\.sep/g)].map((piece) => piece[1] ?? '/');
}

function joinedPath(inner: string): string {
  return JSON.stringify(
    piecesOf(inner)
      .join('/')
      .replace(/\/{2,}/g, '/'),
  );
}

/** `os.path.join("a", "b")`, `path.join('a', 'b')`, `Path("a") / "b"` and `"/".join(["a", "b"])` become one literal. */
function joinPaths(text: string): Edit[] {
  const found: Edit[] = [];
  if (/\.join\(/i.test(text)) {
    found.push(
      ...edits(text, joinCall, (m) => joinedPath(m[1] ?? '')),
      ...edits(text, slashJoin, (m) => joinedPath(m[2] ?? '')),
      ...edits(text, emptyJoin, (m) => JSON.stringify(piecesOf(m[2] ?? '').join(''))),
      ...edits(text, arrayJoin, (m) => JSON.stringify(piecesOf(m[1] ?? '').join(m[3] ?? ''))),
    );
  }
  if (text.includes('Path('))
    found.push(...edits(text, pathSlash, (m) => `Path("${m[2] ?? ''}/${m[4] ?? ''}")`.replaceAll('//', '/')));
  return found;
}

/** `V=x; $V` and `${V}y`: the constant that V holds at the place of use. */
function expandShellVariables(text: string): Edit[] {
  if (!text.includes('$')) return [];
  const set =
    /(?:^|[;&|(\n]|\b(?:export|local|readonly|declare)\s)\s*([A-Za-z_]\w*)=("[^"`\n]*"|'[^'\n]*'|\$\([^)\n]*\)|[^\s;&|"'`()]+)?(?=[\s;&|)]|$)/g;
  const values = new Map<string, string>();
  const found: Edit[] = [];
  const sets = [...text.matchAll(set)].map((match) => ({
    at: match.index + match[0].length,
    name: match[1] ?? '',
    raw: match[2] ?? '',
  }));
  const assign = (until: number): void => {
    for (let next = sets[0]; next !== undefined && next.at <= until; next = sets[0]) {
      sets.shift();
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

const variable = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** The value of the right side of an assignment; undefined when it is not known before the command runs. */
function constantOf(raw: string, values: ReadonlyMap<string, string>): string | undefined {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  const bare = raw.startsWith('"') ? raw.slice(1, -1) : raw;
  const value = bare.replace(
    variable,
    (all, braced?: string, plain?: string) => values.get(braced ?? plain ?? '') ?? all,
  );
  return value.includes('$') ? undefined : value;
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

const base64Values = new Int8Array(128).fill(-1);
for (const [value, c] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  base64Values[c.charCodeAt(0)] = value;
base64Values[45] = 62;
base64Values[95] = 63;

function fromBase64(data: string): string | undefined {
  let length = data.length;
  while (data.charAt(length - 1) === '=') length--;
  if (length < 12) return undefined;
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  let odd = 0;
  for (let i = 0; i < length; i++) {
    const value = base64Values[data.charCodeAt(i)] ?? -1;
    if (value < 0) return undefined;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (buffer >> bits) & 0xff;
    bytes.push(byte);
    // Most words that could be base64 are names: what they would say shows soon that they are not.
    if (isControl(byte) && ++odd > length / 13) return undefined;
  }
  return printable(utf8(bytes));
}

function isControl(byte: number): boolean {
  return byte === 127 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13);
}

function fromHex(data: string): string | undefined {
  if (data.length % 2 !== 0) return undefined;
  const bytes: number[] = [];
  for (let i = 0; i < data.length; i += 2) {
    const value = Number.parseInt(data.slice(i, i + 2), 16);
    if (Number.isNaN(value)) return undefined;
    bytes.push(value);
  }
  return printable(utf8(bytes));
}

/** UTF-8 decoding without the platform's decoder, which pure code does not have; undefined for bytes that are not UTF-8. */
function utf8(bytes: readonly number[]): string | undefined {
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i++] ?? 0;
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      continue;
    }
    const more = lead >= 0xf0 && lead < 0xf8 ? 3 : lead >= 0xe0 && lead < 0xf0 ? 2 : lead >= 0xc2 && lead < 0xe0 ? 1 : 0;
    if (more === 0) return undefined;
    let code = lead & (0x3f >> more);
    for (let k = 0; k < more; k++) {
      const next = bytes[i++] ?? 0;
      if ((next & 0xc0) !== 0x80) return undefined;
      code = (code << 6) | (next & 0x3f);
    }
    const least = more === 3 ? 0x10000 : more === 2 ? 0x800 : 0x80;
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
    text += String.fromCodePoint(code);
  }
  return text;
}

/** The text when at least nine tenths of it are letters, digits, blanks and ASCII punctuation. */
function printable(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  let good = 0;
  for (const c of text) if (/[\t\n\r\x20-\x7e]|\p{L}/u.test(c)) good++;
  return good >= text.length * 0.9 && !text.includes('\u0000') ? text : undefined;
}
