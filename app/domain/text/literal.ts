// Literal search that ignores case, in any script: the one definition of what matches, and a folding under which texts that
// match share their trigrams, so that an index over folded trigrams never misses anything.

/**
 * The pattern that finds `query` literally, ignoring case by Unicode simple case folding (one character to one character: `ß`
 * matches `ẞ`, not `ss`). Nothing else is equated: composed and decomposed accents differ, as do the bytes of the log. Flags
 * are `giu`; offsets of its matches are UTF-16 units. The query must not be empty.
 */
export function literalPattern(query: string): RegExp {
  return new RegExp(query.toWellFormed().replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'), 'giu');
}

/** Where a query occurs in a text. */
export interface Occurrences {
  readonly count: number;
  /** UTF-16 offsets of the first one, end exclusive. */
  readonly start: number;
  readonly end: number;
}

/** All occurrences of a pattern of `literalPattern`, without overlaps; null when there is none. */
export function occurrences(text: string, pattern: RegExp): Occurrences | null {
  pattern.lastIndex = 0;
  const first = pattern.exec(text);
  if (first === null) return null;
  let count = 1;
  while (pattern.exec(text) !== null) count += 1;
  return { count, start: first.index, end: first.index + first[0].length };
}

/**
 * Folds a text for the index: whenever `literalPattern(query)` matches in a text, the folded text contains the folded query.
 * The reverse need not hold (`ß` and `ss` fold alike), so what the index finds is checked. It maps character by character:
 * lower, upper, lower, since full upper case unites what simple folding does (`ẞ ß`, `ﬅ ﬆ`), and both sigmas become one,
 * the only letter whose lower case depends on its neighbours. NUL becomes a space: the tokenizer of the index skips it.
 */
export function foldText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII without NUL.
  if (/^[\x01-\x7f]*$/.test(text)) return text.toLowerCase();
  return text.toWellFormed().toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').replaceAll('\0', ' ');
}

/** Trigrams asked of the index for one query; more would not narrow the candidates much. */
const trigramsMax = 24;

/**
 * The trigrams of the folded query, each once, evenly chosen when there are many. Null when it is shorter than three
 * characters: no index can help, everything is read.
 */
export function queryTrigrams(query: string): string[] | null {
  const characters = [...foldText(query)];
  if (characters.length < 3) return null;
  const all = new Set<string>();
  for (let i = 0; i + 3 <= characters.length; i++) all.add(characters.slice(i, i + 3).join(''));
  const listed = [...all];
  if (listed.length <= trigramsMax) return listed;
  const step = (listed.length - 1) / (trigramsMax - 1);
  return Array.from({ length: trigramsMax }, (_, i) => listed[Math.round(i * step)] ?? '').filter((one) => one !== '');
}

/** The match of a hit with a little text on both sides. */
export interface Snippet {
  readonly before: string;
  readonly match: string;
  readonly after: string;
  /** Whether the text goes on beyond the snippet on that side. */
  readonly cutBefore: boolean;
  readonly cutAfter: boolean;
}

/** UTF-16 units of text shown before and after a match. */
const contextBefore = 60;
const contextAfter = 140;

/** A snippet around `[start, end)`, never cut inside a surrogate pair. */
export function snippetAt(text: string, start: number, end: number): Snippet {
  let from = Math.max(0, start - contextBefore);
  if (isLowSurrogate(text, from)) from += 1;
  let to = Math.min(text.length, end + contextAfter);
  if (isLowSurrogate(text, to)) to -= 1;
  return {
    before: text.slice(from, start),
    match: text.slice(start, end),
    after: text.slice(end, Math.max(end, to)),
    cutBefore: from > 0,
    cutAfter: to < text.length,
  };
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff;
}
