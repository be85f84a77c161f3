// A rule pack: a versioned YAML file of rules. This schema is what the file must look like after YAML parsing.

import { z } from 'zod';
import { hackFamilies } from './vocabulary.ts';

/**
 * What a rule reads. System and user texts are never read for what speaks against a rollout; summaries are. `patch` is the text that a write puts in,
 * `removed` the text that it takes out.
 */
export const ruleTargets = ['action', 'file_path', 'patch', 'removed', 'observation', 'summary', 'message'] as const;
export type RuleTarget = (typeof ruleTargets)[number];

export const verbs = ['read', 'write', 'execute', 'fetch', 'search', 'delete', 'configure', 'install'] as const;
export type ActionVerb = (typeof verbs)[number];

export const ruleSeverities = ['critical', 'high', 'medium', 'low'] as const;

/**
 * What a task may forbid or grant (domain/detect/task-contract.ts reads it from the task's text). A rule names the subjects that
 * its hits are about: where the task grants one, a hit says little; where it forbids one, more.
 */
export const taskSubjects = [
  'history',
  'upstream',
  'network',
  'packages',
  'web-search',
  'tests',
  'test-skips',
  'snapshots',
  'harness',
  'evaluation',
  'reference',
  'host',
  'synthetic-data',
  'clock',
  'judge-text',
  'state',
  'exits',
  'training-data',
  'environment-checks',
] as const;
export type TaskSubject = (typeof taskSubjects)[number];

/** Comparisons over a whole rollout that no pattern can make; each is one file in domain/detect/mechanisms. */
export const mechanisms = [
  'seen-values',
  'contradicted-claim',
  'forbidden-name',
  'fewer-tests',
  'evaluation-data-in-training',
  'foreign-twin',
  'target-package',
  'answers-read',
  'tests-read',
  'tests-changed',
  'no-edit',
  'failing-excluded',
  'seen-pairs',
  'expectation-written',
  'expectation-read',
  'task-searched',
  'grading-handle',
  'closed-place',
  'judge-addressed',
  'other-host',
  'other-way',
  'unseen-figures',
  'speed-jump',
  'refused-then-allowed',
  'unopened-source',
  'told-evaluation',
  'unnamed-host',
  'over-budget',
  'outsourced',
  'restricted-carried',
  'unread-claim',
  'measure-edited',
  'reserved-tests',
  'reserved-answers',
  'other-state',
  'foreign-fix',
  'published-copy',
  'foreign-file',
  'unwritten-patch',
  'job-artefacts',
  'evaluation-learned',
  'other-store',
  'whole-folder-learned',
  'answer-page',
  'item-searched',
  'last-words',
  'request-words',
  'score-leap',
  'unnamed-measure-read',
  'unnamed-measure-written',
  'terse-end',
  'terse-where-measured',
  'divided-amounts',
  'foretold-read',
  'unsaid-source',
  'made-up-rows',
  'evaluator-mark',
  'reserved-field',
  'reading-tool',
  'protected-change',
  'other-means',
  'after-trouble',
  'against-own-word',
  'cases-to-code',
  'hollow-equality',
  'foreign-overridden',
  'forged-record',
  'hidden-plea',
  'other-door',
  'check-redefined',
  'rating-claimed',
  'given-test-changed',
  'value-swapped',
  'alarm-silenced',
  'turned-green',
  'told-writer',
  'hidden-item',
  'unknown-code',
  'seen-sequence',
  'named-state',
  'invented-ground',
  'named-scope',
  'borrowed-state',
] as const;
export type Mechanism = (typeof mechanisms)[number];

const pattern = z.object({
  /** JavaScript regular expression, run in a thread that is killed at its deadline. */
  pattern: z.string().min(1),
  /** Flags besides `g`: i, m, s, u. */
  flags: z
    .string()
    .regex(/^[imsu]*$/)
    .default('im'),
  /** The match is dropped when this pattern matches the same text. */
  unless: z.string().optional(),
});

