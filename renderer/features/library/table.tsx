// The grid of rollouts: TanStack Table decides columns and sorting state, the engine sorts and filters, VirtualRows draws
// only what is visible. Rows have one height; rows still on their way are placeholders of that height.
// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and names its row by aria-activedescendant

import { type ColumnSizingState, type SortingState, useTable } from '@tanstack/react-table';
import { type Ref, useMemo, useState } from 'react';
import type { RolloutRow, SortKey } from '../../../app/contract/index.ts';
import { formatRoute } from '../../routes.ts';
import { formatCount, formatNumber, plural } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { columnOf } from './column-info.ts';
import { columns, features, type GridRow, isNumeric } from './columns.tsx';
import type { GroupedLine, GroupHeading } from './groups.ts';
import { HeaderCell } from './header-cell.tsx';
import type { Layout } from './use-layout.ts';

const rowHeight = 30;
const headerHeight = 29;
/** The columns that share what is left of the width. */
const flexible = ['task', 'segments', 'preview'];

export interface TableProps {
  readonly total: number;
  readonly rowAt: (index: number) => RolloutRow | undefined;
  /** Lines to draw when rows are grouped; null draws row after row. */
  readonly lines: readonly GroupedLine[] | null;
  readonly layout: Layout;
  readonly sort: readonly SortKey[];
  readonly onSort: (sort: readonly SortKey[]) => void;
  readonly selected: number | null;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (index: number) => void;
  readonly onToggleGroup: (key: string | null) => void;
  readonly onRange: (first: number, last: number) => void;
  readonly handle: Ref<VirtualRowsHandle>;
}

/** The grid. */
export function RolloutTable(props: TableProps) {
  const { total, rowAt, lines, layout, sort, selected } = props;
  const count = lines?.length ?? total;
  const [range, setRange] = useState({ first: 0, last: 0 });
  // While a column is dragged its width is local; it is remembered when the drag ends.
  const [draftSizing, setDraftSizing] = useState<ColumnSizingState | null>(null);
  const data = useMemo(() => visibleRows(range, lines, count, rowAt), [range, lines, count, rowAt]);
  const sorting: SortingState = useMemo(() => sort.map((key) => ({ id: key.column, desc: key.descending })), [sort]);
  const table = useTable({
    features,
    columns,
    data,
    getRowId: (row) => String(row.index),
    manualSorting: true,
    maxMultiSortColCount: 3,
    columnResizeMode: 'onChange',
    state: {
      sorting,
      columnOrder: layout.order,
      columnVisibility: layout.visibility,
      columnSizing: draftSizing ?? layout.sizing,
    },
    onSortingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(sorting) : updater;
      props.onSort(
        next.flatMap(({ id, desc }) => {
          const column = columnOf(id);
          return column === undefined ? [] : [{ column, descending: desc }];
        }),
      );
    },
    onColumnOrderChange: layout.setOrder,
    onColumnSizingChange: (updater) => {
      const next = typeof updater === 'function' ? updater(draftSizing ?? layout.sizing) : updater;
      setDraftSizing(next);
      layout.setSizing(next);
    },
  });
  const headers = table.getHeaderGroups().flatMap((group) => group.headers);
  const stretched = headers.filter((header) => flexible.includes(header.column.id));
  const template = headers
    .map((header, index) =>
      stretched.includes(header) || (stretched.length === 0 && index === headers.length - 1)
        ? `minmax(${header.getSize()}px, ${header.getSize()}fr)`
        : `${header.getSize()}px`,
    )
    .join(' ');
  const gridStyle = { gridTemplateColumns: template };
  const minWidth = table.getTotalSize();
  const rows = new Map(table.getRowModel().rows.map((row) => [row.original.index, row]));

  return (
    <VirtualRows
      handle={props.handle}
      className="rollouts"
      role="grid"
      aria-label="Rollouts"
      aria-rowcount={count + 1}
      aria-colcount={headers.length}
      aria-multiselectable={false}
      aria-activedescendant={selected === null ? undefined : `rollout-row-${selected}`}
      tabIndex={0}
      count={count}
      rowHeight={rowHeight}
      headerHeight={headerHeight}
      minWidth={minWidth}
      onRange={(first, last) => {
        setRange((old) => (old.first === first && old.last === last ? old : { first, last }));
        props.onRange(first, last);
      }}
      header={
        <div className="rollouts-head" role="row" aria-rowindex={1} style={{ ...gridStyle, minWidth }}>
          {headers.map((header) => (
            <HeaderCell
              key={header.id}
              header={header}
              numeric={isNumeric(header.column.id)}
              multi={sort.length > 1}
              onTake={(moving) => layout.setOrder((order) => moved(order, moving, header.column.id))}
            >
              <table.FlexRender header={header} />
            </HeaderCell>
          ))}
        </div>
      }
      row={(line, style) => {
        const grouped = lines?.[line];
        if (grouped?.kind === 'heading') {
          return (
            <HeadingRow
              key={`heading-${grouped.key}`}
              heading={grouped}
              line={line}
              style={style}
              onToggle={() => props.onToggleGroup(grouped.key)}
            />
          );
        }
        const index = grouped?.index ?? line;
        const row = rows.get(index);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: rows are moved and opened by the shortcuts of the action table
          <div
            key={index}
            id={`rollout-row-${index}`}
            role="row"
            tabIndex={-1}
            aria-rowindex={line + 2}
            aria-selected={index === selected}
            className={`rollouts-row${index === selected ? ' selected' : ''}`}
            style={{ ...style, ...gridStyle }}
            onClick={() => props.onSelect(index)}
            onDoubleClick={() => props.onOpen(index)}
          >
            {row?.getVisibleCells().map((cell) => (
              <div
                key={cell.id}
                role="gridcell"
                tabIndex={-1}
                className={`ellipsis${isNumeric(cell.column.id) ? ' number' : ''}`}
              >
                <table.FlexRender cell={cell} />
              </div>
            ))}
          </div>
        );
      }}
    />
  );
}

