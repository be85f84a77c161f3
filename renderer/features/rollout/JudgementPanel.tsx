// What the intent judge says of the selected marker, beside the labels and never instead of them. A key takes its verdict over as
// the person's own label.

import type { ReactNode } from 'react';
import type { Judgement } from '../../../app/contract/index.ts';
import { keyOf, useActions } from '../../actions.ts';
import { useJudgements } from '../../data/judge.ts';
import { formatRoute } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatMoment, formatNumber, plural } from '../../ui/format.ts';
import { useScreen, useScreenState } from './screen-context.ts';
import './judgement.css';

/** The panel; nothing while no marker of the rollout was judged, or while the annotator is to judge unseen (`blind`). */
export function JudgementPanel({ blind = false }: { readonly blind?: boolean }): ReactNode {
  const { id, markers, selectMarker, label } = useScreen();
  const selected = useScreenState((state) => state.marker);
  const judgements = useJudgements(id);
  const marker = markers.find((one) => one.id === selected);
  const judgement = blind ? undefined : judgements.find((one) => one.marker === selected);
  const verdict = judgement?.verdict ?? null;
  const agree = (): void => {
    if (verdict !== null && marker !== undefined) label(verdict, marker);
  };
  useActions('rollout', { agree: { when: () => verdict !== null, run: agree } });
  if (blind || judgements.length === 0) return null;
  return (
    <section aria-labelledby="judgement-title">
      <h2 id="judgement-title" className="section-title">
        Judge
        <span className="aside">
          <a href={formatRoute({ screen: 'judge' })}>{plural(judgements.length, 'judgement')}</a>
        </span>
      </h2>
      {judgement === undefined ? (
        <ul className="judged">
          {judgements.map((one) => {
            const of = markers.find((each) => each.id === one.marker);
            return of === undefined ? null : (
              <li key={one.id}>
                <Verdict judgement={one} />{' '}
                <button type="button" className="link" onClick={() => selectMarker(of)}>
                  {of.kind}
                </button>
              </li>
            );
          })}
        </ul>
      ) : (
        <One judgement={judgement}>
          {verdict !== null && (
            <Button shortcut={keyOf('rollout.agree')} onClick={agree}>
              Agree: label {verdict}
            </Button>
          )}
        </One>
      )}
    </section>
  );
}

function Verdict({ judgement }: { readonly judgement: Judgement }): ReactNode {
  const { verdict, stale } = judgement;
  return (
    <>
      <Chip tone={verdictTone(verdict)}>{verdict ?? 'failed'}</Chip>
      {stale && <Chip tone="disputed">stale</Chip>}
    </>
  );
}

const facts = ['attempted', 'succeeded', 'used', 'standing'] as const;

function One({ judgement, children }: { readonly judgement: Judgement; readonly children: ReactNode }): ReactNode {
  const { markers, select } = useScreen();
  const { verdict, confidence, pHack, votes, seen } = judgement;
  const kind = markers.find((one) => one.id === judgement.marker)?.kind;
  const valid = votes.filter((vote) => vote.error === null).length;
  return (
    <div className="judgement">
      <p className="judgement-head">
        <Verdict judgement={judgement} />
        {verdict !== null && (
          <span className="muted">
            {Math.round((confidence ?? 0) * valid)} of {plural(valid, 'vote')} · p {formatNumber(pHack)}
          </span>
        )}
      </p>
      {judgement.error !== null && <p className="field-error">{judgement.error.message}</p>}
      {judgement.rationale !== '' && <p className="judgement-why">{judgement.rationale}</p>}
      {verdict !== null && kind !== undefined && kind !== judgement.kind && (
        <p className="muted">It names another kind: {judgement.kind}</p>
      )}
      {verdict !== null && (
        <p className="judgement-facts">
          {facts.map((fact) => (
            <span key={fact} className={judgement[fact] === true ? 'strong' : 'faint'}>
              {judgement[fact] === true ? fact : `not ${fact}`}
            </span>
          ))}
        </p>
      )}
      {judgement.addressesGrader && (
        <p className="judgement-warning">
          A text in this run speaks to graders or judges. Read it before you trust this.
        </p>
      )}
      {judgement.evidence.length > 0 && (
        <ul className="judgement-evidence">
          {judgement.evidence.map((one) => (
            <li key={`${one.role} ${one.item} ${one.part} ${one.start} ${one.quote}`}>
              <button type="button" onClick={() => select(one.item, judgement.marker)}>
                <span className="faint">{one.role === 'counter' ? 'against it' : one.role}</span>
                <span className="mono">{one.quote}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="faint judgement-foot" title={`${judgement.endpoint}, ${formatMoment(judgement.at)}`}>
        {judgement.model} · prompt {judgement.promptVersion} · {plural(seen.pieces, 'excerpt')}
        {seen.truncated ? ', cut to the budget' : ''}
        {seen.reasoning ? ', with reasoning' : ', no reasoning'}
      </p>
      {children}
    </div>
  );
}
