// How a hop of a chain is named and coloured. Pure.

import type { ChainHop, SegmentRow } from '../../../app/contract/index.ts';
import { segmentByIndex } from './screen-context.ts';

/** The colour of the segment a hop is in. */
export function hopTone(
  { segment }: Pick<ChainHop, 'segment'>,
  segments: readonly SegmentRow[],
): 'exec' | 'summary' | 'other' {
  const kind = segmentByIndex(segments, segment)?.kind;
  return kind === 'execution' ? 'exec' : kind === 'summary' ? 'summary' : 'other';
}

/** `step 12, segment 3`, `summary 2`. */
export function hopPlace(
  { segment, step }: Pick<ChainHop, 'segment' | 'step'>,
  segments: readonly SegmentRow[],
): string {
  const place = hopTone({ segment }, segments) === 'summary' ? `summary ${segment + 1}` : `segment ${segment + 1}`;
  return step === null ? place : `step ${step}, ${place}`;
}
