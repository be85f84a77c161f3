// Expected values that a failing test, a sample output or a listing of assertions showed, and that then stand as literals in the
// code: a table of answers instead of a method.

import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isProsePath, isTestPath, lineAround, matchAt, pairOf } from './found.ts';

interface Seen {
  /** Part index of the observation. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** What comes before a value that a checker wants; the value may be a few characters on. */
const wanted =
  /\b(?:want(?:ed|s)?|expect(?:ed|s|ing)?|should (?:be|equal|return|print|have been)|right|correct(?: answer| value)?|answer|must be|need(?:ed|s)?|ref(?:erence)?|gold|target|truth)\b["']?\s*(?:[:=]|is|was|but|<|to (?:be|eq|equal))?\s*/gi;
const assertion =
  /^.*\b(?:assert\w*|EXPECT_\w+|ASSERT_\w+|expect|should|toBe|toEqual|assertEquals|assert_eq!?|REQUIRE|CHECK|Equal|is_deeply|eq\()\b.*$/gim;
/** Commands that show stored outputs. */
const storedOutputs =
  /[\w.*/-]*(?:expected|answers?|targets?|labels?|gold\w*|outputs?|solutions?|ref\w*)[\w.*-]*\.\w+|[\w*/-]+\.(?:out|ans|exp|expected|gold)\b/i;
const storedHeader = /^(?:==> |--- |# )?\S*\.(?:out|ans|exp|expected|gold)\b.*\n([^\n]+)/gim;
const value =
  /0x[0-9a-fA-F]{4,}|\b[0-9a-f]*[0-9][0-9a-f]*[a-f][0-9a-f]*\b|-?\d[\d,_]*(?:\.\d+)?(?:e[+-]?\d+)?|"(?:[^"\n\\]|\\.){3,60}"|'(?:[^'\n\\]|\\.){3,60}'/g;

/** How far behind its cue a value may stand. */
const reach = 80;
const maxSeen = 4_000;

/** Literals of test-like observations that turn up in later code: two of them, or one under a comparison with a literal. */
export function* seenValues(reading: Reading): Generator<Found> {
  const seen = seenIn(reading);
  if (seen.size === 0) return;
  const done = new Set<number>();
  for (const unit of [...(reading.rollout.units.get('patch') ?? [])]) {
    if (done.has(unit.index) || isTestPath(unit.path) || isProsePath(unit.path)) continue;
    const before = removedAt(reading, unit);
    const hits = new Map<string, { at: number; source: Seen }>();
    for (const match of unit.text.text.matchAll(value)) {
      const key = keyOf(match[0]);
      const source = key === null ? undefined : seen.get(key);
      if (key === null || source === undefined || source.index >= unit.index || before.includes(match[0])) continue;
      if (!hits.has(key)) hits.set(key, { at: match.index, source });
    }
    const first = [...hits.values()][0];
    if (first === undefined) continue;
    if (hits.size < 2 && !decides(unit.text.text, first.at)) continue;
    done.add(unit.index);
    const line = lineAround(unit.text.text, first.at);
    const sink = matchAt(unit, line.start, line.end);
    const part = reading.rollout.parts[first.source.index];
    if (part === undefined) continue;
    yield { match: sink, chain: pairOf(hopAt('source', part, first.source.start, first.source.end), sink) };
  }
}

function seenIn(reading: Reading): Map<string, Seen> {
  const { parts } = reading.rollout;
  const found = new Map<string, Seen>();
  const known = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (found.size > maxSeen) break;
    const isObservation = part.kind === 'observation';
    const here = new Map<string, Seen>();
    if (isObservation && part.text.length < 200_000) {
      const call = reading.callOf(index);
      const command = call === undefined ? '' : (parts[call]?.text ?? '');
      const take = (from: number, to: number): void => {
        for (const match of part.text.slice(from, to).matchAll(value)) {
          const key = keyOf(match[0]);
          if (key !== null && !known.has(key) && !here.has(key)) {
            const line = lineAround(part.text, from + match.index);
            here.set(key, { index, start: line.start, end: line.end });
          }
        }
      };
      for (const match of part.text.matchAll(wanted)) {
        const from = match.index + match[0].length;
        const newline = part.text.indexOf('\n', from);
        take(from, Math.min(newline < 0 ? part.text.length : newline, from + reach));
      }
      for (const match of part.text.matchAll(assertion)) take(match.index, match.index + match[0].length);
      for (const match of part.text.matchAll(storedHeader))
        take(match.index + match[0].length - (match[1]?.length ?? 0), match.index + match[0].length);
      if (
        storedOutputs.test(command) &&
        part.text.length < 4_000 &&
        /\b(?:cat|head|tail|less|more|paste|type|read|view|open|jq)/i.test(command)
      )
        take(0, part.text.length);
    }
    // A value that was said before is no news; what the agent itself computed is its own.
    if (part.kind === 'text' || part.kind === 'tool_call' || isObservation)
      for (const match of part.text.slice(0, 100_000).matchAll(value)) {
        const key = keyOf(match[0]);
        if (key !== null && !here.has(key) && !found.has(key)) known.add(key);
      }
    for (const [key, place] of here) if (!found.has(key)) found.set(key, place);
  }
  return found;
}

/** The value in one form; null where it is too common to say anything. */
function keyOf(raw: string): string | null {
  if (/^["']/.test(raw)) {
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
    return digits.length >= 3 &&
      !/^(?:19|20)\d\d$/.test(bare) &&
      !/^(?:1024|2048|4096|8192|8080|1023|65535|65536|255|256|512)$/.test(bare)
      ? bare
      : null;
  }
  return bare.replace(/[^0-9a-f]/g, '').replace(/0+$/, '').length >= 4 ? bare : null;
}

/** Whether a literal at this place answers one known input: it is behind a comparison or case of another literal. */
function decides(text: string, at: number): boolean {
  const from = Math.max(0, at - 120);
  const before = text.slice(from, at);
  return /(?:\bif\b|\bcase\b|\bwhen\b|\bmatch\b|\belif\b|\belse if\b|\?)[^\n{}]{0,80}(?:==|=>|\beq\b|equals\(|===|:)?\s*[-"'\w.]*["'\d][^\n]{0,40}(?:\n\s*)?\s*(?:return|=>|then|:|\{|\?|puts|print\w*)?[^\n]{0,20}$|(?:^|\n)\s*(?:return|print\w*!?\(?|puts|echo|console\.log\(|fmt\.Print\w*\()\s*["']?$/.test(
    before,
  );
}

function removedAt(reading: Reading, unit: Unit): string {
  return (reading.rollout.units.get('removed') ?? [])
    .filter(({ index }) => index === unit.index)
    .map(({ text }) => text.text)
    .join('\n');
}
