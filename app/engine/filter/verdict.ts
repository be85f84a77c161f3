// What the filter answers: allow, mark or block, with the rules and the evidence.

import type { ChainHop, MarkerOutcome } from '../../contract/records.ts';
import type { Rule, RulePack } from '../../contract/rule-pack.ts';
import { scoreRollout } from '../../domain/detect/score.ts';
import type { RuleHit } from '../../domain/detect/types.ts';
import type { LineId } from './line.ts';

export interface VerdictMarker {
  readonly rule: string;
  readonly version: string;
  readonly kind: string;
  readonly severity: Rule['severity'];
  readonly score: number;
  readonly weak: boolean;
  /** Whether the line before did not have it. */
  readonly new: boolean;
  /** Where it stands: item, segment and part from 0, step from 1; `start` and `end` in UTF-16 units of the part's view text. */
  readonly item: number;
  readonly segment: number;
  readonly step: number | null;
  readonly part: number;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly why: string;
  readonly chain?: readonly ChainHop[];
  readonly outcome: MarkerOutcome;
}

export interface Verdict {
  readonly id: LineId;
  readonly rollout: string | null;
  /** About the rollout so far: `mark` from the threshold on; `block` when this line brought a strong marker that blocks. */
  readonly verdict: 'allow' | 'mark' | 'block';
  readonly score: number;
  readonly kinds: readonly string[];
  /** All markers of the rollout so far. */
  readonly markers: readonly VerdictMarker[];
  /** Rules that were stopped at their deadline and are left out since; absent where there are none. */
  readonly stopped?: readonly string[];
  /** Why there is no judgement; the line was left out. */
  readonly error?: string;
}

/** How verdicts are made of hits. */
export interface Policy {
  readonly threshold: number;
  /** Kinds that block; `critical` stands for rules of that severity, `all` for every kind. */
  readonly blockKinds: ReadonlySet<string>;
}

/** The verdict on a rollout, with the keys of its markers for the next one. */
export function verdictOf(
  subject: { readonly id: LineId; readonly rollout: string; readonly known: ReadonlySet<string> },
  hits: readonly RuleHit[],
  rules: ReadonlyMap<string, RulePack['rules'][number]>,
  policy: Policy,
  stopped: readonly string[],
): { readonly verdict: Verdict; readonly keys: ReadonlySet<string> } {
  const { score, marked, kinds } = scoreRollout(hits, policy.threshold);
  const keys = new Set<string>();
  const markers: VerdictMarker[] = [];
  let blocks = false;
  for (const hit of hits) {
    const rule = rules.get(hit.rule);
    if (rule === undefined) continue;
    const key = `${hit.rule} ${hit.item} ${hit.part} ${hit.start} ${hit.end} ${hit.weak}`;
    const isNew = !subject.known.has(key);
    keys.add(key);
    if (isNew && !hit.weak && isBlocking(rule, hit.kind, policy)) blocks = true;
    markers.push(markerOf(hit, rule, isNew));
  }
  const verdict: Verdict = {
    id: subject.id,
    rollout: subject.rollout,
    verdict: blocks ? 'block' : marked ? 'mark' : 'allow',
    score,
    kinds: marked ? kinds : [],
    markers,
    ...(stopped.length === 0 ? {} : { stopped }),
  };
  return { verdict, keys };
}

/** The answer to a line that could not be judged: it lets the action pass and says why. */
export function errorVerdict(id: LineId, line: number, message: string, stopped: readonly string[] = []): Verdict {
  return {
    id,
    rollout: null,
    verdict: 'allow',
    score: 0,
    kinds: [],
    markers: [],
    ...(stopped.length === 0 ? {} : { stopped }),
    error: `line ${line}: ${message}`,
  };
}

function isBlocking(rule: Rule, kind: string, { blockKinds }: Policy): boolean {
  return blockKinds.has('all') || blockKinds.has(kind) || (blockKinds.has('critical') && rule.severity === 'critical');
}

function markerOf(hit: RuleHit, { version, severity, why }: Rule, isNew: boolean): VerdictMarker {
  const { rule, kind, score, weak, item, segment, step, part, start, end, quote, chain, outcome } = hit;
  return {
    rule,
    version,
    kind,
    severity,
    score,
    weak,
    new: isNew,
    item,
    segment,
    step,
    part,
    start,
    end,
    quote,
    why,
    ...(chain.length === 0 ? {} : { chain }),
    outcome,
  };
}
