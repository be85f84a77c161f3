// The terms of a rollout's score, for showing how it came about. The score itself is made in score.ts.

import { scoreRollout } from './score.ts';
import type { RuleHit } from './types.ts';

/** One rule's part in the score: its best hit. */
export interface ScoreTerm {
  readonly rule: string;
  readonly score: number;
  readonly hits: number;
}

export interface ScoreTerms {
  readonly strong: readonly ScoreTerm[];
  readonly weak: readonly ScoreTerm[];
  /** 1 - product of (1 - s) over strong rules. */
  readonly strongSum: number;
  /** The same over weak rules, and what is left of it below the threshold. */
  readonly weakSum: number;
  readonly weakCapped: number;
  readonly score: number;
  readonly marked: boolean;
}

/** The terms of the score of these hits. A rule with strong and weak hits counts by its best one. */
export function scoreTerms(
  hits: readonly Pick<RuleHit, 'rule' | 'kind' | 'score' | 'weak'>[],
  threshold: number,
): ScoreTerms {
  const best = new Map<string, { rule: string; score: number; weak: boolean; hits: number }>();
  for (const { rule, score, weak } of hits) {
    const known = best.get(rule);
    const better = known === undefined || score > known.score || (score === known.score && known.weak && !weak);
    best.set(rule, {
      rule,
      ...(better ? { score, weak } : { score: known.score, weak: known.weak }),
      hits: (known?.hits ?? 0) + 1,
    });
  }
  const terms = [...best.values()].toSorted((a, b) => b.score - a.score || (a.rule < b.rule ? -1 : 1));
  const sumOf = (list: typeof terms): number => 1 - list.reduce((left, { score }) => left * (1 - score), 1);
  const strong = terms.filter(({ weak }) => !weak);
  const weak = terms.filter((term) => term.weak);
  const { score, marked } = scoreRollout(hits, threshold);
  const strongSum = sumOf(strong);
  const plain = ({ rule, score: value, hits: count }: (typeof terms)[number]): ScoreTerm => ({
    rule,
    score: value,
    hits: count,
  });
  return {
    strong: strong.map(plain),
    weak: weak.map(plain),
    strongSum,
    weakSum: sumOf(weak),
    // What the whole score leaves for the weak rules: score = 1 - (1 - strong)(1 - weak).
    weakCapped: strongSum >= 1 ? 0 : 1 - (1 - score) / (1 - strongSum),
    score,
    marked,
  };
}
