// Importance ratios and the terms of clipped surrogates, per token; and reading them for an estimator.

import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { spread } from './recursion.ts';
import type { PreparedRollout, PreparedSegment } from './tokens.ts';
import type {
  EstimatorInput,
  RejectionCounts,
  RolloutOutput,
  SegmentOutput,
  TokenColumn,
  TokenColumns,
} from './types.ts';

/** `exp(a - b)` entry by entry. */
export function ratioOf(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 1) out[i] = Math.exp((a[i] ?? 0) - (b[i] ?? 0));
  return out;
}

/** x within [low, high]. */
export function clip(x: number, low: number, high: number): number {
  return Math.min(Math.max(x, low), high);
}

export interface ClipSettings {
  readonly eps_low: number;
  readonly eps_high: number;
  readonly dual_clip: number | null;
}

/**
 * PPO's surrogate to maximise: `min(r*A, clip(r, 1-eps_low, 1+eps_high)*A)`. With dual clip c and A < 0, r > c it is
 * floored at `c*A` (PPO, arXiv 1707.06347; dual clip, arXiv 1912.09729).
 */
export function surrogate(r: number, a: number, settings: ClipSettings): number {
  const clipped = clip(r, 1 - settings.eps_low, 1 + settings.eps_high);
  const objective = Math.min(r * a, clipped * a);
  return dualClips(r, a, settings) ? Math.max(objective, (settings.dual_clip ?? 0) * a) : objective;
}

/** Coefficient of grad log pi in the surrogate: 0 where clipping holds the objective constant, else `r*A`. */
export function surrogateGradient(r: number, a: number, settings: ClipSettings): number {
  const held = (a > 0 && r > 1 + settings.eps_high) || (a < 0 && r < 1 - settings.eps_low);
  return held || dualClips(r, a, settings) ? 0 : r * a;
}

function dualClips(r: number, a: number, settings: ClipSettings): boolean {
  return settings.dual_clip !== null && a < 0 && r > settings.dual_clip;
}

/** Compressed columns of one segment. */
export type Compressed = Readonly<Partial<Record<TokenColumn, Float64Array>>>;

/** Puts compressed columns back at their positions; a segment without trainable tokens gets zeros. */
function spreadColumns(segment: PreparedSegment, columns: Compressed): TokenColumns {
  const out: Partial<Record<TokenColumn, Float64Array>> = {};
  for (const name of Object.keys(columns)) {
    if (!isColumn(columns, name)) continue;
    const column = columns[name];
    if (column !== undefined) out[name] = spread(column, segment.positions, segment.length);
  }
  return out;
}

function isColumn(columns: Compressed, name: string): name is TokenColumn {
  return Object.hasOwn(columns, name);
}

/** Runs a per-token estimator over a batch. `compute` is not called for a segment without trainable tokens. */
export function perSegment(
  input: EstimatorInput,
  names: readonly TokenColumn[],
  compute: (rollout: PreparedRollout, segment: PreparedSegment) => Compressed,
): RolloutOutput[] {
  return perRollout(input, (rollout) => {
    const segments = rollout.segments.map((segment): SegmentOutput => {
      if (segment.positions.length > 0)
        return segmentOutput(segment, spreadColumns(segment, compute(rollout, segment)));
      const blank: Partial<Record<TokenColumn, Float64Array>> = {};
      for (const name of names) blank[name] = new Float64Array(segment.length);
      return segmentOutput(segment, blank);
    });
    return rolloutOutput(rollout, segments);
  });
}

/** Counts the trainable tokens of a column whose `ratio` is at or below `low`, or at or above `high`. */
export function countRejected(
  rollout: RolloutOutput,
  rejects: (ratio: number) => 'low' | 'high' | null,
  column: TokenColumn,
): RejectionCounts {
  let low = 0;
  let high = 0;
  let tokens = 0;
  for (const segment of rollout.segments) {
    const ratios = segment.columns[column];
    for (const t of segment.positions) {
      const side = rejects(ratios?.[t] ?? 0);
      tokens += 1;
      if (side === 'low') low += 1;
      else if (side === 'high') high += 1;
    }
  }
  return { tokens, low, high };
}

/** Sum of rejection counts over the rollouts that have them. */
export function totalRejected(rollouts: readonly RolloutOutput[]): RejectionCounts {
  let tokens = 0;
  let low = 0;
  let high = 0;
  for (const { rejected } of rollouts) {
    tokens += rejected?.tokens ?? 0;
    low += rejected?.low ?? 0;
    high += rejected?.high ?? 0;
  }
  return { tokens, low, high };
}
