// REINFORCE++: discounted reward to go over trainable tokens, whitened over the batch.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { addTerminal, gaeScope, rewardFields, rewardForm } from './gae-params.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { rewardToGo, spread } from './recursion.ts';
import { shapedRewards, terminalSignal } from './rewards.ts';
import type { PreparedRollout } from './tokens.ts';
import type { RolloutOutput } from './types.ts';
import { whitenRollouts } from './whitening.ts';

const schema = z.strictObject({ ...rewardFields, scope: z.enum(['rollout', 'segment']).default('rollout') });
type Params = z.output<typeof schema>;

/**
 * `G_i = sum_l gamma^l r_{i+l}` with KL-shaped token rewards. Scope rollout: one sequence through all segments, the
 * terminal signal at its end. Scope segment: each segment on its own, the signal at the end of each.
 */
function returnsOf(rollout: PreparedRollout, params: Params): RolloutOutput {
  if (rollout.input.siblingsMissing === true && params.scope === 'rollout') {
    const message = 'A segment of this rollout is missing: rewards after the gap are discounted by too few tokens.';
    rollout.warnings.push({ code: 'siblings_missing', message });
  }
  const signal = terminalSignal(rollout, params);
  const rewards = rollout.segments.map((segment) => shapedRewards(rollout, segment, params));
  const blocks = params.scope === 'segment' ? rewards.map((column) => [column]) : [rewards];
  const returns = blocks.flatMap((block) => {
    const joined = new Float64Array(block.reduce((total, column) => total + column.length, 0));
    let end = 0;
    for (const column of block) {
      joined.set(column, end);
      end += column.length;
    }
    addTerminal(joined, signal);
    const toGo = rewardToGo(joined, params.gamma);
    let start = 0;
    return block.map((column) => {
      start += column.length;
      return toGo.subarray(start - column.length, start);
    });
  });
  const segments = rollout.segments.map((segment, s) => {
    const column = spread(returns[s] ?? new Float64Array(0), segment.positions, segment.length);
    return segmentOutput(segment, { returns: column, advantages: column });
  });
  return rolloutOutput(rollout, segments);
}

export const reinforcePp = defineEstimator({
  id: 'reinforce_pp',
  version: '1',
  title: 'REINFORCE++',
  summary: 'Discounted reward to go at each trainable token, whitened over the batch when asked for.',
  source: 'REINFORCE++ as in verl, slime and OpenRLHF; observations do not discount.',
  needsValues: false,
  scope: 'rollout',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [
    ...rewardForm.slice(0, 1),
    {
      name: 'scope',
      label: 'Episode',
      type: 'choice',
      choices: ['rollout', 'segment'],
      help: 'rollout: returns run through all segments. segment: each segment ends with the reward.',
    },
    ...rewardForm.slice(1),
  ],
  scopeWith: gaeScope,
  compute(params, input) {
    const rollouts = perRollout(input, (rollout) => returnsOf(rollout, params));
    if (params.whiten === null) return { rollouts };
    return { rollouts: whitenRollouts(rollouts, params.whiten, 'advantages', null) };
  },
});
