// The judge as one more rater: its verdicts against people's, whose cells open the list, and its agreement with each annotator
// next to theirs with each other.

import {
  type AgreementReport,
  type JudgeAgreement,
  type JudgeSays,
  judgeSays,
  type PeopleSay,
  peopleSay,
} from '../../../app/contract/index.ts';
import { type AgreementRoute, navigate } from '../../routes.ts';
import { formatCount } from '../../ui/format.ts';
import { CoefficientCell } from './coefficient.tsx';
import { counted, judgedName, judgeRoute } from './selection.ts';

/** Verdicts against verdicts, with what failed and what people dispute. */
export function JudgeTable(props: {
  readonly judge: JudgeAgreement;
  readonly report: AgreementReport;
  readonly route: AgreementRoute;
}) {
  const { judge, report, route } = props;
  const { hack, clean } = judge.unjudged;
  return (
    <section aria-label="Verdicts of the judge and of people">
      <table className="agree-table judge-table">
        <caption>
          The <b>judge</b> in rows, <b>people</b> together in columns
        </caption>
        <thead>
          <tr>
            <td />
            {peopleSay.map((people) => (
              <th key={people} scope="col">
                {people}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {judgeSays.map((said) => (
            <tr key={said}>
              <th scope="row">{said}</th>
              {peopleSay.map((people) => (
                <td key={people}>
                  <Cell judge={judge} report={report} route={route} said={said} people={people} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hack + clean > 0 && (
        <p className="faint judge-note">
          Labelled but never put to it: {formatCount(hack)} hack, {formatCount(clean)} clean.
        </p>
      )}
    </section>
  );
}

function Cell(props: {
  readonly judge: JudgeAgreement;
  readonly report: AgreementReport;
  readonly route: AgreementRoute;
  readonly said: JudgeSays;
  readonly people: PeopleSay;
}) {
  const { judge, report, route, said, people } = props;
  const count = judge.cells.find((cell) => cell.said === said && cell.people === people)?.count ?? 0;
  const name = judgedName(said, people);
  const on = route.judged === name;
  if (count === 0 && !on) return <span className="faint">0</span>;
  const tone = said === people ? 'same' : said === 'failed' || people === 'disputed' ? '' : 'apart';
  return (
    <button
      type="button"
      className={tone}
      aria-pressed={on}
      aria-label={`judge ${said}, people ${people}: ${counted(report.target, count)}`}
      onClick={() => navigate(judgeRoute(route, judge.id, on ? undefined : name), { replace: true })}
    >
      {formatCount(count)}
    </button>
  );
}

/** The judge with each annotator, and the ceiling. */
export function JudgeWithPeople({ judge }: { readonly judge: JudgeAgreement }) {
  const { annotators, people, ceiling } = judge;
  if (annotators.length === 0) {
    return <p className="muted judge-note">Nobody has labelled what this judge gave a verdict on.</p>;
  }
  return (
    <section aria-label="The judge as one more rater">
      <h2 className="section-title">
        As one more rater<span className="aside">never counted among people</span>
      </h2>
      <table className="agree-kinds">
        <thead>
          <tr>
            <th scope="col">With</th>
            <th scope="col" className="number">
              Both
            </th>
            <th scope="col">Same</th>
            <th scope="col">κ</th>
            <th scope="col" title="2a / (2a + b + c): F1 of the verdict hack">
              F1 hack
            </th>
          </tr>
        </thead>
        <tbody>
          {annotators.map(({ annotator, units, percent, kappa, hack }) => (
            <tr key={annotator}>
              <th scope="row">{annotator}</th>
              <td className="number">{formatCount(units)}</td>
              <td>
                <CoefficientCell of={percent} scale="share" />
              </td>
              <td>
                <CoefficientCell of={kappa} scale="beyond-chance" />
              </td>
              <td>
                <CoefficientCell of={hack} scale="share" />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">people in common</th>
            <td className="number">{formatCount(people.percent.of)}</td>
            <td>
              <CoefficientCell of={people.percent} scale="share" />
            </td>
            <td>
              <CoefficientCell of={people.kappa} scale="beyond-chance" />
            </td>
            <td>
              <CoefficientCell of={people.hack} scale="share" />
            </td>
          </tr>
        </tbody>
      </table>
      <table className="agree-kinds judge-ceiling">
        <thead>
          <tr>
            <td />
            <th scope="col">Judge with people</th>
            <th scope="col" title="A judge cannot be shown to be better than people agree">
              People alone, the ceiling
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">κ, mean of pairs</th>
            <td>
              <CoefficientCell of={ceiling.kappa.judge} scale="beyond-chance" />
            </td>
            <td>
              <CoefficientCell of={ceiling.kappa.people} scale="beyond-chance" />
            </td>
          </tr>
          <tr>
            <th scope="row">Krippendorff’s α</th>
            <td>
              <CoefficientCell of={ceiling.alpha.judge} scale="beyond-chance" />
            </td>
            <td>
              <CoefficientCell of={ceiling.alpha.people} scale="beyond-chance" />
            </td>
          </tr>
        </tbody>
      </table>
    </section>
  );
}
