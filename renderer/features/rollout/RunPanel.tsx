// What the shown estimator gave: its largest advantage, factors of the segments on a log scale, warnings.

import type { ReactNode } from 'react';
import type { SegmentAdvantages } from '../../../app/contract/index.ts';
import { formatCount, formatNumber, formatSigned } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { FactRow } from './FactRow.tsx';
import { formatFactor } from './SegmentHeader.tsx';
import { useScreen } from './screen-context.ts';

/** Below this a segment is in effect not trained; the UI says so. */
const smallFactor = 1e-3;
/** More factors than this are folded. */
const mostOpen = 9;
/** The log scale of the factors ends here. */
const leastExponent = -12;

/** The facts of the shown run. */
export function RunPanel(): ReactNode {
  const { shown } = useScreen();
  if (shown.kind !== 'run') return null;
  const { run } = shown;
  const { result } = run;
  const stats = result.segments.map((segment) => segment.stats);
  const largest = stats.reduce<number | null>(
    (most, one) => (one.maxAbs === null ? most : Math.max(most ?? 0, one.maxAbs)),
    null,
  );
  const count = stats.reduce((sum, one) => sum + one.count, 0);
  const mean = stats.reduce((sum, one) => sum + (one.mean ?? 0) * one.count, 0) / Math.max(1, count);
  const factors = result.segments.filter((segment) => segment.factor !== null);
  const vanishing = factors.filter((segment) => (segment.factor ?? 1) < smallFactor && segment.stats.count > 0);
  return (
    <section aria-labelledby="run-title">
      <h2 id="run-title" className="section-title">
        Estimator
        <span className="aside">
          {run.estimator} {run.estimatorVersion}
          {run.stale ? ' · stale' : ''}
        </span>
      </h2>
      {result.error !== undefined && (
        <p className="warning">
          <Icon name="warning" size={14} /> Refused: {result.error.message}
        </p>
      )}
      {result.error === undefined && (
        <dl className="facts">
          <FactRow name="largest |A|" value={formatNumber(largest, 3)} />
          <FactRow name="mean A" value={`${formatSigned(count === 0 ? null : mean, 3)} over ${formatCount(count)}`} />
          {result.scalar !== null && <FactRow name="scalar" value={formatSigned(result.scalar, 3)} />}
          {result.baseline !== null && <FactRow name="baseline" value={formatNumber(result.baseline, 3)} />}
        </dl>
      )}
      {factors.length > 1 && factors.length <= mostOpen && <Factors segments={factors} />}
      {factors.length > mostOpen && (
        <details className="factors-folded">
          <summary>Factors of {factors.length} segments</summary>
          <Factors segments={factors} />
        </details>
      )}
      {vanishing.length > 0 && (
        <p className="warning">
          <Icon name="warning" size={14} /> {vanishing.length === 1 ? 'Segment' : 'Segments'}{' '}
          {vanishing.map((segment) => segment.index + 1).join(', ')} {vanishing.length === 1 ? 'has' : 'have'} a factor
          below {smallFactor}: in effect not trained by the final reward.
        </p>
      )}
      {result.warnings.map((warning) => (
        <p className="warning" key={warning}>
          <Icon name="warning" size={14} /> {warning}
        </p>
      ))}
    </section>
  );
}

/** Bars of log10 F: full at 1, empty at 1e-12. */
function Factors({ segments }: { readonly segments: readonly SegmentAdvantages[] }): ReactNode {
  return (
    <table className="factors">
      <caption className="visually-hidden">Factor of each segment</caption>
      <tbody>
        {segments.map((segment) => {
          const factor = segment.factor ?? 0;
          const share = factor <= 0 ? 0 : Math.max(0, 1 - Math.log10(factor) / leastExponent);
          return (
            <tr key={segment.index} className={factor < smallFactor ? 'small' : undefined}>
              <th scope="row">
                {segment.index + 1} {segment.kind}
              </th>
              <td className="factor-bar">
                <i className={segment.kind} style={{ width: `${share * 100}%` }} />
              </td>
              <td className="number mono">{formatFactor(factor)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
