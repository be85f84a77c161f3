// Rules over rollouts. `scanRule` is the unit of work that an engine can put under a deadline and blame by name.

import type { ChainHop } from '../../contract/records.ts';
import { isPast } from './ancestry.ts';
import type { CompiledPack, CompiledRule } from './compile.ts';
import { flows } from './flow.ts';
import { type Match, matches } from './match.ts';
import { isRefused } from './outcome.ts';
import { type PreparedRollout, prepareRollout } from './prepare.ts';
import { type Reading, readingOf } from './reading.ts';
import type { RuleHit, ScanRollout } from './types.ts';

/** Most hits kept of one rule in one rollout. */
const maxPerRule = 40;

/** A refused attempt says something, but a leak it is not. */
const refusedShare = 0.5;

export interface ScanOptions {
  /** Called before each rule is run, so that a supervisor can name the rule that does not come back. */
  readonly onRule?: (rule: string) => void;
  /** Rules to leave out, by id: those that timed out before. */
  readonly skip?: ReadonlySet<string>;
}

/**
 * All hits of a pack in a rollout, in order of item, part and start. Every span is exact in the part's view text. User
 * regular expressions run here: call it where a runaway one can be killed.
 */
export function scanRollout(compiled: CompiledPack, rollout: ScanRollout, options: ScanOptions = {}): RuleHit[] {
  const prepared = prepareRollout(rollout);
  const hits: RuleHit[] = [];
  for (const rule of compiled.rules) {
    if (options.skip?.has(rule.rule.id) === true) continue;
    options.onRule?.(rule.rule.id);
    for (const hit of scanRule(rule, prepared)) hits.push(hit);
  }
  return hits.toSorted((a, b) => a.item - b.item || a.part - b.part || a.start - b.start);
}

/** The hits of one rule; overlapping ones are merged into the first. */
export function scanRule(rule: CompiledRule, rollout: PreparedRollout): RuleHit[] {
  const reading = readingOf(rollout, rule.gates);
  if (!reading.hasUnitsFor(rule.from?.matcher ?? rule.matcher)) return [];
  const hits: RuleHit[] = [];
  for (const { match, chain } of found(rule, reading)) {
    const hit = hitOf(rule, match, chain, isRefused(match.unit, reading));
    if (hit.end <= hit.start || hits.some((other) => overlaps(other, hit))) continue;
    hits.push(hit);
    if (hits.length >= maxPerRule) break;
  }
  return hits;
}

interface Found {
  readonly match: Match;
  readonly chain: readonly ChainHop[];
}

function* found(rule: CompiledRule, reading: Reading): Generator<Found> {
  const { unlessPast } = rule.rule;
  for (const each of paired(rule, reading)) {
    const commit = unlessPast === undefined ? undefined : each.match.groups[unlessPast];
    if (commit === undefined || !isPast(commit, reading)) yield each;
  }
}

function* paired(rule: CompiledRule, reading: Reading): Generator<Found> {
  const simple: Iterable<Found> =
    rule.from === null
      ? Iterator.from(matches(rule.matcher, reading)).map((match) => ({ match, chain: [] }))
      : flows(rule, reading).map(({ sink, chain }) => ({ match: sink, chain }));
  if (rule.after === null) {
    yield* simple;
    return;
  }
  const { matcher, same, within } = rule.after;
  // Most rollouts have no second part of the pair: only then is the first one looked for.
  let earlier: readonly Match[] | undefined;
  for (const { match, chain } of simple) {
    earlier ??= [...matches(matcher, reading)].filter(({ unit }) => !isRefused(unit, reading));
    if (earlier.length === 0) return;
    const first = earlier.findLast(
      (other) =>
        before(other, match) &&
        (within === null || match.unit.part.item - other.unit.part.item <= within) &&
        (same === null || (other.groups[same] !== undefined && other.groups[same] === match.groups[same])),
    );
    if (first !== undefined)
      yield { match, chain: chain.length > 0 ? chain : [hop('source', first), hop('sink', match)] };
  }
}

function before(a: Match, b: Match): boolean {
  return a.unit.index < b.unit.index || (a.unit.index === b.unit.index && a.end <= b.start);
}

function overlaps(a: RuleHit, b: RuleHit): boolean {
  return a.item === b.item && a.part === b.part && a.start < b.end && b.start < a.end;
}

function hop(role: ChainHop['role'], { unit, start, end }: Match): ChainHop {
  const { item, part, segment, step, text } = unit.part;
  return { role, item, part, segment, step, start, end, quote: text.slice(start, end) };
}

function hitOf(
  { rule }: CompiledRule,
  { unit, start, end }: Match,
  chain: readonly ChainHop[],
  refused: boolean,
): RuleHit {
  const { item, segment, step, part, text } = unit.part;
  return {
    rule: rule.id,
    kind: rule.kind,
    item,
    segment,
    step,
    part,
    start,
    end,
    quote: text.slice(start, end),
    score: refused ? rule.score * refusedShare : rule.score,
    weak: rule.weak || refused,
    chain,
  };
}
