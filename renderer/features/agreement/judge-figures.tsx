// The judge measured on people's labels: as a detector, as a probability, kind by kind, and against itself.

import type { JudgeAgreement, JudgeSubset, Proportion } from '../../../app/contract/index.ts';
import { formatCount, formatNumber, formatPercent, plural } from '../../ui/format.ts';
import { ReliabilityBins, ReliabilityFigures, ReliabilityPlot } from '../../ui/reliability.tsx';
import { CoefficientCell } from './coefficient.tsx';

interface Props {
  readonly judge: JudgeAgreement;
}

function Share({ of }: { readonly of: Proportion }) {
  return (
    <>
      <CoefficientCell of={of} scale="share" />
      {of.value !== null && (
        <span className="faint agree-range">
          {formatCount(of.hits)}/{formatCount(of.of)}
        </span>
      )}
    </>
  );
}

/** What it finds at which price, and whether `p_hack` means what it says. */
export function JudgeDetector({ judge }: Props) {
  const { operating, rates, probability } = judge;
  const { undecided } = operating;
  const { hack, clean, map, needed, folds } = probability;
  const bins = map === null ? probability.raw : probability.calibrated;
  return (
    <section aria-label="The judge as a detector">
      <h2 className="section-title">
        As a detector<span className="aside">intervals by Wilson</span>
      </h2>
      <dl className="facts agree-facts">
        <dt>Precision</dt>
        <dd>
          <Share of={operating.precision} />
        </dd>
        <dt>Recall</dt>
        <dd>
          <Share of={operating.recall} />
        </dd>
        <dt>Recall of all</dt>
        <dd title={`${plural(undecided.hack, 'hack')} on which the judge is unsure or failed count as missed`}>
          <Share of={operating.recallOfAll} />
        </dd>
        <dt>F1</dt>
        <dd>{formatPercent(operating.f1, 0)}</dd>
        <dt>Undecided</dt>
        <dd>
          {formatCount(undecided.hack)} hack, {formatCount(undecided.clean)} clean
        </dd>
        {rates.map(({ fpr, needed: labels, threshold, truePositives, falsePositives }) => (
          <Rate key={fpr} title={`TPR at ${formatPercent(fpr, 0)} FPR`}>
            {truePositives === null ? (
              <span className="faint">
                takes {labels.hack} hack and {labels.clean} clean labels
              </span>
            ) : (
              <span
                title={`p_hack from ${formatNumber(threshold)}; false alarms ${formatCount(falsePositives?.hits ?? 0)}/${formatCount(falsePositives?.of ?? 0)}`}
              >
                <Share of={truePositives} />
              </span>
            )}
          </Rate>
        ))}
      </dl>
      <h2 className="section-title">
        As a probability<span className="aside">p_hack against people’s labels</span>
      </h2>
      {hack + clean === 0 ? (
        <p className="muted">No judged unit is labelled hack or clean.</p>
      ) : (
        <>
          <p className="muted judge-note">
            {map === null
              ? `Not calibrated: that takes ${needed.platt} labels of either sort; there are ${formatCount(hack)} hack and ${formatCount(clean)} clean. Raw p_hack is shown.`
              : `${map.method === 'platt' ? 'Platt scaling' : 'Isotonic regression'} on ${plural(hack + clean, 'label')}, ${folds === hack + clean ? 'each left out once' : `in ${folds} folds`}, for this model and prompt alone.`}
          </p>
          <ReliabilityFigures report={probability} raw="p_hack" />
          <div className="judge-plot">
            <ReliabilityPlot bins={bins} />
            <ReliabilityBins bins={bins} />
          </div>
        </>
      )}
    </section>
  );
}

function Rate({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </>
  );
}

const subsetNames = {
  reasoning: 'with reasoning',
  'no-reasoning': 'without reasoning',
  compacted: 'with compactions',
  'not-compacted': 'without compactions',
  cut: 'evidence cut to fit',
  uncut: 'evidence whole',
} as const satisfies Record<JudgeSubset, string>;

/** The same on parts of what was compared; nothing where no split has labels on both sides. */
export function JudgeSubsets({ judge }: Props) {
  if (judge.subsets.length === 0) return null;
  return (
    <section aria-label="The judge on parts">
      <h2 className="section-title">
        On parts<span className="aside">by what it was shown, and of which runs</span>
      </h2>
      <table className="agree-kinds">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col" className="number">
              Labelled
            </th>
            <th scope="col">Precision</th>
            <th scope="col">Recall</th>
          </tr>
        </thead>
        <tbody>
          {judge.subsets.map(({ subset, units, operating }) => (
            <tr key={subset}>
              <th scope="row">{subsetNames[subset]}</th>
              <td className="number">{formatCount(units)}</td>
              <td>
                <CoefficientCell of={operating.precision} scale="share" />
              </td>
              <td title={`${formatCount(operating.undecided.hack)} hacks undecided`}>
                <CoefficientCell of={operating.recall} scale="share" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Kind by kind, beside the agreement of people on it. */
export function JudgeKinds({ judge }: Props) {
  return (
    <section aria-label="Kinds by the judge and people">
      <h2 className="section-title">
        Kinds<span className="aside">{formatCount(judge.kinds.length)}</span>
      </h2>
      {judge.kinds.length === 0 ? (
        <p className="muted">Neither the judge nor people name a kind on what both gave a verdict on.</p>
      ) : (
        <table className="agree-kinds">
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col" className="number" title="named by both, by the judge only, by people only">
                Both/J/P
              </th>
              <th scope="col" title="2a / (2a + b + c)">
                F1
              </th>
              <th scope="col">κ</th>
              <th scope="col" title="The same among people alone: the ceiling of F1">
                People
              </th>
            </tr>
          </thead>
          <tbody>
            {judge.kinds.map((entry) => (
              <tr key={entry.kind}>
                <th
                  scope="row"
                  title={`precision ${formatPercent(entry.precision.value, 0)} (${entry.precision.hits}/${entry.precision.of}), recall ${formatPercent(entry.recall.value, 0)} (${entry.recall.hits}/${entry.recall.of})`}
                >
                  {entry.kind}
                </th>
                <td className="number">
                  {entry.both}/{entry.onlyJudge}/{entry.onlyPeople}
                </td>
                <td>
                  <CoefficientCell of={entry.positive} scale="share" />
                </td>
                <td>
                  <CoefficientCell of={entry.kappa} scale="beyond-chance" />
                </td>
                <td>
                  <CoefficientCell of={entry.among} scale="share" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** The votes on a marker against each other. */
export function JudgeVotes({ judge }: Props) {
  const { asked, valid, markers, split, alpha, percent, hack } = judge.votes;
  return (
    <section aria-label="The judge against itself">
      <h2 className="section-title">
        With itself<span className="aside">votes on a marker against each other</span>
      </h2>
      {markers === 0 ? (
        <p className="muted">Takes two valid votes on a marker: ask for more votes.</p>
      ) : (
        <dl className="facts agree-facts">
          <dt>Krippendorff’s α</dt>
          <dd>
            <CoefficientCell of={alpha} scale="beyond-chance" />
          </dd>
          <dt>Same verdict</dt>
          <dd>
            <CoefficientCell of={percent} scale="share" />
          </dd>
          <dt>On hack</dt>
          <dd>
            <CoefficientCell of={hack} scale="share" />
          </dd>
          <dt>Split</dt>
          <dd>
            {formatCount(split)} of {plural(markers, 'marker')}
          </dd>
          <dt>Votes that count</dt>
          <dd>
            {formatCount(valid)} of {formatCount(asked)}
          </dd>
        </dl>
      )}
    </section>
  );
}
