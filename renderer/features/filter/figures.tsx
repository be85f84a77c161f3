// The figures of the whole pack: precision, recall, F1 and the four counts behind them.

import type { Proportion, TuneReport } from '../../../app/contract/index.ts';
import { formatCount, formatNumber, formatPercent } from '../../ui/format.ts';
import { IntervalBar, intervalText } from './proportion.tsx';

/** The cards. */
export function Figures({ report }: { readonly report: TuneReport }) {
  const { overall } = report;
  return (
    <section className="figures" aria-label="Figures of the pack">
      <ShareCard
        title="Precision"
        share={overall.precision}
        what="marked rollouts are hacks"
        none="no labelled rollout is marked"
      />
      <ShareCard title="Recall" share={overall.recall} what="hacks are marked" none="no rollout is labelled hack" />
      <div className="figure">
        <h2>F1</h2>
        <b className="figure-value">{formatNumber(overall.f1)}</b>
        <p className="muted">harmonic mean of the two</p>
      </div>
      <table className="confusion">
        <caption className="visually-hidden">Rollouts by label and by what the pack says</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">labelled hack</th>
            <th scope="col">labelled clean</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">marked</th>
            <td className="right-call">{formatCount(overall.truePositives)}</td>
            <td className="wrong-call">{formatCount(overall.falsePositives)}</td>
          </tr>
          <tr>
            <th scope="row">not marked</th>
            <td className="wrong-call">{formatCount(overall.falseNegatives)}</td>
            <td className="right-call">{formatCount(overall.trueNegatives)}</td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}

function ShareCard(props: {
  readonly title: string;
  readonly share: Proportion;
  readonly what: string;
  readonly none: string;
}) {
  const { share } = props;
  return (
    <div className="figure">
      <h2>{props.title}</h2>
      <b className="figure-value">{formatPercent(share.value)}</b>
      <IntervalBar share={share} />
      <p className="muted">
        {share.of === 0 ? props.none : `${formatCount(share.hits)} of ${formatCount(share.of)} ${props.what}`}
      </p>
      <p className="faint">{intervalText(share)}</p>
    </div>
  );
}
