// Rare tokens and lines of a rollout: what a leak can be recognised by when it turns up again. A token is rare where it
// stands first. Words become numbers by hashing, so that a whole rollout can be indexed without making a string per word.

import type { ScanPart } from './types.ts';

/** The tokens of one text in order; token and line numbers are those of one lexicon. */
export interface Words {
  readonly ids: Int32Array;
  readonly at: Int32Array;
  /** How much a token's reappearance says; a reappearance counts when the weights of distinct tokens reach `enough`. */
  readonly weights: Float64Array;
}

/** Lines of at least 16 characters and three words, without indentation and diff marks; their reappearance is enough alone. */
export interface Lines {
  readonly ids: Int32Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
}

/** Weight at which tokens seen again are no coincidence: two numbers, or a number and a few words, or a line of code. */
export const enough = 1.6;

const shortestLine = 16;
const fewestWords = 3;

/** Words that any log holds; they say nothing about where a text came from. */
const common =
  `about above after again against allow array assert async await before below bytes class const could count default define
  dtype elif else empty equal error errors except exception expect expected export extends fail failed failures false final
  finally first float found function global hidden import include index input instance isinstance items lambda length lines
  match method module names never none number object output package parse passed print private public python raise range
  raises result results return returns right running seconds should static string struct tests their there these throw total
  trace traceback true tuple type types undefined usage using value values void warning where which while while with would write yield
  assertionerror typeerror valueerror runtimeerror permission denied directory blocked policy http https`.split(/\s+/);

/** Kinds of code units: what a word may begin with and go on with. */
const wordStart = 1;
const wordPart = 2;
const digit = 4;

const kinds = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const c = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(c)) kinds[code] = wordStart | wordPart;
  if (/\d/.test(c)) kinds[code] = wordStart | wordPart | digit;
}

/** Gives every distinct word and line of a rollout a number, and knows in which part it stands first. */
export class Lexicon {
  /** Open addressing over two independent 32-bit hashes; a slot holds a number plus one. */
  #slots = new Int32Array(1 << 12);
  #hashes = new Int32Array(1 << 12);
  #checks = new Int32Array(1 << 12);
  #first = new Int32Array(1 << 12).fill(-1);
  #size = 0;
  readonly #commons: number;
  readonly #parts: readonly ScanPart[];
  #indexed = 0;
  readonly #words = new Map<string, Words>();
  readonly #lines = new Map<string, Lines>();

  constructor(parts: readonly ScanPart[]) {
    this.#parts = parts;
    for (const word of common) this.#number(word, 0, word.length, 1);
    this.#commons = this.#size;
  }

  /** Whether a word or line stands first in this part; user and system parts count. */
  standsFirst(id: number, part: number): boolean {
    this.#indexUpTo(part);
    return this.#first[id] === part;
  }

