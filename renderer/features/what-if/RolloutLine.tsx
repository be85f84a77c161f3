// What the settings do to the rollout in focus, in a line: how long it took, how many tokens change, or the token that was clicked.

import { type ReactNode, useMemo } from 'react';
import type { RolloutDetail } from '../../../app/contract/index.ts';
import { formatRoute } from '../../routes.ts';
import { formatCount, formatDuration, plural } from '../../ui/format.ts';
import { countChanges, figuresAt, formatFigure } from './layers.ts';
import type { Layers } from './use-layers.ts';

/** Time of computing and, after a change, from the change to its picture. */
export function Measured(props: {
  readonly tokens: number;
  readonly layers: Layers | null;
  readonly redrawn: number | null;
}): ReactNode {
  const { layers, redrawn } = props;
  return (
    <span className="faint wi-measured" title="Time to compute both settings; time from the last change to its picture">
      {layers === null
        ? 'computing…'
        : `${formatCount(props.tokens)} tokens · computed in ${formatDuration(Math.max(1, layers.ms))}${redrawn === null ? '' : ` · redrawn in ${formatDuration(redrawn)}`}`}
    </span>
  );
}

/** One line under the strips: the clicked token, or how many tokens of the rollout change. */
export function RolloutLine(props: {
  readonly detail: RolloutDetail;
  readonly layers: Layers | null;
  readonly picked: number | null;
}): ReactNode {
  const { detail, layers, picked } = props;
  const changes = useMemo(() => (layers === null ? null : countChanges(layers.a, layers.b)), [layers]);
  if (layers === null || changes === null) return <p className="wi-line" />;
  const warnings = [...new Set([...layers.a.warnings, ...layers.b.warnings])];
  const segment =
    picked === null ? undefined : detail.segments.findLast((one) => one.axisStart <= picked && one.tokens > 0);
  const at = picked === null ? null : figuresAt(layers.a, layers.b, picked);
  return (
    <p className="wi-line">
      {picked !== null && segment !== undefined && at !== null ? (
        <>
          <a href={formatRoute({ screen: 'rollout', id: detail.rollout.id, seg: segment.index })}>
            {segment.index + 1} {segment.kind}, token {formatCount(picked - segment.axisStart)}
          </a>
          {at.trainedA || at.trainedB
            ? `: A ${formatFigure(at.a)}, B ${formatFigure(at.b)}, B − A ${formatFigure(at.b - at.a)}`
            : ': masked, not trained'}
        </>
      ) : (
        <>
          {plural(changes.tokens, 'trained token')}: {formatCount(changes.flips)} change sign,{' '}
          {formatCount(changes.lost)} fall to zero, {formatCount(changes.gained)} rise from zero
        </>
      )}
      {scalars(layers)}
      {warnings.length > 0 && (
        <span className="wi-line-warning" title={warnings.join('\n')}>
          {' · '}
          {warnings[0]}
          {warnings.length > 1 && ` (and ${warnings.length - 1} more)`}
        </span>
      )}
    </p>
  );
}

function scalars(layers: Layers): string {
  const one = (name: string, side: Layers['a']): string =>
    side.baseline === null ? '' : ` · ${name} baseline ${formatFigure(side.baseline)}`;
  return `${one('A', layers.a)}${one('B', layers.b)}`;
}
