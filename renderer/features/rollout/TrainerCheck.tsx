// Are the trainer's advantages what an estimator gives, and if not, where do they part and why. Stands in the inspector of
// every rollout that has logged advantages or returns.

import type { ReactNode } from 'react';
import type { Divergence, RolloutVerification, SegmentRow } from '../../../app/contract/index.ts';
import { explain, useTrainerCheck } from '../../data/rollout.ts';
import {
  distinctFits,
  firstDivergence,
  fitName,
  formatAgreeing,
  formatCompared,
  formatDifference,
  onScreen,
  outcomeOf,
  partsFromExpected,
  placeName,
} from '../../data/trainer-check.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { formatCount, formatPercent } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { FactRow } from './FactRow.tsx';
import { segmentByIndex, useScreen } from './screen-context.ts';
import { useGoToToken } from './use-go-to-token.ts';

/** More places than this are counted, not listed. */
const mostPlaces = 12;
const confidenceTitle = 'How much of the log it explains, less what other explanations share';

/** The section; nothing when the log has neither advantages nor returns. */
export function TrainerCheck(): ReactNode {
  const { id, segments } = useScreen();
  const logged = hasLogged(segments);
  const { check, error, retry } = useTrainerCheck(id, logged);
  const go = useGoToToken();
  if (!logged) return null;
  return <TrainerCheckSection check={check} error={error} segments={segments} onRetry={retry} onGo={go} />;
}

/** Whether there is something to compare. */
export function hasLogged(segments: readonly SegmentRow[]): boolean {
  return segments.some(({ columns }) => columns.includes('advantages') || columns.includes('returns'));
}

interface SectionProps {
  /** Undefined while it is on its way. */
  readonly check: RolloutVerification | undefined;
  readonly error: Error | null;
  readonly segments: readonly SegmentRow[];
  readonly onRetry: () => void;
  /** Goes to a token of the rollout's axis. */
  readonly onGo: (token: number) => void;
}

/** The section in each of its states. It takes the room of an answer while it waits for one. */
export function TrainerCheckSection({ check, error, segments, onRetry, onGo }: SectionProps): ReactNode {
  const outcome = check === undefined ? null : outcomeOf(check.status);
  return (
    <section className="trainer-check" aria-labelledby="trainer-check-title" aria-busy={check === undefined && !error}>
      <h2 id="trainer-check-title" className="section-title">
        Trainer check
        {outcome !== null && (
          <span className="aside">
            <Chip tone={outcome.tone}>{outcome.word}</Chip>
          </span>
        )}
      </h2>
      {check !== undefined ? (
        <Answer check={check} segments={segments} onGo={onGo} />
      ) : error !== null ? (
        <Failure error={error} onRetry={onRetry} />
      ) : (
        <Waiting />
      )}
    </section>
  );
}

function Waiting(): ReactNode {
  return (
    <>
      <dl className="facts">
        {['best fit', 'agreeing', 'worst difference', 'first divergence', 'diagnosis'].map((name) => (
          <FactRow key={name} name={name} value={<i className="trainer-check-wait" />} />
        ))}
      </dl>
      <p className="trainer-check-text" role="status">
        Comparing the logged advantages with every estimator…
      </p>
    </>
  );
}

function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }): ReactNode {
  const { message, hint } = explain(error);
  return (
    <div role="alert">
      <p className="warning">
        <Icon name="warning" size={14} />
        <span>
          The logged advantages could not be compared: {message} {hint ?? ''}
        </span>
      </p>
      <Button className="trainer-check-retry" onClick={onRetry}>
        Compare again
      </Button>
    </div>
  );
}

interface AnswerProps {
  readonly check: RolloutVerification;
  readonly segments: readonly SegmentRow[];
  readonly onGo: (token: number) => void;
}

