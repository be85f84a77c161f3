// Taking incorrect actions out of the loss: their tokens stay in the context but are no longer trained.

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { perRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { placeOf, refuse } from './refusal.ts';
import type { RolloutInput, SegmentInput } from './types.ts';

/**
 * `mask AND NOT inside an incorrect span` (GLM-5, supervised stage). Spans are half-open token ranges and may reach past
 * the end. Everything that counts trainable tokens (n_s, N_{>s}, the l of lambda) uses the result.
 */
function reducedMask(
  mask: ArrayLike<number | boolean>,
  spans: readonly (readonly [number, number])[],
): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(mask.length);
  for (let t = 0; t < mask.length; t += 1) out[t] = mask[t] === 1 || mask[t] === true ? 1 : 0;
  for (const [start, end] of spans) out.fill(0, Math.max(0, start), Math.max(0, end));
  return out;
}

/** A rollout whose masks leave out its incorrect actions, as input for any other estimator. */
export function withoutIncorrect(rollout: RolloutInput): RolloutInput {
  const segments = rollout.segments.map((segment): SegmentInput => {
    const spans = segment.incorrectSpans ?? [];
    return spans.length === 0 ? segment : { ...segment, lossMask: reducedMask(segment.lossMask, spans) };
  });
  return { ...rollout, segments };
}

export const maskIncorrect = defineEstimator({
  id: 'mask_incorrect',
  version: '1',
  title: 'Mask of incorrect actions',
  summary: 'The loss mask without the actions marked incorrect; their tokens stay in the context.',
  source: 'GLM-5, arXiv 2602.15763, supervised stage.',
  needsValues: false,
  scope: 'rollout',
  output: 'diagnostic',
  column: 'loss_mask',
  schema: z.strictObject({}),
  form: [],
  compute: (_params, input) => ({
    rollouts: perRollout(input, (rollout) => {
      const segments = rollout.segments.map((segment) => {
        const spans = segment.input.incorrectSpans ?? [];
        for (const [start, end] of spans) {
          if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end < start) {
            const place = placeOf(rollout.input.id, segment.index);
            refuse('length_mismatch', `The incorrect span [${start}, ${end}) of ${place} is not a token range.`, [
              rollout.input.id,
              segment.index,
              'incorrect_spans',
            ]);
          }
        }
        return segmentOutput(segment, { loss_mask: Float64Array.from(reducedMask(segment.input.lossMask, spans)) });
      });
      return rolloutOutput(rollout, segments);
    }),
  }),
});
