// Rollouts of one task beside each other: what only one of eight did says more than what all did, and a full reward without any
// work says more than the lack of work. Runs after the rollouts of a group were scanned.

import type { Rule } from '../../contract/rule-pack.ts';
import type { RuleHit } from './types.ts';

/** What the comparison needs of one rollout of a group. */
export interface SiblingFacts {
  /** Null where the log has none. */
  readonly reward: number | null;
  readonly hits: readonly RuleHit[];
}

const smallestGroup = 4;
const largestShare = 0.25;

/**
 * The hits of each rollout of a group, in the order given, with those of `across` rules made strong where the comparison speaks
 * for it. Rollouts without a group are a group of one.
 */
export function compareSiblings(rules: readonly Rule[], group: readonly SiblingFacts[]): RuleHit[][] {
  const raised = new Map<string, (facts: SiblingFacts) => number | null>();
  const best = Math.max(...group.map(({ reward }) => reward ?? Number.NEGATIVE_INFINITY));
  for (const { id, across, acrossScore } of rules) {
    if (across === 'lone') {
      const having = group.filter(({ hits }) => hits.some(({ rule }) => rule === id)).length;
      const lone = group.length >= smallestGroup && having > 0 && having <= group.length * largestShare;
      raised.set(id, () => (lone ? acrossScore : null));
    } else if (across === 'rewarded')
      raised.set(id, ({ reward }) =>
        reward !== null && reward > 0 && reward >= Math.max(best, 1) ? acrossScore : null,
      );
  }
  return group.map((facts) =>
    facts.hits.map((hit) => {
      const score = raised.get(hit.rule)?.(facts) ?? null;
      return score === null ? hit : { ...hit, score, weak: false };
    }),
  );
}

/** Whether any of a pack's rules compares rollouts. */
export function comparesSiblings(rules: readonly Rule[]): boolean {
  return rules.some(({ across }) => across !== undefined);
}
