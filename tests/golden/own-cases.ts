// The project's own golden cases: inputs drawn from seeds, expectations from the slow reference. They
// are written to own/*.json (see golden.test.ts), and a test keeps the files equal to what stands here.

import {
  allTokensReference,
  type GaeParams,
  gaeCrossReference,
  gaeLocalReference,
  gaeStitchedReference,
  gapReference,
} from './reference-gae.ts';
import { drawSegment, type JsonInput, type JsonRollout, randomFrom, rolloutOf } from './reference-rollouts.ts';

export interface OwnCase {
  name: string;
  estimator: string;
  params: Record<string, unknown>;
  input: JsonInput;
  expected: Record<string, unknown>;
  tolerance: { abs: number; rel: number };
  note?: string;
}

const logprobs = (...names: string[]) => names.map((name) => `logprobs_${name}`);
/** The columns that each estimator reads; a case carries no others, so that the files stay small. */
const columnsOf: Readonly<Record<string, readonly string[]>> = {
  gae_local: ['values', 'rewards', ...logprobs('policy', 'ref')],
  gae_cross: ['values', 'rewards'],
  gae_stitched: ['values', 'rewards'],
  approx_gap: ['values', 'rewards'],
  gae_all_tokens: ['values', 'rewards'],
  signal_share: ['values', 'rewards'],
  reinforce_pp: ['rewards', ...logprobs('policy', 'ref')],
  opd: ['advantages', ...logprobs('policy', 'teacher')],
  whiten: ['advantages'],
  kl: logprobs('policy', 'ref'),
  dis: ['advantages', ...logprobs('policy', 'rollout')],
  icepop_ppo: ['advantages', ...logprobs('policy', 'train_old', 'infer_old')],
  ppo_clip: ['advantages', ...logprobs('policy', 'old')],
  tis: logprobs('train_old', 'infer_old'),
  cispo: ['advantages', ...logprobs('policy', 'old')],
  mask_incorrect: ['incorrect_spans'],
};

function reduced(rollout: JsonRollout, estimator: string): JsonRollout {
  const kept = new Set(['kind', 'loss_mask', ...(columnsOf[estimator] ?? [])]);
  const segments = rollout.segments.map((segment) => {
    const { kind, loss_mask } = segment;
    return { kind, loss_mask, ...Object.fromEntries(Object.entries(segment).filter(([name]) => kept.has(name))) };
  });
  return { ...rollout, segments };
}

const tolerance = { abs: 1e-10, rel: 1e-10 };

export function ownCase(
  name: string,
  estimator: string,
  params: object,
  rollouts: JsonRollout[],
  expected: object,
  note?: string,
): OwnCase {
  return {
    name,
    estimator,
    params: { ...params },
    input: { rollouts: rollouts.map((rollout) => reduced(rollout, estimator)) },
    expected: { ...expected },
    tolerance,
    ...(note === undefined ? {} : { note }),
  };
}

const options = { dense: true, logprobs: true, advantages: true };

/** One task whose agent compacted twice (K = 5), with observations, a masked tail and per-token rewards. */
export function compactedRollout(seed: number, rest: Partial<JsonRollout> = {}): JsonRollout {
  const random = randomFrom(seed);
  const segments = [
    drawSegment(random, '..aaa..aa', options),
    drawSegment(random, '.aaa', { ...options, kind: 'summary' }),
    drawSegment(random, '...aa.aaa..', options),
    drawSegment(random, '.aa', { ...options, kind: 'summary' }),
    drawSegment(random, '..a..aaaa.', options),
  ];
  return rolloutOf(`compacted-${seed}`, segments, { reward: 0.75, ...rest });
}

export function plainRollout(seed: number, rest: Partial<JsonRollout> = {}): JsonRollout {
  const random = randomFrom(seed);
  return rolloutOf(`plain-${seed}`, [drawSegment(random, '.aaa..aaaa', options)], { reward: -0.5, ...rest });
}

/** A rollout with an empty segment, one that is all masked, and one ordinary segment on either side. */
export function patchyRollout(seed: number): JsonRollout {
  const random = randomFrom(seed);
  return rolloutOf(`patchy-${seed}`, [
    drawSegment(random, 'aa.a', options),
    drawSegment(random, '', { ...options, kind: 'summary' }),
    drawSegment(random, '.....', options),
    drawSegment(random, '.aaa.', options),
  ]);
}

const withoutTokenRewards = (rollout: JsonRollout): JsonRollout => ({
  ...rollout,
  segments: rollout.segments.map(({ rewards: _, ...segment }) => segment),
});

const length = (kind: 'segment_trainable' | 'rollout_trainable' | 'segment_tokens', alpha = 1.5, max?: number) => ({
  mode: 'length_adaptive',
  alpha,
  length: kind,
  ...(max === undefined ? {} : { max }),
});