  /** The words of a text that can carry a leak. */
  words(text: string): Words {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const ids: number[] = [];
    const at: number[] = [];
    const weights: number[] = [];
    this.#readWords(text, (id, start, weight) => {
      ids.push(id);
      at.push(start);
      weights.push(weight);
    });
    const words = { ids: Int32Array.from(ids), at: Int32Array.from(at), weights: Float64Array.from(weights) };
    this.#words.set(text, words);
    return words;
  }

  /** The lines of a text that can carry a leak. */
  lines(text: string): Lines {
    const known = this.#lines.get(text);
    if (known !== undefined) return known;
    const ids: number[] = [];
    const start: number[] = [];
    const end: number[] = [];
    this.#readLines(text, (id, from, to) => {
      ids.push(id);
      start.push(from);
      end.push(to);
    });
    const lines = { ids: Int32Array.from(ids), start: Int32Array.from(start), end: Int32Array.from(end) };
    this.#lines.set(text, lines);
    return lines;
  }

  #indexUpTo(part: number): void {
    for (; this.#indexed <= part; this.#indexed++) {
      const index = this.#indexed;
      const text = this.#parts[index]?.text ?? '';
      const note = (id: number): void => {
        if (this.#first[id] === -1) this.#first[id] = index;
      };
      this.#readWords(text, note);
      this.#readLines(text, note);
    }
  }

  /** Words are `0x…`, numbers with points, and runs of letters, digits, `_` and `$`. */
  #readWords(text: string, each: (id: number, at: number, weight: number) => void): void {
    const length = text.length;
    let i = 0;
    while (i < length) {
      if ((kindAt(text, i) & wordStart) === 0) {
        i++;
        continue;
      }
      const start = i;
      let digits = 0;
      let onlyDigits = true;
      let kind = kindAt(text, i);
      while (i < length && (kind & wordPart) !== 0) {
        if ((kind & digit) !== 0) digits++;
        else onlyDigits = false;
        i++;
        kind = i < length ? kindAt(text, i) : 0;
      }
      if (onlyDigits) {
        // `2,118` is one number.
        while (text.charCodeAt(i) === 44 && digits <= 9 && /^,\d{3}(?!\d)/.test(text.slice(i, i + 5))) {
          i += 4;
          digits += 3;
        }
        while (text.charCodeAt(i) === 46 && (kindAt(text, i + 1) & digit) !== 0) {
          i++;
          while (i < length && (kindAt(text, i) & digit) !== 0) {
            i++;
            digits++;
          }
        }
        const weight = numberWeight(text, start, i, digits);
        if (weight > 0) each(this.#number(text, start, i, 1), start, weight);
      } else if (i - start >= 5) {
        const id = this.#number(text, start, i, 1);
        if (id < this.#commons) continue;
        const weight = wordWeight(text, start, i, digits);
        if (weight > 0) each(id, start, weight);
      }
    }
  }

  #readLines(text: string, each: (id: number, start: number, end: number) => void): void {
    let at = 0;
    while (at < text.length) {
      const newline = text.indexOf('\n', at);
      const stop = newline < 0 ? text.length : newline;
      if (stop - at >= shortestLine) {
        const { start, end } = bareLine(text, at, stop);
        if (end - start >= shortestLine && wordCount(text, start, end) >= fewestWords)
          each(this.#number(text, start, end, 2), start, end);
      }
      at = stop + 1;
    }
  }

  /** The number of a stretch of text, letter case of ASCII aside; `salt` keeps words and lines apart. */
  #number(text: string, start: number, end: number, salt: number): number {
    let hash = salt;
    let check = salt;
    for (let i = start; i < end; i++) {
      let code = text.charCodeAt(i);
      if (salt === 1 && code >= 65 && code <= 90) code += 32;
      hash = Math.imul(hash ^ code, 0x01000193);
      check = Math.imul(check + code, 0x5bd1e995) ^ (check >>> 15);
    }
    hash ^= hash >>> 13;
    let slot = hash & (this.#slots.length - 1);
    for (;;) {
      const held = this.#slots[slot] ?? 0;
      if (held === 0) break;
      if (this.#hashes[held - 1] === hash && this.#checks[held - 1] === check) return held - 1;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    const id = this.#size++;
    this.#slots[slot] = id + 1;
    this.#hashes[id] = hash;
    this.#checks[id] = check;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const capacity = this.#slots.length * 2;
    const larger = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const made = new Int32Array(capacity).fill(-1);
      made.set(old);
      return made;
    };
    this.#hashes = larger(this.#hashes);
    this.#checks = larger(this.#checks);
    this.#first = larger(this.#first);
    this.#slots = new Int32Array(capacity);
    for (let id = 0; id < this.#size; id++) {
      let slot = (this.#hashes[id] ?? 0) & (capacity - 1);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (capacity - 1);
      this.#slots[slot] = id + 1;
    }
  }
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (kinds[code] ?? 0) : farKind(code);
}

/** Kinds of code units beyond ASCII, as they are asked for. */
const farKinds = new Uint8Array(0x10000);
const farKnown = 128;

function farKind(code: number): number {
  const known = farKinds[code] ?? 0;
  if (known !== 0) return known & ~farKnown;
  const c = String.fromCharCode(code);
  const kind = /\p{L}/u.test(c) ? wordStart | wordPart : /\p{M}/u.test(c) ? wordPart : 0;
  farKinds[code] = kind | farKnown;
  return kind;
}

function numberWeight(text: string, start: number, end: number, digits: number): number {
  if (end - start === 4 && (text.startsWith('19', start) || text.startsWith('20', start))) return 0.5;
  return digits >= 4 ? 1 : digits === 3 ? 0.4 : 0;
}

function wordWeight(text: string, start: number, end: number, digits: number): number {
  const token = text.slice(start, end);
  if (digits > 0 && /^0x[0-9a-fA-F]{3,}$|^(?=.*[a-f])[0-9a-f]{7,}$/.test(token)) return 1;
  if (token.startsWith('_') && /^__\w+__$/.test(token)) return 0;
  if (token.length === 5 && /^test_$/i.test(token)) return 0;
  return token.length >= 7 && (digits > 0 || token.includes('_') || /[a-z][A-Z]/.test(token)) ? 0.8 : 0.4;
}

/** A line without the marks of diffs, quotes and line numbers before it, and without blanks at its ends. */
function bareLine(text: string, from: number, to: number): { start: number; end: number } {
  let start = from;
  while (start < to && isMark(text.charCodeAt(start))) start++;
  let after = start;
  while (after < to && (kindAt(text, after) & digit) !== 0) after++;
  if (after > start && after < to && /[:|\t]/.test(text.charAt(after))) {
    start = after + 1;
    if (text.charCodeAt(start) === 32) start++;
  }
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function isMark(code: number): boolean {
  return code === 32 || code === 9 || code === 43 || code === 45 || code === 60 || code === 62 || code === 124;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));
}

/** Words of a line, as far as it matters. */
function wordCount(text: string, start: number, end: number): number {
  let count = 0;
  let inside = false;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    const word = code !== 36 && (kindAt(text, i) & wordPart) !== 0;
    if (word && !inside && ++count >= fewestWords) return count;
    inside = word;
  }
  return count;
}
