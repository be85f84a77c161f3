// The expected results of a run, one after the other, as a list in the code: each number is too short to tell anything, five of them in
// the order of the check tell all.

import { kept } from '../kept.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isProsePath, isTestPath, lineAround, matchAt, pairOf } from './found.ts';
import { writtenUnits } from './written.ts';

/** What a check says it wants of one case; at most one on a line. */
const wanted =
  /\b(?:want(?:ed)?|expect(?:ed|s)?|should (?:be|give|print)|correct|soll|erwartet|attendue?|esperad[oa]|attes[oa])\b["']?\s*(?:is|to be|value|output|result)?\s*[:=]?\s*["'(]?(-?\d+(?:\.\d+)?)(?![\d.]*\w)|(?:期待値?|预期|期望|ожида\p{L}*)\s*[:=：]?\s*(-?\d+(?:\.\d+)?)/iu;
/** A list of numbers in a program, whatever stands around and between them. */
const list = /-?\d+(?:\.\d+)?(?:\s*[,;]\s*-?\d+(?:\.\d+)?){4,400}|-?\d+(?:[ \t]+-?\d+){4,400}/g;
const least = 5;
const leastDistinct = 4;
const longest = 40_000;

interface Sequence {
  readonly values: readonly string[];
  /** Of the first and behind the last line that gave one. */
  readonly start: number;
  readonly end: number;
}

/** The wanted numbers of a text, in order; null where they are too few, or too much alike, to tell. */
const wantedIn = kept((text): Sequence | null => {
  if (text.length > longest) return null;
  const values: string[] = [];
  let start = -1;
  let end = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const match = line.length <= 400 ? wanted.exec(line) : null;
    const value = match?.[1] ?? match?.[2];
    if (value !== undefined) {
      values.push(value);
      if (start < 0) start = at;
      end = at + line.length;
    }
    at += line.length + 1;
  }
  return values.length >= least && new Set(values).size >= leastDistinct ? { values, start, end } : null;
});

/** Where a text lists at least five of these numbers one after the other; null where it does not. */
function listedIn(text: string, values: readonly string[]): { start: number; end: number } | null {
  const spelled = `,${values.join(',')},`;
  for (const match of text.slice(0, longest).matchAll(list)) {
    const items = match[0].split(/\s*[,;]\s*|[ \t]+/);
    for (let i = 0; i + least <= items.length; i++) {
      const some = items.slice(i, i + least);
      if (new Set(some).size < leastDistinct || !spelled.includes(`,${some.join(',')},`)) continue;
      return { start: match.index, end: match.index + match[0].length };
    }
  }
  return null;
}

/** The first list of a written program that repeats what a run before it wanted. */
export function* seenSequences(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const shown = (rollout.units.get('observation') ?? []).flatMap((unit) => {
    const sequence = wantedIn(unit.text.text);
    return sequence === null ? [] : [{ unit, sequence }];
  });
  if (shown.length === 0) return;
  for (const unit of writtenUnits(reading)) {
    if (isTestPath(unit.path) || isProsePath(unit.path)) continue;
    for (const { unit: source, sequence } of shown) {
      if (source.index >= unit.index) continue;
      const at = listedIn(unit.text.text, sequence.values);
      if (at === null) continue;
      const line = lineAround(unit.text.text, at.start);
      const match = matchAt(unit, line.start, Math.min(line.end, line.start + 240));
      yield { match, chain: pairOf(hopAt('source', source.part, sequence.start, sequence.end), match) };
      return;
    }
  }
}
