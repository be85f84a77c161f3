// Expected values that a failing test, a sample output or a listing of assertions showed, and that then stand as literals in the
// code: a table of answers instead of a method.

import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isProsePath, isTestPath, lineAround, matchAt, pairOf } from './found.ts';
import { mayWant, PartValues, type Value, valuesIn } from './values.ts';

interface Seen {
  /** Part index of the observation. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
}

/** A patch of code with the values in it. */
interface Written {
  readonly unit: Unit;
  readonly values: readonly Value[];
}

/** Literals of test-like observations that turn up in later code: two of them, or one under a comparison with a literal. */
export function* seenValues(reading: Reading): Generator<Found> {
  const patches = (reading.rollout.units.get('patch') ?? []).filter(
    ({ path }) => !isTestPath(path) && !isProsePath(path),
  );
  const asking = askingBefore(patches.at(-1)?.index ?? 0, reading);
  if (asking.length === 0) return;
  const written = patches.map((unit) => ({ unit, values: valuesOfUnit(reading, unit) }));
  const seen = seenIn(reading, asking, written);
  if (seen.size === 0) return;
  const done = new Set<number>();
  for (const { unit, values } of written) {
    if (done.has(unit.index)) continue;
    const hits = new Map<string, { at: number; source: Seen }>();
    let before: string | null = null;
    for (const { raw, key, at } of values) {
      const source = seen.get(key);
      if (source === undefined || source.index >= unit.index || hits.has(key)) continue;
      before ??= removedAt(reading, unit);
      if (!before.includes(raw)) hits.set(key, { at, source });
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

/** The parts before this one that may ask for values. */
function askingBefore(last: number, reading: Reading): number[] {
  const { parts, mentions } = reading.rollout;
  const asking: number[] = [];
  for (let index = 0; index < last; index++) {
    const part = parts[index];
    if (part?.kind === 'observation' && mayWant(part, commandOf(index, reading), mentions.inPart(index)))
      asking.push(index);
  }
  return asking;
}

/** The text of the call that an observation answers; empty where none is known. */
function commandOf(index: number, reading: Reading): string {
  const { parts } = reading.rollout;
  const call = parts[index]?.kind === 'observation' ? reading.callOf(index) : undefined;
  return call === undefined ? '' : (parts[call]?.text ?? '');
}

const mostLiterals = 400;

/** The values as they stand in the code. */
function literalsOf(written: readonly Written[]): string[] {
  const found = new Set<string>();
  for (const { values } of written)
    for (const { raw } of values) if (found.size < mostLiterals) found.add(raw.replace(/^["']|["']$/g, ''));
  return [...found];
}

function valuesOfUnit({ rollout: { growth } }: Reading, unit: Unit): readonly Value[] {
  const find = (): Value[] => valuesIn(unit.text.text);
  return growth === null ? find() : growth.valuesOf(unit, find);
}

/** The values of the code that an observation asked for first: before anyone said them. */
function seenIn(reading: Reading, asking: readonly number[], written: readonly Written[]): Map<string, Seen> {
  const code = new CodeValues(reading, written);
  const found = new Map<string, Seen>();
  for (const index of asking)
    for (const { key, start, end } of code.valuesAt(index)?.wanted ?? [])
      if (code.keys.has(key) && !found.has(key) && code.isMentionedAt(index)) found.set(key, { index, start, end });
  // What was said before it was asked for is no news.
  const last = Math.max(0, ...Array.from(found.values(), ({ index }) => index));
  for (let index = 0; index < last; index++) {
    const open = [...found].flatMap(([key, seen]) => (seen.index > index ? key : []));
    const values = code.valuesAt(index);
    if (values === null || (open.length < manyKeys && !open.some((key) => values.maySay(key)))) continue;
    if (!code.isMentionedAt(index)) continue;
    const said = new Set(values.said);
    for (const key of open) if (said.has(key)) found.delete(key);
  }
  return found;
}

/** For more keys than this all values of a text are read at once. */
const manyKeys = 12;

/** The values of the code, looked for in the parts of the rollout. */
class CodeValues {
  readonly keys: ReadonlySet<string>;
  readonly #reading: Reading;
  readonly #literals: readonly string[];
  readonly #known = new Map<number, PartValues>();

  constructor(reading: Reading, written: readonly Written[]) {
    this.#reading = reading;
    this.#literals = literalsOf(written);
    this.keys = new Set(written.flatMap(({ values }) => values.map(({ key }) => key)));
  }

  valuesAt(index: number): PartValues | null {
    const { parts, mentions, growth } = this.#reading.rollout;
    const part = parts[index];
    const known = this.#known.get(index);
    if (known !== undefined || part === undefined) return known ?? null;
    const command = commandOf(index, this.#reading);
    const make = (): PartValues => new PartValues(part, command, mentions.inPart(index));
    const values = growth === null ? make() : growth.partValues(part, command, make);
    this.#known.set(index, values);
    return values;
  }

  /** Whether a part mentions a value just as the code writes it: a part that mentions none has nothing to do with the code. */
  isMentionedAt(index: number): boolean {
    const { parts, growth } = this.#reading.rollout;
    const part = parts[index];
    if (part === undefined) return false;
    const find = (some: readonly string[]): boolean => some.some((literal) => part.text.includes(literal));
    return growth === null ? find(this.#literals) : growth.mentions(part, this.#literals, find);
  }
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
