// Rewards at the trainable tokens: per-token rewards, KL shaping, and the terminal signal of the rollout.

import { z } from 'zod';
import { type KlSpec, klTerm } from './kl-terms.ts';
import { refuse } from './refusal.ts';
import { checkLength, type PreparedRollout, type PreparedSegment, readLogprobs, refuseNonfinite } from './tokens.ts';

export const maskedRewardChoices = ['drop', 'fold_prev'] as const;
export const truncationChoices = ['zero', 'bootstrap'] as const;

export interface RewardSettings {
  readonly gamma: number;
  readonly truncation: (typeof truncationChoices)[number];
  readonly masked_reward: (typeof maskedRewardChoices)[number];
  readonly kl: KlSpec | null;
}

export const gammaParam = z.number().min(0).max(1).default(1);

/**
 * The signal Z that ends a rollout: its reward, plus `gamma * bootstrap_value` when a truncated rollout is bootstrapped.
 * Refuses `env_crash_excluded`, `reward_missing`, `nonfinite_input`, `bootstrap_value_missing`.
 */
export function terminalSignal(rollout: PreparedRollout, settings: RewardSettings): number {
  const { id, status, reward, bootstrapValue } = rollout.input;
  if (status === 'env_crash') {
    refuse('env_crash_excluded', `Environment crash: rollout ${id} is excluded by rule, not scored as a failure.`, [
      id,
    ]);
  }
  const known = finiteReward(id, reward);
  if (status !== 'truncated' || settings.truncation === 'zero') return known;
  if (bootstrapValue === null || bootstrapValue === undefined) {
    return refuse(
      'bootstrap_value_missing',
      `Truncated rollouts are bootstrapped but the value of the last state of rollout ${id} was not logged. ` +
        'Choose truncation "zero", or log bootstrap_value.',
      [id],
    );
  }
  if (!Number.isFinite(bootstrapValue)) {
    refuse('nonfinite_input', `Non-finite input: bootstrap_value of rollout ${id} is ${String(bootstrapValue)}.`, [
      id,
      'bootstrap_value',
    ]);
  }
  return known + settings.gamma * bootstrapValue;
}

/** A reward that is there and finite, or a refusal. */
export function finiteReward(id: string, reward: number | null): number {
  if (reward === null) {
    return refuse(
      'reward_missing',
      `No reward: rollout ${id} is excluded, and statistics of its group are over the others.`,
      [id],
    );
  }
  if (!Number.isFinite(reward)) {
    refuse('nonfinite_input', `Non-finite input: the reward of rollout ${id} is ${String(reward)}.`, [id, 'reward']);
  }
  return reward;
}

/**
 * Per-token rewards at the trainable tokens, shaped by `-beta * kl` when asked for. Rewards on masked tokens are dropped
 * with a warning, or (`fold_prev`) added to the nearest earlier trainable token, the first one if none precedes.
 */
export function shapedRewards(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  settings: RewardSettings,
): Float64Array {
  const rewards = tokenRewards(rollout, segment, settings.masked_reward);
  const { kl } = settings;
  if (kl !== null && segment.positions.length > 0) {
    const policy = readLogprobs(rollout, segment, 'policy', 'policy_logprobs_missing');
    const reference = readLogprobs(rollout, segment, 'ref', 'ref_logprobs_missing');
    for (let i = 0; i < rewards.length; i += 1) {
      rewards[i] = (rewards[i] ?? 0) - kl.beta * klTerm((policy[i] ?? 0) - (reference[i] ?? 0), kl.kind, kl.clamp);
    }
  }
  return rewards;
}

function tokenRewards(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  masked: RewardSettings['masked_reward'],
): Float64Array {
  const { positions } = segment;
  const out = new Float64Array(positions.length);
  const column = segment.input.rewards;
  if (column === null || column === undefined) return out;
  checkLength(rollout, segment, column, 'rewards');
  const fold = masked === 'fold_prev' && positions.length > 0;
  let next = 0;
  let dropped = 0;
  for (let t = 0; t < column.length; t += 1) {
    const raw = column[t];
    const trainable = next < positions.length && positions[next] === t;
    const slot = trainable ? next : Math.max(0, next - 1);
    if (trainable) next += 1;
    if (raw === null || raw === undefined || raw === 0 || (rollout.nanIsMissing && Number.isNaN(raw))) continue;
    if (!trainable && !fold) {
      dropped += 1;
      continue;
    }
    if (!Number.isFinite(raw)) refuseNonfinite(rollout.input.id, segment.index, t, 'rewards', raw);
    out[slot] = (out[slot] ?? 0) + raw;
  }
  if (dropped > 0) warnDropped(rollout, segment, dropped);
  return out;
}

function warnDropped(rollout: PreparedRollout, segment: PreparedSegment, count: number): void {
  const advice =
    segment.positions.length > 0
      ? ' "fold_prev" adds them to the action before.'
      : ' The segment has no trainable token.';
  rollout.warnings.push({
    code: 'reward_dropped',
    message: `${count} nonzero rewards on masked tokens of segment ${segment.index} were dropped.${advice}`,
    segments: [segment.index],
  });
}
