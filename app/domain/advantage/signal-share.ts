// How much of the update each segment and rollout is: |weight * advantage|, as a share of the batch.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { gaeAllTokens } from './gae-all-tokens.ts';
import { gaeCross } from './gae-cross.ts';
import { gaeLocal } from './gae-local.ts';
import { gaeStitched } from './gae-stitched.ts';
import { groupEstimator } from './group.ts';
import { opd } from './opd.ts';
import { refusedRollout, warnIncomplete } from './outputs.ts';
import { refuse } from './refusal.ts';
import { reinforcePp } from './reinforce-pp.ts';
import { NeumaierSum, sum } from './sums.ts';
import { computeWeights, weightsSchema } from './token-weights.ts';
import type { EstimatorDefinition, RolloutOutput, SegmentOutput } from './types.ts';

const sources: readonly EstimatorDefinition[] = [
  gaeLocal,
  gaeCross,
  gaeStitched,
  gaeAllTokens,
  groupEstimator,
  reinforcePp,
  opd,
];
const sourceIds = sources.map((source) => source.id);

const schema = z.strictObject({
  weights: weightsSchema.prefault({}),
  advantage: z
    .strictObject({
      estimator: z.enum(sourceIds).default('gae_cross'),
      params: z.record(z.string(), z.unknown()).default({}),
    })
    .prefault({}),
});

function absoluteSignal(weighted: SegmentOutput, advantages: SegmentOutput | undefined): number {
  const total = new NeumaierSum();
  const weights = weighted.columns.weights;
  const column = advantages?.columns.advantages;
  for (const t of weighted.positions) total.add(Math.abs((weights?.[t] ?? 0) * (column?.[t] ?? 0)));
  return total.value;
}

export const signalShare = defineEstimator({
  id: 'signal_share',
  version: '1',
  title: 'Share of the update',
  summary: 'The share of |weight × advantage| that each segment and rollout has in the batch.',
  source: 'ADVANTAGES.md section 3: token weights times any token advantage, normalised over the batch.',
  needsValues: false,
  scope: 'batch',
  output: 'weights',
  column: 'weights',
  schema,
  form: [],
  compute(params, input) {
    const source = sources.find((candidate) => candidate.id === params.advantage.estimator) ?? gaeCross;
    const advantages = source.run(params.advantage.params, input);
    if (advantages.error !== null) {
      const { code, message, where } = advantages.error;
      return refuse(code, message, code === 'parameter_invalid' ? ['advantage', 'params', ...where] : where);
    }
    const weighted = computeWeights(params.weights, input).rollouts;
    const signals = weighted.map((rollout, r) => {
      if (rollout.error !== null || advantages.rollouts[r]?.error !== null) return [];
      return rollout.segments.map((segment, s) => absoluteSignal(segment, advantages.rollouts[r]?.segments[s]));
    });
    const total = sum(signals.map((ofRollout) => sum(ofRollout)));
    const shareOf = (signal: number) => (total > 0 ? signal / total : 0);
    const rollouts = weighted.map((rollout, r): RolloutOutput => {
      const computed = advantages.rollouts[r];
      const error = rollout.error ?? computed?.error ?? null;
      if (error !== null) return refusedRollout(rollout.id, error, computed?.warnings);
      const ofRollout = signals[r] ?? [];
      const segments = rollout.segments.map((segment, s) => {
        const other = computed?.segments[s];
        return {
          ...segment,
          columns: { ...other?.columns, ...segment.columns },
          factor: other?.factor ?? null,
          logFactor: other?.logFactor ?? null,
          lambda: other?.lambda ?? null,
          share: shareOf(ofRollout[s] ?? 0),
        };
      });
      return { ...rollout, segments, share: shareOf(sum(ofRollout)), warnings: computed?.warnings ?? rollout.warnings };
    });
    return { rollouts: warnIncomplete(rollouts), batch: { total } };
  },
});
