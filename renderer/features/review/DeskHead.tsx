// The line above the desk: which queue, how far, how fast, what is hidden, what was saved. Every figure has its fixed place.

import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { QueueRow } from '../../../app/contract/index.ts';
import type { ReviewSession } from '../../data/review-session.ts';
import { setPreferences, usePreferences } from '../../preferences.ts';
import { formatRoute } from '../../routes.ts';
import { formatClock } from '../../ui/format.ts';
import { Progress } from '../../ui/states.tsx';
import { Switch } from '../../ui/switch.tsx';
import { evidenceWords, leftWords, mineWords, paceWords } from './words.ts';

/** The line. */
export function DeskHead({ queue, session }: { readonly queue: QueueRow; readonly session: ReviewSession }): ReactNode {
  const progress = useStore(session.store, (state) => state.progress) ?? queue.progress;
  const item = useStore(session.store, (state) => state.item);
  const advance = usePreferences((preferences) => preferences.reviewAdvance);
  const reveal = usePreferences((preferences) => preferences.reviewReveal);
  const { done, left } = progress.mine;
  const hidden = item?.hidden ?? [];
  return (
    <header className="desk-head">
      <h1 className="ellipsis">
        <a href={formatRoute({ screen: 'review' })}>Review</a> <span className="faint">/</span> {queue.name}
      </h1>
      <Progress value={done + left === 0 ? 1 : done / (done + left)} label="Your part of the queue" />
      <span className="desk-count">{mineWords(progress)}</span>
      <span className="desk-pace faint ellipsis">
        {[paceWords(progress), leftWords(progress)].filter((text) => text !== '').join(' · ')}
      </span>
      <span className="desk-hidden faint ellipsis" title={hidden.map((kind) => evidenceWords[kind]).join(', ')}>
        {item === null
          ? ''
          : hidden.length === 0
            ? 'nothing hidden'
            : `hidden: ${hidden.map((kind) => evidenceWords[kind]).join(', ')}`}
      </span>
      <Saved session={session} />
      <span className="desk-switch">
        <Switch
          label="Go on after saving"
          checked={advance}
          onChange={(reviewAdvance) => setPreferences({ reviewAdvance })}
        />
        go on
      </span>
      <span className="desk-switch">
        <Switch
          label="Show what was hidden after my label"
          checked={reveal}
          onChange={(reviewReveal) => setPreferences({ reviewReveal })}
        />
        reveal
      </span>
    </header>
  );
}

/** What the engine confirmed to be on disk; never what is only hoped for. */
function Saved({ session }: { readonly session: ReviewSession }): ReactNode {
  const saved = useStore(session.store, (state) => state.saved);
  const busy = useStore(session.store, (state) => state.busy);
  const saving = useStore(session.store, (state) => state.saving);
  const resending = useStore(session.store, (state) => state.resending);
  const lost = useStore(session.store, (state) => state.lost);
  const again = useStore(session.store, (state) => state.again);
  const item = useStore(session.store, (state) => state.item);
  const decidedBefore = again && saved?.item !== item?.id;
  const text = resending
    ? 'Not saved yet: sent when the host is back'
    : saving !== null
      ? `Saving ${saving}…`
      : lost
        ? 'Your reservation ended; somebody else has this item'
        : decidedBefore
          ? 'Decided before: a change is a new act'
          : saved === null
            ? ''
            : `Saved ${saved.text}`;
  const confirmed = saved !== null && text.startsWith('Saved');
  return (
    <span
      className={`desk-saved ellipsis${resending || lost ? ' bad' : ''}`}
      role="status"
      data-busy={busy}
      title={text}
    >
      {text}
      {confirmed && <span className="faint"> {formatClock(saved.at)}</span>}
    </span>
  );
}
