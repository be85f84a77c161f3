// One side of a rule against the texts of a rollout: which spans match.

import type { CompiledClass, CompiledMatcher, CompiledPattern } from './compile.ts';
import { origin } from './mapped.ts';
import type { PreparedRollout, Unit } from './prepare.ts';

export interface Match {
  readonly unit: Unit;
  /** Span in the part's view text. */
  readonly start: number;
  readonly end: number;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/** Most matches taken from one text. */
const maxPerText = 20;
/** A matched command up to this length is marked whole, a longer one by the object in it. */
const maxMarkedCommand = 240;

/** The matches of a matcher in log order within each of its targets. */
export function* matches(matcher: CompiledMatcher, rollout: PreparedRollout): Generator<Match> {
  for (const target of matcher.targets) {
    for (const unit of rollout.units.get(target) ?? []) yield* unitMatches(matcher, unit);
  }
}

/** The matches of a matcher in one text; the unit's target is not checked. */
export function* unitMatches(matcher: CompiledMatcher, unit: Unit): Generator<Match> {
  const span = objectSpan(matcher, unit);
  if (span === null) return;
  const text = unit.text.text;
  const lower = text.toLowerCase();
  for (const pattern of matcher.also) if (!holds(pattern, text, lower)) return;
  if (matcher.any === null) {
    if (span !== undefined) yield { unit, ...span, groups: {} };
    return;
  }
  let count = 0;
  for (const pattern of matcher.any) {
    if (!possible(pattern, lower)) continue;
    let found = 0;
    pattern.regex.lastIndex = 0;
    for (const match of text.matchAll(pattern.regex)) {
      if (match[0] === '') continue;
      if (found === 0 && pattern.unless?.test(text) === true) break;
      found++;
      yield { unit, ...trimmed(unit, match.index, match.index + match[0].length), groups: { ...match.groups } };
      if (++count >= maxPerText) return;
    }
  }
}

/** Whether a pattern matches a text, its `unless` taken into account. */
function holds(pattern: CompiledPattern, text: string, lower: string): boolean {
  if (!possible(pattern, lower)) return false;
  pattern.regex.lastIndex = 0;
  return pattern.regex.test(text) && pattern.unless?.test(text) !== true;
}

function possible(pattern: CompiledPattern, lower: string): boolean {
  return pattern.literals === null || pattern.literals.some((literal) => lower.includes(literal));
}

/**
 * The verb and path class test. Null: the unit does not pass. Undefined: it passes and has no span of its own. For an action
 * the span is the command (or the object in a long one), for a file its path.
 */
function objectSpan(matcher: CompiledMatcher, unit: Unit): { start: number; end: number } | null | undefined {
  const { verbs, classes } = matcher;
  if (unit.target === 'patch' || unit.target === 'removed') {
    if (classes !== null && !inClasses(classes, unit.path ?? '')) return null;
    return origin(unit.text);
  }
  if (unit.target === 'file_path') {
    const object = unit.action?.objects[unit.object];
    if (object === undefined || (verbs !== null && !verbs.has(object.verb))) return null;
    if (classes !== null && !inClasses(classes, object.path)) return null;
    return { start: object.start, end: object.end };
  }
  if (unit.target !== 'action') return classes === null && verbs === null ? undefined : null;
  const { action } = unit;
  if (action === null) return null;
  if (classes === null) {
    if (verbs === null) return action.whole ? undefined : null;
    return action.verbs.some((verb) => verbs.has(verb)) ? origin(action.text) : null;
  }
  const object = action.objects.find(
    (each) => (verbs === null || verbs.has(each.verb)) && inClasses(classes, each.path),
  );
  if (object === undefined) return null;
  const command = origin(action.text);
  const covers = command.start <= object.start && command.end >= object.end;
  return covers && command.end - command.start <= maxMarkedCommand ? command : { start: object.start, end: object.end };
}

function inClasses(classes: readonly CompiledClass[], path: string): boolean {
  return classes.some(
    ({ any, unless }) => any.some((regex) => regex.test(path)) && !unless.some((regex) => regex.test(path)),
  );
}

/** The view span of a match without the blanks at its ends. */
function trimmed(unit: Unit, start: number, end: number): { start: number; end: number } {
  const text = unit.text.text;
  let left = start;
  let right = end;
  while (left < right - 1 && /\s/.test(text.charAt(left))) left++;
  while (right > left + 1 && /\s/.test(text.charAt(right - 1))) right--;
  return origin(unit.text, left, right);
}
