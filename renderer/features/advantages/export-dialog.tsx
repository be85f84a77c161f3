// Taking advantages, returns and weights away as a file: which runs, of which rollouts, in which format.

import { type ReactNode, useState } from 'react';
import { type ExportFormat, exportFormats, type Filter, type RunSet } from '../../../app/contract/index.ts';
import { type Exported, type ExportState, useExport, useRunSets } from '../../data/advantages.ts';
import { explain } from '../../data/rollout.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes, formatCount, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { Progress } from '../../ui/states.tsx';
import { setName, setParameters } from './run-set-words.ts';

const formats: Readonly<Record<ExportFormat, string>> = {
  parquet: 'Parquet: a row per segment with its estimator, parameters and columns',
  npz: 'npz: one array ROLLOUT/SEGMENT/advantages and so on, for numpy',
  jsonl: 'Native JSONL: imports again with these numbers as the logged ones',
};

/** The dialog; it is open while it is there. `set` is the set that is offered first. */
export function ExportDialog(props: {
  readonly where: Filter;
  readonly whereText: string;
  readonly set: string | undefined;
  readonly onClose: () => void;
}): ReactNode {
  const sets = useRunSets().data ?? [];
  const [format, setFormat] = useState<ExportFormat>('parquet');
  const [set, setSet] = useState(props.set ?? '');
  const file = useExport();
  const close = (): void => {
    file.cancel();
    props.onClose();
  };
  const chosen = sets.find(({ id }) => id === set);
  return (
    <Dialog open onOpenChange={(open) => !open && close()} title="Export advantages">
      <div className="dialog-body adv-export">
        <div className="adv-field">
          <span className="adv-label">runs</span>
          <Select
            label="Which runs"
            value={chosen?.id ?? ''}
            options={[
              { value: '', label: 'the newest of each rollout', detail: 'that gave numbers' },
              ...sets.map((one) => ({
                value: one.id,
                label: [setName(one), setParameters(one)].filter((part) => part !== '').join(', '),
                detail: detailOf(one),
              })),
            ]}
            onChange={setSet}
          />
        </div>
        <p className="muted">
          Rollouts: {props.whereText === '' ? 'all' : <span className="mono">{props.whereText}</span>}. Advantages,
          returns and weights, one number per token; a masked token is 0.
        </p>
        <fieldset className="adv-formats">
          <legend>Format</legend>
          {exportFormats.map((each) => (
            <label key={each}>
              <input type="radio" name="format" checked={each === format} onChange={() => setFormat(each)} />
              <span>{formats[each]}</span>
            </label>
          ))}
        </fieldset>
        {sets.length === 0 && (
          <p className="adv-warning">
            <Icon name="warning" size={14} />
            <span>No run is stored yet. Compute one first, under “Recompute and stored runs”.</span>
          </p>
        )}
        {chosen !== undefined && chosen.stale > 0 && (
          <p className="adv-warning">
            <Icon name="warning" size={14} />
            <span>{plural(chosen.stale, 'run')} of it stale: recompute before you use them.</span>
          </p>
        )}
        <div className="adv-outcome" aria-live="polite">
          <Outcome progress={file.progress} done={file.data ?? null} error={file.error} />
        </div>
      </div>
      <div className="dialog-actions">
        <Button onClick={close}>{file.isPending ? 'Cancel' : 'Close'}</Button>
        <Button
          variant="primary"
          disabled={file.isPending || sets.length === 0}
          onClick={() => file.mutate({ format, where: props.where, set: chosen?.id })}
        >
          Export
        </Button>
      </div>
    </Dialog>
  );
}

function detailOf({ rollouts, criticLabel, stale }: RunSet): string {
  return `${plural(rollouts, 'rollout')} · ${criticLabel}${stale > 0 ? ` · ${formatCount(stale)} stale` : ''}`;
}

function Outcome(props: {
  readonly progress: ExportState | null;
  readonly done: Exported | null;
  readonly error: Error | null;
}): ReactNode {
  const { progress, done, error } = props;
  if (error !== null) return <p className="field-error">{explain(error).message}</p>;
  if (progress !== null) {
    return (
      <>
        <Progress value={progress.total === 0 ? null : progress.rollouts / progress.total} label="Exporting" />
        <span className="muted tabular">
          {formatCount(progress.rollouts)} rollouts, {formatBytes(progress.bytes)}
        </span>
      </>
    );
  }
  if (done === null) return null;
  return (
    <p>
      {done.name}: {plural(done.rows, 'segment')} of {plural(done.rollouts, 'rollout')}, {formatBytes(done.bytes)}.
      {done.stale > 0 && ` ${plural(done.stale, 'run')} stale.`}
    </p>
  );
}
