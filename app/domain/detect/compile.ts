// A rule pack -> compiled rules, or the list of what is wrong with it. Everything that can be known to be wrong before a
// rule runs is said here, with the place in the pack.

import type { ActionVerb, Rule, RuleMatcher, RulePack, RulePattern, RuleTarget } from '../../contract/rule-pack.ts';
import { hackKinds, isHackKind } from '../../contract/vocabulary.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { requiredLiterals } from './literals.ts';

export interface CompiledPattern {
  /** Has the `g` flag: set `lastIndex` before use. */
  readonly regex: RegExp;
  readonly unless: RegExp | null;
  /** At least one of these (lower case) is in every matching text; null when unknown. */
  readonly literals: readonly string[] | null;
}

export interface CompiledClass {
  readonly any: readonly RegExp[];
  readonly unless: readonly RegExp[];
}

export interface CompiledMatcher {
  readonly targets: readonly RuleTarget[];
  readonly any: readonly CompiledPattern[] | null;
  readonly also: readonly CompiledPattern[];
  readonly verbs: ReadonlySet<ActionVerb> | null;
  readonly classes: readonly CompiledClass[] | null;
}

export interface CompiledRule {
  readonly rule: Rule;
  readonly matcher: CompiledMatcher;
  readonly after: {
    readonly matcher: CompiledMatcher;
    readonly same: string | null;
    readonly within: number | null;
  } | null;
  readonly from: { readonly matcher: CompiledMatcher; readonly hops: number } | null;
}

export interface CompiledPack {
  readonly pack: RulePack;
  readonly rules: readonly CompiledRule[];
}

/** Something wrong with a pack; `path` leads to the place in the pack's data. */
export interface PackProblem {
  readonly rule: string | null;
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Compiles a pack. All problems are reported, not only the first. */
export function compilePack(pack: RulePack): Result<CompiledPack, readonly PackProblem[]> {
  const problems: PackProblem[] = [];
  const classes = new Map<string, CompiledClass>();
  for (const [name, { any, unless }] of Object.entries(pack.pathClasses)) {
    const compile = (sources: readonly string[], key: string): RegExp[] =>
      sources.flatMap((source, i) => regex(source, 'i', null, ['pathClasses', name, key, i], problems) ?? []);
    classes.set(name, { any: compile(any, 'any'), unless: compile(unless, 'unless') });
  }
  const seen = new Set<string>();
  const rules = pack.rules.map((rule, i) => {
    const path = ['rules', i];
    if (seen.has(rule.id))
      problems.push({
        rule: rule.id,
        path: [...path, 'id'],
        message: `Rule id ${rule.id} is used twice. Give each rule its own id.`,
      });
    seen.add(rule.id);
    checkKind(rule, path, problems);
    return compileRule(rule, path, classes, problems);
  });
  return problems.length > 0 ? err(problems) : ok({ pack, rules });
}

function checkKind(rule: Rule, path: (string | number)[], problems: PackProblem[]): void {
  if (!isHackKind(rule.kind)) {
    const known = Object.keys(hackKinds).join(', ');
    problems.push({
      rule: rule.id,
      path: [...path, 'kind'],
      message: `Rule ${rule.id}: "${rule.kind}" is no hack kind. Known kinds: ${known}.`,
    });
  } else if (hackKinds[rule.kind] !== rule.family) {
    const message = `Rule ${rule.id}: kind ${rule.kind} belongs to family ${hackKinds[rule.kind]}, not ${rule.family}.`;
    problems.push({ rule: rule.id, path: [...path, 'family'], message });
  }
}

function compileRule(
  rule: Rule,
  path: (string | number)[],
  classes: ReadonlyMap<string, CompiledClass>,
  problems: PackProblem[],
): CompiledRule {
  const side = (matcher: RuleMatcher, at: (string | number)[]): CompiledMatcher =>
    compileMatcher(matcher, rule.id, at, classes, problems);
  if (rule.any === undefined && rule.verb === undefined && rule.pathClass === undefined && rule.from === undefined) {
    problems.push({
      rule: rule.id,
      path,
      message: `Rule ${rule.id} matches nothing: give it \`any\`, \`verb\` with \`pathClass\`, or \`from\`.`,
    });
  }
  const { after, from } = rule;
  return {
    rule,
    matcher: side(rule, path),
    after:
      after === undefined
        ? null
        : { matcher: side(after, [...path, 'after']), same: after.same ?? null, within: after.within ?? null },
    from: from === undefined ? null : { matcher: side(from, [...path, 'from']), hops: from.hops },
  };
}

function compileMatcher(
  matcher: RuleMatcher,
  rule: string,
  path: (string | number)[],
  classes: ReadonlyMap<string, CompiledClass>,
  problems: PackProblem[],
): CompiledMatcher {
  const patterns = (list: readonly RulePattern[], key: string): CompiledPattern[] =>
    list.flatMap((item, i) => compilePattern(item, rule, [...path, key, i], problems) ?? []);
  const names = matcher.pathClass === undefined ? null : [matcher.pathClass].flat();
  for (const name of names ?? []) {
    if (!classes.has(name)) {
      const known = [...classes.keys()].join(', ') || 'none is defined';
      problems.push({
        rule,
        path: [...path, 'pathClass'],
        message: `Rule ${rule}: path class "${name}" is not defined under pathClasses (${known}).`,
      });
    }
  }
  const textual = [matcher.target].flat().filter((target) => /^(?:observation|summary|message)$/.test(target));
  if (textual.length > 0 && (names !== null || matcher.verb !== undefined)) {
    const message = `Rule ${rule}: target ${textual.join(', ')} is text without paths: \`verb\` and \`pathClass\` need action, file_path, patch or removed.`;
    problems.push({ rule, path: [...path, 'target'], message });
  }
  return {
    targets: [matcher.target].flat(),
    any: matcher.any === undefined ? null : patterns(matcher.any, 'any'),
    also: patterns(matcher.also ?? [], 'also'),
    verbs: matcher.verb === undefined ? null : new Set([matcher.verb].flat()),
    classes: names === null ? null : names.flatMap((name) => classes.get(name) ?? []),
  };
}

function compilePattern(
  pattern: RulePattern,
  rule: string,
  path: (string | number)[],
  problems: PackProblem[],
): CompiledPattern | undefined {
  const compiled = regex(pattern.pattern, `${pattern.flags}g`, rule, [...path, 'pattern'], problems);
  const unless =
    pattern.unless === undefined ? null : regex(pattern.unless, pattern.flags, rule, [...path, 'unless'], problems);
  if (compiled === undefined || unless === undefined) return undefined;
  return { regex: compiled, unless, literals: requiredLiterals(pattern.pattern) };
}

function regex(
  source: string,
  flags: string,
  rule: string | null,
  path: (string | number)[],
  problems: PackProblem[],
): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const owner = rule === null ? 'Path class' : `Rule ${rule}`;
    problems.push({ rule, path, message: `${owner}: not a regular expression: ${reason}` });
    return undefined;
  }
}
