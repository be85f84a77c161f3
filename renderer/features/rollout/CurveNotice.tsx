// In place of the curve: why there is none, and the next act. A refusal of an estimator is told, never drawn as zeros.

import type { ReactNode } from 'react';
import { runAction } from '../../actions.ts';
import { explain } from '../../data/rollout.ts';
import { Button } from '../../ui/button.tsx';
import { useScreen } from './screen-context.ts';

/** The reason for an empty curve. */
export function CurveNotice({ failure }: { readonly failure: Error | null }): ReactNode {
  const { shown, segments, detail } = useScreen();
  if (failure !== null) {
    return (
      <div className="curve-notice bad" role="alert">
        The curve could not be read: {explain(failure).message}
      </div>
    );
  }
  if (shown.kind === 'run' && shown.run.result.error !== undefined) {
    const { code, message } = shown.run.result.error;
    return (
      <div className="curve-notice" role="status">
        <p>
          <b>{shown.run.preset ?? shown.run.estimator} was refused.</b> {message}{' '}
          <span className="mono faint">{code}</span> <Choose />
        </p>
      </div>
    );
  }
  const stored = new Set(segments.flatMap((segment) => segment.columns));
  const missing = [
    stored.has('ids') ? null : 'token ids',
    stored.has('loss_mask') ? null : 'loss mask',
    stored.has('values') ? null : 'critic values',
    stored.has('advantages') ? null : 'logged advantages',
    detail.rollout.reward === null ? 'reward' : null,
  ].filter((name) => name !== null);
  return (
    <div className="curve-notice" role="status">
      <p>
        {shown.kind === 'none' ? 'No advantages yet.' : 'No trainable token has an advantage.'}
        {missing.length > 0 && ` The log has no ${listOf(missing)}.`} <Choose />
      </p>
    </div>
  );
}

function listOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', no ')} and no ${names.at(-1)}`;
}

function Choose(): ReactNode {
  return (
    <Button variant="quiet" className="fold" shortcut="a" onClick={() => runAction('rollout.estimator')}>
      Choose an estimator
    </Button>
  );
}
