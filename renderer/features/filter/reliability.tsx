// Whether the scores mean what they say: predicted probability against the share of hacks, raw and calibrated, on rollouts that the
// calibration had not seen.

import type { CalibrationReport } from '../../../app/contract/index.ts';
import { formatCount, formatNumber, plural } from '../../ui/format.ts';
import './reliability.css';

/** Size of the plot in its own units. */
const size = 200;
const at = (share: number): number => share * size;

/** The section. */
export function Reliability({ report }: { readonly report: CalibrationReport }) {
  const { hack, clean, map, needed, folds, brier, ece } = report;
  const bins = map === null ? report.raw : report.calibrated;
  const missing = Math.max(0, needed.platt - Math.min(hack, clean));
  return (
    <section className="reliability" aria-labelledby="reliability-title">
      <div className="reliability-words">
        <h2 id="reliability-title">Scores as probabilities</h2>
        <p className="muted">
          {map === null
            ? `Not calibrated: that takes ${needed.platt} hack and ${needed.platt} clean labels on scanned rollouts. There are ${formatCount(hack)} and ${formatCount(clean)}; ${missing} more of the rarer sort. The plot shows the raw score.`
            : `${map.method === 'platt' ? 'Platt scaling' : 'Isotonic regression'} on ${plural(hack + clean, 'label')}, ${folds === hack + clean ? 'each left out once' : `in ${folds} folds`}: every point is of rollouts that the fit had not seen.${map.method === 'platt' ? ` Isotonic from ${needed.isotonic} labels of either sort on.` : ''}`}
        </p>
        <table className="reliability-figures">
          <thead>
            <tr>
              <td />
              <th scope="col">raw score</th>
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
      </div>
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
    </section>
  );
}

function wordsOf(bins: CalibrationReport['raw']): string {
  const points = bins.map(({ mean, share }) => `${formatNumber(mean)}: ${share.hits} of ${share.of}`);
  return `Predicted probability and share of hacks. ${points.join('; ')}`;
}
