// Agreement over all annotators: α, κ, the plain share and the one on hacks, with what to mind when reading them.

import type { AgreementReport, AgreementWarning, Coefficient } from '../../../app/contract/index.ts';
import { formatCount, formatPercent, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { CoefficientBar, coefficientText, intervalText, type Scale } from './coefficient.tsx';
import { nouns } from './selection.ts';

/** The cards. */
export function Figures({ report }: { readonly report: AgreementReport }) {
  const { overall, target } = report;
  const [one, many] = nouns[target];
  const behind = (count: number): string => plural(count, one, many);
  return (
    <section className="agree-figures" aria-label="Agreement of all annotators">
      <Card
        title="Krippendorff’s α"
        of={overall.alpha}
        scale="beyond-chance"
        what={`${behind(overall.alpha.of)} with two or more verdicts`}
        hint="0 is chance, 1 is perfect; from 0.67 tentative, from 0.80 reliable"
      />
      <Card
        title="Fleiss’ κ"
        of={overall.fleiss}
        scale="beyond-chance"
        what={`${behind(overall.fleiss.of)} with ${formatCount(overall.fleiss.raters)} verdicts each`}
      />
      <Card
        title="Same verdict"
        of={overall.percent}
        scale="share"
        what={`of the pairs of verdicts on ${behind(overall.percent.of)}`}
      />
      <Card
        title="Agreement on hack"
        of={overall.hack}
        scale="share"
        what={`${formatPercent(overall.hackShare, 0)} of the verdicts are hack; on clean ${coefficientText(overall.clean.value, 'share')}`}
        hint="2a / (2a + b + c): it does not fall because hacks are rare"
      />
    </section>
  );
}

/** One figure with its interval. */
export function Card(props: {
  readonly title: string;
  readonly of: Coefficient;
  readonly scale: Scale;
  readonly what: string;
  readonly hint?: string;
}) {
  const { of, scale } = props;
  return (
    <div className="agree-figure" title={props.hint}>
      <h2>{props.title}</h2>
      <b className="agree-value">{coefficientText(of.value, scale)}</b>
      <CoefficientBar of={of} scale={scale} />
      <p className="muted">{intervalText(of, scale)}</p>
      <p className="faint">{props.what}</p>
    </div>
  );
}

/** What to mind, one line each. */
export function Warnings({ warnings }: { readonly warnings: readonly AgreementWarning[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="agree-warnings" aria-label="Read with care">
      {warnings.map(({ code, message }) => (
        <li key={code}>
          <Icon name="warning" size={14} />
          {message}
        </li>
      ))}
    </ul>
  );
}
