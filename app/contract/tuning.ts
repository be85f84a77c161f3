// The rule pack against people's labels: precision, recall and F1 of the pack and of each rule.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, proportion } from './records.ts';

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

export const tuningContract = {
  /** Evaluates the current pack's stored markers against the labels in force. `threshold` overrides the pack's. */
  evaluate: oc.input(z.object({ threshold: z.number().min(0).max(1).optional() })).output(tuneReport),
};