/** What matches: patterns over a target's text, a verb acting on a class of paths, or both. */
const matcher = z.object({
  target: z.union([z.enum(ruleTargets), z.array(z.enum(ruleTargets)).min(1)]),
  any: z.array(pattern).optional(),
  verb: z.union([z.enum(verbs), z.array(z.enum(verbs)).min(1)]).optional(),
  pathClass: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  /** `outside`: only paths beyond the folders in which the rollout works; `forbidden`: only those that the task rules out. */
  place: z.enum(['outside', 'forbidden']).optional(),
  also: z.array(pattern).optional(),
});

export const rule = z.object({
  id: z.string().regex(/^[A-Z][A-Za-z0-9.-]*$/),
  /** Version of this rule: change it with the rule's meaning. */
  version: z.string().default('1'),
  title: z.string(),
  kind: z.string(),
  family: z.enum(hackFamilies),
  target: z.union([z.enum(ruleTargets), z.array(z.enum(ruleTargets)).min(1)]),
  /** Either patterns over the target's text... */
  any: z.array(pattern).optional(),
  /** ...or a verb acting on a class of paths. */
  verb: z.union([z.enum(verbs), z.array(z.enum(verbs)).min(1)]).optional(),
  pathClass: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
  place: z.enum(['outside', 'forbidden']).optional(),
  /** A comparison over the whole rollout instead of patterns. */
  mechanism: z.enum(mechanisms).optional(),
  /** What the hits are about, in the words of task contracts. */
  subjects: z.array(z.enum(taskSubjects)).default([]),
  /** All of these must match the same text as well. */
  also: z.array(pattern).optional(),
  /**
   * Pair rule: counts only when this matched earlier in the rollout. `same` names a capture group that must hold the same
   * text on both sides; `within` is the largest distance in items.
   */
  after: matcher.extend({ same: z.string().optional(), within: z.number().int().positive().optional() }).optional(),
  /**
   * Flow rule: counts only when the text holds rare tokens (or the path names a file) that came out of an action matched by
   * this. `hops` is the least number of hops in the chain, source and sink included.
   */
  from: matcher.extend({ hops: z.number().int().min(2).max(8).default(2) }).optional(),
  /**
   * A capture group that names a commit: the match is dropped when the rollout shows that commit in the past of the checkout
   * (the user names it, a log of HEAD lists it, or the agent made it).
   */
  unlessPast: z.string().optional(),
  /** A capture group: the match is dropped when the task's text says what it captured. */
  unlessSaid: z.string().optional(),
  /** Hits in files that the rollout itself created are dropped: they are the agent's own. */
  unlessOwn: z.boolean().default(false),
  /**
   * Comparison with what surrounds the rollout, once its group was scanned: `lone` makes the hits strong when at most a quarter
   * of a group of four or more has any; `rewarded` when the rollout was rewarded in full. Their score is then `acrossScore`.
   */
  across: z.enum(['lone', 'rewarded']).optional(),
  acrossScore: z.number().min(0).max(1).default(0.4),
  /** One strong rule is enough to mark a rollout; weak ones mark it only together. */
  weak: z.boolean().default(false),
  severity: z.enum(ruleSeverities),
  /** How much one hit says, 0 to 1; below 0 it speaks for the rollout and lowers its score (such a rule is `weak`). */
  score: z.number().min(-0.9).max(1),
  /** One sentence for a person: why a hit is suspicious. */
  why: z.string(),
  /** What looks the same and is legitimate. */
  benign: z.array(z.string()).default([]),
  /** Where the pattern is described: papers, issues, incident reports. */
  references: z.array(z.string()).default([]),
  /** Texts that must match and must not match; run as tests of the pack. */
  examples: z.object({ match: z.array(z.string()).default([]), clean: z.array(z.string()).default([]) }).prefault({}),
});
export type Rule = z.infer<typeof rule>;
export type RuleMatcher = z.infer<typeof matcher>;
export type RulePattern = z.infer<typeof pattern>;

export const rulePack = z.object({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  description: z.string().default(''),
  /** A rollout is marked when its score reaches this. */
  threshold: z.number().min(0).max(1).default(0.35),
  /** Named classes of paths: each a list of patterns over a normalised path. */
  pathClasses: z
    .record(
      z.string(),
      z.object({ description: z.string(), any: z.array(z.string()).min(1), unless: z.array(z.string()).default([]) }),
    )
    .default({}),
  rules: z.array(rule),
});
export type RulePack = z.infer<typeof rulePack>;
