// What became of a hit: whether a call got what it asked for, whether that was used, and whether it still stood at the end. A
// refused download is an attempt and no leak; a change that was taken back was not graded.

import type { ChainHop, MarkerOutcome, OutcomeFact } from '../../contract/records.ts';
import { baseName } from './actions.ts';
import { keptWith } from './kept.ts';
import { origin } from './mapped.ts';
import type { Match } from './match.ts';
import type { Unit } from './prepare.ts';
import type { Reading } from './reading.ts';
import type { Action, ScanPart } from './types.ts';

/** A longer answer holds something besides its error. */
const longest = 500;

const failure =
  /\b(?:HTTP\/[\d.]+ |HTTP Error |status(?: code)?:? ?|error:? |returned error: )[45]\d\d\b|^[45]\d\d\b|\b(?:40[0134579]|410|429|451|50[0234])[: ]+(?:bad request|unauthori[sz]ed|forbidden|blocked|not found|method not allowed|gone|too many|unavailable|internal|bad gateway)|\b(?:could not|couldn't|can't|cannot|unable to|failed to) (?:resolve|connect|find|fetch|open|access|read|download|retrieve|load)|\b(?:connection|network|proxy|access|permission|request) (?:\w+ )?(?:refused|timed out|reset|denied|unreachable|blocked)|\bno (?:such file|matching (?:distribution|version)|matches found|route to host)|\b(?:command )?not found\b|\bnot allowed\b|\bnpm ERR!|^fatal:|\bname or service not known|\btemporary failure in name resolution|^(?:\w+ )?error\b[^\n]{0,30}\b(?:time-?d? ?out|ECONN\w+|ENOTFOUND|EAI_AGAIN)\b|^(?:request |page |connection )?timed? ?out\b/im;

const obtaining = new Set(['fetch', 'install', 'search', 'read']);

/** Whether a unit is an act that got nothing: its call failed or was refused. Other texts never are. */
export function isRefused(unit: Unit, reading: Reading): boolean {
  if (unit.target !== 'action' || unit.action === null) return false;
  const known = refusedIn(reading);
  const before = known.get(unit);
  if (before !== undefined) return before;
  const refused = gotNothing(unit, unit.action, reading);
  known.set(unit, refused);
  return refused;
}

/** Many rules ask about the same act. An answer that is still to come belongs to the next reading. */
const refusedIn = keptWith((_: Reading) => new Map<Unit, boolean>());

function gotNothing({ index }: Unit, action: Action, reading: Reading): boolean {
  const { observations, parts } = reading.rollout;
  const answers = (observations.get(index) ?? []).map((answer) => parts[answer]?.text ?? '');
  if (!action.whole) return cameToNothing(action, answers);
  // The command line as a whole has no verbs of its own.
  const verbs = reading.actionsAt(index).flatMap((unit) => unit.action?.verbs ?? []);
  return cameToNothing({ ...action, verbs }, answers);
}

const isFailure = (answer: string): boolean => answer.length <= longest && failure.test(answer);

/** Whether an act that only obtains something came back empty-handed: its whole answer is short and says so. */
function cameToNothing(action: Action, answers: readonly string[]): boolean {
  if (answers.length === 0 || !action.verbs.some((verb) => obtaining.has(verb))) return false;
  return answers.every(isFailure);
}

