// Refusals of estimators: a code, a place and a sentence with the way on. Thrown inside an estimator, caught per rollout
// or per batch, and handed out as data; never seen by a caller.

import { Refusal } from '../../shared/errors.ts';
import type { EstimatorError, EstimatorErrorCode } from './types.ts';

/** The private exception of this folder. */
class EstimatorRefusal extends Refusal {
  readonly error: EstimatorError;

  constructor(code: EstimatorErrorCode, message: string, where: readonly (string | number)[]) {
    super(code, message);
    this.error = { code, message, where };
  }
}

/** Throws a refusal. `where` goes from the outside in: rollout id, segment index, token index, column name. */
export function refuse(code: EstimatorErrorCode, message: string, where: readonly (string | number)[]): never {
  throw new EstimatorRefusal(code, message, where);
}

/** The refusal behind an exception; anything else is a bug and is thrown on. */
export function refusalOf(thrown: unknown): EstimatorError {
  if (thrown instanceof EstimatorRefusal) return thrown.error;
  throw thrown;
}

/** "token 3 of segment 1 of rollout r0" */
export function placeOf(rollout: string, segment: number, token?: number): string {
  const at = token === undefined ? '' : `token ${token} of `;
  return `${at}segment ${segment} of rollout ${rollout}`;
}

/** The sentence for a column that is missing, wholly or at one trainable token. */
export function missingColumnMessage(code: EstimatorErrorCode, column: string, place: string): string {
  if (code === 'values_missing') {
    return (
      `No critic value for ${place}: GAE, cross-trajectory, stitched and skip-observation estimators cannot be ` +
      'recomputed. Group and reward-only estimators still can.'
    );
  }
  return `"${column}" was not logged for ${place}. Log it with the rollout, or choose an estimator that does not need it.`;
}
