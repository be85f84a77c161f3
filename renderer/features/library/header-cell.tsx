// A column's header: sorts on click (shift adds a key), resizes at its edge, moves by drag.
// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and names its row by aria-activedescendant

import type { Header } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { Icon } from '../../ui/icon.tsx';
import type { features, GridRow } from './columns.tsx';

const dragType = 'application/x-rollscope-column';

/** The header. `onTake` is told the column that was dropped on this one and takes its place. */
export function HeaderCell(props: {
  readonly header: Header<typeof features, GridRow, unknown>;
  readonly numeric: boolean;
  readonly multi: boolean;
  readonly onTake: (moving: string) => void;
  readonly children: ReactNode;
}) {
  const { header } = props;
  const { column } = header;
  const sorted = column.getIsSorted();
  const [over, setOver] = useState(false);
  return (
    <div
      role="columnheader"
      aria-sort={sorted === 'asc' ? 'ascending' : sorted === 'desc' ? 'descending' : 'none'}
      className={`head-cell${props.numeric ? ' number' : ''}${over ? ' over' : ''}`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        const moving = event.dataTransfer.getData(dragType);
        if (moving === '' || moving === column.id) return;
        event.preventDefault();
        event.stopPropagation();
        props.onTake(moving);
      }}
    >
      <button
        type="button"
        draggable
        className="head-button"
        title="Click to sort, shift-click to sort by it as well, drag to move"
        onDragStart={(event) => event.dataTransfer.setData(dragType, column.id)}
        onClick={(event) => column.getToggleSortingHandler()?.(event)}
      >
        <span className="ellipsis">{props.children}</span>
        {sorted !== false && <Icon name={sorted === 'asc' ? 'up' : 'down'} size={12} />}
        {sorted !== false && props.multi && <sup aria-hidden="true">{column.getSortIndex() + 1}</sup>}
      </button>
      <div
        className={`head-resize${column.getIsResizing() ? ' on' : ''}`}
        aria-hidden="true"
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onDoubleClick={() => column.resetSize()}
      />
    </div>
  );
}
