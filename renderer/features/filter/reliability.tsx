// Whether the scores mean what they say: predicted probability against the share of hacks, raw and calibrated, on rollouts that the
// calibration had not seen.

import type { CalibrationReport } from '../../../app/contract/index.ts';
import { formatCount, plural } from '../../ui/format.ts';
import { ReliabilityBins, ReliabilityFigures, ReliabilityPlot } from '../../ui/reliability.tsx';
import './reliability.css';

/** The section. */
export function Reliability({ report }: { readonly report: CalibrationReport }) {
  const { hack, clean, map, needed, folds } = report;
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
        <ReliabilityFigures report={report} raw="raw score" />
      </div>
      <ReliabilityPlot bins={bins} />
      <ReliabilityBins bins={bins} />
    </section>
  );
}
