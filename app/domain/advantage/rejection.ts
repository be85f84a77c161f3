// Estimators that reject or reweight tokens by their importance ratio: DIS, IcePop with PPO, truncated importance sampling.

import { z } from 'zod';
import { defineEstimator, type FormField } from './define.ts';
import { type Computed, warnAll } from './outputs.ts';
import {
  clip,
  countRejected,
  perSegment,
  ratioOf,
  surrogate,
  surrogateGradient,
  totalRejected,
} from './ratio-terms.ts';
import { readAdvantages, readLogprobs } from './tokens.ts';
import type { RolloutOutput, TokenColumn } from './types.ts';

export const epsLowField: FormField = {
  name: 'eps_low',
  label: 'ε low',
  type: 'number',
  min: 0,
  help: 'The interval starts at 1 - this.',
};
export const epsHighField: FormField = {
  name: 'eps_high',
  label: 'ε high',
  type: 'number',
  min: 0,
  help: 'The interval ends at 1 + this.',
};

/** Fills in how many tokens each rollout and the batch lost on either side. */
function withRejections(
  rollouts: readonly RolloutOutput[],
  column: TokenColumn,
  side: (ratio: number) => 'low' | 'high' | null,
): Computed {
  const counted = rollouts.map((rollout) =>
    rollout.error === null ? { ...rollout, rejected: countRejected(rollout, side, column) } : rollout,
  );
  return { rollouts: counted, batch: { rejected: totalRejected(counted) } };
}

/**
 * `r = exp(logprob_policy - logprob_rollout)`, `f(r) = r` inside the open interval (1-eps_low, 1+eps_high), else 0 (SAO,
 * arXiv 2607.07508 4.3; the same double-sided rejection in GLM-5). The coefficient of grad log pi is `f*A` with a stopped
 * gradient, and `f*A*(1 + log pi)` when the printed objective is differentiated literally; the literal form flips sign
 * below pi = 1/e, so the stopped one must be meant. Both are given.
 */
export const dis = defineEstimator({
  id: 'dis',
  version: '1',
  title: 'DIS: double-sided importance sampling',
  summary:
    'Drops tokens whose trainer-to-engine ratio leaves an open interval around 1; ratio, mask and gradient coefficient.',
  source: 'SAO, arXiv 2607.07508 section 4.3; presets (0.3, 5.0) for maths, (0.8, 3.0) for coding.',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'weight',
  schema: z.strictObject({
    eps_low: z.number().nonnegative().default(0.3),
    eps_high: z.number().nonnegative().default(5),
    numerator: z.enum(['policy', 'train_old']).default('policy'),
  }),
  form: [
    epsLowField,
    epsHighField,
    {
      name: 'numerator',
      label: 'Numerator',
      type: 'choice',
      choices: ['policy', 'train_old'],
      help: 'policy: the current weights. train_old: the logged trainer weights, that is at update 0.',
    },
  ],
  compute(params, input) {
    const low = 1 - params.eps_low;
    const high = 1 + params.eps_high;
    const names = ['ratio', 'weight', 'keep', 'grad_coeff_stopgrad', 'grad_coeff_literal'] as const;
    const rollouts = perSegment(input, names, (rollout, segment) => {
      const policy = readLogprobs(rollout, segment, params.numerator);
      const ratio = ratioOf(policy, readLogprobs(rollout, segment, 'rollout'));
      const advantages = readAdvantages(rollout, segment);
      const n = ratio.length;
      const keep = new Float64Array(n);
      const weight = new Float64Array(n);
      const stopped = new Float64Array(n);
      const literal = new Float64Array(n);
      for (let i = 0; i < n; i += 1) {
        const r = ratio[i] ?? 0;
        if (!(low < r && r < high)) continue;
        const gradient = r * (advantages[i] ?? 0);
        keep[i] = 1;
        weight[i] = r;
        stopped[i] = gradient;
        literal[i] = gradient * (1 + (policy[i] ?? 0));
      }
      return { ratio, weight, keep, grad_coeff_stopgrad: stopped, grad_coeff_literal: literal };
    });
    const computed = withRejections(rollouts, 'ratio', (r) => (r <= low ? 'low' : r >= high ? 'high' : null));
    if (params.numerator === 'policy') return computed;
    const message = 'Ratios are at update 0: the numerator is the trainer before its first optimiser step.';
    return { ...computed, rollouts: warnAll(computed.rollouts, { code: 'at_update_zero', message }) };
  },
});

