// Reads the source of a regular expression into a small tree: enough to know which literals a match needs and which
// leading filler can be left out while looking for one. Not a validator; sources come here after `new RegExp` took them.

/** A node with its span in the source. */
export type RegexNode = { readonly start: number; readonly end: number } & (
  | {
      /** One character: those it may be, in lower case or as `beyondAscii`; null when they are many. */
      readonly type: 'char';
      readonly chars: readonly string[] | null;
    }
  | {
      readonly type: 'sequence' | 'alternatives';
      readonly items: readonly RegexNode[];
    }
  | {
      readonly type: 'repeat';
      readonly of: RegexNode;
      readonly min: number;
      readonly max: number;
    }
  /** `of` must match next to this place; it takes no characters of its own. */
  | { readonly type: 'look'; readonly of: RegexNode }
  /** Matches without taking characters: anchors, boundaries, negative look-arounds. */
  | { readonly type: 'empty' }
  /** A back reference: any text, the empty one included. */
  | { readonly type: 'unknown' }
);

/** Classes with more characters than this count as "any character". */
const maxClass = 6;
const maxDepth = 60;

interface Reader {
  readonly source: string;
  at: number;
}

/** The tree of a source; null when the source has something that is not understood. */
export function parseRegex(source: string): RegexNode | null {
  const reader = { source, at: 0 };
  const node = readAlternatives(reader, 0);
  return node === null || reader.at < source.length ? null : node;
}

/** Reads `a|b|c` up to `)` or the end. */
function readAlternatives(reader: Reader, depth: number): RegexNode | null {
  if (depth > maxDepth) return null;
  const start = reader.at;
  const items: RegexNode[] = [];
  for (;;) {
    const branch = readSequence(reader, depth);
    if (branch === null) return null;
    items.push(branch);
    if (reader.source[reader.at] !== '|') break;
    reader.at++;
  }
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { type: 'alternatives', items, start, end: reader.at };
}

function readSequence(reader: Reader, depth: number): RegexNode | null {
  const start = reader.at;
  const items: RegexNode[] = [];
  while (reader.at < reader.source.length) {
    const c = reader.source.charAt(reader.at);
    if (c === '|' || c === ')') break;
    const atom = c === '(' ? readGroup(reader, depth + 1) : readAtom(reader);
    if (atom === null) return null;
    items.push(readQuantifier(reader, atom));
  }
  return { type: 'sequence', items, start, end: reader.at };
}

function readGroup(reader: Reader, depth: number): RegexNode | null {
  const start = reader.at;
  reader.at++;
  const head =
    /^\?(?::|=|!|<=|<!|<[A-Za-z_$][\w$]*>|[a-z-]+:)/.exec(reader.source.slice(reader.at, reader.at + 80))?.[0] ?? '';
  reader.at += head.length;
  const inner = readAlternatives(reader, depth);
  if (inner === null || reader.source[reader.at] !== ')') return null;
  reader.at++;
  const end = reader.at;
  if (head === '?!' || head === '?<!') return { type: 'empty', start, end };
  if (head === '?=' || head === '?<=') return { type: 'look', of: inner, start, end };
  return { type: 'sequence', items: [inner], start, end };
}

function readQuantifier(reader: Reader, of: RegexNode): RegexNode {
  const { source, at } = reader;
  const c = source[at];
  let min = 1;
  let max = 1;
  let length = 1;
  if (c === '*') [min, max] = [0, Number.POSITIVE_INFINITY];
  else if (c === '+') max = Number.POSITIVE_INFINITY;
  else if (c === '?') min = 0;
  else {
    const counts = c === '{' ? /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(at, at + 24)) : null;
    if (counts === null) return of;
    min = Number(counts[1]);
    max = counts[2] === '' ? min : counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3]);
    length = counts[0].length;
  }
  reader.at += length;
  if (source[reader.at] === '?') reader.at++;
  return { type: 'repeat', of, min, max, start: of.start, end: reader.at };
}

/** Reads one character, class, escape or anchor. */
function readAtom(reader: Reader): RegexNode | null {
  const { source, at: start } = reader;
  const c = source.charAt(start);
  if (c === '[') return readClass(reader);
  if (c === '\\') return readEscape(reader);
  reader.at++;
  const span = { start, end: reader.at };
  if (c === '^' || c === '$') return { type: 'empty', ...span };
  return { type: 'char', chars: c === '.' ? null : one(c), ...span };
}

function readEscape(reader: Reader): RegexNode {
  const { source, at: start } = reader;
  const next = source.charAt(start + 1);
  let length =
    /^\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]+\}|c[a-z]|.)/i.exec(source.slice(start, start + 12))?.[0].length ?? 2;
  if (next === 'k' || next === 'p' || next === 'P') {
    const close = source.indexOf(next === 'k' ? '>' : '}', start);
    length = close < 0 ? source.length - start : close + 1 - start;
  }
  if (/[1-9]/.test(next)) length = 1 + (/^\d+/.exec(source.slice(start + 1, start + 5))?.[0].length ?? 1);
  reader.at = start + length;
  const span = { start, end: reader.at };
  if (next === 'b' || next === 'B') return { type: 'empty', ...span };
  if (next === 'k' || /[1-9]/.test(next)) return { type: 'unknown', ...span };
  return { type: 'char', chars: escaped(next), ...span };
}

/** What `\x` stands for; null for a class or a code. */
function escaped(next: string): readonly string[] | null {
  const known = { n: '\n', t: '\t', r: '\r' }[next];
  if (known !== undefined) return [known];
  return /[A-Za-z0-9]/.test(next) ? null : one(next);
}

function readClass(reader: Reader): RegexNode {
  const { source, at: start } = reader;
  let chars: Set<string> | null = source[start + 1] === '^' ? null : new Set();
  let i = start + 1 + (chars === null ? 1 : 0);
  while (i < source.length && source[i] !== ']') {
    let c: readonly string[] | null = one(source.charAt(i));
    let length = 1;
    if (source[i] === '\\') {
      c = source[i + 1] === 'b' ? null : escaped(source.charAt(i + 1));
      length = 2;
    }
    if (source[i + length] === '-' && source[i + length + 1] !== ']') {
      c = null;
      length += source[i + length + 1] === '\\' ? 3 : 2;
    }
    if (c === null) chars = null;
    else for (const each of c) chars?.add(each);
    i += length;
  }
  reader.at = i + 1;
  const list = chars === null || chars.size === 0 || chars.size > maxClass ? null : [...chars];
  return { type: 'char', chars: list, start, end: reader.at };
}

/**
 * Stands for any character beyond ASCII: no table has room for all of them, and a text without any is told at once from one that
 * has a word of another script.
 */
export const beyondAscii = '\u0080';

/** Two characters beyond ASCII match letters of it where case is ignored; halves of a pair depend on the `u` flag. */
const special = /[\u017f\u212a\ud800-\udfff]/;

function one(c: string): readonly string[] | null {
  if (c <= '\u007f') return [c.toLowerCase()];
  return special.test(c) ? null : [beyondAscii];
}
