// The list of disputes: however many, only what is visible is there and loaded.

import { useEffect, useRef } from 'react';
import type { Dispute } from '../../../app/contract/index.ts';
import { targetId } from '../../../app/domain/agreement/units.ts';
import { type AdjudicateRoute, formatRoute } from '../../routes.ts';
import { Chip, verdictTone } from '../../ui/chip.tsx';
import { Icon } from '../../ui/icon.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { targetText } from './words.ts';

const rowHeight = 54;

/** The rows; `get` gives what is loaded. */
export function DisputeList(props: {
  readonly route: AdjudicateRoute;
  readonly total: number;
  readonly get: (index: number) => Dispute | undefined;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  readonly onRange: (range: readonly [number, number]) => void;
}) {
  const { route, total, get, selected, onSelect, onRange } = props;
  const handle = useRef<VirtualRowsHandle>(null);
  const told = useRef(onRange);
  told.current = onRange;
  const tell = useRef((first: number, last: number) => told.current([first, last]));
  useEffect(() => {
    // Once the list has its height: before, every row would count as out of sight.
    const frame = requestAnimationFrame(() => handle.current?.scrollToRow(selected));
    return () => cancelAnimationFrame(frame);
  }, [selected]);
  return (
    <VirtualRows
      handle={handle}
      className="adjudicate-list"
      role="list"
      aria-label="Disputes"
      count={total}
      rowHeight={rowHeight}
      onRange={tell.current}
      row={(index, style) => (
        <Row
          key={index}
          index={index}
          total={total}
          style={style}
          route={route}
          dispute={get(index)}
          selected={index === selected}
          onSelect={onSelect}
        />
      )}
    />
  );
}

function Row(props: {
  readonly route: AdjudicateRoute;
  readonly index: number;
  readonly total: number;
  readonly style: { readonly transform: string; readonly height: number };
  readonly dispute: Dispute | undefined;
  readonly selected: boolean;
  readonly onSelect: (index: number) => void;
}) {
  const { route, index, total, style, dispute, selected, onSelect } = props;
  const said = dispute === undefined ? [] : [...Map.groupBy(dispute.labels, ({ verdict }) => verdict)];
  return (
    // biome-ignore lint/a11y/useSemanticElements: the rows stand in a spacer element, where li would not be a child of its list
    <div role="listitem" aria-posinset={index + 1} aria-setsize={total} className="adjudicate-row" style={style}>
      {dispute === undefined ? (
        <span className="placeholder" style={{ width: 120 }} />
      ) : (
        <a
          href={formatRoute({ ...route, sel: targetId(dispute.target) })}
          aria-current={selected ? 'true' : undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            onSelect(index);
          }}
        >
          <span className="adjudicate-row-name">
            <b className="ellipsis">{dispute.externalId ?? dispute.target.rollout}</b>
            <span className="faint ellipsis">{targetText(dispute.target) ?? dispute.task ?? ''}</span>
          </span>
          <span className="adjudicate-row-said">
            {said.map(([verdict, labels]) => (
              <Chip key={verdict} tone={verdictTone(verdict)}>
                {labels.length > 1 ? `${labels.length} ${verdict}` : verdict}
              </Chip>
            ))}
            {dispute.adjudication !== null && (
              <span className={dispute.open ? 'adjudicate-again' : 'muted adjudicate-done'}>
                <Icon name={dispute.open ? 'warning' : 'check'} size={13} />
                {dispute.open ? 'differs again' : dispute.adjudication.verdict}
              </span>
            )}
          </span>
        </a>
      )}
    </div>
  );
}
