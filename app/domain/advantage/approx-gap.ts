// How far the cross-trajectory estimator is from the exact one: both token columns and three numbers.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { gammaField, klField, lambdaField, maskedRewardField, truncationField } from './forms.ts';
import { crossFields, crossRollout } from './gae-cross.ts';
import { isOneLambda, stitchedDefault, stitchedLambda, stitchedRollout } from './gae-stitched.ts';
import { lambdaSpec } from './lambda.ts';
import { perRollout } from './outputs.ts';
import { maskedRewardChoices, truncationChoices } from './rewards.ts';
import { NeumaierSum } from './sums.ts';
import type { GapNumbers, RolloutOutput } from './types.ts';

const { whiten: _unused, ...fields } = crossFields;
const schema = z
  .strictObject({
    ...fields,
    lambda: lambdaSpec.default(stitchedDefault),
    /** What the stitched side takes differently. */
    stitched: z
      .strictObject({
        gamma: z.number().min(0).max(1),
        lambda: stitchedLambda,
        truncation: z.enum(truncationChoices),
        masked_reward: z.enum(maskedRewardChoices),
      })
      .partial()
      .default({}),
  })
  .refine((p) => !(p.count_untrained_summaries && p.factor === 'product'), {
    path: ['count_untrained_summaries'],
    error: 'untrained summaries can be counted only with the factor "own"',
  })
  .refine((p) => p.stitched.lambda !== undefined || isOneLambda(p.lambda), {
    path: ['lambda'],
    error:
      'the stitched side takes one lambda per rollout: give a number, length "rollout_trainable", or another one in "stitched"',
  });

/** Largest and mean |cross - stitched| over trainable tokens, and the tokens whose sign differs with both nonzero. */
function compare(cross: RolloutOutput, stitched: RolloutOutput): GapNumbers {
  const total = new NeumaierSum();
  let maxAbs = 0;
  let signFlips = 0;
  let tokens = 0;
  for (const [s, segment] of cross.segments.entries()) {
    const a = segment.columns.advantages;
    const b = stitched.segments[s]?.columns.advantages;
    for (const t of segment.positions) {
      const x = a?.[t] ?? 0;
      const y = b?.[t] ?? 0;
      const gap = Math.abs(x - y);
      total.add(gap);
      maxAbs = Math.max(maxAbs, gap);
      // Not x*y < 0: the product of two small numbers underflows to 0.
      if ((x < 0 && y > 0) || (x > 0 && y < 0)) signFlips += 1;
      tokens += 1;
    }
  }
  return { maxAbs, meanAbs: tokens === 0 ? 0 : total.value / tokens, signFlips, tokens };
}

function together(gaps: readonly GapNumbers[]): GapNumbers {
  const total = new NeumaierSum();
  let maxAbs = 0;
  let signFlips = 0;
  let tokens = 0;
  for (const gap of gaps) {
    total.add(gap.meanAbs * gap.tokens);
    maxAbs = Math.max(maxAbs, gap.maxAbs);
    signFlips += gap.signFlips;
    tokens += gap.tokens;
  }
  return { maxAbs, meanAbs: tokens === 0 ? 0 : total.value / tokens, signFlips, tokens };
}

export const approxGap = defineEstimator({
  id: 'approx_gap',
  version: '1',
  title: 'Gap of the cross-trajectory approximation',
  summary: 'Cross-trajectory against stitched advantages, token by token: largest and mean gap, and sign flips.',
  source: 'ADVANTAGES.md 2.6; the terminal reward cancels, only later TD residuals and critic terms differ.',
  needsValues: true,
  scope: 'rollout',
  output: 'gap',
  column: 'advantages',
  schema,
  form: [gammaField, lambdaField, truncationField, maskedRewardField, klField],
  compute(params, input) {
    const gaps: GapNumbers[] = [];
    const rollouts = perRollout(input, (rollout) => {
      const cross = crossRollout(rollout, { ...params, whiten: null });
      const found = rollout.warnings.length;
      const stitched = stitchedRollout(rollout, {
        ...params,
        gamma: params.stitched.gamma ?? params.gamma,
        lambda: params.stitched.lambda ?? params.lambda,
        truncation: params.stitched.truncation ?? params.truncation,
        masked_reward: params.stitched.masked_reward ?? params.masked_reward,
      });
      // The second reading finds the same oddities again.
      rollout.warnings.length = found;
      const gap = compare(cross, stitched);
      gaps.push(gap);
      const segments = cross.segments.map((segment, s) => ({
        ...segment,
        columns: {
          ...segment.columns,
          stitched_advantages: stitched.segments[s]?.columns.advantages ?? new Float64Array(segment.length),
        },
      }));
      return { ...cross, segments, gap };
    });
    return { rollouts, batch: { gap: together(gaps) } };
  },
});
