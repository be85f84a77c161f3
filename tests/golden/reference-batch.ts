// A slow reference for what looks at a whole batch: loss weights, groups, whitening, reward to go. A loss weight is found
// by evaluating the loss itself on "1 at this token, 0 elsewhere", not by a formula for the weight.

import { finalSignal, type GaeParams, onTokens, power, rewardsAt } from './reference-gae.ts';
import { type JsonRollout, type JsonSegment, trained } from './reference-rollouts.ts';

const total = (xs: readonly number[]) => xs.reduce((a, b) => a + b, 0);
const average = (xs: readonly number[]) => total(xs) / xs.length;

export type WeightMode = 'token_mean' | 'segment_mean' | 'segment_sum_mean' | 'rollout_mean' | 'constant_length';

/** The batch loss of token losses [rollout][segment][trainable token]. */
function lossOf(losses: number[][][], mode: WeightMode, length: number): number {
  const segments = losses.flat();
  const filled = segments.filter((segment) => segment.length > 0);
  switch (mode) {
    case 'token_mean':
      return average(segments.flat());
    case 'segment_mean':
      return average(filled.map(average));
    case 'segment_sum_mean':
      return average(filled.map(total));
    case 'rollout_mean':
      return average(
        losses
          .map((rollout) => rollout.flat())
          .filter((tokens) => tokens.length > 0)
          .map(average),
      );
    case 'constant_length':
      return average(segments.map((segment) => total(segment) / length));
  }
}

/** Which tokens a rejection leaves, and whether only those count in what is divided by. */
export interface Rejecting {
  readonly stays: (segment: JsonSegment, t: number) => boolean;
  readonly denominator: 'mask' | 'accepted';
}

/** Loss weights; a rejected token has none, since nothing of its loss is left. */
export function weightsReference(
  rollouts: readonly JsonRollout[],
  mode: WeightMode,
  length = 1,
  { stays, denominator }: Rejecting = { stays: () => true, denominator: 'mask' },
) {
  const counted = (segment: JsonSegment): number[] =>
    denominator === 'accepted' ? trained(segment).filter((t) => stays(segment, t)) : trained(segment);
  const weight = (r: number, s: number, i: number) => {
    const losses = rollouts.map((rollout, a) =>
      rollout.segments.map((segment, b) => counted(segment).map((t) => (a === r && b === s && t === i ? 1 : 0))),
    );
    return lossOf(losses, mode, length);
  };
  const compressed = rollouts.map((rollout, r) =>
    rollout.segments.map((segment, s) => trained(segment).map((t) => (stays(segment, t) ? weight(r, s, t) : 0))),
  );
  return {
    token_weights: rollouts.map((rollout, r) =>
      rollout.segments.map((segment, s) => onTokens(segment, compressed[r]?.[s] ?? [])),
    ),
    segment_share: compressed.map((segments) => segments.map(total)),
    rollout_share: compressed.map((segments) => total(segments.flat())),
    total: total(compressed.flat(2)),
  };
}

export function signalReference(weights: number[][][], advantages: number[][][]) {
  const signal = weights.map((segments, r) =>
    segments.map((tokens, s) => total(tokens.map((w, t) => Math.abs(w * (advantages[r]?.[s]?.[t] ?? 0))))),
  );
  const all = total(signal.flat());
  return {
    segment_signal: signal.map((segments) => segments.map((x) => x / all)),
    rollout_signal: signal.map((segments) => total(segments) / all),
    total_abs: all,
  };
}

/** The scalar of one rollout: `score(own reward, rewards of its group, place in the group, members)`. */
export function groupReference(
  rollouts: readonly JsonRollout[],
  score: (
    own: JsonRollout,
    members: readonly JsonRollout[],
    rewards: readonly number[],
  ) => { advantage: number; baseline: number },
) {
  const scored = rollouts.map((rollout) => {
    const members = rollouts.filter((other) => other.group_id === rollout.group_id);
    return score(
      rollout,
      members,
      members.map((member) => member.reward ?? 0),
    );
  });
  return {
    scalar_advantages: scored.map(({ advantage }) => advantage),
    baselines: scored.map(({ baseline }) => baseline),
    advantages: rollouts.map((rollout, r) =>
      rollout.segments.map((segment) => segment.loss_mask.map((m) => (m === 1 ? (scored[r]?.advantage ?? 0) : 0))),
    ),
  };
}

/** Standard deviation from all pairs: sum over i<j of (x_i - x_j)^2 is n times the sum of squares about the mean. */
export function deviation(xs: readonly number[], ddof: number): number {
  let pairs = 0;
  for (const [i, x] of xs.entries()) for (const y of xs.slice(i + 1)) pairs += (x - y) ** 2;
  return Math.sqrt(pairs / xs.length / (xs.length - ddof));
}

export const meanOf = average;

export function whitenReference(
  rollouts: readonly JsonRollout[],
  column: (r: number, s: number, t: number) => number,
  settings: { ddof: number; eps: number; eps_mode: 'add' | 'clamp'; shift_mean?: boolean },
): number[][][] {
  const flat = rollouts.flatMap((rollout, r) =>
    rollout.segments.flatMap((segment, s) => trained(segment).map((t) => column(r, s, t))),
  );
  const centre = average(flat);
  const variance = deviation(flat, settings.ddof) ** 2;
  const scale = Math.sqrt(settings.eps_mode === 'add' ? variance + settings.eps : Math.max(variance, settings.eps));
  return rollouts.map((rollout, r) =>
    rollout.segments.map((segment, s) =>
      segment.loss_mask.map((m, t) =>
        m === 1 ? (column(r, s, t) - centre) / scale + (settings.shift_mean === false ? centre : 0) : 0,
      ),
    ),
  );
}

export function rewardToGoReference(
  rollouts: readonly JsonRollout[],
  params: GaeParams & { scope: 'rollout' | 'segment' },
): number[][][] {
  return rollouts.map((rollout) => {
    const lastTrained = rollout.segments.findLastIndex((segment) => trained(segment).length > 0);
    const tokens = rollout.segments.flatMap((segment, s) => {
      const rewards = rewardsAt(segment, params);
      return rewards.map((r, i) => {
        const ends = i === rewards.length - 1 && (params.scope === 'segment' || s === lastTrained);
        return { s, reward: ends ? r + finalSignal(rollout, params) : r };
      });
    });
    const toGo = tokens.map(({ s }, i) => ({
      s,
      value: total(
        tokens.map((other, j) =>
          j < i || (params.scope === 'segment' && other.s !== s) ? 0 : power(params.gamma, j - i) * other.reward,
        ),
      ),
    }));
    return rollout.segments.map((segment, s) =>
      onTokens(
        segment,
        toGo.filter((entry) => entry.s === s).map((entry) => entry.value),
      ),
    );
  });
}
