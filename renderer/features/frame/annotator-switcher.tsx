// Who labels, in the status bar. On one's own machine a menu of the workspace's annotators; where the link names the annotator, the
// name and what the role may do.

import { type FormEvent, useState } from 'react';
import type { Role } from '../../../app/contract/index.ts';
import { annotatorName } from '../../../app/contract/index.ts';
import { useActions } from '../../actions.ts';
import { useAnnotatorChanges, useAnnotators, useMe } from '../../data/annotators.ts';
import { useHello, useSetAnnotator } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';
import { toast } from '../../ui/toast.tsx';
import './annotator-switcher.css';

const mayDo = {
  viewer: 'A viewer reads.',
  annotator: 'An annotator labels and works on queues.',
  adjudicator: 'An adjudicator labels, makes and closes queues, and decides disputes.',
  admin: 'An admin may do everything.',
} as const satisfies Record<Role, string>;

/** The name with its menu. */
export function AnnotatorSwitcher() {
  const me = useMe();
  const readOnly = useHello()?.capabilities.readOnly ?? true;
  const [open, setOpen] = useState(false);
  useActions('app', { annotator: { when: () => me?.bound === false && !readOnly, run: () => setOpen(true) } });
  if (me === undefined) return null;
  if (me.bound || readOnly) {
    return (
      <span title={me.bound ? `This link is ${me.annotator}’s. ${mayDo[me.role]}` : 'The workspace is open read-only'}>
        annotator: {me.annotator}
        {me.bound && <span className="muted"> ({me.role})</span>}
      </span>
    );
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Who labels"
      align="end"
      trigger={
        <button type="button" className="status-annotator">
          annotator: {me.annotator}
          <Icon name="chevron" size={12} />
        </button>
      }
    >
      <Choose current={me.annotator} onDone={() => setOpen(false)} />
    </Popover>
  );
}

function Choose({ current, onDone }: { readonly current: string; readonly onDone: () => void }) {
  const annotators = useAnnotators();
  const { add } = useAnnotatorChanges();
  const set = useSetAnnotator();
  const [name, setName] = useState('');
  const known = annotators.data ?? [];
  const listed = known.some((each) => each.name === current)
    ? known
    : [{ name: current, role: 'annotator' as const, labels: 0, lastAt: null }, ...known];
  const parsed = annotatorName.safeParse(name);
  const wrong = name !== '' && !parsed.success;
  const become = (annotator: string): void => {
    set.mutate(
      { annotator },
      {
        onSuccess: () => {
          toast({
            title: `${annotator} labels from now on`,
            description: 'Earlier labels keep their name; undo works on your own.',
          });
          onDone();
        },
      },
    );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!parsed.success) return;
    // Who is known already keeps the role.
    if (known.some((each) => each.name === parsed.data)) become(parsed.data);
    else add.mutate({ name: parsed.data }, { onSuccess: () => become(parsed.data) });
  };
  return (
    <div className="annotators">
      <p className="strong">Who labels</p>
      <ul>
        {listed.map((each) => (
          <li key={each.name}>
            <button
              type="button"
              aria-pressed={each.name === current}
              disabled={set.isPending}
              onClick={() => become(each.name)}
            >
              <span className="menu-check">{each.name === current && <Icon name="check" size={14} />}</span>
              <span className="ellipsis">{each.name}</span>
              <span className="muted">{plural(each.labels, 'label')}</span>
            </button>
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <input
          className="field"
          aria-label="Name of another annotator"
          aria-invalid={wrong}
          placeholder="Another name"
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!parsed.success || add.isPending || set.isPending}>
          Add and switch
        </Button>
      </form>
      {wrong && <p className="field-error">A name has no colon and no control characters.</p>}
      {(set.error ?? annotators.error) !== null && (
        <p className="field-error">{(set.error ?? annotators.error)?.message}</p>
      )}
    </div>
  );
}
