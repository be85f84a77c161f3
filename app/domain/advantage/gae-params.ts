// Parameters that the GAE family shares, and reading one segment for it.

import { z } from 'zod';
import type { FormField } from './define.ts';
import { gammaField, klField, maskedRewardField, truncationField, whitenField } from './forms.ts';
import { klSpec } from './kl-terms.ts';
import { type Lengths, lambdaSpec } from './lambda.ts';
import type { Computed } from './outputs.ts';
import { gammaParam, maskedRewardChoices, type RewardSettings, shapedRewards, truncationChoices } from './rewards.ts';
import { type PreparedRollout, type PreparedSegment, readTrainable } from './tokens.ts';
import type { RolloutOutput, Scope } from './types.ts';
import { type WhitenSpec, whitenRollouts, whitenSpec } from './whitening.ts';

/** Schema fields of reward, truncation, shaping and whitening. */
export const rewardFields = {
  gamma: gammaParam,
  truncation: z.enum(truncationChoices).default('zero'),
  masked_reward: z.enum(maskedRewardChoices).default('drop'),
  kl: klSpec,
  whiten: whitenSpec,
};

/** A second lambda for the critic's targets; null: the same lambda. */
export const lambdaCriticParam = lambdaSpec.nullable().default(null);

export const rewardForm: readonly FormField[] = [gammaField, truncationField, maskedRewardField, klField, whitenField];

/** One segment at its trainable tokens: critic values and shaped token rewards, without the terminal signal. */
export interface SegmentTokens {
  readonly values: Float64Array;
  readonly rewards: Float64Array;
}

/** Reads values and rewards. A segment without trainable tokens needs no values. */
export function readSegment(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  settings: RewardSettings,
): SegmentTokens {
  if (segment.positions.length === 0) {
    // It contributes nothing, whatever was logged for it; rewards of the right length may still be worth a warning.
    const { rewards } = segment.input;
    const readable = rewards === null || rewards === undefined || rewards.length === segment.length;
    const none = new Float64Array(0);
    return { values: none, rewards: readable ? shapedRewards(rollout, segment, settings) : none };
  }
  const values = readTrainable(rollout, segment, segment.input.values, 'values', 'values_missing');
  return { values, rewards: shapedRewards(rollout, segment, settings) };
}

/** Adds the terminal signal at the last trainable token; does nothing where there is none. */
export function addTerminal(rewards: Float64Array, signal: number): void {
  const last = rewards.length - 1;
  if (last >= 0) rewards[last] = (rewards[last] ?? 0) + signal;
}

export function lengthsOf(rollout: PreparedRollout, segment: PreparedSegment): Lengths {
  return {
    segmentTrainable: segment.positions.length,
    segmentTokens: segment.length,
    rolloutTrainable: rollout.trainable,
  };
}

/** The last step of the family: whitened advantages when asked for, the plain ones kept as `unwhitened`. */
export function finish(rollouts: readonly RolloutOutput[], whiten: WhitenSpec | null): Computed {
  if (whiten === null) return { rollouts };
  return { rollouts: whitenRollouts(rollouts, whiten, 'advantages', 'unwhitened') };
}

/** Whitening needs the batch; everything else one rollout. */
export function gaeScope(params: { readonly whiten: WhitenSpec | null }): Scope {
  return params.whiten === null ? 'rollout' : 'batch';
}
