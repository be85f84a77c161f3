// Emulation of trainers that treat every raw token, observations included, as a transition. To match a trainer's log only.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { gammaField, lambdaField, truncationField, whitenField } from './forms.ts';
import { finish, gaeScope, lengthsOf } from './gae-params.ts';
import { lambdaSpec, resolveLambda } from './lambda.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { gae } from './recursion.ts';
import { gammaParam, terminalSignal, truncationChoices } from './rewards.ts';
import {
  checkLength,
  type PreparedRollout,
  type PreparedSegment,
  readEvery,
  readTrainable,
  refuseNonfinite,
} from './tokens.ts';
import { whitenSpec } from './whitening.ts';

const terminalPlaces = ['last_token', 'last_trainable'] as const;

const schema = z.strictObject({
  gamma: gammaParam,
  lambda: lambdaSpec.default(0.95),
  truncation: z.enum(truncationChoices).default('zero'),
  terminal_at: z.enum(terminalPlaces).default('last_token'),
  zero_masked: z.boolean().default(false),
  whiten: whitenSpec,
});
type Params = z.output<typeof schema>;

/** Values over all raw tokens: as logged, or 0 at masked tokens, where nothing needs to be logged then. */
function readValues(rollout: PreparedRollout, segment: PreparedSegment, zeroMasked: boolean): Float64Array {
  const { values } = segment.input;
  if (!zeroMasked) return readEvery(rollout, segment, values, 'values', 'values_missing');
  const compressed = readTrainable(rollout, segment, values, 'values', 'values_missing');
  const out = new Float64Array(segment.length);
  for (let i = 0; i < compressed.length; i += 1) out[segment.positions[i] ?? 0] = compressed[i] ?? 0;
  return out;
}

/** Token rewards over all raw tokens with the terminal signal at its place. */
function readRewards(rollout: PreparedRollout, segment: PreparedSegment, params: Params, signal: number): Float64Array {
  const { positions, length } = segment;
  const out = new Float64Array(length);
  const column = segment.input.rewards;
  if (column !== null && column !== undefined) {
    checkLength(rollout, segment, column, 'rewards');
    let next = 0;
    for (let t = 0; t < length; t += 1) {
      const trainable = positions[next] === t;
      if (trainable) next += 1;
      const x = column[t];
      if (x === null || x === undefined || (params.zero_masked && !trainable)) continue;
      if (rollout.nanIsMissing && Number.isNaN(x)) continue;
      if (!Number.isFinite(x)) refuseNonfinite(rollout.input.id, segment.index, t, 'rewards', x);
      out[t] = x;
    }
  }
  const at = params.terminal_at === 'last_token' ? length - 1 : (positions[positions.length - 1] ?? -1);
  if (at >= 0) out[at] = (out[at] ?? 0) + signal;
  return out;
}

export const gaeAllTokens = defineEstimator({
  id: 'gae_all_tokens',
  version: '1',
  title: 'GAE over all tokens (emulation)',
  summary: 'GAE with every raw token of the segment as a transition, for matching a trainer that does so.',
  source: 'What slime (observations walked) and OpenRLHF (walked with value 0) compute; not a recommendation.',
  needsValues: true,
  scope: 'rollout',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [
    gammaField,
    lambdaField,
    truncationField,
    {
      name: 'terminal_at',
      label: 'Terminal reward at',
      type: 'choice',
      choices: [...terminalPlaces],
      help: 'The last raw token of the segment, or its last trainable one.',
    },
    {
      name: 'zero_masked',
      label: 'Zero at masked tokens',
      type: 'boolean',
      help: 'Sets values and rewards of masked tokens to 0 before the recursion.',
    },
    whitenField,
  ],
  scopeWith: gaeScope,
  compute(params, input) {
    const rollouts = perRollout(input, (rollout) => {
      const settings = { ...params, masked_reward: 'drop' as const, kl: null };
      const signal = terminalSignal(rollout, settings);
      const segments = rollout.segments.map((segment) => {
        const { positions, length } = segment;
        const advantages = new Float64Array(length);
        const returns = new Float64Array(length);
        const lambda = resolveLambda(params.lambda, lengthsOf(rollout, segment));
        if (positions.length > 0) {
          const values = readValues(rollout, segment, params.zero_masked);
          const all = gae(values, readRewards(rollout, segment, params, signal), params.gamma, lambda);
          for (const t of positions) {
            advantages[t] = all[t] ?? 0;
            returns[t] = (all[t] ?? 0) + (values[t] ?? 0);
          }
        }
        return segmentOutput(segment, { advantages, returns }, { lambda });
      });
      return rolloutOutput(rollout, segments);
    });
    return finish(rollouts, params.whiten);
  },
});
