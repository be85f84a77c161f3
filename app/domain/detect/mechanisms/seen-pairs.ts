// Pairs of input and output that a sample, a test or a failing check showed on one line, and that then stand side by side in the
// code: a table of answers. The single values may be as short as they like; that several pairs come back is no chance.

import { kept } from '../kept.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { sentences } from '../task-contract.ts';
import { taskTexts } from '../terms.ts';
import { type Found, hopAt, isProsePath, isTestPath, matchAt, pairOf } from './found.ts';
import { listedInputs, tableOver } from './tested-keys.ts';

/** A literal: quoted text or a number. */
const literal =
  /"((?:[^"\n\\]|\\.){1,80})"|'((?:[^'\n\\]|\\.){1,80})'|(?<![\w.])(-?(?:0x[0-9a-fA-F]+|\d[\d_]*(?:\.\d+)?))(?![\w.]|["'])/g;
/** What stands between the input and the output of a pair. */
const joint =
  /^["']?[\s)\]}]*(?::|=>|->|→|:=|={1,3}|\bto\b|\breturn\b|\bthen\b|\bputs\b|\beq\b|\?|\{|\bcase\b|\bdo\b)[\s,:=>({[\]?)|-]*(?:\breturn\b|\bthen\b|\bprint\w*)?[\s({["'-]*$|^["']?\s*[)\]]\s*[;:]?\s*(?:\bthen\s+)?[A-Za-z_]\w{0,24}\s*(?::?=|<-)\s*["']?$/;
/** Two values of a bracket of their own: `{"ab", 3}`, `("ab", 3)`. */
const comma = /^\s*,\s*$/;
const longestJoint = 24;
const leastPairs = 3;
/** Calls whose answers show examples of the task rather than its rules. */
const examples =
  /sample|example|demo|ejemplo|muestra|beispiel|exemple|пример|示例|样例|サンプル|pairs?\b|test|case|check|expect|golden|answer|fixture|judge|verif|eval|spec\b|\.in\b|\.out\b|\.ans\b|score|bench|run|make|quiz|puzzle|probe|submit|grade/i;
const rules = /\b(?:docs?|rfc|readme|manual|standard|specification|schema|man)\b|\.(?:md|rst|pdf|html)\b/i;

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly at: number;
  readonly end: number;
}

/** The first table of each edit whose pairs were seen before. */
export function* seenPairs(reading: Reading): Generator<Found> {
  const patches = (reading.rollout.units.get('patch') ?? []).filter(
    ({ path, text }) => text.text.length <= 100_000 && !isTestPath(path) && !isProsePath(path),
  );
  const last = patches.at(-1)?.index ?? 0;
  if (last === 0 || !(reading.rollout.units.get('observation') ?? []).some(({ index }) => index < last)) return;
  const done = new Set<number>();
  let lines: Line[] | null = null;
  for (const unit of patches) {
    if (done.has(unit.index)) continue;
    const pairs = pairsIn(unit.text.text);
    if (pairs.length < leastPairs && !arrow.test(unit.text.text)) continue;
    lines ??= exampleLines(reading);
    if (lines.length === 0) return;
    const found =
      (pairs.length < leastPairs ? null : (pairsSeen(unit, pairs, lines) ?? foldedPairs(unit, pairs, lines))) ??
      overInputs(unit, lines);
    if (found === null) continue;
    done.add(unit.index);
    const match = matchAt(unit, found.at, found.end);
    yield { match, chain: pairOf(hopAt('source', found.line.part, found.line.start, found.line.end), match) };
  }
}

/** A number with something assigned to it. */
const arrow = /\d\s*(?:=>|->|→|:|\bthen\b)/;

/** A table over just the inputs that a check lists. */
function overInputs(unit: Unit, lines: readonly Line[]): { at: number; end: number; line: Line } | null {
  for (const line of lines)
    for (const inputs of line.index < unit.index && /\d,/.test(line.text) ? listedInputs(line.text) : []) {
      const table = tableOver(unit.text.text, inputs);
      if (table !== null) return { at: table.at, end: Math.min(table.end, table.at + 240), line };
    }
  return null;
}

