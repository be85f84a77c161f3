// The one registry of estimators: what the app, the command line and the golden vectors all go through.

import { Refusal } from '../../shared/errors.ts';
import { admit } from './admit.ts';
import { approxGap } from './approx-gap.ts';
import { cispo, ppoClip } from './clipped.ts';
import { gaeAllTokens } from './gae-all-tokens.ts';
import { gaeCross } from './gae-cross.ts';
import { gaeLocal } from './gae-local.ts';
import { gaeStitched } from './gae-stitched.ts';
import { groupEstimator } from './group.ts';
import { klEstimator } from './kl.ts';
import { maskIncorrect } from './mask-incorrect.ts';
import { opd } from './opd.ts';
import { reinforcePp } from './reinforce-pp.ts';
import { dis, icepopPpo, tis } from './rejection.ts';
import { signalShare } from './signal-share.ts';
import { tokenWeights } from './token-weights.ts';
import type { EstimatorDefinition, EstimatorInput, EstimatorOutput } from './types.ts';
import { whiten } from './whiten.ts';

/** Every estimator, in the order in which a person should meet them. */
export const estimators: readonly EstimatorDefinition[] = [
  gaeCross,
  gaeLocal,
  gaeStitched,
  approxGap,
  groupEstimator,
  reinforcePp,
  opd,
  tokenWeights,
  signalShare,
  whiten,
  klEstimator,
  dis,
  icepopPpo,
  ppoClip,
  tis,
  cispo,
  admit,
  maskIncorrect,
  gaeAllTokens,
];

const byId: ReadonlyMap<string, EstimatorDefinition> = new Map(estimators.map((entry) => [entry.id, entry]));

/** The estimator with this id, or undefined. */
export function estimatorById(id: string): EstimatorDefinition | undefined {
  return byId.get(id);
}

/**
 * Runs an estimator. Bad parameters and bad data are refusals inside the output (`error` of the batch or of a rollout);
 * only an unknown id throws (`Refusal` with code `estimator_unknown`).
 */
export function runEstimator(id: string, params: unknown, input: EstimatorInput): EstimatorOutput {
  const estimator = byId.get(id);
  if (estimator === undefined) {
    const known = estimators.map((entry) => entry.id).join(', ');
    throw new Refusal('estimator_unknown', `There is no estimator "${id}".`, `Estimators: ${known}.`);
  }
  return estimator.run(params, input);
}
