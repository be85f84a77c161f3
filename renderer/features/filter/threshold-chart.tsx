// Precision and recall over the threshold, with the slider that tries one. Both lines differ by dash, not by colour alone.

import { useId } from 'react';
import type { TuneReport } from '../../../app/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatNumber, formatPercent } from '../../ui/format.ts';

const width = 640;
const height = 132;

type Curve = TuneReport['curve'];

/** The point of the curve that holds at a threshold: the lowest score that still reaches it. */
export function pointAt(curve: Curve, threshold: number): Curve[number] | undefined {
  return curve.findLast((point) => point.threshold >= threshold);
}

/** The chart and its slider. `onDraft` while sliding, `onCommit` at the end (undefined: back to the pack's). */
export function ThresholdChart(props: {
  readonly curve: Curve;
  readonly threshold: number;
  readonly packThreshold: number;
  readonly onDraft: (threshold: number) => void;
  readonly onCommit: (threshold: number | undefined) => void;
}) {
  const { curve, threshold, packThreshold } = props;
  const sliderId = useId();
  const point = pointAt(curve, threshold);
  const changed = Math.abs(threshold - packThreshold) > 1e-9;
  return (
    <section className="threshold" aria-label="Threshold">
      <div className="threshold-head">
        <label htmlFor={sliderId} className="strong">
          Threshold {formatNumber(threshold)}
        </label>
        <span className="muted">
          {point === undefined
            ? 'nothing is marked'
            : `${formatCount(point.marked)} labelled rollouts marked · precision ${formatPercent(point.precision)} · recall ${formatPercent(point.recall)} · F1 ${formatNumber(point.f1)}`}
        </span>
        <span className="gap" />
        <span className="legend precision">precision</span>
        <span className="legend recall">recall</span>
        <Button disabled={!changed} shortcut="0" onClick={() => props.onCommit(undefined)}>
          Back to {formatNumber(packThreshold)} of the pack
        </Button>
      </div>
      <svg
        className="threshold-chart"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label="Precision and recall at each threshold from 0 to 1"
      >
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <line key={share} className="grid-line" x1="0" x2={width} y1={y(share)} y2={y(share)} />
        ))}
        <path className="curve recall" d={stepPath(curve, (entry) => entry.recall)} />
        <path className="curve precision" d={stepPath(curve, (entry) => entry.precision)} />
        <line className="pack-line" x1={packThreshold * width} x2={packThreshold * width} y1="0" y2={height} />
        <line className="try-line" x1={threshold * width} x2={threshold * width} y1="0" y2={height} />
      </svg>
      <input
        id={sliderId}
        type="range"
        min={0}
        max={1}
        step={0.01}
        value={threshold}
        onChange={(event) => props.onDraft(event.target.valueAsNumber)}
        onPointerUp={(event) => props.onCommit(event.currentTarget.valueAsNumber)}
        onKeyUp={(event) => props.onCommit(event.currentTarget.valueAsNumber)}
        onBlur={(event) => changed && props.onCommit(event.currentTarget.valueAsNumber)}
      />
    </section>
  );
}

function y(share: number): number {
  return 6 + (1 - share) * (height - 12);
}

/**
 * Steps from the left: a point's figures hold for thresholds from the next lower score (excluded) up to its own. The
 * line breaks where there is no figure (nothing marked, no hacks).
 */
function stepPath(curve: Curve, value: (entry: Curve[number]) => number | null): string {
  const ascending = curve.toReversed();
  let from = 0;
  let path = '';
  let drawing = false;
  for (const entry of ascending) {
    const share = value(entry);
    const to = Math.min(1, entry.threshold);
    if (share === null) drawing = false;
    else {
      path += `${drawing ? 'L' : 'M'}${from * width} ${y(share)}L${to * width} ${y(share)}`;
      drawing = true;
    }
    from = to;
  }
  return path;
}
