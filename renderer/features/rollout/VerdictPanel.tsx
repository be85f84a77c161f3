// The verdict on the current target: the selected marker, else the rollout. Keys 1 2 3, kinds by letters, a note.

import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { type MarkerRow, verdicts } from '../../../app/contract/index.ts';
import { useActions } from '../../actions.ts';
import { useCurrentSchema } from '../../data/schemas.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Popover } from '../../ui/popover.tsx';
import { KindsMenu } from './KindsMenu.tsx';
import { isDisputed, labelsOn, targetOf } from './labels.ts';
import { useScreen } from './screen-context.ts';
import { useVerdictDraft } from './verdict-draft.ts';

const keys = { hack: '1', clean: '2', unsure: '3' } as const;

/** The verdict buttons with kinds and note. */
export function VerdictPanel({ marker }: { readonly marker: MarkerRow | null }): ReactNode {
  const { id, detail, annotator, label, store } = useScreen();
  const target = targetOf(id, marker);
  const labels = labelsOn(detail.labels, target);
  const own = labels.find((one) => one.annotator === annotator) ?? null;
  const others = labels.filter((one) => one.annotator !== annotator);
  const { kinds, note, setKinds, setNote, save } = useVerdictDraft(marker);
  // Asked for here, so that the menu has its keys the moment it opens.
  const schema = useCurrentSchema().data?.schema;
  const [kindsOpen, setKindsOpen] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useActions('rollout', {
    hack: () => label('hack'),
    clean: () => label('clean'),
    unsure: () => label('unsure'),
    kinds: () => setKindsOpen(true),
    note: () => field.current?.focus(),
    confirm: { when: () => marker !== null, run: () => marker !== null && label('hack', marker) },
    reject: { when: () => marker !== null, run: () => marker !== null && label('clean', marker) },
  });
  return (
    <section aria-labelledby="verdict-title">
      <h2 id="verdict-title" className="section-title">
        Verdict
        <span className="aside">
          {marker === null ? (
            'on the rollout'
          ) : (
            <>
              on marker <span className="mono">{marker.rule}</span>{' '}
              <button type="button" className="link" onClick={() => store.setState({ marker: null })}>
                rollout instead
              </button>
            </>
          )}
        </span>
      </h2>
      <div className="verdict">
        {verdicts.map((verdict) => (
          <Button
            key={verdict}
            className={`verdict-${verdict}`}
            shortcut={keys[verdict]}
            aria-pressed={own?.verdict === verdict}
            onClick={() => label(verdict)}
          >
            {verdict}
          </Button>
        ))}
      </div>
      <div className="verdict-kinds">
        {kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className="chip hack"
            aria-label={`Remove kind ${kind}`}
            title={`Remove ${kind}`}
            onClick={() => setKinds(kinds.filter((one) => one !== kind))}
          >
            {kind} <span aria-hidden="true">×</span>
          </button>
        ))}
        <Popover
          open={kindsOpen}
          onOpenChange={setKindsOpen}
          align="end"
          label="Kinds of hack"
          trigger={
            <Button variant="quiet" className="add-kind">
              + kind <Kbd name="t" />
            </Button>
          }
        >
          <KindsMenu
            kinds={schema?.kinds ?? []}
            chosen={kinds}
            onChange={setKinds}
            onClose={() => setKindsOpen(false)}
          />
        </Popover>
      </div>
      <NoteField fieldRef={field} value={note} onChange={setNote} onSave={save} saved={own !== null} />
      {others.length > 0 && (
        <ul className="others" aria-label="Verdicts of others">
          {isDisputed(labels) && (
            <li>
              <Chip tone="disputed">annotators disagree</Chip>
            </li>
          )}
          {others.map((one) => (
            <li key={one.id}>
              <Chip tone={verdictTone(one.verdict)}>{one.verdict}</Chip> <b>{one.annotator}</b>
              {one.kinds.length > 0 && <span className="muted"> {one.kinds.join(', ')}</span>}
              {one.note !== '' && <span className="muted"> · {one.note}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The note. It is saved with the next verdict, or at once where there is one: on Ctrl Enter and when the field is left. */
function NoteField(props: {
  readonly fieldRef: RefObject<HTMLTextAreaElement | null>;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSave: () => void;
  readonly saved: boolean;
}): ReactNode {
  const { fieldRef, value } = props;
  return (
    <div className="verdict-note">
      <textarea
        ref={fieldRef}
        className="field"
        rows={1}
        maxLength={10_000}
        placeholder={props.saved ? 'Note' : 'Note, saved with the verdict'}
        aria-label="Note"
        value={value}
        onChange={(event) => props.onChange(event.target.value)}
        onBlur={props.onSave}
        onKeyDown={(event) => {
          if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) {
            event.preventDefault();
            event.stopPropagation();
            event.currentTarget.blur();
          }
        }}
      />
      {value === '' && <Kbd name="e" />}
    </div>
  );
}