/**
 * `k = exp(logprob_train_old - logprob_infer_old)`, `pop = k` if 1/beta <= k <= beta (closed) else 0,
 * `r = exp(logprob_policy - logprob_train_old)`; objective `pop * min(r*A, clip(r)*A)`, no KL, no gradient through pop
 * (GLM-5, arXiv 2602.15763).
 */
export const icepopPpo = defineEstimator({
  id: 'icepop_ppo',
  version: '1',
  title: 'IcePop with PPO clipping',
  summary: 'PPO surrogate of each token, dropped where trainer and engine disagree at the same weights.',
  source: 'GLM-5, arXiv 2602.15763: beta 2, clip 0.2 / 0.28.',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'grad_coeff',
  schema: z.strictObject({
    beta: z.number().min(1).default(2),
    eps_low: z.number().nonnegative().default(0.2),
    eps_high: z.number().nonnegative().default(0.28),
  }),
  form: [
    { name: 'beta', label: 'β', type: 'number', min: 1, help: 'Keeps mismatches between 1/β and β, ends included.' },
    epsLowField,
    epsHighField,
  ],
  compute(params, input) {
    const settings = { ...params, dual_clip: null };
    const floor = 1 / params.beta;
    const rollouts = perSegment(input, ['mismatch', 'pop', 'ratio', 'objective', 'grad_coeff'], (rollout, segment) => {
      const trainer = readLogprobs(rollout, segment, 'train_old');
      const mismatch = ratioOf(trainer, readLogprobs(rollout, segment, 'infer_old'));
      const ratio = ratioOf(readLogprobs(rollout, segment, 'policy'), trainer);
      const advantages = readAdvantages(rollout, segment);
      const n = ratio.length;
      const pop = new Float64Array(n);
      const objective = new Float64Array(n);
      const gradient = new Float64Array(n);
      for (let i = 0; i < n; i += 1) {
        const k = mismatch[i] ?? 0;
        // A dropped token is 0 whatever its ratio: 0 times an overflowed ratio would be NaN.
        if (!(floor <= k && k <= params.beta)) continue;
        const r = ratio[i] ?? 0;
        const a = advantages[i] ?? 0;
        pop[i] = k;
        objective[i] = k * surrogate(r, a, settings);
        gradient[i] = k * surrogateGradient(r, a, settings);
      }
      return { mismatch, pop, ratio, objective, grad_coeff: gradient };
    });
    return withRejections(rollouts, 'mismatch', (k) => (k < floor ? 'low' : k > params.beta ? 'high' : null));
  },
});

/** `clamp(exp(logprob_train_old - logprob_infer_old), low, high)`: mismatches are bounded, not dropped. */
export const tis = defineEstimator({
  id: 'tis',
  version: '1',
  title: 'TIS: truncated importance sampling',
  summary: 'The ratio of trainer to engine at the same weights, clamped to a range.',
  source: 'Truncated importance sampling as in slime.',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'weight',
  schema: z
    .strictObject({ low: z.number().nonnegative().default(0), high: z.number().nonnegative().default(2) })
    .refine((p) => p.low <= p.high, { path: ['low'], error: 'must not be above high' }),
  form: [
    { name: 'low', label: 'Low', type: 'number', min: 0, help: 'Smallest weight.' },
    { name: 'high', label: 'High', type: 'number', min: 0, help: 'Largest weight.' },
  ],
  compute(params, input) {
    const rollouts = perSegment(input, ['mismatch', 'weight'], (rollout, segment) => {
      const trainer = readLogprobs(rollout, segment, 'train_old');
      const mismatch = ratioOf(trainer, readLogprobs(rollout, segment, 'infer_old'));
      return { mismatch, weight: mismatch.map((k) => clip(k, params.low, params.high)) };
    });
    return withRejections(rollouts, 'mismatch', (k) => (k < params.low ? 'low' : k > params.high ? 'high' : null));
  },
});
