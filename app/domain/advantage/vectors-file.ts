// The shape of a golden-vector file and its rollouts: JSON in, estimator input out. Missing is null; numbers that JSON
// cannot hold are the strings NaN, Infinity and -Infinity.

import { z } from 'zod';
import { segmentKinds } from '../../contract/vocabulary.ts';
import { type EstimatorInput, type LogprobName, logprobNames, type RolloutInput, type SegmentInput } from './types.ts';

export const vectorsSchema = 'rollscope-golden-1';

const record = z.record(z.string(), z.unknown());

/** A bound that is left out is the usual one. */
const bound = z
  .number()
  .nonnegative()
  .nullish()
  .transform((x) => x ?? 1e-9);

export const vectorCase = z.object({
  name: z.string(),
  estimator: z.string(),
  params: record.nullish().transform((given) => given ?? {}),
  input: record,
  expected: record,
  tolerance: z
    .object({ abs: bound, rel: bound })
    .nullish()
    .transform((given) => given ?? { abs: 1e-9, rel: 1e-9 }),
});
export type VectorCase = z.infer<typeof vectorCase>;

export const vectorFile = z.object({ schema: z.literal(vectorsSchema), cases: z.array(z.unknown()) });

const nonFinite: Readonly<Record<'NaN' | 'Infinity' | '-Infinity', number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};
const anyNumber = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform((text) => nonFinite[text])]);
const nullable = anyNumber.nullish().transform((x) => x ?? null);
/** What is no number in a mask is refused by the estimators with the place (`mask_not_binary`), not by the file format. */
const maskEntry = z.union([z.boolean(), anyNumber, z.null().transform(() => Number.NaN)]);
const column = z
  .array(anyNumber.nullable())
  .nullish()
  .transform((x) => x ?? null);

const segmentShape = z
  .object({
    kind: z
      .enum(segmentKinds)
      .nullish()
      .transform((kind) => kind ?? 'execution'),
    /** Position in its rollout as logged; a gap means that a sibling is missing. */
    index: z.int().nonnegative().nullish(),
    loss_mask: z.array(maskEntry),
    values: column,
    rewards: column,
    advantages: column,
    incorrect_spans: z.array(z.tuple([z.number(), z.number()])).nullish(),
    logprobs_policy: column,
    logprobs_rollout: column,
    logprobs_train_old: column,
    logprobs_infer_old: column,
    logprobs_old: column,
    logprobs_ref: column,
    logprobs_teacher: column,
  })
  .transform((raw): SegmentInput => {
    const logprobs: Partial<Record<LogprobName, readonly (number | null)[]>> = {};
    for (const name of logprobNames) {
      const given = raw[`logprobs_${name}`];
      if (given !== null) logprobs[name] = given;
    }
    return {
      ...(typeof raw.index === 'number' ? { index: raw.index } : {}),
      kind: raw.kind,
      lossMask: raw.loss_mask,
      values: raw.values,
      rewards: raw.rewards,
      advantages: raw.advantages,
      logprobs,
      incorrectSpans: raw.incorrect_spans ?? null,
    };
  });

const endStatus = z.enum(['terminated', 'truncated', 'aborted', 'env_crash']);

const rolloutShape = z
  .object({
    rollout_id: z.string(),
    group_id: z.string().nullish(),
    status: endStatus.nullish(),
    reward: nullable,
    bootstrap_value: nullable,
    greedy_reward: nullable,
    weight_versions: z.array(z.number()).nullish(),
    siblings_missing: z.boolean().nullish(),
    segments: z.array(segmentShape),
  })
  .transform(
    (raw): RolloutInput => ({
      id: raw.rollout_id,
      groupId: raw.group_id ?? `alone ${raw.rollout_id}`,
      status: raw.status ?? 'terminated',
      reward: raw.reward,
      bootstrapValue: raw.bootstrap_value,
      greedyReward: raw.greedy_reward,
      weightVersions: raw.weight_versions ?? null,
      segments: raw.segments,
      siblingsMissing: raw.siblings_missing ?? hasGap(raw.segments),
    }),
  );

