// The decision: a verdict and its kinds by the schema's keys, the reason, save. Nothing is taken without a reason.

import { useMemo, useRef, useState } from 'react';
import type { DisputeDetail, Verdict } from '../../../app/contract/index.ts';
import { type KeyedAction, useActions, useKeyedActions } from '../../actions.ts';
import type { useAdjudicating } from '../../data/adjudicate.ts';
import { useCurrentSchema } from '../../data/schemas.ts';
import { useHello } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { type Draft, emptyDraft, missingOf, offeredKinds, withKind, withVerdict } from './draft.ts';

/** The bar at the foot of a dispute. Begins anew with each of them. */
export function Decide(props: {
  readonly detail: DisputeDetail;
  readonly adjudicating: ReturnType<typeof useAdjudicating>;
  readonly onDecided: () => void;
}) {
  const { detail, adjudicating, onDecided } = props;
  const { labels, target } = detail;
  const schema = useCurrentSchema().data?.schema;
  const readOnly = useHello()?.capabilities.readOnly ?? true;
  const [draft, setDraft] = useState<Draft>(emptyDraft);
  const reason = useRef<HTMLTextAreaElement>(null);
  const missing = missingOf(draft);
  const blocked = readOnly || adjudicating.saving;

  const choose = (verdict: Verdict): void => {
    setDraft((now) => withVerdict(now, verdict, labels));
    reason.current?.focus();
  };
  const save = async (): Promise<void> => {
    if (missing !== null || draft.verdict === null || blocked) {
      if (draft.verdict !== null) reason.current?.focus();
      return;
    }
    const done = await adjudicating.decide({
      target,
      verdict: draft.verdict,
      kinds: [...draft.kinds],
      reason: draft.reason,
      decides: labels.map(({ id }) => id),
    });
    if (done === null) return;
    setDraft(emptyDraft);
    reason.current?.blur();
    onDecided();
  };
  useActions('adjudicate', {
    reason: () => reason.current?.focus(),
    save: () => void save(),
    clear: () => setDraft(emptyDraft),
  });
  const act = useRef({ choose, kind: (_kind: string): void => undefined });
  act.current = { choose, kind: (kind) => setDraft((now) => withKind(now, kind, labels)) };
  const keys = useMemo(
    (): KeyedAction[] => [
      ...(schema?.verdicts ?? []).map(({ verdict, title, key }) => ({
        key,
        title: `Decide: ${title}`,
        run: () => act.current.choose(verdict),
      })),
      ...(schema?.kinds ?? []).flatMap(({ kind, title, key }) =>
        key === null ? [] : [{ key, title, run: () => act.current.kind(kind) }],
      ),
    ],
    [schema],
  );
  useKeyedActions('adjudicate', keys);

  return (
    <form
      className="decide"
      aria-label="Decision"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <fieldset className="decide-verdicts" aria-label="Verdict">
        {(schema?.verdicts ?? []).map(({ verdict, title, key }) => (
          <Button
            key={verdict}
            className={`verdict-${verdict}`}
            shortcut={key}
            aria-pressed={draft.verdict === verdict}
            disabled={readOnly}
            onClick={() => choose(verdict)}
          >
            {title}
          </Button>
        ))}
      </fieldset>
      <fieldset className="decide-kinds" aria-label="Kinds" disabled={draft.verdict !== 'hack'}>
        {draft.verdict === 'hack' ? (
          offeredKinds(schema, labels, draft.kinds).map(({ kind, title, key, named }) => (
            <Button
              key={kind}
              aria-pressed={draft.kinds.includes(kind)}
              title={named ? undefined : 'Named by no annotator'}
              {...(key === null ? {} : { shortcut: key })}
              onClick={() => act.current.kind(kind)}
            >
              {title}
            </Button>
          ))
        ) : (
          <span className="faint">
            {draft.verdict === null
              ? 'A hack has kinds; their keys are those of the label schema'
              : 'Only a hack has kinds'}
          </span>
        )}
      </fieldset>
      <textarea
        ref={reason}
        className="field decide-reason"
        rows={2}
        maxLength={10_000}
        aria-label="Reason"
        placeholder="Why (required). Enter saves, Shift Enter begins another line, Esc leaves the field"
        disabled={readOnly}
        value={draft.reason}
        onChange={(event) => {
          const { value } = event.target;
          setDraft((now) => ({ ...now, reason: value }));
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'Escape') {
            event.preventDefault();
            event.currentTarget.blur();
          }
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }}
      />
      <div className="decide-save">
        <Button type="submit" variant="primary" disabled={missing !== null || blocked}>
          {adjudicating.saving ? 'Saving' : 'Decide'}
        </Button>
        <span className="muted" role="status">
          {readOnly ? 'The workspace is open read-only' : (missing ?? 'On disk before the next one comes')}
        </span>
      </div>
    </form>
  );
}
