// An opened file of the report: why this format and which others fit, what it brought by type, what was skipped, repaired,
// removed and found, and every alert with the way to its bytes.

import { useState } from 'react';
import type { AlertRow, SourceRow } from '../../../app/contract/index.ts';
import { formatFilter } from '../../../app/domain/filter/filter.ts';
import { useAlertsAsLogged, useMayReveal, useRecordCounts } from '../../data/import-files.ts';
import { formatRoute } from '../../routes.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { formatBytes, formatCount, formatPercent, plural } from '../../ui/format.ts';
import { type Finding, findingsOf } from './findings.ts';
import { FormatChoice } from './format-choice.tsx';

/** The detail. */
export function FileDetail({ id, file }: { readonly id: string; readonly file: SourceRow }) {
  const findings = findingsOf(file.alerts);
  return (
    <div className="file-detail" id={id}>
      <div className="file-columns">
        <Facts file={file} />
        <section aria-labelledby={`${id}-report`}>
          <h2 className="section-title" id={`${id}-report`}>
            Report
          </h2>
          <dl className="facts counts">
            {findings.map(({ kind, title, count }) => (
              <div key={kind} className={count === 0 ? 'fact-row none' : 'fact-row'}>
                <dt>{title}</dt>
                <dd className="number">{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
        </section>
        <Records file={file} />
      </div>
      <FormatChoice file={file} />
      {findings.every(({ count }) => count === 0) ? (
        <p className="muted file-clean">Nothing was skipped, repaired or left out.</p>
      ) : (
        findings
          .filter(({ count }) => count > 0)
          .map((finding) => <Alerts key={finding.kind} file={file} finding={finding} />)
      )}
    </div>
  );
}

function Facts({ file }: { readonly file: SourceRow }) {
  const segments = Object.entries(file.segments).filter(([, count]) => count > 0);
  return (
    <section>
      <h2 className="section-title">File</h2>
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
        <dt>Tokens</dt>
        <dd>
          {formatCount(file.tokens)}, {formatCount(file.trainableTokens)} trainable
        </dd>
        {file.growth !== undefined && (
          <>
            <dt>Read on</dt>
            <dd>
              from byte {formatCount(file.growth.fromByte)}: {formatBytes(file.growth.newBytes)} new
              {file.growth.rereadBytes > 0 && `, ${formatBytes(file.growth.rereadBytes)} read again`}
            </dd>
          </>
        )}
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
    </section>
  );
}

/** Rows of the tables in the detail are there from the start, so that nothing moves when the counts arrive. */
function Records({ file }: { readonly file: SourceRow }) {
  const records = useRecordCounts(file.id, file.rollouts);
  return (
    <section>
      <h2 className="section-title">
        Records<span className="aside">{plural(file.items, 'item')}</span>
      </h2>
      <dl className="facts counts">
        <div className="fact-row">
          <dt>rollout</dt>
          <dd className="number">{formatCount(file.rollouts)}</dd>
        </div>
        {(records.data ?? []).map(({ type, count }) => (
          <div key={type} className="fact-row">
            <dt>{type}</dt>
            <dd className="number">{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Alerts({ file, finding }: { readonly file: SourceRow; readonly finding: Finding }) {
  return (
    <>
      <h2 className="section-title">
        {finding.title}
        <span className="aside">{plural(finding.count, 'occurrence')}</span>
      </h2>
      <ul className="alerts">
        {finding.alerts.map((alert) => (
          <Alert
            key={`${alert.kind}-${alert.severity}-${alert.first.line}-${alert.first.offset}`}
            file={file}
            alert={alert}
          />
        ))}
      </ul>
    </>
  );
}

const severityTones: Record<AlertRow['severity'], Tone> = { info: 'neutral', warning: 'summary', error: 'hack' };

function Alert({ file, alert }: { readonly file: SourceRow; readonly alert: AlertRow }) {
  const [reveal, setReveal] = useState(false);
  const mayReveal = useMayReveal();
  const logged = useAlertsAsLogged(file.id, reveal);
  const { offset } = alert.first;
  const { masked = 0 } = alert;
  const asLogged = logged.data?.find(({ kind, severity }) => kind === alert.kind && severity === alert.severity);
  const shown = reveal ? (asLogged ?? alert) : alert;
  return (
    <li className="alert">
      <div className="alert-head">
        <Chip tone={severityTones[alert.severity]}>{alert.severity}</Chip>
        <span className="mono">{alert.kind}</span>
        <span className="muted">× {formatCount(alert.count)}</span>
        <span className="muted">{placeText(alert)}</span>
        {offset !== null && (
          <a className="alert-raw" href={formatRoute({ screen: 'imports', file: file.id, at: offset })}>
            Open raw at byte {formatCount(offset)}
          </a>
        )}
      </div>
      <p>{shown.message}</p>
      {shown.raw !== null && <pre>{shown.raw}</pre>}
      {masked > 0 && (
        <p className="muted alert-masked">
          {reveal ? 'Credentials are shown as they stand in the file.' : `${plural(masked, 'credential')} masked.`}
          {mayReveal && (
            <Button variant="quiet" aria-pressed={reveal} onClick={() => setReveal(!reveal)}>
              Show as it is
            </Button>
          )}
        </p>
      )}
    </li>
  );
}

function placeText(alert: AlertRow): string {
  const { line } = alert.first;
  return line === null ? '' : `${alert.count > 1 ? 'first at ' : 'at '}line ${formatCount(line)}`;
}
