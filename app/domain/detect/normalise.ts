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

/** Base64 and hex constants of at least 16 characters that give printable text. */
function decodeEncoded(text: string): Edit[] {
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

/** `"ta" + "sk"` and `'ta' 'sk'` become one literal. */
function joinLiterals(text: string): Edit[] {
  return edits(
    text,
    /(["'])((?:(?!\1)[^\\\n]){0,400})\1\s*(?:\+|\.\.|\.)\s*(["'])((?:(?!\3)[^\\\n]){0,400})\3/g,
    (m) => {
      const [, quote = '"', left = '', , right = ''] = m;
      return left.includes(quote) || right.includes(quote) ? undefined : quote + left + right + quote;
    },
  );
}

/** `os.path.join("a", "b")`, `path.join('a', 'b')`, `Path("a") / "b"` and `"/".join(["a", "b"])` become one literal. */
function joinPaths(text: string): Edit[] {
  const list = String.raw`((?:\s*\*?\[?\s*(?:["'][^"'\n]*["']|os\.sep|path\.sep)\s*\]?\s*,?)+)`;
  const pieces = (inner: string): string[] =>
    [...inner.matchAll(/["']([^"'\n]*)["']|(os|path)\.sep/g)].map((piece) => piece[1] ?? '/');
  const join = (inner: string): string =>
    JSON.stringify(
      pieces(inner)
        .join('/')
        .replace(/\/{2,}/g, '/'),
    );
  return [
    ...edits(text, new RegExp(String.raw`\b(?:os\.path|path|posixpath|filepath|File)\.join\(${list}\)`, 'gi'), (m) =>
      join(m[1] ?? ''),
    ),
    ...edits(text, new RegExp(String.raw`(["'])/\1\.join\(${list}\)`, 'g'), (m) => join(m[2] ?? '')),
    ...edits(text, new RegExp(String.raw`(["'])\1\.join\(${list}\)`, 'g'), (m) =>
      JSON.stringify(pieces(m[2] ?? '').join('')),
    ),
    ...edits(text, /\[((?:\s*["'][^"'\n]*["']\s*,?)+)\]\.join\((["'])([/]?)\2\)/g, (m) =>
      JSON.stringify(pieces(m[1] ?? '').join(m[3] ?? '')),
    ),
    ...edits(text, /\bPath\((["'])([^"'\n]*)\1\)\s*\/\s*(["'])([^"'\n]*)\3/g, (m) =>
      `Path("${m[2] ?? ''}/${m[4] ?? ''}")`.replaceAll('//', '/'),
    ),
  ];
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

/** `p = "conftest.py"` ... `open(p, "w")`: a name bound once to a literal is put in as an argument. */
function expandCodeConstants(text: string): Edit[] {
  const values = new Map<string, string | null>();
  const set =
    /(?:^|[;\n{(,]|\b(?:const|let|var|my|local)\s)[ \t]*\$?([A-Za-z_]\w*)[ \t]*(?::?=)[ \t]*(?:Path\()?(["'])((?:(?!\2)[^\\\n]){1,300})\2\)?[ \t]*(?=[;\n,)]|$)/g;
  for (const match of text.matchAll(set)) {
    const name = match[1] ?? '';
    values.set(name, values.has(name) ? null : (match[3] ?? ''));
  }
  if (values.size === 0) return [];
  return edits(text, /(?<=[(,[+/]\s*)\$?([A-Za-z_]\w*)(?=\s*[),+/\]]|\.(?:write_text|read_text|open)\b)/g, (match) => {
    const value = values.get(match[1] ?? '');
    return value === undefined || value === null ? undefined : JSON.stringify(value);
  });
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function fromBase64(data: string): string | undefined {
  const clean = data.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (clean.length < 12) return undefined;
  const bytes: number[] = [];
  let buffer = 0;
  let bits = 0;
  for (const c of clean) {
    const value = alphabet.indexOf(c);
    if (value < 0) return undefined;
    buffer = ((buffer << 6) | value) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((buffer >> bits) & 0xff);
    }
  }
  return printable(utf8(bytes));
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
  try {
    return decodeURIComponent(bytes.map((b) => `%${b.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return undefined;
  }
}

/** The text when at least nine tenths of it are letters, digits, blanks and ASCII punctuation. */
function printable(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  let good = 0;
  for (const c of text) if (/[\t\n\r\x20-\x7e]|\p{L}/u.test(c)) good++;
  return good >= text.length * 0.9 && !text.includes('\u0000') ? text : undefined;
}
