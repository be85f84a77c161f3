// The rollouts that share the baseline with this one.

import type { ReactNode } from 'react';
import { formatRoute } from '../../routes.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatNumber } from '../../ui/format.ts';
import { FactRow } from './FactRow.tsx';
import { formatBaseline } from './format.ts';
import { useScreen } from './screen-context.ts';

/** Most siblings listed; the group board shows them all. */
const most = 16;

/** Siblings with their rewards, and the baseline. */
export function GroupPanel(): ReactNode {
  const { id, detail } = useScreen();
  const { group, rollout } = detail;
  if (group.siblings.length < 2) return null;
  const position = group.siblings.findIndex((one) => one.id === id);
  const first = Math.max(0, Math.min(position - most / 2, group.siblings.length - most));
  const listed = group.siblings.slice(first, first + most);
  const largest = group.siblings.reduce((max, one) => Math.max(max, Math.abs(one.reward ?? 0)), 0);
  return (
    <section aria-labelledby="group-title">
      <h2 id="group-title" className="section-title">
        Group <span className="aside">{rollout.group}</span>
        <a className="aside" href={formatRoute({ screen: 'group', id })} title="Group board (b)">
          Board
        </a>
      </h2>
      <dl className="facts">
        <FactRow name="baseline" value={formatBaseline(group)} />
        {rollout.reward !== null && group.mean !== null && (
          <FactRow name="reward − baseline" value={formatNumber(rollout.reward - group.mean, 3)} />
        )}
      </dl>
      <ul className="siblings">
        {listed.map((one) => (
          <li key={one.id}>
            <a href={formatRoute({ screen: 'rollout', id: one.id })} aria-current={one.id === id ? 'page' : undefined}>
              <span className="mono ellipsis">{one.id}</span>
              <span className="faint">{one.segments === 1 ? '1 seg' : `${one.segments} segs`}</span>
              {one.marked ? (
                <Chip tone="hack">{formatNumber(one.score)}</Chip>
              ) : (
                <span className="faint">{one.status}</span>
              )}
              <span className="sibling-bar" aria-hidden="true">
                <i
                  style={{
                    width: `${largest === 0 || one.reward === null ? 0 : (Math.abs(one.reward) / largest) * 100}%`,
                  }}
                />
              </span>
              <span className="number mono">{formatNumber(one.reward)}</span>
            </a>
          </li>
        ))}
      </ul>
      {group.siblings.length > most && (
        <p className="muted side-note">
          {first + 1} to {first + listed.length} of {group.siblings.length}
        </p>
      )}
    </section>
  );
}
