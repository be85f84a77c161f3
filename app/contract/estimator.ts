// Estimators as seen from outside: a registry entry, its parameters, its results and its refusals.

import { z } from 'zod';
import { nullableNumber } from './records.ts';

/** Why an estimator could not be computed. Codes are those of the golden vectors. */
export const refusalCodes = [
  'values_missing',
  'nonfinite_input',
  'reward_missing',
  'env_crash_excluded',
  'bootstrap_value_missing',
  'policy_logprobs_missing',
  'ref_logprobs_missing',
  'greedy_reward_missing',
  'group_too_small',
  'no_trainable_tokens',
  'length_mismatch',
  'mask_not_binary',
  'version_missing',
  'siblings_missing',
  'parameter_invalid',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** One parameter for a form: its default, its choices or range, and one sentence on what it does. */
export const parameterInfo = z.object({
  name: z.string(),
  label: z.string(),
  type: z.enum(['number', 'choice', 'boolean', 'lambda']),
  default: z.unknown(),
  choices: z.array(z.string()).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  help: z.string(),
});
export type ParameterInfo = z.infer<typeof parameterInfo>;

export const estimatorInfo = z.object({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  /** One sentence: what it computes. */
  summary: z.string(),
  /** Where the formula comes from. */
  source: z.string(),
  /** Needs critic values. */
  needsValues: z.boolean(),
  /** Works on one rollout or needs its group or batch. */
  scope: z.enum(['rollout', 'group', 'batch']),
  /** What it gives: token advantages, token weights, a gap between two estimators, or another diagnostic (ratios, KL). */
  output: z.enum(['advantages', 'weights', 'gap', 'diagnostic']),
  parameters: z.array(parameterInfo),
});
export type EstimatorInfo = z.infer<typeof estimatorInfo>;

export const presetInfo = z.object({
  name: z.string(),
  title: z.string(),
  estimator: z.string(),
  params: z.record(z.string(), z.unknown()),
  /** Where the settings come from. */
  sources: z.array(z.string()),
  /** What the source states, what was chosen here where it is silent, and what is not settled; empty where nothing is. */
  settled: z.string(),
  chosen: z.string(),
  unsettled: z.string(),
  /** The three in one text. */
  note: z.string(),
});
export type PresetInfo = z.infer<typeof presetInfo>;

export const columnStats = z.object({
  count: z.number(),
  min: nullableNumber,
  max: nullableNumber,
  mean: nullableNumber,
  maxAbs: nullableNumber,
});
export type ColumnStats = z.infer<typeof columnStats>;

export const segmentAdvantages = z.object({
  index: z.number(),
  kind: z.string(),
  /** F_s of the cross-trajectory estimator; null for others. */
  factor: nullableNumber,
  lambda: nullableNumber,
  stats: columnStats,
  /** Per token, a masked token is 0. Only when asked for. */
  advantages: z.array(z.number()).optional(),
  returns: z.array(z.number()).optional(),
});
export type SegmentAdvantages = z.infer<typeof segmentAdvantages>;

export const rolloutAdvantages = z.object({
  id: z.string(),
  segments: z.array(segmentAdvantages),
  /** Scalar advantage and baseline of the group family. */
  scalar: nullableNumber,
  baseline: nullableNumber,
  /** Loss weight of one trainable token of each segment, for estimators that give weights. */
  tokenWeight: z.array(z.number()).optional(),
  warnings: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type RolloutAdvantages = z.infer<typeof rolloutAdvantages>;
