// The first rollout as a mapping reads it: what it is, its segments, and every token column with its range and first values.

import type { MappingPreview } from '../../../app/contract/index.ts';
import { messageOf } from '../../../app/shared/errors.ts';
import { formatCount, formatNumber } from '../../ui/format.ts';

/** The preview; its height is reserved, so that nothing moves while it is read. */
export function MappingPreviewView(props: {
  readonly preview: MappingPreview | undefined;
  readonly error: unknown;
  /** Why there is none to show yet. */
  readonly empty: string | null;
}) {
  const { preview, error, empty } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="mapping-preview" aria-label="First rollout" tabIndex={0}>
      <h3 className="section-title">First rollout</h3>
      <div aria-live="polite">
        {empty !== null ? (
          <p className="muted">{empty}</p>
        ) : error !== null && error !== undefined ? (
          <p className="field-error">{messageOf(error)}</p>
        ) : preview === undefined ? (
          <p className="muted">Reading…</p>
        ) : (
          <Read preview={preview} />
        )}
      </div>
    </section>
  );
}

function Read({ preview }: { readonly preview: MappingPreview }) {
  const { problem, rollout, alerts } = preview;
  return (
    <>
      {problem !== null && (
        <p className="field-error">
          {problem.message} {problem.hint}
        </p>
      )}
      {rollout !== null && (
        <>
          <p className="mapping-facts">
            {[
              ['Rollout', rollout.externalId],
              ['Group', rollout.group],
              ['Task', rollout.task],
              ['Training step', rollout.trainingStep === null ? null : String(rollout.trainingStep)],
              ['Reward', rollout.reward === null ? null : formatNumber(rollout.reward, 3)],
            ].map(([label, value]) => (
              <span key={label}>
                <span className="muted">{label}</span> {value ?? '–'}
              </span>
            ))}
          </p>
          {rollout.preview !== '' && <p className="muted ellipsis">{rollout.preview}</p>}
          {rollout.segments.map((segment, index) => (
            <SegmentColumns key={`${segment.kind}-${String(index)}`} segment={segment} index={index} />
          ))}
        </>
      )}
      {alerts.map((alert) => (
        <p key={`${alert.kind} ${alert.message}`} className="mapping-alert">
          <span className="mono">{alert.kind}</span> {alert.message}
        </p>
      ))}
    </>
  );
}

type Segment = NonNullable<MappingPreview['rollout']>['segments'][number];

function SegmentColumns({ segment, index }: { readonly segment: Segment; readonly index: number }) {
  return (
    <table className="mapping-values">
      <caption>
        Segment {index}, {segment.kind}: {formatCount(segment.tokens)} tokens, {formatCount(segment.trainable)}{' '}
        trainable
        {segment.promptLength !== null && `, prompt of ${formatCount(segment.promptLength)}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col" className="number">
            From token
          </th>
          <th scope="col" className="number">
            Values
          </th>
          <th scope="col" className="number">
            Min
          </th>
          <th scope="col" className="number">
            Max
          </th>
          <th scope="col">First values</th>
        </tr>
      </thead>
      <tbody>
        {segment.columns.map((column) => (
          <tr key={column.name}>
            <td className="mono">{column.name}</td>
            <td className="number">{formatCount(column.start)}</td>
            <td className="number">{formatCount(column.length)}</td>
            <td className="number">{shortNumber(column.min)}</td>
            <td className="number">{shortNumber(column.max)}</td>
            <td className="mono">{column.first.map(shortNumber).join(' ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shortNumber(value: number | null): string {
  return value !== null && Number.isInteger(value) ? formatNumber(value, 0) : formatNumber(value, 3);
}