function Answer({ check, segments, onGo }: AnswerProps): ReactNode {
  const { diagnosis, fits } = check;
  const best = fits[0];
  const first = firstDivergence(check);
  if (check.status === 'refused' || check.status === 'not-logged') {
    return (
      <>
        {check.status === 'refused' ? (
          <p className="warning">
            <Icon name="warning" size={14} /> {onScreen(diagnosis.sentence)}
          </p>
        ) : (
          <p className="trainer-check-text">{diagnosis.sentence}</p>
        )}
        <Details {...{ check, segments, onGo }} />
      </>
    );
  }
  return (
    <>
      <dl className="facts">
        {best !== undefined && (
          <>
            <FactRow name="best fit" value={<span title={best.label}>{fitName(best)}</span>} />
            <FactRow name="agreeing" value={formatAgreeing(best.agreeing, check.tokens)} />
            <FactRow
              name="worst difference"
              value={<span title="|logged − recomputed| / |recomputed|">{formatDifference(best.max)}</span>}
            />
          </>
        )}
        <FactRow
          name="first divergence"
          value={
            first === null ? (
              'none'
            ) : (
              <>
                <Place divergence={first} segments={segments} onGo={onGo} />
                {partsFromExpected(check) && <span className="trainer-check-aside"> from what is expected</span>}
              </>
            )
          }
        />
        <FactRow
          name="diagnosis"
          value={
            <>
              <span className={check.status === 'clean' ? 'trainer-check-clean' : undefined}>{diagnosis.title}</span>{' '}
              <span className="trainer-check-aside" title={confidenceTitle}>
                {formatPercent(diagnosis.confidence, 0)} sure
              </span>
            </>
          }
        />
      </dl>
      <p className="trainer-check-text">{onScreen(diagnosis.sentence)}</p>
      <Details {...{ check, segments, onGo }} />
    </>
  );
}

/** A differing token as a link that goes there; as plain words when the screen does not have its segment. */
function Place({
  divergence,
  segments,
  onGo,
}: {
  readonly divergence: Divergence;
  readonly segments: readonly SegmentRow[];
  readonly onGo: (token: number) => void;
}): ReactNode {
  const segment = segmentByIndex(segments, divergence.segment);
  const name = placeName(divergence);
  if (segment === undefined) return name;
  return (
    <button
      type="button"
      className="link trainer-check-place"
      title="Go there on the axis and in the steps"
      onClick={() => onGo(segment.axisStart + divergence.token)}
    >
      {name}
    </button>
  );
}

/** What the answer rests on: evidence, every segment's place, other explanations, other fits, how it was compared. */
function Details({ check, segments, onGo }: AnswerProps): ReactNode {
  const { diagnosis, divergences, alternatives, fits } = check;
  if (diagnosis.evidence.length + divergences.length + alternatives.length + fits.length === 0) return null;
  return (
    <details className="trainer-check-details">
      <summary>Evidence</summary>
      {diagnosis.evidence.length > 0 && (
        <ul className="trainer-check-evidence">
          {diagnosis.evidence.map((text) => (
            <li key={text}>{onScreen(text)}</li>
          ))}
        </ul>
      )}
      {divergences.length > 0 && (
        <>
          <h3>Where each segment parts{partsFromExpected(check) && ' from what is expected'}, walking back</h3>
          <ul>
            {divergences
              .slice(-mostPlaces)
              .toReversed()
              .map((one) => (
                <li key={one.segment}>
                  <Place divergence={one} segments={segments} onGo={onGo} />{' '}
                  <span className="faint">
                    {formatCount(one.differing)} of {formatCount(one.compared)} differ
                  </span>
                  <br />
                  logged <b>{formatCompared(one.logged)}</b>, recomputed <b>{formatCompared(one.recomputed)}</b>
                </li>
              ))}
            {divergences.length > mostPlaces && <li>and {divergences.length - mostPlaces} earlier segments</li>}
          </ul>
        </>
      )}
      {alternatives.length > 0 && (
        <>
          <h3>Would explain it as well</h3>
          <ul>
            {alternatives.map((one) => (
              <li key={one.code}>
                {one.title} <span className="faint">{formatPercent(one.confidence, 0)} sure</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {fits.length > 0 && (
        <>
          <h3>Nearest estimators</h3>
          <ol>
            {distinctFits(fits).map((fit) => (
              <li key={fit.label}>
                {fit.presets.length > 0 && <b>{fit.presets.join(', ')} </b>}
                {fit.label}
                <br />
                <span className="faint">
                  {formatAgreeing(fit.agreeing, check.tokens)}, worst {formatDifference(fit.max)}
                </span>
              </li>
            ))}
          </ol>
        </>
      )}
      {check.compared !== null && <p>{comparedAs(check)}</p>}
    </details>
  );
}

function comparedAs({ compared, precision, tolerance, critic, returns }: RolloutVerification): string {
  const within = tolerance === null ? '' : `, tolerance ${tolerance}`;
  const how = `Compared: ${compared}, as ${precision ?? 'numbers'}${within}. Critic: ${critic}.`;
  return returns === null ? how : `${how} Logged returns are ${returns}.`;
}
