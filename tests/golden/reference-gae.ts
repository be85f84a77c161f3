// A slow reference for the GAE family, from the definitions: every advantage is its own sum over all later TD residuals,
// every power is a product. It shares no code and no recursion with the estimators.

import { type JsonRollout, type JsonSegment, trained } from './reference-rollouts.ts';

export interface GaeParams {
  gamma: number;
  lambda:
    | number
    | { alpha: number; length: 'segment_trainable' | 'rollout_trainable' | 'segment_tokens'; max?: number };
  truncation?: 'zero' | 'bootstrap';
  masked_reward?: 'drop' | 'fold_prev';
  reward_placement?: 'every_segment' | 'last_segment';
  lambda_critic?: GaeParams['lambda'];
  factor?: 'own' | 'product';
  factor_lambda?: GaeParams['lambda'];
  returns?: 'local' | 'corrected' | 'lambda_critic';
  kl?: { kind: 'k1' | 'k2' | 'k3'; beta: number };
}

export function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i += 1) product *= base;
  return product;
}

function pick(column: readonly (number | null)[] | undefined, t: number): number {
  const x = column?.[t];
  if (x === undefined || x === null) throw new Error('the reference is fed complete columns');
  return x;
}

function lambdaOf(spec: GaeParams['lambda'], segment: JsonSegment, rollout: JsonRollout): number {
  if (typeof spec === 'number') return spec;
  const everyone = rollout.segments.reduce((n, s) => n + trained(s).length, 0);
  const length =
    spec.length === 'segment_trainable'
      ? trained(segment).length
      : spec.length === 'segment_tokens'
        ? segment.loss_mask.length
        : everyone;
  if (length === 0) return 0;
  const lambda = 1 - 1 / (spec.alpha * length);
  return Math.max(0, Math.min(lambda, spec.max ?? 1));
}

export function finalSignal(rollout: JsonRollout, params: GaeParams): number {
  const reward = rollout.reward ?? 0;
  const bootstraps = rollout.status === 'truncated' && params.truncation === 'bootstrap';
  return bootstraps ? reward + params.gamma * (rollout.bootstrap_value ?? 0) : reward;
}

/** The reward that each trainable token of a segment receives, without the final signal. */
export function rewardsAt(segment: JsonSegment, params: GaeParams): number[] {
  const places = trained(segment);
  return places.map((t) => {
    let total = 0;
    for (const [u, r] of (segment.rewards ?? []).entries()) {
      const masked = segment.loss_mask[u] === 0;
      const earlier = places.filter((p) => p < u);
      const receiver = earlier.length > 0 ? earlier[earlier.length - 1] : places[0];
      if (u === t || (masked && params.masked_reward === 'fold_prev' && receiver === t)) total += r;
    }
    if (params.kl === undefined) return total;
    const d = pick(segment.logprobs_policy, t) - pick(segment.logprobs_ref, t);
    const k = { k1: d, k2: (d * d) / 2, k3: Math.exp(-d) - 1 + d }[params.kl.kind];
    return total - params.kl.beta * k;
  });
}

/** A_i as the sum over j >= i of (gamma*lambda)^(j-i) times the TD residual at j; the value after the end is 0. */
function advantageSums(values: number[], rewards: number[], gamma: number, lambda: number): number[] {
  const residual = (j: number) => (rewards[j] ?? 0) + gamma * (values[j + 1] ?? 0) - (values[j] ?? 0);
  return values.map((_, i) => {
    let total = 0;
    for (let j = i; j < values.length; j += 1) total += power(gamma * lambda, j - i) * residual(j);
    return total;
  });
}

/** Numbers of trainable tokens back on the segment's tokens. */
export function onTokens(segment: JsonSegment, numbers: readonly number[]): number[] {
  const places = trained(segment);
  return segment.loss_mask.map((_, t) => numbers[places.indexOf(t)] ?? 0);
}

function valuesAt(segment: JsonSegment): number[] {
  return trained(segment).map((t) => pick(segment.values, t));
}

function localOf(rollout: JsonRollout, params: GaeParams, lambda: GaeParams['lambda']): number[][] {
  const lastTrained = rollout.segments.findLastIndex((segment) => trained(segment).length > 0);
  return rollout.segments.map((segment, s) => {
    const rewards = rewardsAt(segment, params);
    const paid = params.reward_placement !== 'last_segment' || s === lastTrained;
    const signal = paid ? finalSignal(rollout, params) : 0;
    const withSignal = rewards.map((r, i) => (i === rewards.length - 1 ? r + signal : r));
    return advantageSums(valuesAt(segment), withSignal, params.gamma, lambdaOf(lambda, segment, rollout));
  });
}

const addTo = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + (b[i] ?? 0));

export function gaeLocalReference(rollouts: readonly JsonRollout[], params: GaeParams) {
  const local = rollouts.map((rollout) => localOf(rollout, params, params.lambda));
  const target = rollouts.map((rollout) => localOf(rollout, params, params.lambda_critic ?? params.lambda));
  return {
    advantages: rollouts.map((rollout, r) => rollout.segments.map((seg, s) => onTokens(seg, local[r]?.[s] ?? []))),
    returns: rollouts.map((rollout, r) =>
      rollout.segments.map((seg, s) => onTokens(seg, addTo(target[r]?.[s] ?? [], valuesAt(seg)))),
    ),
    lambda: rollouts.map((rollout) => rollout.segments.map((seg) => lambdaOf(params.lambda, seg, rollout))),
  };
}

