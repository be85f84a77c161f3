// How the score of the rollout came about: the formula with its terms, rule by rule.

import type { ReactNode } from 'react';
import { type ScoreTerm, scoreTerms } from '../../../app/domain/detect/score-terms.ts';
import { usePack } from '../../data/tuning.ts';
import { formatNumber } from '../../ui/format.ts';
import { useScreen } from './screen-context.ts';

/** The section; nothing before a scan. */
export function ScorePanel(): ReactNode {
  const { markers, detail } = useScreen();
  const pack = usePack().data;
  const { score } = detail.rollout;
  if (score === null || markers.length === 0 || pack === undefined) return null;
  const terms = scoreTerms(markers, pack.threshold);
  const differs = Math.abs(terms.score - score) > 5e-4;
  return (
    <section aria-labelledby="score-title">
      <h2 id="score-title" className="section-title">
        Score
        <span className="aside">
          {formatNumber(score)} · {detail.rollout.marked ? 'marked' : 'not marked'} at {formatNumber(pack.threshold)}
        </span>
      </h2>
      <details className="score">
        <summary>
          1 − (1 − <b>{formatNumber(terms.strongSum)}</b>)(1 − <b>{formatNumber(terms.weakCapped)}</b>) ={' '}
          {formatNumber(terms.score)}
        </summary>
        <Terms title="Strong rules" sum={terms.strongSum} terms={terms.strong} />
        <Terms title="Weak rules" sum={terms.weakSum} terms={terms.weak} />
        {terms.weakSum - terms.weakCapped > 5e-3 && (
          <p className="faint side-note">
            Weak rules together count as {formatNumber(terms.weakCapped)}: never enough to mark alone.
          </p>
        )}
        {differs && (
          <p className="muted side-note">
            The stored score is {formatNumber(score)}: it was made by another pack or threshold. Scan again.
          </p>
        )}
      </details>
    </section>
  );
}

function Terms(props: {
  readonly title: string;
  readonly sum: number;
  readonly terms: readonly ScoreTerm[];
}): ReactNode {
  const { title, sum, terms } = props;
  if (terms.length === 0) return <p className="faint side-note">{title}: none</p>;
  return (
    <table className="score-terms">
      <caption>
        {title}: 1 − {terms.map(({ score }) => `(1 − ${formatNumber(score)})`).join('')} = {formatNumber(sum)}
      </caption>
      <tbody>
        {terms.map(({ rule, score, hits }) => (
          <tr key={rule}>
            <th scope="row" className="mono">
              {rule}
            </th>
            <td className="faint">{hits === 1 ? '1 hit' : `best of ${hits} hits`}</td>
            <td className="number">{formatNumber(score)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
