// An estimator's output under the names that golden files use in `expected`.

import { sum } from './sums.ts';
import type { EstimatorOutput, RolloutOutput, SegmentOutput, TokenColumn } from './types.ts';

/** What a key of `expected` is compared with. */
export type Tree = null | number | string | Float64Array | readonly Tree[] | ReadonlyMap<string, Tree>;

const columnOfKey: ReadonlyMap<string, TokenColumn> = new Map([
  ['returns', 'returns'],
  ['local_advantages', 'local_advantages'],
  ['stitched_advantages', 'stitched_advantages'],
  ['token_weights', 'weights'],
  ['whitened', 'advantages'],
  ['ratio', 'ratio'],
  ['mismatch', 'mismatch'],
  ['pop', 'pop'],
  ['keep', 'keep'],
  ['weight', 'weight'],
  ['objective', 'objective'],
  ['grad_coeff', 'grad_coeff'],
  ['grad_coeff_stopgrad', 'grad_coeff_stopgrad'],
  ['grad_coeff_literal', 'grad_coeff_literal'],
  ['kl', 'kl'],
  ['loss_mask', 'loss_mask'],
]);

/** The computed counterpart of `expected[key]`; undefined for a key this version does not know. `wanted` is its value. */
export function treeOf(output: EstimatorOutput, key: string, wanted: unknown): Tree | undefined {
  const column = columnOfKey.get(key);
  if (column !== undefined) return grid(output, (segment) => segment.columns[column] ?? null);
  const { rollouts, batch } = output;
  switch (key) {
    case 'advantages':
      // The files keep the advantages as they were before an optional whitening step under this name.
      return grid(output, ({ columns }) => columns.unwhitened ?? columns.advantages ?? null);
    case 'lambda':
      return grid(output, (segment) => segment.lambda);
    case 'cross_factor':
      return grid(output, (segment) => segment.factor);
    case 'tokens_after':
      return grid(output, (segment) => segment.tokensAfter);
    case 'segment_share':
    case 'segment_signal':
      return grid(output, (segment) => segment.share);
    case 'rollout_share':
    case 'rollout_signal':
      return rollouts.map((rollout) => rollout.share);
    case 'scalar_advantages':
      return rollouts.map((rollout) => rollout.scalar ?? rollout.segments.map((segment) => segment.scalar));
    case 'baselines':
      return rollouts.map((rollout) => rollout.baseline ?? rollout.segments.map((segment) => segment.baseline));
    case 'verdict':
      return rollouts.map((rollout) => rollout.verdict);
    case 'plan':
      return new Map((output.plan ?? []).map(({ group, members }) => [group, members]));
    case 'centered':
      return new Map(
        (output.plan ?? []).flatMap(({ group, centered }) => (centered === null ? [] : [[group, centered]])),
      );
    case 'total':
    case 'total_abs':
      return batch.total;
    case 'max_abs':
      return batch.gap?.maxAbs ?? null;
    case 'mean_abs':
      return batch.gap?.meanAbs ?? null;
    case 'sign_flips':
      return batch.gap?.signFlips ?? null;
    case 'masked_fraction':
      return batch.rejected === null ? null : (batch.rejected.low + batch.rejected.high) / batch.rejected.tokens;
    default:
      return sampledTree(rollouts[0], key, wanted);
  }
}

function grid(output: EstimatorOutput, of: (segment: SegmentOutput) => Tree): Tree {
  return output.rollouts.map((rollout) => rollout.segments.map(of));
}

/** Keys of cases too large to list: counts, totals, and samples at positions on the concatenated raw tokens. */
function sampledTree(rollout: RolloutOutput | undefined, key: string, wanted: unknown): Tree | undefined {
  const segments = rollout?.segments ?? [];
  switch (key) {
    case 'trainable_per_segment':
      return segments.map((segment) => segment.positions.length);
    case 'sum_advantages':
      return sum(segments.map((segment) => sum(segment.columns.advantages ?? [])));
    case 'raw_positions':
      return numbersOf(wanted).map((position) => {
        const at = locate(segments, position);
        return at?.segment.positions.includes(at.token) === true ? position : null;
      });
    default:
      return undefined;
  }
}

/** A column at positions on the concatenated raw tokens of the first rollout; null where there is no such token. */
export function samplesOf(output: EstimatorOutput, column: TokenColumn, positions: unknown): Tree {
  const segments = output.rollouts[0]?.segments ?? [];
  return numbersOf(positions).map((position) => {
    const at = locate(segments, position);
    return at?.segment.columns[column]?.[at.token] ?? null;
  });
}

function locate(
  segments: readonly SegmentOutput[],
  position: number,
): { readonly segment: SegmentOutput; readonly token: number } | null {
  let start = 0;
  for (const segment of segments) {
    if (position < start + segment.length) return { segment, token: position - start };
    start += segment.length;
  }
  return null;
}

function numbersOf(list: unknown): number[] {
  return Array.isArray(list) ? list.map((entry) => (typeof entry === 'number' ? entry : Number.NaN)) : [];
}
