// Segment-local GAE: each segment is its own episode over its trainable tokens (skip-observation GAE).

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { lambdaCriticField, lambdaField } from './forms.ts';
import {
  addTerminal,
  finish,
  gaeScope,
  lambdaCriticParam,
  lengthsOf,
  readSegment,
  rewardFields,
  rewardForm,
  type SegmentTokens,
} from './gae-params.ts';
import { type LambdaSpec, lambdaSpec, paperLambda, resolveLambda } from './lambda.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { gae, plus, spread } from './recursion.ts';
import { type RewardSettings, terminalSignal } from './rewards.ts';
import { passOver } from './single-pass.ts';
import type { PreparedRollout } from './tokens.ts';
import type { RolloutOutput, SegmentOutput } from './types.ts';

const placements = ['every_segment', 'last_segment'] as const;
export type RewardPlacement = (typeof placements)[number];

const schema = z.strictObject({
  ...rewardFields,
  lambda: lambdaSpec.default(paperLambda),
  lambda_critic: lambdaCriticParam,
  reward_placement: z.enum(placements).default('every_segment'),
});

/** Values and rewards of every segment with the terminal signal in place; compressed to trainable tokens. */
export function readLocal(
  rollout: PreparedRollout,
  settings: RewardSettings,
  placement: RewardPlacement,
): SegmentTokens[] {
  const signal = terminalSignal(rollout, settings);
  return rollout.segments.map((segment, place) => {
    const tokens = readSegment(rollout, segment, settings);
    if (placement === 'every_segment' || place === rollout.last) addTerminal(tokens.rewards, signal);
    return tokens;
  });
}

/** The lambda in force in each segment. */
export function lambdasOf(rollout: PreparedRollout, spec: LambdaSpec): number[] {
  return rollout.segments.map((segment) => resolveLambda(spec, lengthsOf(rollout, segment)));
}

/**
 * `delta_i = r_i + gamma*v_{i+1} - v_i`, `A_i = sum_l (gamma*lambda)^l delta_{i+l}` over the trainable tokens of one
 * segment, with value 0 after its end; compressed. Compressing first is skip-observation GAE (SAO, arXiv 2607.07508 4.1).
 */
export function localAdvantages(
  tokens: readonly SegmentTokens[],
  gamma: number,
  lambdas: readonly number[],
): Float64Array[] {
  return tokens.map(({ values, rewards }, s) => gae(values, rewards, gamma, lambdas[s] ?? 0));
}

/** Compressed advantages of a second pass with the critic's lambda, or the first ones when there is no second lambda. */
export function criticAdvantages(
  rollout: PreparedRollout,
  tokens: readonly SegmentTokens[],
  gamma: number,
  critic: LambdaSpec | null,
  first: readonly Float64Array[],
): readonly Float64Array[] {
  return critic === null ? first : localAdvantages(tokens, gamma, lambdasOf(rollout, critic));
}

/** The same for the usual log, several times as fast; null when a segment is not usual. */
function localInOnePass(
  rollout: PreparedRollout,
  params: z.output<typeof schema>,
  lambdas: readonly number[],
): RolloutOutput | null {
  const signal = terminalSignal(rollout, params);
  const segments: SegmentOutput[] = [];
  for (const [place, segment] of rollout.segments.entries()) {
    const paid = params.reward_placement === 'every_segment' || place === rollout.last;
    const lambda = lambdas[place] ?? 0;
    const pass = { gamma: params.gamma, lambda, signal: paid ? signal : 0, factor: 1, corrected: false };
    const columns = passOver(rollout, segment, pass);
    if (columns === null) return null;
    segments.push(segmentOutput(segment, columns, { lambda }));
  }
  return { ...rolloutOutput(rollout, segments), finite: true };
}

export const gaeLocal = defineEstimator({
  id: 'gae_local',
  version: '1',
  title: 'Segment-local GAE',
  summary: 'Generalised advantage estimation over the trainable tokens of each segment on its own.',
  source: 'GAE, arXiv 1506.02438; skip-observation form of SAO, arXiv 2607.07508; naive variant of CompactionRL.',
  needsValues: true,
  scope: 'rollout',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [
    ...rewardForm.slice(0, 1),
    lambdaField,
    lambdaCriticField,
    {
      name: 'reward_placement',
      label: 'Terminal reward',
      type: 'choice',
      choices: [...placements],
      help: 'every_segment: each segment ends with the reward (the naive variant). last_segment: only the last trained one.',
    },
    ...rewardForm.slice(1),
  ],
  scopeWith: gaeScope,
  compute(params, input) {
    const rollouts = perRollout(input, (rollout) => {
      if (rollout.input.siblingsMissing === true && params.reward_placement === 'last_segment') {
        rollout.warnings.push({
          code: 'siblings_missing',
          message: 'A segment of this rollout is missing: the reward may be on a segment that is not the last one.',
        });
      }
      const lambdas = lambdasOf(rollout, params.lambda);
      if (input.resultsOnly === true && params.kl === null && params.lambda_critic === null) {
        const quick = localInOnePass(rollout, params, lambdas);
        if (quick !== null) return quick;
      }
      const tokens = readLocal(rollout, params, params.reward_placement);
      const advantages = localAdvantages(tokens, params.gamma, lambdas);
      const targets = criticAdvantages(rollout, tokens, params.gamma, params.lambda_critic, advantages);
      const segments = rollout.segments.map((segment, s) => {
        const { positions, length } = segment;
        const local = advantages[s] ?? new Float64Array(0);
        const returns = plus(targets[s] ?? local, tokens[s]?.values ?? new Float64Array(0));
        const columns = {
          advantages: spread(local, positions, length),
          returns: spread(returns, positions, length),
        };
        return segmentOutput(segment, columns, { lambda: lambdas[s] ?? null });
      });
      return rolloutOutput(rollout, segments);
    });
    return finish(rollouts, params.whiten);
  },
});
