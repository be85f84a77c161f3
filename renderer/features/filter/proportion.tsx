// A share with its uncertainty: value, Wilson interval as a bar, counts.

import type { Proportion } from '../../../app/contract/index.ts';
import { formatCount, formatPercent } from '../../ui/format.ts';

/** `93.3 % [68.1, 99.8] 14 / 15` as text and a small bar with its interval. */
export function ProportionCell({ share }: { readonly share: Proportion }) {
  if (share.value === null)
    return (
      <span className="faint" title="Nothing to count yet">
        –
      </span>
    );
  return (
    <span className="share" title={intervalText(share)}>
      <b>{formatPercent(share.value, 0)}</b>
      <IntervalBar share={share} />
      <span className="faint">
        {formatCount(share.hits)}/{formatCount(share.of)}
      </span>
    </span>
  );
}

/** The interval in words. */
export function intervalText(share: Proportion): string {
  return share.low === null || share.high === null
    ? 'no interval without a count'
    : `95 % interval ${formatPercent(share.low)} to ${formatPercent(share.high)} (Wilson)`;
}

/** A track of 0 to 100 % with the interval as a band and the value as a tick. */
export function IntervalBar({ share }: { readonly share: Proportion }) {
  const { value, low, high } = share;
  return (
    <svg className="interval" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="interval-track" x="0" y="3" width="100" height="2" />
      {low !== null && high !== null && (
        <rect className="interval-band" x={low * 100} y="2" width={Math.max(1, (high - low) * 100)} height="4" />
      )}
      {value !== null && <rect className="interval-value" x={Math.min(98, value * 100)} y="0" width="2" height="8" />}
    </svg>
  );
}
