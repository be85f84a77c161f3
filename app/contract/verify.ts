// Verify my trainer: what was logged against what is recomputed, and the likeliest reason where they part.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';

/**
 * What a comparison can conclude. `clean`: a published estimator gives the log. `unexplained`: nothing tried gives it.
 * `not-logged` and `refused` say that there was nothing to compare.
 */
export const diagnosisCodes = [
  'clean',
  'observations-as-transitions',
  'whitened-globally',
  'whitened-per-shard',
  'scaled-globally',
  'summaries-left-out',
  'siblings-missing',
  'siblings-counted-twice',
  'factor-per-segment',
  'normaliser-per-rollout',
  'reward-on-masked-tail',
  'reward-differs',
  'return-reset-at-observations',
  'values-shifted',
  'mask-shifted',
  'mask-inverted',
  'wrong-discount',
  'trained-twice',
  'other-estimator',
  'unexplained',
  'not-logged',
  'refused',
] as const;
export type DiagnosisCode = (typeof diagnosisCodes)[number];

/**
 * Where critic values come from: what was logged, nothing (GAE is then refused), a constant, the group's mean reward, or a
 * joined file (id of its set; segments that the file does not have are without values, whatever was logged).
 */
export const criticStandIn = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('logged') }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('constant'), value: z.number() }),
  z.object({ kind: z.literal('group-mean') }),
  z.object({ kind: z.literal('file'), values: z.string() }),
]);
export type CriticStandIn = z.infer<typeof criticStandIn>;

/** One estimator with its parameters and how near it comes. Differences are |logged − recomputed| / (1e-6 + |recomputed|). */
export const fit = z.object({
  estimator: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** Presets with exactly these advantages. */
  presets: z.array(z.string()),
  /** "gae_cross, γ 1, λ 0.999" */
  label: z.string(),
  max: nullableNumber,
  p99: nullableNumber,
  /** Share of the compared tokens that agree within the tolerance. */
  agreeing: z.number(),
});
export type Fit = z.infer<typeof fit>;

/** Walking back from the end of a segment, the first token that differs: where an error of a backward recursion starts. */
export const divergence = z.object({
  segment: z.number(),
  kind: z.string(),
  /** Position in the segment's raw tokens. */
  token: z.number(),
  logged: z.number(),
  recomputed: z.number(),
  /** Trainable tokens of the segment that differ, and that were compared. */
  differing: z.number(),
  compared: z.number(),
});
export type Divergence = z.infer<typeof divergence>;

export const diagnosis = z.object({
  code: z.enum(diagnosisCodes),
  /** A few words. */
  title: z.string(),
  /** What happened, where, and what to look at. */
  sentence: z.string(),
  /** 0..1: how much of the log it explains, less what other explanations share. */
  confidence: z.number(),
  evidence: z.array(z.string()),
});
export type Diagnosis = z.infer<typeof diagnosis>;

export const rolloutVerification = z.object({
  id: z.string(),
  /** `found` is anything that is not what was to be expected, conventions such as whitening included. */
  status: z.enum(['clean', 'found', 'refused', 'not-logged']),
  /** What was compared. */
  compared: z.enum(['advantages', 'returns']).nullable(),
  tokens: z.number(),
  /** Numbers of the log are float32, or all of them fit into a 16-bit format. Sets the tolerance. */
  precision: z.enum(['fp32', 'bf16', 'fp16']).nullable(),
  tolerance: nullableNumber,
  /** Where critic values came from. */
  critic: z.string(),
  /** Nearest first, at most eight. */
  fits: z.array(fit),
  /** Against the fit that the diagnosis starts from; empty where everything agrees. */
  divergences: z.array(divergence),
  diagnosis,
  /** Other explanations that reproduce the log as well, likeliest first. */
  alternatives: z.array(diagnosis.pick({ code: true, title: true, confidence: true })),
  /** How the logged return targets come about; null where none were logged or none of the conventions fits. */
  returns: nullableString,
});
export type RolloutVerification = z.infer<typeof rolloutVerification>;

export const verifyRequest = z.object({
  /** Rollouts by id; all rollouts of their training steps are read, since baselines and whitening need them. */
  rollouts: z.array(z.string()).min(1).max(10_000),
  critic: criticStandIn.default({ kind: 'logged' }),
  /** Name of the preset the trainer is meant to follow: then its conventions are clean and any other is a finding. */
  expect: z.string().optional(),
});
export type VerifyRequest = z.infer<typeof verifyRequest>;

export const verifyReport = z.object({ rollouts: z.array(rolloutVerification) });
export type VerifyReport = z.infer<typeof verifyReport>;

export const verifyContract = {
  /** Compares logged advantages with every preset and its options. Nothing is stored. */
  run: oc.input(verifyRequest).output(verifyReport),
};
