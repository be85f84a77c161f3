// The curve of figures over the threshold: which point holds where, and its path in the chart. Pure.

import type { TuneReport } from '../../../app/contract/index.ts';

export type Curve = TuneReport['curve'];

/** Size of the chart in its own units. */
export const chartWidth = 640;
export const chartHeight = 132;

/** The point of the curve (descending) that holds at a threshold: the lowest score that still reaches it. */
export function pointAt(curve: Curve, threshold: number): Curve[number] | undefined {
  return curve.findLast((point) => point.threshold >= threshold);
}

/** Vertical place of a share in the chart. */
export function shareToY(share: number): number {
  return 6 + (1 - share) * (chartHeight - 12);
}

/**
 * Steps from the left: a point's figures hold for thresholds from the next lower score (excluded) up to its own. The
 * line breaks where there is no figure (nothing marked, no hacks).
 */
export function stepPath(curve: Curve, value: (entry: Curve[number]) => number | null): string {
  const ascending = curve.toReversed();
  let from = 0;
  let path = '';
  let drawing = false;
  for (const entry of ascending) {
    const share = value(entry);
    const to = Math.min(1, entry.threshold);
    if (share === null) drawing = false;
    else {
      path += `${drawing ? 'L' : 'M'}${from * chartWidth} ${shareToY(share)}L${to * chartWidth} ${shareToY(share)}`;
      drawing = true;
    }
    from = to;
  }
  return path;
}