export function gaeCrossReference(rollouts: readonly JsonRollout[], params: GaeParams) {
  const every: GaeParams = { ...params, reward_placement: 'every_segment' };
  const factors = rollouts.map((rollout) =>
    rollout.segments.map((segment, s) => {
      let factor = 1;
      for (const later of rollout.segments.slice(s + 1)) {
        const decaying =
          params.factor === 'product'
            ? lambdaOf(params.lambda, later, rollout)
            : lambdaOf(params.factor_lambda ?? params.lambda, segment, rollout);
        factor *= power(params.gamma * decaying, trained(later).length);
      }
      return factor;
    }),
  );
  const local = rollouts.map((rollout) => localOf(rollout, every, params.lambda));
  const critic = rollouts.map((rollout) => localOf(rollout, every, params.lambda_critic ?? 1));
  const crossed = local.map((segments, r) => segments.map((a, s) => a.map((x) => x * (factors[r]?.[s] ?? 0))));
  const targets = params.returns === 'corrected' ? crossed : params.returns === 'lambda_critic' ? critic : local;
  const grid = (numbers: number[][][]) =>
    rollouts.map((rollout, r) => rollout.segments.map((seg, s) => onTokens(seg, numbers[r]?.[s] ?? [])));
  return {
    advantages: grid(crossed),
    returns: rollouts.map((rollout, r) =>
      rollout.segments.map((seg, s) => onTokens(seg, addTo(targets[r]?.[s] ?? [], valuesAt(seg)))),
    ),
    local_advantages: grid(local),
    cross_factor: factors,
    tokens_after: rollouts.map((rollout) =>
      rollout.segments.map((_, s) => rollout.segments.slice(s + 1).reduce((n, seg) => n + trained(seg).length, 0)),
    ),
  };
}

export function gaeStitchedReference(rollouts: readonly JsonRollout[], params: GaeParams) {
  const whole = rollouts.map((rollout) => {
    const values = rollout.segments.flatMap(valuesAt);
    const rewards = rollout.segments.flatMap((segment) => rewardsAt(segment, params));
    const last = rewards.length - 1;
    const paid = rewards.map((r, i) => (i === last ? r + finalSignal(rollout, params) : r));
    const first = rollout.segments[0];
    const lambda = first === undefined ? 0 : lambdaOf(params.lambda, first, rollout);
    const advantages = advantageSums(values, paid, params.gamma, lambda);
    return { advantages, returns: addTo(advantages, values) };
  });
  const cut = (rollout: JsonRollout, numbers: readonly number[]) => {
    let start = 0;
    return rollout.segments.map((segment) => {
      const length = trained(segment).length;
      start += length;
      return onTokens(segment, numbers.slice(start - length, start));
    });
  };
  return {
    advantages: rollouts.map((rollout, r) => cut(rollout, whole[r]?.advantages ?? [])),
    returns: rollouts.map((rollout, r) => cut(rollout, whole[r]?.returns ?? [])),
  };
}

export function gapReference(rollouts: readonly JsonRollout[], params: GaeParams) {
  const cross = gaeCrossReference(rollouts, params).advantages;
  const stitched = gaeStitchedReference(rollouts, params).advantages;
  const pairs = rollouts.flatMap((rollout, r) =>
    rollout.segments.flatMap((segment, s) =>
      trained(segment).map((t) => [cross[r]?.[s]?.[t] ?? 0, stitched[r]?.[s]?.[t] ?? 0] as const),
    ),
  );
  const gaps = pairs.map(([a, b]) => Math.abs(a - b));
  return {
    advantages: cross,
    stitched_advantages: stitched,
    max_abs: Math.max(...gaps),
    mean_abs: gaps.reduce((a, b) => a + b, 0) / gaps.length,
    sign_flips: pairs.filter(([a, b]) => Math.sign(a) * Math.sign(b) === -1).length,
  };
}

export function allTokensReference(
  rollouts: readonly JsonRollout[],
  params: GaeParams & { terminal_at: 'last_token' | 'last_trainable'; zero_masked?: boolean },
) {
  const results = rollouts.map((rollout) =>
    rollout.segments.map((segment) => {
      const shown = (x: number, t: number) => (params.zero_masked && segment.loss_mask[t] === 0 ? 0 : x);
      const values = segment.loss_mask.map((_, t) => shown(pick(segment.values, t), t));
      const places = trained(segment);
      const at = params.terminal_at === 'last_token' ? values.length - 1 : places[places.length - 1];
      const rewards = values.map(
        (_, t) => shown(segment.rewards?.[t] ?? 0, t) + (t === at ? finalSignal(rollout, params) : 0),
      );
      const lambda = lambdaOf(params.lambda, segment, rollout);
      const advantages = advantageSums(values, rewards, params.gamma, lambda);
      const masked = (x: number, t: number) => (segment.loss_mask[t] === 1 ? x : 0);
      return { advantages: advantages.map(masked), returns: addTo(advantages, values).map(masked) };
    }),
  );
  return {
    advantages: results.map((segments) => segments.map((segment) => segment.advantages)),
    returns: results.map((segments) => segments.map((segment) => segment.returns)),
  };
}
