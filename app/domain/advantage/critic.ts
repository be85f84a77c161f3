// What stands in for the critic where its values were not logged, or are not to be used. Always by choice and always named
// in the result: an estimator that lacks values refuses by itself.

import type { CriticStandIn } from '../../contract/verify.ts';
import type { EstimatorInput } from './types.ts';

/**
 * Puts the chosen stand-in in place of the critic. Logged values stay as they are, and so do those of a joined file, which
 * whoever reads the input has already put in place.
 */
export function withCritic(input: EstimatorInput, critic: CriticStandIn): EstimatorInput {
  if (critic.kind === 'logged' || critic.kind === 'file') return input;
  const means = critic.kind === 'group-mean' ? groupMeans(input) : new Map<string, number>();
  return {
    ...input,
    rollouts: input.rollouts.map((rollout) => ({
      ...rollout,
      segments: rollout.segments.map((segment) => {
        if (critic.kind === 'none') return { ...segment, values: null };
        const value = critic.kind === 'constant' ? critic.value : means.get(rollout.groupId);
        if (value === undefined) return { ...segment, values: null };
        return { ...segment, values: new Float64Array(segment.lossMask.length).fill(value) };
      }),
    })),
  };
}

function groupMeans(input: EstimatorInput): Map<string, number> {
  const rewards = new Map<string, number[]>();
  for (const { groupId, reward } of input.rollouts) {
    if (reward !== null && Number.isFinite(reward)) rewards.set(groupId, [...(rewards.get(groupId) ?? []), reward]);
  }
  const mean = (list: readonly number[]): number =>
    list.toSorted((a, b) => a - b).reduce((sum, r) => sum + r, 0) / list.length;
  return new Map([...rewards].map(([group, list]) => [group, mean(list)]));
}

/** The stand-in in words, for the result. `known`: whether there are any values; `file`: the name of the joined file. */
export function criticLabel(critic: CriticStandIn, known: boolean, file: string | null = null): string {
  switch (critic.kind) {
    case 'logged':
      return known ? 'logged values' : 'none logged';
    case 'none':
      return 'none (by choice)';
    case 'constant':
      return `stand-in: constant ${critic.value}`;
    case 'group-mean':
      return 'stand-in: mean reward of the group';
    case 'file':
      return `joined values: ${file ?? critic.values}`;
  }
}
