// Stitched GAE, the exact reference: the trainable tokens of all segments as one episode.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { lambdaField } from './forms.ts';
import { requireSiblings } from './gae-cross.ts';
import { addTerminal, finish, gaeScope, readSegment, rewardFields, rewardForm } from './gae-params.ts';
import { type LambdaSpec, lambdaSpec, paperLambda, resolveLambda } from './lambda.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { gae, plus, spread } from './recursion.ts';
import { type RewardSettings, terminalSignal } from './rewards.ts';
import type { PreparedRollout } from './tokens.ts';
import type { RolloutOutput } from './types.ts';

/** One lambda for the whole rollout: a number, or one that counts the rollout's trainable tokens. */
export const stitchedLambda = lambdaSpec.refine((spec) => isOneLambda(spec), {
  error: 'stitched GAE takes one lambda per rollout: a number, or length "rollout_trainable"',
});

export function isOneLambda(spec: LambdaSpec): boolean {
  return typeof spec === 'number' || spec.length === 'rollout_trainable';
}

export const stitchedDefault = { ...paperLambda, length: 'rollout_trainable' } as const;

const schema = z.strictObject({ ...rewardFields, lambda: stitchedLambda.default(stitchedDefault) });

/**
 * GAE over the concatenated trainable tokens of the rollout: the successor of a segment's last token is the first token of
 * the next segment that has one, the terminal signal stands once at the very end, the value after it is 0
 * (ADVANTAGES.md 2.5).
 */
export function stitchedRollout(
  rollout: PreparedRollout,
  settings: RewardSettings & { readonly lambda: LambdaSpec },
): RolloutOutput {
  requireSiblings(rollout);
  const values = new Float64Array(rollout.trainable);
  const rewards = new Float64Array(rollout.trainable);
  const starts: number[] = [];
  let end = 0;
  for (const segment of rollout.segments) {
    const tokens = readSegment(rollout, segment, settings);
    starts.push(end);
    values.set(tokens.values, end);
    rewards.set(tokens.rewards, end);
    end += segment.positions.length;
  }
  addTerminal(rewards, terminalSignal(rollout, settings));
  const lambda = resolveLambda(settings.lambda, {
    segmentTrainable: rollout.trainable,
    segmentTokens: rollout.trainable,
    rolloutTrainable: rollout.trainable,
  });
  const advantages = gae(values, rewards, settings.gamma, lambda);
  const returns = plus(advantages, values);
  const segments = rollout.segments.map((segment, s) => {
    const { positions, length } = segment;
    const start = starts[s] ?? 0;
    const stop = start + positions.length;
    const columns = {
      advantages: spread(advantages.subarray(start, stop), positions, length),
      returns: spread(returns.subarray(start, stop), positions, length),
    };
    return segmentOutput(segment, columns, { lambda });
  });
  return rolloutOutput(rollout, segments);
}

export const gaeStitched = defineEstimator({
  id: 'gae_stitched',
  version: '1',
  title: 'Stitched GAE (exact reference)',
  summary: 'GAE over all segments of the rollout as one sequence, with the real next state at every boundary.',
  source: 'The exact form that cross-trajectory GAE approximates when compaction is part of the environment.',
  needsValues: true,
  scope: 'rollout',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [...rewardForm.slice(0, 1), lambdaField, ...rewardForm.slice(1)],
  scopeWith: gaeScope,
  compute(params, input) {
    return finish(
      perRollout(input, (rollout) => stitchedRollout(rollout, params)),
      params.whiten,
    );
  },
});
