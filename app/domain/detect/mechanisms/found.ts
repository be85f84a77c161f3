// What mechanisms find, and the small steps that all of them take: units as matches, parts as hops.

import type { ChainHop } from '../../../contract/records.ts';
import { origin } from '../mapped.ts';
import type { Match } from '../match.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import type { ScanPart } from '../types.ts';

export interface Found {
  readonly match: Match;
  readonly chain: readonly ChainHop[];
  /** Says little by itself; else the rule decides. */
  readonly weak?: boolean;
}

const maxQuote = 240;

/** Characters [start, end) of a unit's text as a match. */
export function matchAt(unit: Unit, start: number, end: number): Match {
  return { unit, ...origin(unit.text, start, end), groups: {} };
}

/** The whole of a unit as a match, or its first line where it is long. */
export function wholeOf(unit: Unit): Match {
  const { text } = unit.text;
  const line = text.indexOf('\n');
  const end = text.length <= maxQuote ? text.length : line > 0 && line <= maxQuote ? line : maxQuote;
  return matchAt(unit, 0, end);
}

/** A span of a part's view text as a hop. */
export function hopAt(role: ChainHop['role'], part: ScanPart, start: number, end: number): ChainHop {
  const to = Math.min(end, start + maxQuote);
  return {
    role,
    item: part.item,
    part: part.part,
    segment: part.segment,
    step: part.step,
    start,
    end: to,
    quote: part.text.slice(start, to),
  };
}

/** Source and sink of a pair. */
export function pairOf(source: ChainHop, sink: Match): ChainHop[] {
  return [source, hopAt('sink', sink.unit.part, sink.start, sink.end)];
}

/** The line around a position. */
export function lineAround(text: string, at: number): { start: number; end: number } {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - maxQuote);
  const newline = text.indexOf('\n', at);
  return { start, end: Math.min(newline < 0 ? text.length : newline, start + maxQuote * 2) };
}

/** A command that is run, with what came back. */
export interface Run {
  readonly index: number;
  /** The text of the call. */
  readonly command: string;
  readonly observation: ScanPart;
  /** Part index of the observation. */
  readonly answer: number;
}

const runs = new WeakMap<Reading, readonly Run[]>();

/** The calls that execute something and were answered, in order. */
export function runsOf(reading: Reading): readonly Run[] {
  const known = runs.get(reading);
  if (known !== undefined) return known;
  const { rollout } = reading;
  const made: Run[] = [];
  for (const [index, answers] of rollout.observations) {
    const acts = reading.actionsAt(index);
    if (!acts.some(({ action }) => action?.verbs.some((verb) => verb === 'execute' || verb === 'install') === true))
      continue;
    const last = answers.at(-1);
    const observation = last === undefined ? undefined : rollout.parts[last];
    if (last === undefined || observation === undefined) continue;
    made.push({ index, command: rollout.parts[index]?.text ?? '', observation, answer: last });
  }
  made.sort((a, b) => a.answer - b.answer);
  runs.set(reading, made);
  return made;
}

/** Files that hold tests, by the usual names of many languages. */
export function isTestPath(path: string | null): boolean {
  return (
    path !== null &&
    /(?:^|\/)(?:tests?|__tests__|specs?|t|testing|testdata|fixtures?|__snapshots__)\/|(?:^|\/)(?:test_[^/]*|[^/]*[_.-](?:test|tests|spec))\.\w+$|(?:^|\/)[A-Z]\w*(?:Tests?|Spec|IT)\.\w+$/.test(
      path,
    )
  );
}

/** Files of prose and data, in which a value is a record and no shortcut. */
export function isProsePath(path: string | null): boolean {
  return (
    path !== null &&
    /\.(?:md|rst|txt|adoc|html?|json|jsonl|csv|tsv|ya?ml|toml|lock|xml|log|snap|svg|tex|ipynb)$/i.test(path)
  );
}
