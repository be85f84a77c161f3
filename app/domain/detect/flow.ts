// Value flow: what a suspicious act brought up (rare tokens of its observations, files it wrote) is followed through later
// commands, notes and summaries into what the rollout delivers. The first slice of taint tracking: tokens and paths, no
// semantics.

import type { ChainHop } from '../../contract/records.ts';
import type { CompiledMatcher, CompiledRule } from './compile.ts';
import { origin } from './mapped.ts';
import { type Match, matches, unitMatches } from './match.ts';
import { isRefused } from './outcome.ts';
import type { PreparedRollout, Unit } from './prepare.ts';
import type { Reading } from './reading.ts';
import { enough, Lexicon } from './tokens.ts';

/** A sink with the chain that led there. */
export interface Flow {
  readonly sink: Match;
  readonly chain: readonly ChainHop[];
}

interface Taint {
  readonly source: Match;
  /** Numbers of words with their weights, and numbers of lines. */
  readonly words: Map<number, number>;
  readonly lines: Set<number>;
  readonly paths: Set<string>;
  /** Names under which a tainted text was put away: memory keys, notes, agents' notes. */
  readonly keys: Set<string>;
  readonly hops: ChainHop[];
}

const maxSources = 12;
const maxSinks = 6;
const maxCarriers = 5;
const maxQuote = 240;

/** The flows of a rule with `from`: one per sink. */
export function flows(rule: CompiledRule, reading: Reading): Flow[] {
  const { rollout } = reading;
  const { from } = rule;
  if (from === null) return [];
  const found: Flow[] = [];
  let sources = 0;
  let last = -1;
  for (const source of matches(from.matcher, reading)) {
    // One call is one source, however many of its spans match.
    if (source.unit.index === last) continue;
    last = source.unit.index;
    if (isRefused(source.unit, reading)) continue;
    if (++sources > maxSources) break;
    found.push(...follow(source, rule, from.hops, reading, lexiconOf(rollout)));
  }
  return found;
}

/** The flows from one source, found by a mechanism, into what the rule reads: one per sink. */
export function flowsFrom(source: Match, rule: CompiledRule, reading: Reading): Flow[] {
  return isRefused(source.unit, reading) ? [] : follow(source, rule, 2, reading, lexiconOf(reading.rollout));
}

/** One lexicon per rollout serves all flow rules. */
const lexicons = new WeakMap<PreparedRollout, Lexicon>();

function lexiconOf(rollout: PreparedRollout): Lexicon {
  const known = lexicons.get(rollout) ?? new Lexicon(rollout.parts);
  lexicons.set(rollout, known);
  return known;
}

function follow(source: Match, rule: CompiledRule, hops: number, reading: Reading, lexicon: Lexicon): Flow[] {
  const { rollout } = reading;
  const taint: Taint = { source, words: new Map(), lines: new Set(), paths: new Set(), keys: new Set(), hops: [] };
  const observed =
    source.unit.target === 'observation' ? [source.unit.index] : (rollout.observations.get(source.unit.index) ?? []);
  for (const index of observed) takeTokens(taint, index, rollout, lexicon);
  for (const action of reading.actionsAt(source.unit.index)) takePaths(taint, action);
  taint.hops.push(hop('source', source.unit, source.start, source.end));
  const found: Flow[] = [];
  const searched = source.unit.action?.verbs.includes('search') === true || source.unit.target === 'observation';
  let opened = false;
  for (const unit of laterUnits(rollout, source.unit.index)) {
    if (found.length >= maxSinks) break;
    let carried = contact(taint, unit, lexicon);
    // What a search for answers found is opened next, by the number of the hit.
    if (carried === null && searched && !opened && opensHit(unit)) carried = origin(unit.text);
    if (unit.target === 'action' && unit.action?.whole === true) opened = true;
    if (carried === null) continue;
    const targets = rule.matcher.targets;
    const isSink =
      targets.includes(unit.target) &&
      (unit.target !== 'action' || delivers(unit)) &&
      !(unit.target === 'patch' && putsAway(unit)) &&
      passes(rule.matcher, unit, reading);
    if (isSink && taint.hops.length + 1 >= hops) {
      const chain = [...taint.hops, hop('sink', unit, carried.start, carried.end)];
      found.push({ sink: { unit, ...carried, groups: {} }, chain });
    }
    if (unit.target === 'action' || unit.target === 'summary') carry(taint, unit, carried, rollout, lexicon);
  }
  return found;
}

/** Tokens and lines that the observation says first become tainted. */
function takeTokens(taint: Taint, index: number, rollout: PreparedRollout, lexicon: Lexicon): void {
  const text = rollout.parts[index]?.text ?? '';
  const { ids, weights } = lexicon.words(text);
  for (const [i, id] of ids.entries()) if (lexicon.standsFirst(id, index)) taint.words.set(id, weights[i] ?? 0);
  for (const id of lexicon.lines(text).ids) if (lexicon.standsFirst(id, index)) taint.lines.add(id);
}

/** Files that a tainted action writes become tainted; so does the temporary folder in which something was fetched. */
function takePaths(taint: Taint, unit: Unit): void {
  const { action } = unit;
  if (action === null) return;
  takeKeys(taint, unit);
  for (const object of action.objects) if (object.verb === 'write' && !object.isUrl) taint.paths.add(object.path);
  if (action.cwd.startsWith('/tmp/') && action.verbs.some((verb) => verb === 'fetch' || verb === 'install'))
    taint.paths.add(action.cwd);
}

