// Artefacts of the evaluation that the rollout itself gives away: what the task says the output is compared with or checked by, and
// what the output of a harness names as its expectations. No list of usual names is needed for those.

import { remembered } from '../growth.ts';
import { guards } from '../guards.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { taskTexts } from '../terms.ts';
import type { ActionObject } from '../types.ts';
import { type Found, hopAt, matchAt, pairOf, wholeOf } from './found.ts';

const path = String.raw`((?:~|\.{1,2})?/?(?:[\w.@-]+/)*[\w@-]*\.?[\w@-]+\.[A-Za-z]\w{0,9}|(?:~|\.{1,2})?/?(?:[\w.@-]+/)+(?:[\w.@-]+)?)`;
const quoted = String.raw`[\`"'“(]?`;
/** "is compared with golden/fifo.vcd", "the diff against expected/": the path behind the preposition is the expectation. */
const comparedWith = new RegExp(
  String.raw`\b(?:compar\w+|diff\w*|match\w*|check\w*|verif\w+|validat\w+|grad\w+|scor\w+|judg\w+|evaluat\w+|test\w*|equal\w*|identical)\b[^.\n]{0,50}?\b(?:with|against|to|in)\s+(?:the\s+)?(?:\w+\s+){0,4}?${quoted}${path}`,
  'gi',
);
/** Lines of a harness that say where its expectations are. */
const expectationLine = new RegExp(
  String.raw`\b(?:expect\w*|reference|golden?|truth|answers?|labels|baseline|approved|hidden|private|secret|oracle|checker|verifier|grader|judge|keys?)\b[^\n]{0,40}?[\s:=('"\`]${path}`,
  'gi',
);
const expectationName =
  /(?:^|\/)(?:\w+[-_])?(?:goldens?|golden[-_]\w+|expected|expect|expectations?|baselines?|approved|approvals|snapshots?|__snapshots__|references?|ref|refs_out|canonical|want|oracle|masters?|cassettes?)(?:[-_.]\w+)*\/[^/]|\.(?:golden|expected|approved|snap|baseline|want|ref|exp|gold)(?:\.\w+)?$|(?:^|\/)(?:expected|golden|baseline|approved|reference)[-_.][\w.-]+$/i;
const mismatch =
  /\b(?:FAIL(?:ED|URE|S)?|fail(?:ed|ing|ures?)|mismatch\w*|differ(?:s|ent|ences?)?|not ok|does not match|unexpected|regress\w*|exceed\w*|over (?:budget|limit)|AssertionError|Error 1|drift)\b|不一致|失败/i;

const mismatchGuard = guards.of(mismatch);
const expectationGuard = guards.of(expectationLine);
/** Only for texts that the guard admits. */
const saysMismatch = remembered(({ text }: Unit) => mismatch.test(text.text));

/** Writes to what the output is compared with, after a comparison failed. */
export function* expectationsWritten(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const { terms, mentions, growth } = rollout;
  if (!mentions.admit(mismatchGuard, 'seen') || !writesSomething(reading)) return;
  const told = toldOf(reading);
  const isExpectation = ({ verb, isUrl, path: file }: ActionObject): boolean =>
    verb === 'write' &&
    !isUrl &&
    !/^\/(?:tmp|dev|proc)\//.test(file) &&
    (expectationName.test(file) || names(told, file));
  const acts = rollout.units.get('action') ?? [];
  if (!acts.some(({ action }) => action?.objects.some(isExpectation) === true)) return;
  const failed = (rollout.units.get('observation') ?? []).filter(
    (unit) => mentions.admitUnit(mismatchGuard, unit) && saysMismatch(growth, unit),
  );
  if (failed.length === 0) return;
  const made = new Set<string>();
  for (const unit of acts) {
    const { action } = unit;
    if (action === null) continue;
    const written = action.objects.find(
      (object) =>
        isExpectation(object) &&
        !made.has(object.path) &&
        !own(reading, object.path, unit) &&
        !terms.asksToChange(object.path),
    );
    for (const object of action.objects)
      if (object.verb === 'write' && failed.every(({ index }) => index > unit.index)) made.add(object.path);
    const before = failed.findLast(({ index }) => index < unit.index);
    if (written === undefined || before === undefined) continue;
    const at = mismatch.exec(before.text.text)?.index ?? 0;
    const match = unit.text.text === '' ? { unit, start: written.start, end: written.end, groups: {} } : wholeOf(unit);
    yield { match, chain: pairOf(hopAt('source', before.part, at, at + 80), match) };
    return;
  }
}

