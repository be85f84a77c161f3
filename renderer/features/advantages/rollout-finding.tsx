// The selected rollout of a comparison: the diagnosis in words with its evidence, where each segment parts, the nearest fits.

import type { ReactNode } from 'react';
import type { Divergence, RolloutVerification, VerifiedRow } from '../../../app/contract/index.ts';
import { useVerifiedRollout } from '../../data/advantages.ts';
import {
  distinctFits,
  formatAgreeing,
  formatCompared,
  formatDifference,
  onScreen,
  partsFromExpected,
  placeName,
} from '../../data/trainer-check.ts';
import { formatRoute } from '../../routes.ts';
import { formatCount, formatPercent, plural } from '../../ui/format.ts';
import { Spinner } from '../../ui/states.tsx';
import { nameOf, routeOf } from './rows.ts';

/** More places than this are counted, not listed. */
const mostPlaces = 40;

/** The pane. It has one height, whatever it shows. */
export function RolloutFinding(props: {
  readonly job: string | undefined;
  readonly row: VerifiedRow | undefined;
}): ReactNode {
  const { job, row } = props;
  const check = useVerifiedRollout(job, row?.id).data;
  if (row === undefined) return null;
  const here = check?.id === row.id ? check : undefined;
  return (
    <section className="adv-finding" aria-label={`Finding of ${nameOf(row)}`}>
      <header>
        <h2>{nameOf(row)}</h2>
        {row.externalId === null ? (
          <span className="muted">no longer in the workspace</span>
        ) : (
          <a href={formatRoute(routeOf(row))}>{row.place === null ? 'open' : `open at ${placeName(row.place)}`}</a>
        )}
        {row.group !== null && <span className="muted">group {row.group}</span>}
      </header>
      {here === undefined ? <Spinner label="Reading the finding" /> : <Answer check={here} row={row} />}
    </section>
  );
}

function Answer({ check, row }: { readonly check: RolloutVerification; readonly row: VerifiedRow }): ReactNode {
  const { diagnosis, alternatives, fits, divergences } = check;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
    <section className="adv-answer" tabIndex={0} aria-label="Diagnosis, places and fits">
      <div>
        <p>
          <b>{diagnosis.title}</b>{' '}
          {check.status === 'found' && <span className="muted">{formatPercent(diagnosis.confidence, 0)} sure</span>}
        </p>
        <p>{onScreen(diagnosis.sentence)}</p>
        {diagnosis.evidence.length > 0 && (
          <ul className="adv-evidence">
            {diagnosis.evidence.map((text) => (
              <li key={text}>{onScreen(text)}</li>
            ))}
          </ul>
        )}
        {alternatives.length > 0 && (
          <p className="muted">
            Would explain it as well:{' '}
            {alternatives.map((one) => `${one.title} (${formatPercent(one.confidence, 0)} sure)`).join(', ')}.
          </p>
        )}
        <p className="muted">{comparedAs(check)}</p>
        {check.returns !== null && <p className="muted">Logged returns are {check.returns}.</p>}
      </div>
      <div>
        {divergences.length > 0 && (
          <>
            <h3>Where each segment parts{partsFromExpected(check) && ' from what is expected'}, walking back</h3>
            <ul className="adv-places">
              {divergences
                .slice(-mostPlaces)
                .toReversed()
                .map((place) => (
                  <Place key={place.segment} place={place} row={row} />
                ))}
              {divergences.length > mostPlaces && <li>and {divergences.length - mostPlaces} earlier segments</li>}
            </ul>
          </>
        )}
        {fits.length > 0 && (
          <>
            <h3>Nearest settings</h3>
            <ol className="adv-nearest">
              {distinctFits(fits).map((fit) => (
                <li key={fit.label}>
                  {fit.presets.length > 0 && <b>{fit.presets.join(', ')} </b>}
                  {fit.label}{' '}
                  <span className="muted">
                    {formatAgreeing(fit.agreeing, check.tokens)}, worst {formatDifference(fit.max)}
                  </span>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  );
}

function Place({ place, row }: { readonly place: Divergence; readonly row: VerifiedRow }): ReactNode {
  const name = `${placeName(place)}`;
  return (
    <li>
      {row.externalId === null ? name : <a href={formatRoute(routeOf({ id: row.id, place }))}>{name}</a>}{' '}
      <span className="muted">{place.kind}</span> logged <b>{formatCompared(place.logged)}</b>, recomputed{' '}
      <b>{formatCompared(place.recomputed)}</b>{' '}
      <span className="muted">
        {formatCount(place.differing)} of {formatCount(place.compared)} differ
      </span>
    </li>
  );
}

function comparedAs({ compared, precision, tolerance, critic, tokens }: RolloutVerification): string {
  if (compared === null) return '';
  const within = tolerance === null ? '' : ` within ${tolerance}`;
  return `Compared: ${compared} of ${plural(tokens, 'token')} as ${precision ?? 'numbers'}${within}. Critic: ${critic}.`;
}
