// One file of the report: a line, and when opened why this format, what it gave, and its alerts.

import type { AlertRow, SourceRow } from '../../../app/contract/index.ts';
import { formatFilter } from '../../../app/domain/filter/filter.ts';
import { formatRoute } from '../../routes.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';
import {
  baseName,
  formatBytes,
  formatCount,
  formatMoment,
  formatPercent,
  formatTokens,
  plural,
} from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { alertCount, isProblem } from './order.ts';

const statusTones: Record<SourceRow['status'], Tone> = {
  imported: 'clean',
  appended: 'clean',
  unchanged: 'neutral',
  part: 'neutral',
  cancelled: 'unsure',
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
        <p className="file-message">
          {file.message}
          {file.hint !== null && <span className="muted"> {file.hint}</span>}
        </p>
      )}
      {open && <FileDetail id={detailId} file={file} />}
    </li>
  );
}

function FileDetail({ id, file }: { readonly id: string; readonly file: SourceRow }) {
  const segments = Object.entries(file.segments).filter(([, count]) => count > 0);
  return (
    <div className="file-detail" id={id}>
      <dl className="facts">
        <dt>Path</dt>
        <dd className="mono">{file.path}</dd>
        <dt>Size</dt>
        <dd>{formatBytes(file.size)}</dd>
        <dt>Format</dt>
        <dd>
          {file.formatTitle ?? file.format ?? 'not recognised'}
          {file.formatVersion !== null && ` ${file.formatVersion}`}
          {file.confidence !== null && <span className="muted"> · {formatPercent(file.confidence, 0)} sure</span>}
        </dd>
        {file.reason !== null && (
          <>
            <dt>Why</dt>
            <dd>{file.reason}</dd>
          </>
        )}
        <dt>Segments</dt>
        <dd>
          {segments.length === 0 ? 'none' : segments.map(([kind, count]) => `${formatCount(count)} ${kind}`).join(', ')}
        </dd>
        <dt>Rows</dt>
        <dd>
          {plural(file.steps, 'step')} in {plural(file.items, 'item')}
        </dd>
        <dt>Tokens</dt>
        <dd>
          {formatCount(file.tokens)}, {formatCount(file.trainableTokens)} trainable
        </dd>
      </dl>
      {file.rollouts > 0 && (
        <a
          href={formatRoute({
            screen: 'library',
            where: formatFilter([{ column: 'source', op: '=', value: file.path }]),
          })}
        >
          Show {file.rollouts === 1 ? 'its rollout' : `its ${formatCount(file.rollouts)} rollouts`}
        </a>
      )}
      <h2 className="section-title">
        Alerts<span className="aside">{plural(alertCount(file), 'occurrence')}</span>
      </h2>
      {file.alerts.length === 0 ? (
        <p className="muted">Nothing was skipped, repaired or left out.</p>
      ) : (
        <ul className="alerts">
          {file.alerts.map((alert) => (
            <Alert key={`${alert.kind}-${alert.first.line}-${alert.first.offset}-${alert.message}`} alert={alert} />
          ))}
        </ul>
      )}
    </div>
  );
}

const severityTones: Record<AlertRow['severity'], Tone> = { info: 'neutral', warning: 'summary', error: 'hack' };

function Alert({ alert }: { readonly alert: AlertRow }) {
  return (
    <li className="alert">
      <div className="alert-head">
        <Chip tone={severityTones[alert.severity]}>{alert.severity}</Chip>
        <span className="mono">{alert.kind}</span>
        <span className="muted">× {formatCount(alert.count)}</span>
        <span className="faint">{placeText(alert)}</span>
      </div>
      <p>{alert.message}</p>
      {alert.raw !== null && <pre>{alert.raw}</pre>}
    </li>
  );
}

function placeText(alert: AlertRow): string {
  const parts: string[] = [];
  if (alert.first.line !== null) parts.push(`line ${formatCount(alert.first.line)}`);
  if (alert.first.offset !== null) parts.push(`byte ${formatCount(alert.first.offset)}`);
  return parts.length === 0 ? '' : `${alert.count > 1 ? 'first at ' : 'at '}${parts.join(', ')}`;
}
