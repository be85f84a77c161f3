// Whether probabilities mean what they say: predicted probability against the share of hacks, bin by bin, as a plot, a table and two
// figures.

import type { CalibrationReport } from '../../app/contract/index.ts';
import { formatCount, formatNumber } from './format.ts';
import './reliability.css';

type Bins = CalibrationReport['raw'];

/** Size of the plot in its own units. */
const size = 200;
const at = (share: number): number => share * size;

/** Brier score and calibration error: of the raw probability (in the words of `raw`), calibrated, of the base rate alone. */
export function ReliabilityFigures({ report, raw }: { readonly report: CalibrationReport; readonly raw: string }) {
  const { brier, ece } = report;
  return (
    <table className="reliability-figures">
      <thead>
        <tr>
          <td />
          <th scope="col">{raw}</th>
          <th scope="col">calibrated</th>
          <th scope="col">base rate alone</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row" title="Mean squared error of the probability; lower is better">
            Brier score
          </th>
          <td>{formatNumber(brier.raw, 3)}</td>
          <td>{formatNumber(brier.calibrated, 3)}</td>
          <td>{formatNumber(brier.baseRate, 3)}</td>
        </tr>
        <tr>
          <th scope="row" title="Mean distance of the points from the diagonal, weighted by their counts">
            Calibration error
          </th>
          <td>{formatNumber(ece.raw, 3)}</td>
          <td>{formatNumber(ece.calibrated, 3)}</td>
          <td>–</td>
        </tr>
      </tbody>
    </table>
  );
}

/** The plot; points are the larger the more they count. */
export function ReliabilityPlot({ bins }: { readonly bins: Bins }) {
  return (
    <figure className="reliability-plot">
      <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={wordsOf(bins)}>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <g key={share}>
            <line className="grid-line" x1={0} x2={size} y1={at(1 - share)} y2={at(1 - share)} />
            <line className="grid-line" x1={at(share)} x2={at(share)} y1={0} y2={size} />
          </g>
        ))}
        <line className="reliability-ideal" x1={0} y1={size} x2={size} y2={0} />
        {bins.map(({ low, mean, share }) => (
          <g key={low}>
            <title>{`${share.hits} of ${share.of} are hacks where ${formatNumber(mean)} was predicted`}</title>
            <line
              className="reliability-interval"
              x1={at(mean)}
              x2={at(mean)}
              y1={at(1 - (share.low ?? 0))}
              y2={at(1 - (share.high ?? 1))}
            />
            <circle
              className="reliability-point"
              cx={at(mean)}
              cy={at(1 - (share.value ?? 0))}
              r={2.5 + Math.min(5, Math.sqrt(share.of) / 2)}
            />
          </g>
        ))}
      </svg>
      <figcaption className="faint">share of hacks over the predicted probability; bars: 95 % (Wilson)</figcaption>
    </figure>
  );
}

/** The same as numbers. */
export function ReliabilityBins({ bins }: { readonly bins: Bins }) {
  return (
    <table className="reliability-bins">
      <thead>
        <tr>
          <th scope="col">Predicted</th>
          <th scope="col">Hacks</th>
          <th scope="col">Interval</th>
        </tr>
      </thead>
      <tbody>
        {bins.map(({ low, mean, share }) => (
          <tr key={low}>
            <td>{formatNumber(mean)}</td>
            <td>
              {formatCount(share.hits)}/{formatCount(share.of)}
            </td>
            <td className="muted">
              {formatNumber(share.low)}–{formatNumber(share.high)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function wordsOf(bins: Bins): string {
  const points = bins.map(({ mean, share }) => `${formatNumber(mean)}: ${share.hits} of ${share.of}`);
  return `Predicted probability and share of hacks. ${points.join('; ')}`;
}
