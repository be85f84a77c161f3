// Labels as a file: the ledger as JSON lines or a table, or a labelled set. What was written is said with its count and hash.

import { useState } from 'react';
import { type LabelFile, labelFiles } from '../../../app/contract/index.ts';
import { type SavedFile, useLabelExport } from '../../data/exchange.ts';
import { explain } from '../../data/rollout.ts';
import { useHello } from '../../data/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatBytes, plural } from '../../ui/format.ts';
import { Spinner } from '../../ui/states.tsx';

const kinds = {
  jsonl: {
    title: 'JSON lines',
    what: 'Every act of the ledger, one a line: labels, undos, redos, adjudications. Imports again without loss.',
  },
  csv: { title: 'CSV', what: 'The same acts as a table, for a spreadsheet or a statistics program.' },
  labelled: {
    title: 'Labelled set',
    what: 'One line per labelled rollout: its messages, the verdict in force, kinds and quotes. For training and evaluation.',
  },
} as const satisfies Record<LabelFile, { readonly title: string; readonly what: string }>;

/** The dialog. */
export function ExportDialog(props: { readonly open: boolean; readonly onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title="Export labels"
      description="Credentials in notes and texts are masked."
    >
      <Choices />
    </Dialog>
  );
}

function Choices() {
  const hello = useHello();
  const write = useLabelExport(hello?.workspace.name ?? 'workspace');
  const [saved, setSaved] = useState<readonly SavedFile[]>([]);
  return (
    <div className="dialog-body agree-export">
      <ul>
        {labelFiles.map((kind) => (
          <li key={kind}>
            <div>
              <b>{kinds[kind].title}</b>
              <p className="muted">{kinds[kind].what}</p>
            </div>
            <Button
              disabled={write.isPending}
              aria-label={`Save ${kinds[kind].title}`}
              onClick={() => write.mutate(kind, { onSuccess: (file) => setSaved((before) => [file, ...before]) })}
            >
              {write.isPending && write.variables === kind ? <Spinner label="Writing" /> : 'Save'}
            </Button>
          </li>
        ))}
      </ul>
      {write.isError && (
        <p className="field-error" role="alert">
          {explain(write.error).message} {explain(write.error).hint}
        </p>
      )}
      <div role="status">
        {saved.map((file, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows at its head and its entries have no state
          <dl className="facts" key={saved.length - at}>
            <dt>{file.name}</dt>
            <dd>
              {plural(file.rows, file.name.endsWith('labelled.jsonl') ? 'rollout' : 'act')}, {formatBytes(file.bytes)}
              {file.masked > 0 && `, ${plural(file.masked, 'credential')} masked`}
            </dd>
            <dt>sha256</dt>
            <dd className="mono agree-hash">{file.sha256}</dd>
          </dl>
        ))}
      </div>
    </div>
  );
}