/** The four questions about a hit, each with the span that answers it. */
export function outcomeOf(match: Match, chain: readonly ChainHop[], refused: boolean, reading: Reading): MarkerOutcome {
  const { parts, observations } = reading.rollout;
  const { unit } = match;
  const at = (part: ScanPart | undefined, start: number, end: number): OutcomeFact['evidence'] =>
    part === undefined ? null : { item: part.item, part: part.part, start, end, quote: part.text.slice(start, end) };
  const attempted: OutcomeFact = { value: true, evidence: at(unit.part, match.start, match.end) };
  const answers = (observations.get(unit.index) ?? []).flatMap((index) => parts[index] ?? []);
  const answer = answers[0];
  const firstLine = answer === undefined ? null : at(answer, 0, lineEnd(answer.text));
  const obtains = unit.action?.verbs.some((verb) => obtaining.has(verb)) === true;
  const changes = unit.target === 'patch' || unit.target === 'removed' || unit.target === 'file_path';
  const failed = refused || (answer !== undefined && isFailure(answer.text));
  const succeeded: OutcomeFact =
    unit.target === 'message' || unit.target === 'summary'
      ? { value: true, evidence: attempted.evidence }
      : answer === undefined
        ? { value: null, evidence: null }
        : obtains || changes || failed
          ? { value: !failed && !(obtains && answer.text.trim() === ''), evidence: firstLine }
          : { value: null, evidence: firstLine };
  const sink = chain.findLast(({ role }) => role === 'sink');
  const used: OutcomeFact = changes
    ? { value: succeeded.value, evidence: attempted.evidence }
    : sink !== undefined && succeeded.value !== false
      ? {
          value: true,
          evidence: { item: sink.item, part: sink.part, start: sink.start, end: sink.end, quote: sink.quote },
        }
      : succeeded.value === false
        ? { value: false, evidence: succeeded.evidence }
        : { value: null, evidence: null };
  const undo = changes ? undoneBy(unit, reading) : actUndoneBy(unit, reading);
  const standing: OutcomeFact =
    undo !== null
      ? {
          value: false,
          evidence: at(
            undo.part,
            origin(undo.text).start,
            Math.min(origin(undo.text).end, origin(undo.text).start + longestQuote),
          ),
        }
      : changes
        ? { value: succeeded.value, evidence: attempted.evidence }
        : { value: used.value, evidence: used.evidence };
  return { attempted, succeeded, used, standing };
}

const longestQuote = 240;

function lineEnd(text: string): number {
  const newline = text.indexOf('\n');
  return Math.min(newline < 0 ? text.length : newline, longestQuote);
}

/** The later act by which version control puts back every file that a command wrote or deleted. */
function actUndoneBy(unit: Unit, reading: Reading): Unit | null {
  if (unit.target !== 'action') return null;
  // The objects of a whole command line are those of its commands; what it writes in passing is no matter.
  const acts = unit.action?.whole === true ? reading.actionsAt(unit.index) : [unit];
  const names = acts
    .flatMap(({ action }) => action?.objects ?? [])
    .flatMap(({ verb, path, isUrl }) =>
      (verb === 'write' || verb === 'delete') && !isUrl && baseName(path).length >= 4 && !/^\/(?:tmp|dev)\//.test(path)
        ? [baseName(path)]
        : [],
    );
  if (names.length === 0) return null;
  return (
    (reading.rollout.units.get('action') ?? []).find(
      ({ index, action, text: { text } }) =>
        index > unit.index &&
        action?.whole === false &&
        action.program === 'git' &&
        /\b(?:checkout|restore)\b/.test(text) &&
        names.every((name) => text.includes(name)),
    ) ?? null
  );
}

/** The later act that takes a change back: a restore of the file, its deletion, or an edit that removes what was put in. */
function undoneBy(unit: Unit, reading: Reading): Unit | null {
  const { units } = reading.rollout;
  const path = unit.path;
  const added = unit.target === 'patch' ? unit.text.text.trim() : '';
  for (const later of units.get('action') ?? []) {
    if (later.index <= unit.index || path === null) continue;
    const { action } = later;
    if (action?.whole !== false) continue;
    const name = baseName(path);
    const restores =
      action.program === 'git' && /\b(?:checkout|restore|stash|reset\s+--hard|clean)\b/.test(action.text.text);
    if (restores && (action.text.text.includes(name) || /(?:--hard|\s\.|stash|-fd)/.test(action.text.text)))
      return later;
    if (unit.target !== 'removed' && action.objects.some((object) => object.verb === 'delete' && object.path === path))
      return later;
    if (
      /\.(?:bak|orig)\b/.test(action.text.text) &&
      action.objects.some((object) => object.verb === 'write' && object.path === path)
    )
      return later;
  }
  if (added !== '')
    for (const later of units.get('removed') ?? [])
      if (later.index > unit.index && later.path === path && later.text.text.includes(added)) return later;
  return null;
}
