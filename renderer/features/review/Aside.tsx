// Below the form: what had been hidden of the item decided last, and the last ten decisions, each of which can be opened again.

import type { ReactNode, RefObject } from 'react';
import { useStore } from 'zustand';
import type { RecentDecision, ReviewItem } from '../../../app/contract/index.ts';
import { useRevealedJudgements } from '../../data/review.ts';
import { nameOf, type ReviewSession } from '../../data/review-session.ts';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { formatClock, formatNumber, plural } from '../../ui/format.ts';
import { Kbd } from '../../ui/kbd.tsx';

/** The part below the form. `reveal` is off when the annotator turned it off. */
export function Aside(props: {
  readonly session: ReviewSession;
  readonly reveal: boolean;
  readonly list: RefObject<HTMLOListElement | null>;
}): ReactNode {
  const { session, reveal, list } = props;
  const revealed = useStore(session.store, (state) => state.revealed);
  const recent = useStore(session.store, (state) => state.recent);
  const shown = useStore(session.store, (state) => (state.again ? state.item?.id : null));
  return (
    <>
      {reveal && <Revealed item={revealed} />}
      <section className="last" aria-labelledby="last-title">
        <h2 id="last-title" className="section-title">
          Last decisions{' '}
          <span className="aside">
            <Kbd name="l" />
          </span>
        </h2>
        {recent.length === 0 ? (
          <p className="faint">None yet.</p>
        ) : (
          <ol ref={list} className="last-list">
            {recent.map((decision) => (
              <li key={decision.item}>
                <button
                  type="button"
                  aria-current={decision.item === shown ? 'true' : undefined}
                  onClick={() => void session.open(decision.item)}
                  onKeyDown={moveInList}
                >
                  <Chip tone={verdictTone(decision.label.verdict)}>{decision.label.verdict}</Chip>
                  <span className="ellipsis">{titleOf(decision)}</span>
                  <time className="faint" dateTime={decision.label.at}>
                    {formatClock(decision.label.at)}
                  </time>
                </button>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  );
}

/** Arrow keys move within the list, as they do in the browser's own lists. */
function moveInList(event: React.KeyboardEvent<HTMLButtonElement>): void {
  const row = event.currentTarget.parentElement;
  const next =
    event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null;
  if (next === null || next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.querySelector('button')?.focus();
}

function titleOf({ externalId, label }: RecentDecision): string {
  const kinds = label.kinds.length === 0 ? '' : ` · ${label.kinds.join(', ')}`;
  return `${externalId ?? label.target.rollout}${kinds}`;
}

function Revealed({ item }: { readonly item: ReviewItem | null }): ReactNode {
  return (
    <section className="revealed" aria-labelledby="revealed-title">
      <h2 id="revealed-title" className="section-title">
        After your label <span className="aside ellipsis">{item === null ? '' : nameOf(item)}</span>
      </h2>
      <div className="revealed-text">
        {item === null ? (
          <p className="faint">What was hidden of the item you decided last stands here.</p>
        ) : (
          <RevealedFacts item={item} />
        )}
      </div>
    </section>
  );
}

function RevealedFacts({ item }: { readonly item: ReviewItem }): ReactNode {
  const judged = useRevealedJudgements(item.target.rollout);
  const claims = item.markers.flatMap(({ claim }) => (claim === null ? [] : [claim]));
  const kinds = [...new Set(claims.map(({ kind }) => kind))];
  const judgements =
    judged?.filter((one) => item.target.marker === undefined || one.marker === item.target.marker) ?? [];
  const others = item.labels.length;
  return (
    <dl>
      <dt>Rules</dt>
      <dd>
        {item.score === null
          ? 'not scanned'
          : `${item.marked === true ? 'marked' : 'not marked'}, score ${formatNumber(item.score)}`}
        {kinds.length > 0 && ` · ${kinds.join(', ')}`}
      </dd>
      <dt>Others</dt>
      <dd>
        {others === 0 && 'no label yet'}
        {item.labels.map(({ id, annotator, verdict, kinds: named }) => (
          <span key={id}>
            <Chip tone={verdictTone(verdict)}>{verdict}</Chip> {annotator}
            {named.length > 0 && ` (${named.join(', ')})`}{' '}
          </span>
        ))}
        {item.adjudication !== null && <> · adjudicated {item.adjudication.verdict}</>}
      </dd>
      {judgements.length > 0 && (
        <>
          <dt>Judge</dt>
          <dd>
            {judgements[0]?.verdict ?? 'failed'}
            {judgements.length > 1 && ` and ${plural(judgements.length - 1, 'more judgement')}`}
            {judgements[0]?.rationale !== undefined && ` · ${judgements[0].rationale}`}
          </dd>
        </>
      )}
      {item.rollout !== null && (
        <>
          <dt>Outcome</dt>
          <dd>
            {item.rollout.status ?? ''} · reward {formatNumber(item.rollout.reward)}
          </dd>
        </>
      )}
    </dl>
  );
}
