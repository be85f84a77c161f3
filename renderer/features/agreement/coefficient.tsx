// A coefficient with its uncertainty: the value, its interval as a bar and in words.

import type { Coefficient } from '../../../app/contract/index.ts';
import { formatNumber, formatPercent } from '../../ui/format.ts';

/** Shares go from 0 to 1; κ and α from -1 to 1, with 0 for agreement as by chance. */
export type Scale = 'share' | 'beyond-chance';

/** Krippendorff's customary bounds: below the first no conclusions, from the second on reliable. */
export const customaryBounds = [0.667, 0.8] as const;

/** The value as people read it on its scale. */
export function coefficientText(value: number | null, scale: Scale): string {
  return scale === 'share' ? formatPercent(value, 0) : formatNumber(value);
}

/** The interval in words. */
export function intervalText({ value, low, high }: Coefficient, scale: Scale): string {
  if (value === null) return 'not defined';
  if (low === null || high === null) return 'no interval: nothing varies';
  return `95 % interval ${coefficientText(low, scale)} to ${coefficientText(high, scale)}`;
}

/** A track with the interval as a band and the value as a tick; zero and the customary bounds where they mean something. */
export function CoefficientBar({ of, scale }: { readonly of: Coefficient; readonly scale: Scale }) {
  const { value, low, high } = of;
  const x = (share: number): number => 100 * (scale === 'share' ? share : (Math.max(-1, share) + 1) / 2);
  return (
    <svg className="agree-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect className="agree-bar-track" x="0" y="4" width="100" height="2" />
      {scale === 'beyond-chance' &&
        [0, ...customaryBounds].map((bound) => (
          <rect key={bound} className="agree-bar-bound" x={x(bound)} y="2" width="0.5" height="6" />
        ))}
      {low !== null && high !== null && (
        <rect className="agree-bar-band" x={x(low)} y="3" width={Math.max(1, x(high) - x(low))} height="4" />
      )}
      {value !== null && (
        <rect className="agree-bar-value" x={Math.min(98.5, x(value))} y="0" width="1.5" height="10" />
      )}
    </svg>
  );
}

/** Value and interval in a cell of a table. */
export function CoefficientCell({ of, scale }: { readonly of: Coefficient; readonly scale: Scale }) {
  if (of.value === null) {
    return (
      <span className="faint" title="Not defined: nothing to count, or a single verdict only">
        –
      </span>
    );
  }
  return (
    <span title={intervalText(of, scale)}>
      <b>{coefficientText(of.value, scale)}</b>
      {of.low !== null && of.high !== null && (
        <span className="faint agree-range">
          {coefficientText(of.low, scale)} to {coefficientText(of.high, scale)}
        </span>
      )}
    </span>
  );
}
