// Rollouts in the JSON shape of golden files, drawn from a seed, for the slow reference and the vectors made with it.

/** One segment as a golden file writes it. */
export interface JsonSegment {
  kind: 'execution' | 'summary';
  loss_mask: number[];
  values?: (number | null)[];
  rewards?: number[];
  advantages?: number[];
  incorrect_spans?: [number, number][];
  logprobs_policy?: number[];
  logprobs_rollout?: number[];
  logprobs_train_old?: number[];
  logprobs_infer_old?: number[];
  logprobs_old?: number[];
  logprobs_ref?: number[];
  logprobs_teacher?: number[];
}

export interface JsonRollout {
  rollout_id: string;
  group_id: string;
  status: 'terminated' | 'truncated' | 'aborted' | 'env_crash';
  reward: number | null;
  bootstrap_value?: number;
  greedy_reward?: number;
  weight_versions?: number[];
  segments: JsonSegment[];
}

export interface JsonInput {
  rollouts: JsonRollout[];
  learner_version?: number;
}

/** Numbers in [0, 1) from a seed: a 32-bit xorshift. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/** A number in [low, high), to two decimals so that the files stay readable. */
function between(random: () => number, low: number, high: number): number {
  return Math.round((low + (high - low) * random()) * 100) / 100;
}

const logprobColumns = [
  'logprobs_policy',
  'logprobs_rollout',
  'logprobs_train_old',
  'logprobs_infer_old',
  'logprobs_old',
  'logprobs_ref',
  'logprobs_teacher',
] as const;

/** Draws a segment with the mask of a pattern: `a` is a trainable token, `.` a masked one. */
export function drawSegment(
  random: () => number,
  pattern: string,
  options: { kind?: JsonSegment['kind']; dense?: boolean; logprobs?: boolean; advantages?: boolean } = {},
): JsonSegment {
  const loss_mask = [...pattern].map((letter) => (letter === 'a' ? 1 : 0));
  const column = (low: number, high: number) => loss_mask.map(() => between(random, low, high));
  const segment: JsonSegment = { kind: options.kind ?? 'execution', loss_mask, values: column(-1, 1) };
  if (options.dense) segment.rewards = loss_mask.map(() => (random() < 0.5 ? between(random, -0.4, 0.4) : 0));
  if (options.advantages) segment.advantages = column(-1.5, 1.5);
  if (options.logprobs) {
    const base = column(-2.5, -0.1);
    for (const name of logprobColumns) {
      segment[name] = base.map((x) => Math.round((x + between(random, -0.9, 0.9)) * 100) / 100);
    }
  }
  return segment;
}

/** A rollout of group g0 with the given segments. */
export function rolloutOf(
  rollout_id: string,
  segments: JsonSegment[],
  rest: Partial<Omit<JsonRollout, 'rollout_id' | 'segments'>> = {},
): JsonRollout {
  return { rollout_id, group_id: 'g0', status: 'terminated', reward: 1, ...rest, segments };
}

/** Positions with mask 1. */
export function trained(segment: JsonSegment): number[] {
  return segment.loss_mask.flatMap((m, t) => (m === 1 ? [t] : []));
}
