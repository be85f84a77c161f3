// Names that program text puts together from pieces, by `+` or by a join function: the edits that make one literal of them.

import type { Edit } from './mapped.ts';

const connector = /["']\s*(?:\+|\.\.|\.)\s*["']/g;
const longestPiece = 400;

/** `"ta" + "sk"` and `'ta' . 'sk'` become one literal. */
export function joinLiterals(text: string): Edit[] {
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

const characters = /[{[]\s*('(?:[^'\\\n]|\\.)'(?:\s*,\s*'(?:[^'\\\n]|\\.)')+)\s*(?:,\s*(?:0|'\\0'|NULL)\s*)?[}\]]/g;

/** `{'s', 'o', 'r', 't', 0}` is the name it spells. */
export function joinCharacters(text: string): Edit[] {
  const found: Edit[] = [];
  if (!/'\s*,\s*'/.test(text)) return found;
  for (const match of text.matchAll(characters)) {
    const spelled = [...(match[1] ?? '').matchAll(/'((?:[^'\\\n]|\\.))'/g)].map((each) => each[1] ?? '').join('');
    found.push({ start: match.index, end: match.index + match[0].length, text: JSON.stringify(spelled) });
  }
  return found;
}

const reversedGuard = /revers|strrev|\.rev\(|\[::-1\]/;
const word = String.raw`(?:"([\w./-]{2,60})"|'([\w./-]{2,60})')`;
/** A word and what turns it round: Lua, Python, Ruby, JavaScript, Rust; PHP, R, Perl, Haskell; Java. */
const reversed = new RegExp(
  String.raw`\(?\s{0,9}${word}\s{0,9}\)?\s{0,9}(?::reverse\(\)|\[::-1\]|\.split\(["']{2}\)\.reverse\(\)\.join\(["']{2}\)|\.chars\(\)\.rev\(\)\.collect(?:::<String>)?\(\)|\.reverse\b(?!\()(?!\s*=))|\b(?:strrev|(?:string\.|str_)?reverse)(?:\s*\(\s*|\s+)${word}(?:\s*\))?|\b(?:new\s+)?StringBu(?:ilder|ffer)\(\s*${word}\s*\)\.reverse\(\)(?:\.toString\(\))?`,
  'g',
);

/** `('qe'):reverse()`, `strrev("qe")` and the like are the word that comes out. */
export function turnReversed(text: string): Edit[] {
  const found: Edit[] = [];
  if (!reversedGuard.test(text)) return found;
  for (const match of text.matchAll(reversed)) {
    const said = match.slice(1).find((each) => each !== undefined) ?? '';
    const all = match[0];
    // A bracket that was opened before the word is closed with it.
    const lead = all.startsWith('(') && !/^\(\s*["'][^"']*["']\s*\)/.test(all) ? 1 : 0;
    found.push({
      start: match.index + lead,
      end: match.index + all.length,
      text: JSON.stringify([...said].toReversed().join('')),
    });
  }
  return found;
}

const formatted =
  /\bprintf\s+(?:'[^'%]{0,600}[A-Za-z]%s[^'%]{0,900}'|"[^"%]{0,600}[A-Za-z]%s[^"%]{0,900}")\s+["']?([\w./-]{1,40})["']?(?=\s*(?:$|[|;&>)\n]))/g;

/** `printf 'se%st.key' cre`: the word that one place inside a word of the format is filled with stands in that place. */
export function fillFormats(text: string): Edit[] {
  const found: Edit[] = [];
  if (!text.includes('printf') || !text.includes('%s')) return found;
  for (const match of text.matchAll(formatted)) {
    const at = match.index + match[0].indexOf('%s');
    found.push({ start: at, end: at + 2, text: match[1] ?? '' });
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

const joinCall = /\b(?:os\.path|path|posixpath|filepath|File)\.join\(/gi;
/** The joins of Julia, R, C#, Perl, Java, OCaml, C++; and those that put texts together as they are. */
const otherJoin =
  /\b(?:joinpath|file\.path|Path\.Combine|catfile|catdir|Paths\.get|Path\.of|Filename\.concat|Path\.join|(?<plain>[sS]tring\.Concat|paste0|concat!))\(/g;
const mayJoin =
  /\.join\(|\]\.join\b|%w\S|joinpath\(|file\.path\(|\.Combine\(|cat(?:file|dir)\(|Paths\.get\(|Path\.of\(|\bconcat\b|paste0\(|concat!\(/i;
const textJoin = /(["'])(\/?)\1\.join\(/g;
/** `['a', 'b'].join('')`, also without its bracket as Ruby has it, and `["a", "b"].concat()`. */
const arrayJoin = /\]\.(?:join\((["'])(\/?)\1\)|join(?![\w(])|concat\(\))/g;
/** `String.concat "" ["a"; "b"]` and `concat ["a", "b"]`: the bracket of the list ends the match. */
const listJoin = /\b(?:String\.concat\s+(["'])\1\s*|concat\s+)\[/g;
/** `%w[fn match].join`, as Ruby and Crystal write it. */
const wordJoin = /%w[[({<|!]([\w./ -]{2,200})[\])}>|!]\.join(?:\((["'])([^"'\n]{0,3})\2\)|(?![\w(]))/g;
const pathSlash = /\bPath\((["'])([^"'\n]*)\1\)\s*\/\s*(["'])([^"'\n]*)\3/g;
/** A list of pieces longer than this is data. */
const longestList = 4_000;

/** `os.path.join("a", "b")`, `path.join('a', 'b')`, `Path("a") / "b"` and `"/".join(["a", "b"])` become one literal. */
export function joinPaths(text: string): Edit[] {
  const found: Edit[] = [];
  if (mayJoin.test(text)) {
    for (const match of text.matchAll(otherJoin))
      addJoined(text, match.index, match.index + match[0].length, match.groups?.plain === undefined ? '/' : '', found);
    for (const match of text.matchAll(joinCall))
      addJoined(text, match.index, match.index + match[0].length, '/', found);
    for (const match of text.matchAll(textJoin))
      addJoined(text, match.index, match.index + match[0].length, match[2] ?? '', found);
    for (const match of text.matchAll(arrayJoin)) {
      const open = text.lastIndexOf('[', match.index);
      if (open < 0 || match.index - open > longestList) continue;
      const list = piecesAt(text, open + 1);
      if (list === undefined || list.end !== match.index) continue;
      const joined = JSON.stringify(list.pieces.join(match[2] ?? ''));
      found.push({ start: open, end: match.index + match[0].length, text: joined });
    }
    for (const match of text.matchAll(listJoin)) {
      const list = piecesAt(text, match.index + match[0].length);
      if (list === undefined || text.charAt(list.end) !== ']') continue;
      found.push({ start: match.index, end: list.end + 1, text: JSON.stringify(list.pieces.join('')) });
    }
    if (text.includes('%w'))
      for (const match of text.matchAll(wordJoin))
        found.push({
          start: match.index,
          end: match.index + match[0].length,
          text: JSON.stringify(
            (match[1] ?? '')
              .trim()
              .split(/\s+/)
              .join(match[3] ?? ''),
          ),
        });
  }
  if (text.includes('Path(')) {
    for (const m of text.matchAll(pathSlash)) {
      const joined = `Path("${m[2] ?? ''}/${m[4] ?? ''}")`.replaceAll('//', '/');
      found.push({ start: m.index, end: m.index + m[0].length, text: joined });
    }
  }
  return found;
}

/** Adds the join call whose pieces begin at `at` and are closed by a bracket. */
function addJoined(text: string, start: number, at: number, between: string, found: Edit[]): void {
  const list = piecesAt(text, at);
  if (list === undefined) return;
  const end = afterBlanks(text, text.charAt(list.end) === ']' ? list.end + 1 : list.end);
  if (text.charAt(end) !== ')') return;
  const joined = list.pieces.join(between);
  found.push({ start, end: end + 1, text: JSON.stringify(between === '/' ? joined.replace(/\/{2,}/g, '/') : joined) });
}

/** The literals from `at` on, commas, stars and opening brackets between them; undefined when there is none. */
function piecesAt(text: string, at: number): { pieces: string[]; end: number } | undefined {
  const pieces: string[] = [];
  let i = at;
  const limit = at + longestList;
  while (i < limit) {
    let next = afterBlanks(text, i);
    if (text.charAt(next) === '*') next++;
    if (text.charAt(next) === '[') next++;
    next = afterBlanks(text, next);
    const c = text.charAt(next);
    if (c === '"' || c === "'") {
      const close = pieceEnd(text, next);
      if (close < 0) break;
      pieces.push(text.slice(next + 1, close));
      i = close + 1;
    } else if (text.startsWith('os.sep', next) || text.startsWith('path.sep', next)) {
      pieces.push('/');
      i = next + (c === 'o' ? 6 : 8);
    } else break;
    i = afterBlanks(text, i);
    if (text.charAt(i) === ',' || text.charAt(i) === ';') i++;
  }
  return pieces.length === 0 ? undefined : { pieces, end: afterBlanks(text, i) };
}

function pieceEnd(text: string, open: number): number {
  const quote = text.charAt(open);
  for (let i = open + 1; i < Math.min(text.length, open + longestList); i++) {
    const c = text.charAt(i);
    if (c === quote) return i;
    if (c === '\n') return -1;
  }
  return -1;
}

function afterBlanks(text: string, at: number): number {
  let i = at;
  while (i < text.length && /\s/.test(text.charAt(i))) i++;
  return i;
}