/** Whether the logged positions of the segments leave one out; without positions nothing is known to be missing. */
function hasGap(segments: readonly SegmentInput[]): boolean {
  return segments.some((segment, place) => segment.index !== undefined && segment.index !== place);
}

const listedInput = z
  .object({ rollouts: z.array(rolloutShape), learner_version: nullable })
  .transform((raw): EstimatorInput => ({ rollouts: raw.rollouts, learnerVersion: raw.learner_version }));

/** A file may ask for this many generated tokens per case; more would only fill memory. */
const tokenLimit = 20_000_000;

const generatedInput = z
  .object({
    generator: z.literal('large_input', { error: 'the only known generator is "large_input"' }),
    spec: z.object({
      seed: z.int().nonnegative(),
      n_tokens: z.int().positive().max(tokenLimit),
      n_segments: z.int().positive().max(100_000),
      obs: z.boolean(),
    }),
    reward: anyNumber,
    status: endStatus,
  })
  .refine((raw) => raw.spec.n_segments <= raw.spec.n_tokens, {
    path: ['spec', 'n_segments'],
    error: 'there must be a token for each segment',
  })
  .transform((raw): EstimatorInput => {
    const segments = generateSegments(raw.spec);
    return { rollouts: [{ id: 'r0', groupId: 'g0', status: raw.status, reward: raw.reward, segments }] };
  });

/** The input of a case: rollouts as listed, or regenerated from a seed. Throws a ZodError when it is malformed. */
export function readInput(input: Readonly<Record<string, unknown>>): EstimatorInput {
  return Object.hasOwn(input, 'generator') ? generatedInput.parse(input) : listedInput.parse(input);
}

const rolloutKeys = new Set(Object.keys(rolloutShape.in.shape));
const segmentKeys = new Set(Object.keys(segmentShape.in.shape));

/** Fields of a listed input that this version does not read, each once: they had no part in the result. */
export function unreadFields(input: Readonly<Record<string, unknown>>): string[] {
  const unread = new Set<string>();
  const look = (owner: string, value: unknown, known: ReadonlySet<string>): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) if (!known.has(key)) unread.add(`${owner}.${key}`);
  };
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
  const segmentsOf = (value: unknown): readonly unknown[] =>
    typeof value === 'object' && value !== null && 'segments' in value ? list(value.segments) : [];
  for (const rollout of list(input.rollouts)) {
    look('rollout', rollout, rolloutKeys);
    for (const segment of segmentsOf(rollout)) look('segment', segment, segmentKeys);
  }
  return [...unread];
}

interface GeneratorSpec {
  readonly seed: number;
  readonly n_tokens: number;
  readonly n_segments: number;
  readonly obs: boolean;
}

/**
 * The documented generator of large inputs: one linear congruential sequence `x <- 1664525x + 1013904223 mod 2^32`,
 * `u = x / 2^32`, two draws per token (value `2u - 1`, then the mask, 1 below 0.7 when there are observations). Every
 * segment has floor(n/K) tokens, the last one the rest; the mask of the very last token is 1.
 */
function generateSegments(spec: GeneratorSpec): SegmentInput[] {
  let state = spec.seed >>> 0;
  const draw = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const even = Math.floor(spec.n_tokens / spec.n_segments);
  return Array.from({ length: spec.n_segments }, (_, k): SegmentInput => {
    const isLast = k === spec.n_segments - 1;
    const length = isLast ? spec.n_tokens - even * k : even;
    const values = new Float64Array(length);
    const lossMask = new Uint8Array(length);
    for (let t = 0; t < length; t += 1) {
      values[t] = 2 * draw() - 1;
      const u = draw();
      lossMask[t] = !spec.obs || u < 0.7 ? 1 : 0;
    }
    if (isLast) lossMask[length - 1] = 1;
    return { kind: k % 2 === 1 ? 'summary' : 'execution', lossMask, values };
  });
}
