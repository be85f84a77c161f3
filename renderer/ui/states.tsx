// What stands where content is not: nothing there, not there yet, or it went wrong. Each offers the next act.

import type { ReactNode } from 'react';
import { messageOf } from '../../app/shared/errors.ts';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

/** An empty place with what to do next. */
export function EmptyState(props: {
  readonly icon?: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className="empty">
      {props.icon !== undefined && <Icon name={props.icon} size={28} />}
      <h2 className="empty-title">{props.title}</h2>
      {props.children !== undefined && <div className="empty-text">{props.children}</div>}
      {props.actions !== undefined && <div className="empty-actions">{props.actions}</div>}
    </div>
  );
}

/** A call that failed: what happened, and the way on. */
export function ErrorState(props: { readonly title: string; readonly error: unknown; readonly onRetry?: () => void }) {
  return (
    <div className="empty" role="alert">
      <Icon name="warning" size={28} />
      <h2 className="empty-title">{props.title}</h2>
      <div className="empty-text">{messageOf(props.error)}</div>
      {props.onRetry !== undefined && (
        <div className="empty-actions">
          <Button onClick={props.onRetry}>Try again</Button>
        </div>
      )}
    </div>
  );
}

/** A small turning ring; `label` is read out. */
export function Spinner({ label = 'Loading' }: { readonly label?: string }) {
  return <span className="spinner" role="status" aria-label={label} />;
}

/** A progress bar; `value` in 0..1, or null while the end is unknown. */
export function Progress({ value, label }: { readonly value: number | null; readonly label: string }) {
  const percent = value === null ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className={`progress${percent === undefined ? ' unknown' : ''}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <i style={percent === undefined ? undefined : { width: `${percent}%` }} />
    </div>
  );
}
