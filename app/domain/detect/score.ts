// From the hits of a rollout to one suspicion score.

import type { RuleHit } from './types.ts';

export interface RolloutScore {
  /** 0..1. */
  readonly score: number;
  readonly marked: boolean;
  /** Kinds of the strong hits, the most suspicious first; of the weak ones where there is no strong hit. */
  readonly kinds: readonly string[];
  readonly topKind: string | null;
}

/** Weak hits together never exceed this share of the threshold. */
const weakShare = 0.95;

/**
 * Score = 1 - (1 - S)(1 - W). S is the noisy-or of the best score of each strong rule, 1 - product of (1 - s): rules are taken
 * as independent witnesses, and a rule that hits ten times is still one witness. W is the same over weak rules, but at most
 * 0.95 x threshold, so that weak hits alone never mark. A rollout is marked when its score reaches the threshold.
 */
export function scoreRollout(
  hits: readonly Pick<RuleHit, 'rule' | 'kind' | 'score' | 'weak'>[],
  threshold: number,
): RolloutScore {
  const best = new Map<string, { score: number; weak: boolean }>();
  for (const { rule, score, weak } of hits) {
    const known = best.get(rule);
    if (known === undefined || score > known.score || (score === known.score && known.weak && !weak))
      best.set(rule, { score, weak });
  }
  let strong = 1;
  let weak = 1;
  for (const one of best.values()) {
    if (one.weak) weak *= 1 - one.score;
    else strong *= 1 - one.score;
  }
  const capped = Math.min(1 - weak, weakShare * threshold);
  const score = 1 - strong * (1 - capped);
  const leading = hits.some((hit) => !hit.weak) ? hits.filter((hit) => !hit.weak) : hits;
  const kinds = new Map<string, number>();
  for (const hit of leading) kinds.set(hit.kind, Math.max(kinds.get(hit.kind) ?? 0, hit.score));
  const sorted = [...kinds].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([kind]) => kind);
  return { score, marked: score > 0 && score >= threshold - 1e-12, kinds: sorted, topKind: sorted[0] ?? null };
}
