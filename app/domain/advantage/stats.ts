// From an estimator's output to what crosses the wire: statistics over trainable tokens and the contract's record.

import type { ColumnStats, EstimatorInfo, RolloutAdvantages, SegmentAdvantages } from '../../contract/estimator.ts';
import { NeumaierSum } from './sums.ts';
import type { EstimatorDefinition, RolloutOutput, SegmentOutput, TokenColumn } from './types.ts';

/**
 * Count, min, max, mean and largest absolute value of a column at the given positions. Null where there are no positions,
 * or where a number overflowed (a ratio of absurd log-probs), which the wire cannot carry.
 */
export function columnStats(column: ArrayLike<number>, positions: ArrayLike<number>): ColumnStats {
  const count = positions.length;
  if (count === 0) return { count: 0, min: null, max: null, mean: null, maxAbs: null };
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  const total = new NeumaierSum();
  for (let i = 0; i < count; i += 1) {
    const x = column[positions[i] ?? 0] ?? 0;
    if (x < min) min = x;
    if (x > max) max = x;
    total.add(x);
  }
  return {
    count,
    min: finiteOrNull(min),
    max: finiteOrNull(max),
    mean: finiteOrNull(total.value / count),
    maxAbs: finiteOrNull(Math.max(Math.abs(min), Math.abs(max))),
  };
}

function finiteOrNull(x: number): number | null {
  return Number.isFinite(x) ? x : null;
}

/** The record of a registry entry for lists and forms. */
export function estimatorInfoOf(estimator: EstimatorDefinition): EstimatorInfo {
  const { id, version, title, summary, source, needsValues, scope, output, parameters } = estimator;
  return { id, version, title, summary, source, needsValues, scope, output, parameters: [...parameters] };
}

/**
 * The contract's record of one rollout: statistics of the estimator's own column per segment, scalars, weights, warnings
 * as sentences, the refusal. `tokens` adds advantages and returns per token, masked tokens as 0.
 */
export function summarise(
  estimator: Pick<EstimatorDefinition, 'column'>,
  rollout: RolloutOutput,
  options: { readonly tokens?: boolean } = {},
): RolloutAdvantages {
  const weights = rollout.segments.map((segment) => segment.tokenWeight);
  const known = weights.filter((weight) => weight !== null);
  return {
    id: rollout.id,
    segments: rollout.segments.map((segment) => summariseSegment(segment, estimator.column, options.tokens === true)),
    scalar: rollout.scalar,
    baseline: rollout.baseline,
    ...(known.length > 0 && known.length === weights.length ? { tokenWeight: known } : {}),
    warnings: [...rollout.warnings.map((warning) => warning.message), ...gapSentences(rollout)],
    ...(rollout.error === null ? {} : { error: { code: rollout.error.code, message: rollout.error.message } }),
  };
}

function summariseSegment(segment: SegmentOutput, name: TokenColumn | null, tokens: boolean): SegmentAdvantages {
  const { advantages, returns } = segment.columns;
  const column = name === null ? undefined : segment.columns[name];
  return {
    index: segment.index,
    kind: segment.kind,
    factor: segment.factor,
    lambda: segment.lambda,
    stats: columnStats(column ?? [], column === undefined ? [] : segment.positions),
    ...(tokens && advantages !== undefined ? { advantages: Array.from(advantages) } : {}),
    ...(tokens && returns !== undefined ? { returns: Array.from(returns) } : {}),
  };
}

/** Numbers of a gap or a rejection mask as sentences: the record has no field of its own for them. */
function gapSentences(rollout: RolloutOutput): string[] {
  const sentences: string[] = [];
  const { gap, rejected } = rollout;
  if (gap !== null) {
    sentences.push(
      `Cross against stitched over ${gap.tokens} trainable tokens: largest gap ${short(gap.maxAbs)}, mean ${short(gap.meanAbs)}, ` +
        `${gap.signFlips} sign flips.`,
    );
  }
  if (rejected !== null && rejected.tokens > 0) {
    const share = ((rejected.low + rejected.high) / rejected.tokens) * 100;
    sentences.push(
      `${rejected.low + rejected.high} of ${rejected.tokens} trainable tokens (${share.toFixed(1)} %) are outside the interval: ` +
        `${rejected.low} below, ${rejected.high} above.`,
    );
  }
  return sentences;
}

function short(x: number): string {
  return String(Number(x.toPrecision(4)));
}