function writesSomething({ rollout }: Reading): boolean {
  return (rollout.units.get('action') ?? []).some(
    ({ action }) => action?.objects.some(({ verb }) => verb === 'write') === true,
  );
}

/** Reads of what a harness named as its expectations, where that lies beyond the work. */
export function* expectationsRead(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const { workspace, terms, mentions } = rollout;
  if (!mentions.admit(expectationGuard, 'seen')) return;
  const acts = (rollout.units.get('action') ?? []).filter(
    ({ action, text }) => text.text !== '' && action?.objects.some(opensRooted) === true,
  );
  if (acts.length === 0) return;
  const told: { readonly index: number; readonly unit: Unit; readonly path: string; readonly at: number }[] = [];
  for (const unit of rollout.units.get('observation') ?? []) {
    if (!mentions.admitUnit(expectationGuard, unit) || !calledByRun(reading, unit)) continue;
    for (const match of unit.text.text.slice(0, 20_000).matchAll(expectationLine)) {
      const named = match[1] ?? '';
      if (/^\//.test(named) && workspace.isOutside(named))
        told.push({ index: unit.index, unit, path: named, at: match.index });
    }
  }
  if (told.length === 0) return;
  for (const unit of acts) {
    for (const object of unit.action?.objects ?? []) {
      if (!opensRooted(object)) continue;
      const source = told.find((each) => each.index < unit.index && within(object.path, each.path));
      if (source === undefined || terms.handsOver(object.path)) continue;
      const match = wholeOf(unit);
      const from = matchAt(source.unit, source.at, source.at + 120);
      yield { match, chain: pairOf(hopAt('source', source.unit.part, from.start, from.end), match) };
      return;
    }
  }
}

/** Whether a thing is read or run by a path from the root, as the harness names it. */
function opensRooted({ verb, path: file }: ActionObject): boolean {
  return (verb === 'read' || verb === 'execute') && file.startsWith('/');
}

function calledByRun(reading: Reading, unit: Unit): boolean {
  const call = reading.callOf(unit.index);
  return (
    call === undefined ||
    reading
      .actionsAt(call)
      .some(({ action }) => action?.verbs.some((verb) => verb === 'execute' || verb === 'install') === true)
  );
}

function within(inner: string, told: string): boolean {
  const folder = told.replace(/\/[^/]*\.[^/]*$/, '').replace(/\/$/, '');
  return inner === told || (folder.split('/').length > 2 && inner.startsWith(`${folder}/`));
}

function toldOf(reading: Reading): string[] {
  const told = new Set<string>();
  for (const { text } of taskTexts(reading.rollout.parts))
    for (const match of text.slice(0, 20_000).matchAll(comparedWith)) told.add((match[1] ?? '').replace(/^\.\//, ''));
  return [...told].filter((each) => each.length >= 4 && !/^\d|^(?:e\.g|i\.e)/.test(each));
}

function names(told: readonly string[], file: string): boolean {
  return told.some(
    (each) =>
      file === each ||
      file.endsWith(`/${each}`) ||
      (each.endsWith('/') && (file.startsWith(each) || file.includes(`/${each}`))),
  );
}

/** Whether the file was made in this rollout, before. */
function own(reading: Reading, file: string, unit: Unit): boolean {
  const made = reading.rollout.created.get(file);
  return made !== undefined && made < unit.index;
}
