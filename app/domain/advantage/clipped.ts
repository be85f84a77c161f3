// Clipped policy-gradient terms of each token: PPO's surrogate and CISPO's stopped weight.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { clip, perSegment, ratioOf, surrogate, surrogateGradient } from './ratio-terms.ts';
import { epsHighField, epsLowField } from './rejection.ts';
import { readAdvantages, readLogprobs } from './tokens.ts';

const clipFields = {
  eps_low: z.number().nonnegative().default(0.2),
  eps_high: z.number().nonnegative().default(0.28),
};

export const ppoClip = defineEstimator({
  id: 'ppo_clip',
  version: '1',
  title: 'PPO clipping',
  summary: 'The clipped surrogate of each token and the coefficient of its policy gradient.',
  source: 'PPO, arXiv 1707.06347; dual clip, arXiv 1912.09729.',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'grad_coeff',
  schema: z.strictObject({ ...clipFields, dual_clip: z.number().min(1).nullable().default(null) }),
  form: [
    epsLowField,
    epsHighField,
    {
      name: 'dual_clip',
      label: 'Dual clip',
      type: 'number',
      min: 1,
      help: 'For negative advantages the objective is floored at this times A; empty: off.',
    },
  ],
  compute: (params, input) => ({
    rollouts: perSegment(input, ['ratio', 'objective', 'grad_coeff'], (rollout, segment) => {
      const ratio = ratioOf(readLogprobs(rollout, segment, 'policy'), readLogprobs(rollout, segment, 'old'));
      const advantages = readAdvantages(rollout, segment);
      return {
        ratio,
        objective: ratio.map((r, i) => surrogate(r, advantages[i] ?? 0, params)),
        grad_coeff: ratio.map((r, i) => surrogateGradient(r, advantages[i] ?? 0, params)),
      };
    }),
  }),
});

/** `stopgrad(clip(r, 1-eps_low, 1+eps_high)) * A` as the coefficient of grad log pi: no token loses its gradient. */
export const cispo = defineEstimator({
  id: 'cispo',
  version: '1',
  title: 'CISPO',
  summary: 'The clipped importance ratio as a stopped weight on every token.',
  source: 'CISPO (MiniMax-M1, arXiv 2506.13585).',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'grad_coeff',
  schema: z.strictObject(clipFields),
  form: [epsLowField, epsHighField],
  compute: (params, input) => ({
    rollouts: perSegment(input, ['ratio', 'weight', 'grad_coeff'], (rollout, segment) => {
      const ratio = ratioOf(readLogprobs(rollout, segment, 'policy'), readLogprobs(rollout, segment, 'old'));
      const weight = ratio.map((r) => clip(r, 1 - params.eps_low, 1 + params.eps_high));
      const advantages = readAdvantages(rollout, segment);
      return { ratio, weight, grad_coeff: weight.map((w, i) => w * (advantages[i] ?? 0)) };
    }),
  }),
});
