// Takes in what somebody who worked apart brings: another workspace or a file of labels, by path, by drop or from this machine.

import { type DragEvent, type FormEvent, useRef, useState } from 'react';
import type { TakenIn } from '../../../app/contract/index.ts';
import { useApi } from '../../data/api.ts';
import { useTakeIn } from '../../data/exchange.ts';
import { explain } from '../../data/rollout.ts';
import { useHello } from '../../data/workspace.ts';
import { formatRoute } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { baseName, formatCount, plural } from '../../ui/format.ts';

/** The dialog. */
export function TakeInDialog(props: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Take labels in"
      description="Another workspace (labels, label schemas, annotators, queues) or a file of labels (JSON lines, CSV). Any number of times, in any order: nothing is doubled, and the file is only read."
      initialFocus={field}
    >
      <Form field={field} />
    </Dialog>
  );
}

function Form({ field }: { readonly field: React.RefObject<HTMLInputElement | null> }) {
  const { connection } = useApi();
  const hello = useHello();
  const take = useTakeIn();
  const picker = useRef<HTMLInputElement>(null);
  const [path, setPath] = useState('');
  const [over, setOver] = useState(false);
  const takesFiles = connection.desktop !== null || hello?.capabilities.canUpload === true;
  const roots = hello?.capabilities.roots ?? null;
  const readOnly = hello?.capabilities.readOnly ?? true;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (path.trim() !== '') take.mutate({ path: path.trim() });
  };
  const drop = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    // Else the window behind would import it as a log.
    event.stopPropagation();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined && takesFiles && !readOnly) take.mutate({ file });
  };
  return (
    <form
      onSubmit={submit}
      onDrop={drop}
      onDragOver={(event) => {
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
    >
      <div className="dialog-body take-in" data-over={over || undefined}>
        <label htmlFor="take-in-path">Path on the machine where Rollscope runs</label>
        <input
          id="take-in-path"
          ref={field}
          className="field mono"
          spellCheck={false}
          autoComplete="off"
          placeholder="/data/from-jonas/review.rollscope"
          value={path}
          disabled={readOnly}
          onChange={(event) => setPath(event.target.value)}
        />
        <p className="muted">
          {takesFiles ? 'Or drop the file here. ' : ''}
          {roots !== null && `This host reads below ${roots.join(', ')}.`}
        </p>
        {take.isPending && <p role="status">Reading and comparing…</p>}
        {take.isError && (
          <p className="field-error" role="alert">
            {explain(take.error).message} {explain(take.error).hint}
          </p>
        )}
        {take.data !== undefined && !take.isPending && <Report of={take.data} />}
      </div>
      <div className="dialog-actions">
        {connection.desktop === null && takesFiles && (
          <>
            <input
              ref={picker}
              type="file"
              hidden
              onChange={(event) => {
                const [file] = event.target.files ?? [];
                if (file !== undefined) take.mutate({ file });
                event.target.value = '';
              }}
            />
            <Button disabled={readOnly || take.isPending} onClick={() => picker.current?.click()}>
              Choose a file…
            </Button>
          </>
        )}
        <Button type="submit" variant="primary" disabled={readOnly || path.trim() === '' || take.isPending}>
          Take in
        </Button>
      </div>
    </form>
  );
}

function Report({ of }: { readonly of: TakenIn }) {
  const { what, path, imported, duplicates, skipped, reasons, schemas, queues, absent, open } = of;
  return (
    <section className="take-in-report" aria-label="What was taken in" role="status">
      <h3>
        {baseName(path)}: {what === 'workspace' ? 'a workspace' : 'a file of labels'}
      </h3>
      <dl className="facts">
        <dt>New</dt>
        <dd>{plural(imported, 'act')}</dd>
        <dt>Here already</dt>
        <dd>{formatCount(duplicates)}</dd>
        {what === 'workspace' && (
          <>
            <dt>Also new</dt>
            <dd>
              {plural(schemas, 'label schema')}, {plural(queues, 'queue')}
            </dd>
          </>
        )}
        {absent > 0 && (
          <>
            <dt>Waiting</dt>
            <dd>labels on {plural(absent, 'rollout')} that are not in this workspace yet</dd>
          </>
        )}
        <dt>Left out</dt>
        <dd>{formatCount(skipped)}</dd>
        <dt>To decide</dt>
        <dd>
          {open === 0 ? (
            'nothing: nobody differs'
          ) : (
            <a href={formatRoute({ screen: 'adjudicate' })}>{plural(open, 'open dispute')}</a>
          )}
        </dd>
      </dl>
      {reasons.length > 0 && (
        <ul className="take-in-reasons">
          {reasons.map(({ place, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change, and its lines may be equal
            <li key={at}>
              <span className="mono">{place}</span> {reason}
            </li>
          ))}
          {skipped > reasons.length && <li className="muted">and {formatCount(skipped - reasons.length)} more</li>}
        </ul>
      )}
    </section>
  );
}