export function gaeCases(): OwnCase[] {
  const local = (name: string, rollouts: JsonRollout[], params: GaeParams) =>
    ownCase(name, 'gae_local', params, rollouts, gaeLocalReference(rollouts, params));
  const all = (name: string, rollouts: JsonRollout[], params: Parameters<typeof allTokensReference>[1]) =>
    ownCase(name, 'gae_all_tokens', params, rollouts, allTokensReference(rollouts, params));
  const rollouts = [compactedRollout(7), plainRollout(8)];
  const cut = [
    compactedRollout(9, { status: 'truncated', reward: 0.1, bootstrap_value: 0.35 }),
    plainRollout(10, { bootstrap_value: 0.8 }),
  ];
  return [
    local('local_every_segment', rollouts, { gamma: 0.96, lambda: 0.85 }),
    local('local_last_segment', rollouts, { gamma: 0.96, lambda: 0.85, reward_placement: 'last_segment' }),
    local('local_last_segment_skips_untrained', [patchyRollout(11)], {
      gamma: 0.9,
      lambda: 0.7,
      reward_placement: 'last_segment',
    }),
    local('local_td_errors', rollouts, { gamma: 0.93, lambda: 0 }),
    local('local_monte_carlo', rollouts, { gamma: 1, lambda: 1 }),
    local('local_myopic', rollouts, { gamma: 0, lambda: 0.9 }),
    local('local_rewards_folded_onto_actions', rollouts, { gamma: 0.97, lambda: 0.9, masked_reward: 'fold_prev' }),
    local('local_truncated_bootstrap', cut, { gamma: 0.98, lambda: 0.9, truncation: 'bootstrap' }),
    local('local_truncated_zero', cut, { gamma: 0.98, lambda: 0.9, truncation: 'zero' }),
    local('local_adaptive_lambda_decoupled', rollouts, {
      gamma: 1,
      lambda: length('segment_trainable'),
      lambda_critic: 1,
    }),
    local('local_adaptive_lambda_raw_tokens', rollouts, { gamma: 0.99, lambda: length('segment_tokens', 0.6) }),
    local('local_adaptive_lambda_clamped_at_zero', rollouts, { gamma: 1, lambda: length('segment_trainable', 0.04) }),
    local('local_kl_k2', rollouts, { gamma: 0.99, lambda: 0.9, kl: { kind: 'k2', beta: 0.2 } }),
    local('local_kl_k3', rollouts, { gamma: 0.99, lambda: 0.9, kl: { kind: 'k3', beta: 0.1 } }),
    all('all_tokens_last_token', rollouts, { gamma: 0.95, lambda: 0.8, terminal_at: 'last_token' }),
    all('all_tokens_last_trainable', rollouts, { gamma: 0.95, lambda: 0.8, terminal_at: 'last_trainable' }),
    all('all_tokens_zero_masked', rollouts, {
      gamma: 0.95,
      lambda: 0.8,
      terminal_at: 'last_trainable',
      zero_masked: true,
    }),
  ];
}

export function crossCases(): OwnCase[] {
  const cross = (name: string, rollouts: JsonRollout[], params: GaeParams) =>
    ownCase(name, 'gae_cross', params, rollouts, gaeCrossReference(rollouts, params));
  const stitched = (name: string, rollouts: JsonRollout[], params: GaeParams) =>
    ownCase(name, 'gae_stitched', params, rollouts, gaeStitchedReference(rollouts, params));
  const gap = (name: string, rollouts: JsonRollout[], params: GaeParams, note?: string) =>
    ownCase(name, 'approx_gap', params, rollouts, gapReference(rollouts, params), note);
  const rollouts = [compactedRollout(21), plainRollout(22)];
  const sparse = rollouts.map(withoutTokenRewards);
  const cut = [compactedRollout(23, { status: 'truncated', reward: 0, bootstrap_value: -0.6 })];
  return [
    cross('cross_fixed_lambda', rollouts, { gamma: 0.97, lambda: 0.92 }),
    cross('cross_own_lambda', rollouts, { gamma: 1, lambda: length('segment_trainable') }),
    cross('cross_product_of_lambdas', rollouts, {
      gamma: 0.99,
      lambda: length('segment_trainable'),
      factor: 'product',
    }),
    cross('cross_one_lambda_per_rollout', rollouts, { gamma: 1, lambda: length('rollout_trainable') }),
    cross('cross_raw_lengths_capped', rollouts, {
      gamma: 1,
      lambda: length('segment_tokens', 1.5, 0.88),
      factor_lambda: length('segment_trainable', 1.5, 0.7),
      returns: 'corrected',
    }),
    cross('cross_returns_of_critic_lambda', rollouts, {
      gamma: 1,
      lambda: length('segment_trainable'),
      returns: 'lambda_critic',
      lambda_critic: 0.99,
    }),
    cross('cross_untrained_segments', [patchyRollout(24)], { gamma: 0.9, lambda: 0.8 }),
    cross('cross_bootstrap', cut, { gamma: 0.95, lambda: 0.9, truncation: 'bootstrap' }),
    cross('cross_lambda_zero', rollouts, { gamma: 0.95, lambda: 0 }),
    stitched('stitched_fixed_lambda', rollouts, { gamma: 0.97, lambda: 0.92 }),
    stitched('stitched_rollout_length', rollouts, { gamma: 1, lambda: length('rollout_trainable', 0.9) }),
    stitched('stitched_untrained_segments', [patchyRollout(25)], { gamma: 0.9, lambda: 0.8 }),
    stitched('stitched_bootstrap', cut, { gamma: 0.95, lambda: 0.9, truncation: 'bootstrap' }),
    stitched('stitched_folded_rewards', rollouts, { gamma: 0.95, lambda: 0.9, masked_reward: 'fold_prev' }),
    gap('gap_dense_rewards', rollouts, { gamma: 0.97, lambda: 0.92 }),
    gap('gap_terminal_reward_only', sparse, { gamma: 0.97, lambda: 0.92 }),
    gap('gap_undiscounted', sparse, { gamma: 1, lambda: 1 }, 'exact: the only reward is the terminal one'),
  ];
}
