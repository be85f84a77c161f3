// The answer: verdict, kinds, questions, confidence, note. Every control has its key beside it; a pointer never takes the focus
// away from the keys, nor the selection from the text.

import type { MouseEvent, ReactNode, RefObject } from 'react';
import type { LabelSchema } from '../../../app/contract/index.ts';
import { Button } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { useDesk, useReading } from './desk-context.ts';
import { withConfidence, withKind, withNextAnswer, withVerdict } from './draft.ts';

/** The pointer acts without moving the focus or clearing a selection. */
function keepFocus(event: MouseEvent): void {
  event.preventDefault();
}

/** The form. */
export function AnswerForm({ note }: { readonly note: RefObject<HTMLTextAreaElement | null> }): ReactNode {
  const { schema, draft, change, save, fault, item, session } = useDesk();
  const span = useReading((state) => state.span);
  const { store } = session;
  const on =
    span !== null ? 'on the selected text' : item.target.type === 'marker' ? 'on the marker' : 'on the rollout';
  return (
    <section className="answer" aria-labelledby="answer-title">
      <h2 id="answer-title" className="section-title">
        Your label <span className="aside">{on}</span>
      </h2>
      <fieldset className="answer-verdicts" aria-label="Verdict">
        {schema.verdicts.map(({ verdict, title, key }) => (
          <Button
            key={verdict}
            className={`verdict-${verdict}`}
            shortcut={key}
            aria-pressed={draft.verdict === verdict}
            onMouseDown={keepFocus}
            onClick={() => change(withVerdict(draft, verdict))}
          >
            {title}
          </Button>
        ))}
      </fieldset>
      {schema.kinds.length > 0 && <Kinds kinds={schema.kinds} />}
      {(schema.fields.length > 0 || schema.confidence) && (
        <fieldset className="answer-fields" aria-label="Questions">
          {schema.fields.map(({ field, title, question, key }) => {
            const answer = draft.fields[field];
            const word = answer === null ? '–' : answer ? 'yes' : 'no';
            return (
              <button
                key={field}
                type="button"
                className={`answer-field ${answer === null ? '' : word}`}
                title={question}
                onMouseDown={keepFocus}
                onClick={() => change(withNextAnswer(draft, field))}
              >
                {key !== null && <Kbd name={key} />}
                <span className="ellipsis">{title}</span>{' '}
                <span className="answer-said">
                  {answer === null && <span className="visually-hidden">not said</span>}
                  <span aria-hidden={answer === null}>{word}</span>
                </span>
              </button>
            );
          })}
          {schema.confidence && <Confidence />}
        </fieldset>
      )}
      {schema.note && (
        <div className="answer-note">
          <textarea
            ref={note}
            className="field"
            rows={1}
            maxLength={10_000}
            aria-label="Note"
            placeholder="Note"
            value={draft.note}
            onChange={(event) => change({ ...draft, note: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.preventDefault();
              event.stopPropagation();
              event.currentTarget.blur();
            }}
          />
          {draft.note === '' && <Kbd name="e" />}
        </div>
      )}
      <div className="answer-save">
        <Button variant="primary" shortcut="Enter" onMouseDown={keepFocus} onClick={save}>
          Save
        </Button>
        <Button
          shortcut="s"
          disabled={span !== null}
          onMouseDown={keepFocus}
          onClick={() => void session.skip()}
          title="It comes back after the others"
        >
          {store.getState().again ? 'Leave as it is' : 'Skip'}
        </Button>
        <span className="answer-fault" role="status">
          {fault}
        </span>
      </div>
    </section>
  );
}

function Kinds({ kinds }: { readonly kinds: LabelSchema['kinds'] }): ReactNode {
  const { draft, change } = useDesk();
  return (
    <fieldset className="answer-kinds" aria-label="Kinds">
      {kinds.map(({ kind, title, key, group, description }) => (
        <button
          key={kind}
          type="button"
          className="answer-kind"
          aria-pressed={draft.kinds.includes(kind)}
          title={[title, group, description].filter((text) => text !== '').join(' · ')}
          onMouseDown={keepFocus}
          onClick={() => change(withKind(draft, kind))}
        >
          {key === null ? <span className="no-key" /> : <Kbd name={key} />}
          <span className="ellipsis">{title}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Confidence(): ReactNode {
  const { draft, change } = useDesk();
  return (
    <div className="answer-confidence">
      <span className="ellipsis">Confidence</span>
      <Button
        variant="quiet"
        icon
        aria-label="Less confident"
        onMouseDown={keepFocus}
        onClick={() => change(withConfidence(draft, -1))}
      >
        −
      </Button>
      <span className="answer-sure" role="status" aria-label="Confidence">
        {draft.confidence === null ? 'none' : `${Math.round(draft.confidence * 100)} %`}
      </span>
      <Button
        variant="quiet"
        icon
        aria-label="More confident"
        onMouseDown={keepFocus}
        onClick={() => change(withConfidence(draft, 1))}
      >
        +
      </Button>
    </div>
  );
}
