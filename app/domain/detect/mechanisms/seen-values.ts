// Expected values that a failing test, a sample output or a listing of assertions showed, and that then stand as literals in the
// code: a table of answers instead of a method.

import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isProsePath, isTestPath, lineAround, matchAt, pairOf } from './found.ts';
import { type Value, valuesIn, valuesOfPart } from './values.ts';

interface Seen {
  /** Part index of the observation. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

const maxSeen = 4_000;

/** Literals of test-like observations that turn up in later code: two of them, or one under a comparison with a literal. */
export function* seenValues(reading: Reading): Generator<Found> {
  const wantedNow = literalsOf(reading);
  if (wantedNow.length === 0) return;
  const seen = seenIn(reading, wantedNow);
  if (seen.size === 0) return;
  const done = new Set<number>();
  for (const unit of [...(reading.rollout.units.get('patch') ?? [])]) {
    if (done.has(unit.index) || isTestPath(unit.path) || isProsePath(unit.path)) continue;
    const before = removedAt(reading, unit);
    const hits = new Map<string, { at: number; source: Seen }>();
    for (const { raw, key, at } of valuesOfUnit(reading, unit)) {
      const source = key === null ? undefined : seen.get(key);
      if (key === null || source === undefined || source.index >= unit.index || before.includes(raw)) continue;
      if (!hits.has(key)) hits.set(key, { at, source });
    }
    const first = [...hits.values()][0];
    if (first === undefined) continue;
    const isRare = [...hits.keys()].some((key) => /\d{4,}|\d\.\d{3,}/.test(key));
    if (hits.size < 2 && !isRare && !decides(unit.text.text, first.at)) continue;
    done.add(unit.index);
    const line = lineAround(unit.text.text, first.at);
    const sink = matchAt(unit, line.start, line.end);
    const part = reading.rollout.parts[first.source.index];
    if (part === undefined) continue;
    yield { match: sink, chain: pairOf(hopAt('source', part, first.source.start, first.source.end), sink) };
  }
}

/** The values that stand in code which the rollout wrote: only these need be looked for in what it saw. */
function literalsOf(reading: Reading): string[] {
  const found = new Set<string>();
  for (const unit of reading.rollout.units.get('patch') ?? []) {
    if (isTestPath(unit.path) || isProsePath(unit.path)) continue;
    for (const { raw, key } of valuesOfUnit(reading, unit))
      if (found.size < mostLiterals && key !== null) found.add(raw.replace(/^["']|["']$/g, ''));
  }
  return [...found];
}

const mostLiterals = 400;

function valuesOfUnit({ rollout: { growth } }: Reading, unit: Unit): readonly Value[] {
  const find = (): Value[] => valuesIn(unit.text.text);
  return growth === null ? find() : growth.valuesOf(unit, find);
}

function seenIn(reading: Reading, literals: readonly string[]): Map<string, Seen> {
  const { parts, growth } = reading.rollout;
  const found = new Map<string, Seen>();
  const known = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (found.size > maxSeen) break;
    const mentions = (some: readonly string[]): boolean => some.some((literal) => part.text.includes(literal));
    if (!(growth === null ? mentions(literals) : growth.mentions(part, literals, mentions))) continue;
    const call = part.kind === 'observation' ? reading.callOf(index) : undefined;
    const command = call === undefined ? '' : (parts[call]?.text ?? '');
    const values = growth === null ? valuesOfPart(part, command) : growth.partValues(part, command, valuesOfPart);
    const here = new Map<string, Seen>();
    for (const { key, start, end } of values.wanted)
      if (!known.has(key) && !here.has(key)) here.set(key, { index, start, end });
    for (const key of values.said) if (!here.has(key) && !found.has(key)) known.add(key);
    for (const [key, place] of here) if (!found.has(key)) found.set(key, place);
  }
  return found;
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