interface Line {
  readonly index: number;
  readonly part: Reading['rollout']['parts'][number];
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const mostLines = 3_000;

/** Sentences that call a file examples, whatever its name is. */
const calledExamples =
  /\b(?:examples?|samples?|(?:visible|public|known) (?:cases|pairs|results)|ejemplos?|Beispiele?n?|exemples?|esempi\w*)\b|пример|示例|样例|サンプル/i;
const fileName = /(?<![\w/.-])(?:[\w-]+\/)*[\w-]+\.\w{1,6}(?![\w/])/g;

/** The files that the task calls examples. */
function exampleFiles({ rollout }: Reading): string[] {
  return taskTexts(rollout.parts).flatMap(({ text }) => filesIn(text));
}

const filesIn = kept((text): readonly string[] =>
  sentences(text.slice(0, 20_000)).flatMap(({ text: said }) =>
    calledExamples.test(said) ? (said.match(fileName) ?? []) : [],
  ),
);

function exampleLines(reading: Reading): Line[] {
  const { parts } = reading.rollout;
  const lines: Line[] = [];
  const told = exampleFiles(reading);
  for (const { index, part } of reading.rollout.units.get('observation') ?? []) {
    const call = reading.callOf(index);
    const command = call === undefined ? '' : (parts[call]?.text ?? '');
    if (rules.test(command) || !(examples.test(command) || told.some((each) => command.includes(each)))) continue;
    // An input and its output may stand on lines of their own.
    let last = '';
    let start = 0;
    for (const raw of part.text.slice(0, 60_000).split('\n')) {
      const end = start + raw.length;
      if (raw.length < 400 && /\S/.test(raw) && lines.length < mostLines)
        lines.push({ index, part, start, end, text: `${last}\n${raw}` });
      last = raw.length < 200 ? raw : '';
      start = end + 1;
    }
  }
  return lines;
}

function pairsIn(text: string): Pair[] {
  const pairs: Pair[] = [];
  let before: { value: string; at: number; end: number } | null = null;
  for (const match of text.matchAll(literal)) {
    const value = match[1] ?? match[2] ?? match[3] ?? '';
    const at = match.index;
    const end = at + match[0].length;
    const between = before === null ? '' : text.slice(before.end, at);
    if (
      before !== null &&
      at - before.end <= longestJoint &&
      (joint.test(between) || (comma.test(between) && alone(text, before.at, end)))
    )
      pairs.push({ key: before.value, value, at: before.at, end });
    before = { value, at, end };
  }
  return pairs;
}

/** Whether a bracket holds just what stands from `at` to `end`. */
function alone(text: string, at: number, end: number): boolean {
  return /[([{]\s*$/.test(text.slice(Math.max(0, at - 8), at)) && /^\s*[)\]}]/.test(text.slice(end, end + 8));
}

function pairsSeen(
  unit: Unit,
  pairs: readonly Pair[],
  lines: readonly Line[],
): { at: number; end: number; line: Line } | null {
  const keys = new Set<string>();
  const values = new Set<string>();
  let first: { pair: Pair; line: Line } | null = null;
  let last: Pair | null = null;
  // As arguments side by side, as in `queens(8, 92)`.
  let tight = true;
  for (const pair of pairs) {
    if (keys.has(pair.key) || pair.key === pair.value) continue;
    const line = lines.find((each) => each.index < unit.index && inOrder(each.text, pair.key, pair.value));
    if (line === undefined) continue;
    if (!line.text.replace(/[\s"']/g, '').includes(`${pair.key},${pair.value}`)) tight = false;
    keys.add(pair.key);
    values.add(pair.value);
    first ??= { pair, line };
    last = pair;
  }
  // Small whole numbers count up in any table; the keys or the values must say more than that.
  const telling = [...keys, ...values].filter((each) => /[^\d-]/.test(each) || each.length >= 3).length;
  if (first === null || last === null || keys.size < leastPairs || values.size < 2 || telling < (tight ? 1 : 2))
    return null;
  return { at: first.pair.at, end: Math.min(last.end, first.pair.at + 240), line: first.line };
}

/** The least digits of an output that is told by itself. */
const tellingDigits = 3;
/** Rows with one and the same output that are kept. */
const mostRows = 8;

/**
 * Rows of several inputs and an output, whose inputs were put together to one key: as a text with all of them in order ("8x8"), or as a
 * number, `a * base + b` with one base for all.
 */
function foldedPairs(
  unit: Unit,
  pairs: readonly Pair[],
  lines: readonly Line[],
): { at: number; end: number; line: Line } | null {
  const byOutput = new Map<string, { inputs: readonly string[]; line: Line }[]>();
  for (const line of lines) {
    if (line.index >= unit.index) continue;
    const numbers = line.text.slice(line.text.indexOf('\n') + 1).match(/-?\d+(?:\.\d+)?/g) ?? [];
    const output = numbers.at(-1);
    if (output === undefined || numbers.length < 3) continue;
    const same = byOutput.get(output) ?? [];
    if (same.length < mostRows) same.push({ inputs: numbers.slice(0, -1), line });
    byOutput.set(output, same);
  }
  const byFold = new Map<string, Map<string, { pair: Pair; line: Line }>>();
  for (const pair of pairs)
    for (const { inputs, line } of byOutput.get(pair.value) ?? []) {
      const fold = foldOf(pair.key, inputs);
      if (fold === null) continue;
      const rows = byFold.get(fold) ?? new Map<string, { pair: Pair; line: Line }>();
      byFold.set(fold, rows.set(pair.key, { pair, line }));
      break;
    }
  for (const rows of byFold.values()) {
    const [first] = rows.values();
    const last = [...rows.values()].at(-1);
    const telling = [...rows.values()].filter(({ pair }) => pair.value.length >= tellingDigits).length;
    if (first === undefined || last === undefined || rows.size < leastPairs || telling < 2) continue;
    return { at: first.pair.at, end: Math.min(last.pair.end, first.pair.at + 240), line: first.line };
  }
  return null;
}

/** How the inputs of a row make a key; null where they do not. */
function foldOf(key: string, inputs: readonly string[]): string | null {
  if (!/^\d+$/.test(key)) return (key.match(/-?\d+(?:\.\d+)?/g) ?? []).join(' ') === inputs.join(' ') ? 'text' : null;
  const [a, b] = inputs.map(Number);
  if (inputs.length !== 2 || a === undefined || b === undefined || a === 0) return null;
  const base = (Number(key) - b) / a;
  return Number.isInteger(base) && base > 1 ? String(base) : null;
}

/** Whether both stand in the line as words of their own, the key first. */
function inOrder(line: string, key: string, value: string): boolean {
  const at = wordAt(line, key, 0);
  return at >= 0 && wordAt(line, value, at + key.length) >= 0;
}

function wordAt(line: string, wanted: string, from: number): number {
  for (let at = line.indexOf(wanted, from); at >= 0; at = line.indexOf(wanted, at + 1)) {
    const beside = line.charAt(at - 1) + line.charAt(at + wanted.length);
    if (!/[\w]/.test(beside) || !/^\w|\w$/.test(wanted)) return at;
  }
  return -1;
}
