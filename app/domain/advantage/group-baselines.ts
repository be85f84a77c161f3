// Scalar advantages of one group: each member's reward against a baseline, one function per kind.

import { refuse } from './refusal.ts';
import { allEqual, mean, sum, variance } from './sums.ts';

export const groupKinds = [
  'grpo',
  'center',
  'dr_grpo',
  'rloo',
  'opo',
  'gpg',
  'passk',
  'constant_baseline',
  'remax',
] as const;
type GroupKind = (typeof groupKinds)[number];

/** The members of a group in order of the batch. */
export interface Members {
  readonly group: string;
  readonly rewards: Float64Array;
  /** Trainable tokens of each member. */
  readonly lengths: Float64Array;
  /** Reward of the greedy answer of each member; only `remax` reads it. */
  readonly greedy: Float64Array;
}

export interface BaselineSettings {
  readonly kind: GroupKind;
  readonly ddof: 0 | 1;
  readonly eps: number;
  readonly singleton: 'zero' | 'raw';
  readonly f_norm: number;
  readonly norm: boolean;
  readonly baseline: number;
  /** Batch size over the number of nonzero rewards of the batch (`gpg`). */
  readonly gpgScale: number;
}

export interface Scored {
  readonly advantages: Float64Array;
  readonly baselines: Float64Array;
}

/**
 * Scalar advantages A_i and baselines b_i of a group, m its mean reward, n its size, s_d its standard deviation:
 * center, dr_grpo: r - m. grpo: (r - m)/(s_ddof + eps), exactly 0 when all rewards are equal. rloo: r minus the mean of
 * the others. opo: r - sum(l r)/sum(l). gpg: (batch size / nonzero rewards) * (r - m) / f_norm. passk: the best member
 * gets its lead over the second best. constant_baseline: r - b. remax: r minus the greedy reward.
 * Sources: GLM-4.5; DeepSeekMath; Dr. GRPO; RLOO; OPO; GPG; pass@k training; ReMax (ADVANTAGES.md section 6).
 */
export function scoreGroup(members: Members, settings: BaselineSettings): Scored {
  const { rewards } = members;
  const n = rewards.length;
  switch (settings.kind) {
    case 'center':
    case 'dr_grpo':
      return scaled(rewards, mean(rewards), 1);
    case 'grpo':
      return grpo(rewards, settings);
    case 'rloo':
      return leaveOneOut(rewards, settings.singleton);
    case 'opo':
      return scaled(rewards, n === 1 ? 0 : lengthWeightedMean(members), 1);
    case 'gpg':
      return scaled(rewards, n === 1 ? 0 : mean(rewards), settings.gpgScale / settings.f_norm);
    case 'passk':
      return leadOfBest(members, settings);
    case 'constant_baseline':
      return scaled(rewards, settings.baseline, 1);
    case 'remax':
      return { advantages: rewards.map((r, i) => r - (members.greedy[i] ?? 0)), baselines: members.greedy };
  }
}

function scaled(rewards: Float64Array, baseline: number, scale: number): Scored {
  return {
    advantages: rewards.map((r) => scale * (r - baseline)),
    baselines: new Float64Array(rewards.length).fill(baseline),
  };
}

function noSignal(rewards: Float64Array, baseline: number): Scored {
  return {
    advantages: new Float64Array(rewards.length),
    baselines: new Float64Array(rewards.length).fill(baseline),
  };
}

function grpo(rewards: Float64Array, settings: BaselineSettings): Scored {
  if (rewards.length === 1 && settings.singleton === 'raw') return scaled(rewards, 0, 1 / (1 + settings.eps));
  const centre = mean(rewards);
  // Rounding in the standard deviation must not turn "no signal" into a large advantage.
  if (rewards.length === 1 || allEqual(rewards)) return noSignal(rewards, centre);
  return scaled(rewards, centre, 1 / (Math.sqrt(variance(rewards, settings.ddof)) + settings.eps));
}

function leaveOneOut(rewards: Float64Array, singleton: 'zero' | 'raw'): Scored {
  if (rewards.length === 1) return singleton === 'raw' ? scaled(rewards, 0, 1) : noSignal(rewards, 0);
  if (allEqual(rewards)) return noSignal(rewards, mean(rewards));
  const total = sum(rewards);
  const baselines = rewards.map((r) => (total - r) / (rewards.length - 1));
  return { advantages: rewards.map((r, i) => r - (baselines[i] ?? 0)), baselines };
}

function lengthWeightedMean(members: Members): number {
  const length = sum(members.lengths);
  if (length === 0) {
    const message = `No member of group ${members.group} has a trainable token: a length-weighted baseline is undefined.`;
    return refuse('no_trainable_tokens', message, [members.group]);
  }
  return sum(members.rewards.map((r, i) => r * (members.lengths[i] ?? 0))) / length;
}

function leadOfBest(members: Members, settings: BaselineSettings): Scored {
  const { rewards, group } = members;
  if (rewards.length < 2) {
    const message = `Group ${group} has one member; "passk" compares the best with the second best and needs two.`;
    return refuse('group_too_small', message, [group]);
  }
  let best = 0;
  for (let i = 1; i < rewards.length; i += 1) if ((rewards[i] ?? 0) > (rewards[best] ?? 0)) best = i;
  let second = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < rewards.length; i += 1) if (i !== best) second = Math.max(second, rewards[i] ?? 0);
  const lead = (rewards[best] ?? 0) - second;
  const advantages = new Float64Array(rewards.length);
  if (lead > 0) {
    advantages[best] = settings.norm ? lead / (Math.sqrt(variance(rewards, 1)) + settings.eps) : lead;
  }
  return { advantages, baselines: new Float64Array(rewards.length).fill(second) };
}
