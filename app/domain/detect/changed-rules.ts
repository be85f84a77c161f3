// Which rules of a pack differ in what they find, so that an edit is tried on those alone.

import type { Rule, RulePack } from '../../contract/rule-pack.ts';

/** Ids of rules by what became of them. */
export interface ChangedRules {
  readonly added: readonly string[];
  /** Another pattern, score, kind, strength or path class; words for people do not count. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What is different in `after`. */
export function changedRules(before: RulePack, after: RulePack): ChangedRules {
  const known = new Map(before.rules.map((rule) => [rule.id, meaning(before, rule)]));
  const kept = new Set(after.rules.map(({ id }) => id));
  return {
    added: after.rules.filter(({ id }) => !known.has(id)).map(({ id }) => id),
    changed: after.rules
      .filter((rule) => known.has(rule.id) && known.get(rule.id) !== meaning(after, rule))
      .map(({ id }) => id),
    removed: before.rules.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  };
}

/** A rule without what is only said to people, with the path classes that it names. */
function meaning(pack: RulePack, rule: Rule): string {
  const { title: _t, why: _w, benign: _b, references: _r, examples: _e, severity: _s, version: _v, ...rest } = rule;
  const classes = [rule, rule.after, rule.from].flatMap((part) => [part?.pathClass ?? []].flat());
  return JSON.stringify([rest, classes.map((name) => pack.pathClasses[name] ?? null)]);
}