/** A tool call that opens something by a short handle, as a hit of the search before. */
function opensHit({ target, action, text, part }: Unit): boolean {
  return (
    target === 'action' &&
    part.kind === 'tool_call' &&
    text.text.length <= 40 &&
    /read|open|get|fetch|view|load|show|download/.test(action?.program ?? '')
  );
}

/** Whether a write only puts a text away for later: what stands in a note is not delivered yet. */
function putsAway({ action, path }: Unit): boolean {
  return path === null && /note|memor|clip|scratch|cache|kv|remember|context/.test(action?.program ?? '');
}

/** Names of what a tool was told to store or hand on. */
function takeKeys(taint: Taint, { text, action }: Unit): void {
  if (action === null || !storing.test(action.program)) return;
  for (const match of text.text.matchAll(storedName)) {
    const name = match[1] ?? match[2] ?? '';
    if (name.length >= 4) taint.keys.add(name);
  }
}

const storing =
  /note|memor|store|save|kv|cache|clip|board|agent|delegat|spawn|task|scratch|remember|put|set|write|calendar|todo|var|context/;
const storedName =
  /^(?:key|name|title|id|label|slot|variable|topic): ([A-Za-z][\w.:-]{3,60})$|\b(?:under|as|to|into|in|with) (?:the )?(?:key|note|name|slot|memory|variable|entry|label|title)\s+[`"'“]?([A-Za-z][\w-]{3,40})/gim;

function carry(
  taint: Taint,
  unit: Unit,
  span: { start: number; end: number },
  rollout: PreparedRollout,
  lexicon: Lexicon,
): void {
  takePaths(taint, unit);
  if (unit.action !== null)
    for (const index of rollout.observations.get(unit.index) ?? []) takeTokens(taint, index, rollout, lexicon);
  const last = taint.hops.at(-1);
  if (taint.hops.length > maxCarriers || last?.item === unit.part.item) return;
  taint.hops.push(hop('carrier', unit, span.start, span.end));
}

/** Where a unit touches the taint: an object in a tainted place, or tokens that came from there; null when it does not. */
function contact(taint: Taint, unit: Unit, lexicon: Lexicon): { start: number; end: number } | null {
  const object = unit.action?.objects.find((each) => each.verb !== 'delete' && within(taint.paths, each.path));
  if (object !== undefined && unit.target === 'action') return { start: object.start, end: object.end };
  const text = unit.text.text;
  if (unit.target === 'action')
    for (const key of taint.keys) {
      const at = text.indexOf(key);
      if (at >= 0 && !/[\w-]/.test(text.charAt(at - 1) + text.charAt(at + key.length)))
        return origin(unit.text, at, at + key.length);
    }
  if (taint.words.size === 0 || text === '') return null;
  const lines = lexicon.lines(text);
  for (const [i, id] of lines.ids.entries()) {
    if (taint.lines.has(id)) return origin(unit.text, lines.start[i], lines.end[i]);
  }
  const words = lexicon.words(text);
  const distinct = new Map<number, { at: number; weight: number }>();
  let sum = 0;
  for (const [i, id] of words.ids.entries()) {
    const weight = taint.words.get(id);
    if (weight === undefined || distinct.has(id)) continue;
    distinct.set(id, { at: words.at[i] ?? 0, weight });
    sum += weight;
  }
  if (sum < enough) return null;
  const first = [...distinct.values()].toSorted((a, b) => b.weight - a.weight || a.at - b.at)[0]?.at ?? 0;
  return origin(unit.text, lineStart(text, first), lineEnd(text, first));
}

function within(paths: ReadonlySet<string>, path: string): boolean {
  if (paths.has(path)) return true;
  for (const folder of paths) if (folder.length > 4 && path.startsWith(`${folder}/`)) return true;
  return false;
}

/** Whether an action puts something in place: writes outside the temporary folders, applies a patch, submits or commits. */
function delivers(unit: Unit): boolean {
  const { action } = unit;
  if (action === null) return false;
  if (/^(?:git|patch)$/.test(action.program) && /\b(?:apply|am|patch|cherry-pick)\b/.test(action.text.text))
    return true;
  if (
    /submit|answer|send|publish|commit|finish|report|post|reply|final|form|doc_|document|delegat|spawn|agent/.test(
      action.program,
    )
  )
    return true;
  if (action.objects.length === 0 && action.patches.length === 0) return action.verbs.includes('write');
  return action.objects.some((object) => object.verb === 'write' && !/^\/(?:tmp|var\/tmp|dev)\//.test(object.path));
}

function passes(matcher: CompiledMatcher, unit: Unit, reading: Reading): boolean {
  if (matcher.any === null && matcher.classes === null && matcher.verbs === null && matcher.also.length === 0)
    return true;
  return unitMatches(matcher, unit, reading).length > 0;
}

const followed = ['action', 'patch', 'summary', 'message'] as const;

function laterUnits(rollout: PreparedRollout, index: number): Unit[] {
  return followed
    .flatMap((target) =>
      (rollout.units.get(target) ?? []).filter(
        (unit) =>
          unit.index > index || (unit.index === index && unit.target === 'action' && unit.action?.whole === false),
      ),
    )
    .toSorted((a, b) => a.index - b.index);
}

function hop(role: ChainHop['role'], unit: Unit, start: number, end: number): ChainHop {
  const { item, part, segment, step, text } = unit.part;
  return { role, item, part, segment, step, start, end, quote: text.slice(start, Math.min(end, start + maxQuote)) };
}

function lineStart(text: string, at: number): number {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - maxQuote);
  const blank = /^[ \t]*/.exec(text.slice(start, at))?.[0].length ?? 0;
  return start + blank;
}

function lineEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return Math.min(newline < 0 ? text.length : newline, at + maxQuote);
}
