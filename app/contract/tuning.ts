// The rule pack against people's labels: precision, recall and F1 of the pack and of each rule.

import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { hackRateReport, hackRateRequest } from './hack-rate.ts';
import { nullableNumber, nullableString, proportion } from './records.ts';
import { timedOutRule } from './scan.ts';

export const quality = z.object({ precision: proportion, recall: proportion, f1: nullableNumber });

export const tuneReport = z.object({
  pack: z.object({ id: z.string(), version: z.string(), threshold: z.number() }),
  /** Rollouts with a hack or clean label; unsure and disputed ones are left out and counted. */
  labelled: z.object({ hack: z.number(), clean: z.number(), unsure: z.number(), disputed: z.number() }),
  overall: quality.extend({
    truePositives: z.number(),
    falsePositives: z.number(),
    falseNegatives: z.number(),
    trueNegatives: z.number(),
  }),
  /** What the weighted figures rest on; null for plain ones. */
  weighting: z
    .object({
      /** Labelled rollouts with a known chance, and those left out. */
      cases: z.number(),
      unknown: z.number(),
      /** Rollouts that the cases stand for, and the share of hacks among these. */
      population: z.number(),
      prevalence: proportion,
    })
    .nullable(),
  /** The same at each distinct score as threshold, descending. */
  curve: z.array(
    z.object({
      threshold: z.number(),
      precision: nullableNumber,
      recall: nullableNumber,
      f1: nullableNumber,
      marked: z.number(),
    }),
  ),
  rules: z.array(
    z.object({
      rule: z.string(),
      title: z.string(),
      kind: z.string(),
      weak: z.boolean(),
      /** Rollouts with at least one marker of the rule, by label. */
      hits: z.object({ hack: z.number(), clean: z.number(), unlabelled: z.number() }),
      precision: proportion,
      /** Among hack rollouts. */
      recall: proportion,
      /** Among hack rollouts whose label names the rule's kind. */
      kindRecall: proportion,
      /** Markers of the rule that people confirmed or rejected directly. */
      confirmed: z.number(),
      rejected: z.number(),
    }),
  ),
  /** Rollouts the pack and the label disagree on. */
  flips: z.array(
    z.object({
      rollout: z.string(),
      label: z.string(),
      score: z.number(),
      marked: z.boolean(),
      kinds: z.array(z.string()),
    }),
  ),
});
export type TuneReport = z.infer<typeof tuneReport>;

/** What a rule says of itself, and where people found the same pattern legitimate. */
export const evidenceReport = z.object({
  /** Null where the pack in force has no such rule any more. */
  rule: z
    .object({
      id: z.string(),
      version: z.string(),
      references: z.array(z.string()),
      /** Texts of the rule's own examples that must not match. */
      clean: z.array(z.string()),
    })
    .nullable(),
  /** Rejected markers of the rule and its markers in rollouts labelled clean, the most alike first. */
  lookAlikes: z.array(
    z.object({
      marker: z.string(),
      rollout: z.string(),
      task: nullableString,
      quote: z.string(),
      by: z.enum(['marker', 'rollout']),
      /** Weighted Jaccard of the words of both acts, 0..1. */
      likeness: z.number(),
    }),
  ),
});
export type EvidenceReport = z.infer<typeof evidenceReport>;

/** A rollout that an edited pack judges otherwise than the pack in force. */
export const effectRollout = z.object({
  id: z.string(),
  before: z.number(),
  after: z.number(),
  /** Rules that find something now and did not, and the other way round. */
  gained: z.array(z.string()),
  lost: z.array(z.string()),
  label: nullableString,
});

export const packEffect = z.object({
  /** Rules that the edit touches; all others keep what they found. */
  rules: z.array(
    z.object({
      rule: z.string(),
      change: z.enum(['added', 'changed', 'removed']),
      /** Rollouts with at least one hit. */
      before: z.number(),
      after: z.number(),
      /** Of `after`, by label. */
      hack: z.number(),
      clean: z.number(),
    }),
  ),
  threshold: z.object({ before: z.number(), after: z.number() }),
  /** Rollouts that become marked, and those that no longer are: how many, and the first 200 of each. */
  gained: z.object({ count: z.number(), rollouts: z.array(effectRollout) }),
  lost: z.object({ count: z.number(), rollouts: z.array(effectRollout) }),
  /** Rollouts whose score moves without crossing the threshold. */
  moved: z.number(),
  timedOut: z.array(timedOutRule),
  done: z.number(),
  total: z.number(),
  /** Rollouts that no scan has read yet: nothing is said about them. */
  unscanned: z.number(),
  finished: z.boolean(),
});
export type PackEffect = z.infer<typeof packEffect>;

export const tuningContract = {
  /**
   * Evaluates the current pack's stored markers against the labels in force. `threshold` overrides the pack's.
   * With `weighted`, every labelled rollout counts for the 1/chance rollouts that it stands for by the sampling plans of the
   * queues in which it was labelled; those labelled outside of queues are left out, for nobody knows their chance. Counts
   * stay counts of labelled rollouts.
   */
  evaluate: oc
    .input(z.object({ threshold: z.number().min(0).max(1).optional(), weighted: z.boolean().optional() }))
    .output(tuneReport),
  /** The reason behind a marker beyond the marker itself. */
  evidence: oc.input(z.object({ marker: z.string() })).output(evidenceReport),
  /** The share of marked and of labelled hacks, over the training or by task, model, run. */
  hackRate: oc.input(hackRateRequest).output(hackRateReport),
  /**
   * What an edited pack would change, without storing anything: only the rules that differ are run. Updates until the one that is
   * `finished`; stop reading to cancel. Refuses with `pack-invalid` what does not parse.
   */
  effect: oc.input(z.object({ yaml: z.string().max(2_000_000) })).output(eventIterator(packEffect)),
};
