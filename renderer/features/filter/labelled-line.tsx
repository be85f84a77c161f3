// What the figures rest on: the labels, or what these stand for by the sampling plans of their queues.

import type { TuneReport } from '../../../app/contract/index.ts';
import { formatCount, formatPercent, plural } from '../../ui/format.ts';
import { Switch } from '../../ui/switch.tsx';

/** The line above the figures, with the switch between plain and weighted ones. */
export function LabelledLine(props: {
  readonly report: TuneReport;
  readonly weighted: boolean;
  readonly onWeighted: (weighted: boolean) => void;
}) {
  const { hack, clean, unsure, disputed } = props.report.labelled;
  const { weighting } = props.report;
  return (
    <div className="tune-line muted">
      <p>
        Measured on {plural(hack + clean, 'labelled rollout')}: {formatCount(hack)} hack, {formatCount(clean)} clean.
        Left out: {formatCount(unsure)} unsure, {formatCount(disputed)} disputed.
        {weighting !== null && <> {weightingWords(weighting)}</>}
      </p>
      {hack + clean > 0 && (
        <span className="tune-weighted">
          <Switch label="Weight by the sampling plan" checked={props.weighted} onChange={props.onWeighted} />
          weight by the sampling plan
        </span>
      )}
    </div>
  );
}

/** What the weighted figures speak for. */
function weightingWords(weighting: NonNullable<TuneReport['weighting']>): string {
  const { cases, unknown, population, prevalence } = weighting;
  if (cases === 0) return '';
  const left =
    unknown === 0
      ? ''
      : ` ${plural(unknown, 'rollout')} labelled outside of queues ${unknown === 1 ? 'is' : 'are'} left out.`;
  const share =
    prevalence.value === null
      ? ''
      : `, of which ${formatPercent(prevalence.value)} are hacks (95 % interval ${formatPercent(prevalence.low)} to ${formatPercent(prevalence.high)})`;
  return `Weighted: ${formatCount(cases)} of them, drawn with a known chance, stand for about ${plural(Math.round(population), 'rollout')}${share}.${left}`;
}