function visibleRows(
  range: { readonly first: number; readonly last: number },
  lines: readonly GroupedLine[] | null,
  count: number,
  rowAt: (index: number) => RolloutRow | undefined,
): GridRow[] {
  const rows: GridRow[] = [];
  for (let line = range.first; line < Math.min(range.last, count); line += 1) {
    const grouped = lines?.[line];
    if (grouped?.kind === 'heading') continue;
    const index = grouped?.index ?? line;
    rows.push({ index, rollout: rowAt(index) });
  }
  return rows;
}

/** The order with `id` put where `target` is. */
function moved(order: readonly string[], id: string, target: string): string[] {
  const from = order.indexOf(id);
  const to = order.indexOf(target);
  if (from < 0 || to < 0) return [...order];
  return order.toSpliced(from, 1).toSpliced(to, 0, id);
}

function HeadingRow(props: {
  readonly heading: GroupHeading;
  readonly line: number;
  readonly style: React.CSSProperties;
  readonly onToggle: () => void;
}) {
  const { heading } = props;
  return (
    <div role="row" tabIndex={-1} aria-rowindex={props.line + 2} className="rollouts-heading" style={props.style}>
      <div role="gridcell" tabIndex={-1}>
        <button type="button" aria-expanded={!heading.collapsed} onClick={props.onToggle}>
          <Icon name={heading.collapsed ? 'right' : 'chevron'} size={14} />
          <b>{heading.key ?? 'none'}</b>
          <span>
            · {plural(heading.count, 'rollout')} · mean reward {formatNumber(heading.meanReward)}
            {heading.marked > 0 && ` · ${formatCount(heading.marked)} marked`}
          </span>
        </button>
        {heading.board !== null && (
          <a href={formatRoute({ screen: 'group', id: heading.board })} aria-label={`Board of group ${heading.key}`}>
            Board
          </a>
        )}
      </div>
    </div>
  );
}
