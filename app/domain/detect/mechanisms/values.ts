// The values (numbers, hashes, quoted texts) in the texts of a rollout: those that code holds, those that a text says, and those
// that a failing test, a sample output or a listing of assertions asks for.

import type { Found } from '../automaton.ts';
import { type Guarded, guards } from '../guards.ts';
import type { ScanPart } from '../types.ts';
import { lineAround } from './found.ts';

/** A value where it stands in a text. */
export interface Value {
  readonly raw: string;
  /** One form for all notations. */
  readonly key: string;
  readonly at: number;
}

/** A value that something asks for, with the line that says so. */
interface WantedValue {
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** The values of one part, each sort worked out when it is first asked for. */
export class PartValues {
  /** The command that an observation answers; empty where none is known. */
  readonly command: string;
  readonly #part: ScanPart;
  readonly #stands: Found;
  #wanted: readonly WantedValue[] | null = null;
  #said: readonly string[] | null = null;

  /** `stands` is what the built-in expressions' literals are found to be in the part's text. */
  constructor(part: ScanPart, command: string, stands: Found) {
    this.#part = part;
    this.command = command;
    this.#stands = stands;
  }

  /** The first of each value that an observation asks for. */
  get wanted(): readonly WantedValue[] {
    this.#wanted ??= mayWant(this.#part, this.command, this.#stands)
      ? firstOfEach(wantedIn(this.#part.text, this.command, this.#stands))
      : [];
    return this.#wanted;
  }

  /** All that stand in the text, in order. A value that was said before is no news; what the agent itself computed is its own. */
  get said(): readonly string[] {
    const { kind, text } = this.#part;
    this.#said ??=
      kind === 'text' || kind === 'tool_call' || kind === 'observation'
        ? [...new Set(valuesIn(text.slice(0, saidUpTo)).map(({ key }) => key))]
        : [];
    return this.#said;
  }

  /** Whether the text may say a value of this key; much cheaper than to read all of its values. */
  maySay(key: string): boolean {
    const { text } = this.#part;
    if (key.startsWith('"')) return text.includes(key.slice(1));
    return !decimal.test(key) || text.includes(key) || grouped.test(text);
  }
}

const decimal = /^-?\d+(?:\.\d+)?$/;
/** Digits in groups: the key has them without what parts them. */
const grouped = /\d[,_]+\d/;

/** What comes before a value that a checker wants; the value may be a few characters on. */
const wanted =
  /\b(?:want(?:ed|s)?|expect(?:ed|s|ing)?|should (?:be|equal|return|print|have been)|right|correct(?: answer| value)?|answer|must be|need(?:ed|s)?|ref(?:erence)?|gold|target|truth)\b["']?\s*(?:[:=]|is|was|but|<|to (?:be|eq|equal))?\s*/gi;
/** Stands in a line that asserts something. */
const assertion =
  /\b(?:assert\w*|EXPECT_\w+|ASSERT_\w+|expect|should|toBe|toEqual|assertEquals|assert_eq!?|REQUIRE|CHECK|Equal|is_deeply|eq\()\b/gi;
/** Commands that show stored outputs. */
const storedOutputs =
  /[\w.*/-]*(?:expected|answers?|targets?|labels?|gold\w*|outputs?|solutions?|ref\w*)[\w.*-]*\.\w+|[\w*/-]+\.(?:out|ans|exp|expected|gold)\b/i;
const storedHeader = /^(?:==> |--- |# )?\S*\.(?:out|ans|exp|expected|gold)\b.*\n([^\n]+)/gim;
const value =
  /0x[0-9a-fA-F]{4,}|\b[0-9a-f]*[0-9][0-9a-f]*[a-f][0-9a-f]*\b|-?\d[\d,_]*(?:\.\d+)?(?:e[+-]?\d+)?|"(?:[^"\n\\]|\\.){3,60}"|'(?:[^'\n\\]|\\.){3,60}'/g;

/** What every value has. */
const valueStart = /[\d"']/;

/** A comparison of what a program put out with what is stored; one of sources says nothing of values. */
const compares =
  /(?<!git )\b(?:diff|cmp|comm)\b(?![^\n|;&]*\.(?:py|js|ts|go|rs|c|cc|cpp|h|java|rb|php|kt|swift|ml|hs)\b)/;
const differing = /^[<>+-](?![<>+-]) ?(\S[^\n]*)$/gm;

const wantedGuard = guards.of(wanted);
const assertionGuard = guards.of(assertion);
const headerGuard = guards.of(storedHeader);
const storedGuard = guards.of(storedOutputs);
const cues: readonly Guarded[] = [wantedGuard, assertionGuard, headerGuard];

/** How far behind its cue a value may stand. */
const reach = 80;
/** Characters of a text in which values count as said. */
const saidUpTo = 100_000;
const longestObservation = 200_000;
const longestStored = 4_000;

/** The values of a text in order; those that are too common to say anything are left out. */
export function valuesIn(text: string): Value[] {
  const found: Value[] = [];
  if (!valueStart.test(text)) return found;
  for (const { 0: raw, index } of text.matchAll(value)) {
    const key = keyOf(raw);
    if (key !== null) found.push({ raw, key, at: index });
  }
  return found;
}

/** Whether a part may ask for values: a cue stands in it, or its command shows or compares what is stored. */
export function mayWant({ kind, text }: ScanPart, command: string, stands: Found): boolean {
  if (kind !== 'observation' || text.length >= longestObservation) return false;
  if (cues.some((cue) => cue.passes(stands))) return true;
  return text.length < longestStored && (compares.test(command) || showsStored(command));
}

const showsCommand = /\b(?:cat|head|tail|less|more|paste|type|read|view|open|jq)/i;

function showsStored(command: string): boolean {
  return showsCommand.test(command) && storedGuard.test(command);
}

function firstOfEach(values: readonly WantedValue[]): WantedValue[] {
  const first = new Map<string, WantedValue>();
  for (const each of values) if (!first.has(each.key)) first.set(each.key, each);
  return [...first.values()];
}

function wantedIn(text: string, command: string, stands: Found): WantedValue[] {
  const found: WantedValue[] = [];
  const take = (from: number, to: number): void => {
    for (const { key, at } of valuesIn(text.slice(from, to))) found.push({ key, ...lineAround(text, from + at) });
  };
  for (const match of wantedGuard.all(text, stands)) {
    const from = match.index + match[0].length;
    const newline = text.indexOf('\n', from);
    take(from, Math.min(newline < 0 ? text.length : newline, from + reach));
  }
  let taken = 0;
  for (const { index } of assertionGuard.all(text, stands)) {
    // Each line once, however often it asserts.
    if (index < taken) continue;
    const start = lineStart(text, index);
    taken = lineEnd(text, index);
    take(start, taken);
  }
  for (const match of headerGuard.all(text, stands))
    take(match.index + match[0].length - (match[1]?.length ?? 0), match.index + match[0].length);
  if (text.length < longestStored && compares.test(command))
    for (const match of text.matchAll(differing))
      take(match.index + match[0].length - (match[1]?.length ?? 0), match.index + match[0].length);
  if (text.length < longestStored && showsStored(command)) take(0, text.length);
  return found;
}

/** Whether a line ends here, as `^` and `$` see it. */
function isBreak(code: number): boolean {
  return code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
}

function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && !isBreak(text.charCodeAt(start - 1))) start--;
  return start;
}

function lineEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
  return end;
}

/** Numbers with fewer digits are everywhere. */
const fewestDigits = 3;
const doubleQuote = 34;
const singleQuote = 39;

/** The value in one form; null where it is too common to say anything. */
function keyOf(raw: string): string | null {
  if (raw.length < fewestDigits) return null;
  const first = raw.charCodeAt(0);
  if (first === doubleQuote || first === singleQuote) {
    const text = raw.slice(1, -1);
    if (/^(?:0x)?[0-9a-f.]{4,}$/i.test(text)) return keyOf(text);
    return text.length >= 5 &&
      /[\w]/.test(text) &&
      !/^[\w./-]+\.\w{1,4}$/.test(text) &&
      !/^(?:utf-?8|true|false|none|null|error|index|value|string|number)$/i.test(text)
      ? `"${text}`
      : null;
  }
  const bare = raw.replace(/[,_]/g, '').toLowerCase();
  if (/^-?\d+$/.test(bare)) {
    const digits = bare.replace('-', '').replace(/0+$/, '');
    return digits.length >= fewestDigits &&
      !/^(?:19|20)\d\d$/.test(bare) &&
      !/^(?:1024|2048|4096|8192|8080|1023|65535|65536|255|256|512)$/.test(bare)
      ? bare
      : null;
  }
  return bare.replace(/[^0-9a-f]/g, '').replace(/0+$/, '').length >= 4 ? bare : null;
}
