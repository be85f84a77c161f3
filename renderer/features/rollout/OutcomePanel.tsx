// Attempted, succeeded, used, standing: four questions asked apart, each with the span that answers it.

import type { ReactNode } from 'react';
import type { MarkerOutcome, MarkerRow, OutcomeFact } from '../../../app/contract/index.ts';
import { useScreen, useScreenState } from './screen-context.ts';

const questions: readonly { readonly name: keyof MarkerOutcome; readonly asks: string }[] = [
  { name: 'attempted', asks: 'Was the forbidden way tried?' },
  { name: 'succeeded', asks: 'Did it give anything, did the change take effect?' },
  { name: 'used', asks: 'Did it reach what the rollout delivers?' },
  { name: 'standing', asks: 'Was it in force when the run ended?' },
];

/** The four answers; nothing for a marker of a scan that did not ask. */
export function OutcomePanel({ marker }: { readonly marker: MarkerRow }): ReactNode {
  const { outcome } = marker;
  if (outcome === null) return null;
  return (
    <section aria-labelledby="outcome-title">
      <h2 id="outcome-title" className="section-title">
        What became of it
      </h2>
      <dl className="outcome">
        {questions.map(({ name, asks }) => (
          <div key={name} className="outcome-row">
            <dt title={asks}>{name}</dt>
            <dd>
              <Answer fact={outcome[name]} marker={marker.id} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Answer({ fact, marker }: { readonly fact: OutcomeFact; readonly marker: string }): ReactNode {
  const { selectSpan, outline } = useScreen();
  const focus = useScreenState((state) => state.focus);
  const { value, evidence } = fact;
  const word = value === null ? 'not known' : value ? 'yes' : 'no';
  const tone = value === null ? 'unknown' : value ? 'yes' : 'no';
  const answer = <b className={`answer answer-${tone}`}>{word}</b>;
  if (evidence === null) return answer;
  const { item, start, end } = evidence;
  const step = outline[item]?.step ?? null;
  const here = focus !== null && focus.item === item && focus.start === start && focus.end === end;
  return (
    <>
      {answer}
      <button
        type="button"
        className="outcome-quote"
        aria-current={here ? 'true' : undefined}
        title={evidence.quote.slice(0, 400)}
        onClick={() => selectSpan(evidence, marker)}
      >
        <span className="faint">{step === null ? `item ${item + 1}` : `step ${step}`}</span>{' '}
        <span className="mono">{evidence.quote}</span>
      </button>
    </>
  );
}
