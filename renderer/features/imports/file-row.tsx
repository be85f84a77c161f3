// One file of the report: a line, and when opened its detail.

import type { SourceRow } from '../../../app/contract/index.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { baseName, formatCount, formatMoment, formatTokens } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { FileDetail } from './file-detail.tsx';
import { alertCount, isProblem } from './order.ts';

const statusTones: Record<SourceRow['status'], Tone> = {
  imported: 'clean',
  appended: 'clean',
  unchanged: 'neutral',
  part: 'neutral',
  cancelled: 'unsure',
  interrupted: 'unsure',
  refused: 'hack',
  failed: 'hack',
};

/** The line of a file; the message of a refused one is always visible. */
export function FileRow(props: { readonly file: SourceRow; readonly open: boolean; readonly onToggle: () => void }) {
  const { file, open } = props;
  const alerts = alertCount(file);
  const detailId = `file-${file.id}`;
  return (
    <li className={isProblem(file) ? 'file problem' : 'file'}>
      <button
        type="button"
        className="file-toggle file-grid"
        aria-expanded={open}
        aria-controls={detailId}
        onClick={props.onToggle}
      >
        <span className="file-name">
          <Icon name={open ? 'chevron' : 'right'} size={14} />
          <Chip tone={statusTones[file.status]}>{file.status}</Chip>
          <span className="ellipsis" title={file.path}>
            {baseName(file.path)}
          </span>
        </span>
        <span className="ellipsis">
          {file.formatTitle ?? file.format ?? <span className="faint">not recognised</span>}
        </span>
        <span className="number">{formatCount(file.rollouts)}</span>
        <span className="number">{formatCount(file.steps)}</span>
        <span className="number">{formatTokens(file.tokens)}</span>
        <span className={`number${alerts > 0 ? ' file-alerts' : ' faint'}`}>{formatCount(alerts)}</span>
        <span className="muted">{formatMoment(file.importedAt)}</span>
      </button>
      {file.message !== null && (
        <p className={open ? 'file-message' : 'file-message short'}>
          {file.message}
          {file.hint !== null && <span className="muted"> {file.hint}</span>}
        </p>
      )}
      {open && <FileDetail id={detailId} file={file} />}
    </li>
  );
}
