// The rollouts of a comparison as a virtual grid: what each is diagnosed with, its best fit, and where it first parts.
// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned one by one, which the elements of a table do not allow
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid keeps the focus and names its row by aria-activedescendant

import type { CSSProperties, ReactNode, Ref } from 'react';
import type { VerifiedRow } from '../../../app/contract/index.ts';
import { formatDifference, outcomeOf, placeName } from '../../data/trainer-check.ts';
import { formatRoute } from '../../routes.ts';
import { Chip } from '../../ui/chip.tsx';
import { formatPercent } from '../../ui/format.ts';
import { EmptyState } from '../../ui/states.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { nameOf, type Order, orderTitles, routeOf } from './rows.ts';

const rowHeight = 30;
const headerHeight = 29;

interface Column {
  readonly title: string;
  readonly width: string;
  readonly hint?: string;
  readonly number?: true;
  /** The order that a press on its head asks for. */
  readonly order?: Order;
  readonly cell: (row: VerifiedRow) => ReactNode;
  /** The whole text where a narrow cell cuts it. */
  readonly full?: (row: VerifiedRow) => string | undefined;
}

const columns: readonly Column[] = [
  {
    title: 'Rollout',
    width: 'minmax(120px, 1.1fr)',
    order: 'rollout',
    cell: (row) => nameOf(row),
    full: (row) => nameOf(row),
  },
  {
    title: 'Step',
    width: '56px',
    hint: 'Training step',
    number: true,
    order: 'step',
    cell: ({ trainingStep }) => (trainingStep === null ? '–' : trainingStep),
  },
  {
    title: 'Diagnosis',
    width: 'minmax(190px, 1.6fr)',
    order: 'finding',
    cell: ({ status, title }) => {
      const { word, tone } = outcomeOf(status);
      return status === 'found' ? title : <Chip tone={tone}>{word}</Chip>;
    },
    full: ({ status, title }) => (status === 'found' ? title : undefined),
  },
  {
    title: 'Best fit',
    width: 'minmax(140px, 1.4fr)',
    cell: ({ fit }) => (fit === null ? '–' : <span title={fit.label}>{fit.presets[0] ?? fit.label}</span>),
  },
  {
    title: 'Agree',
    width: '72px',
    hint: 'Tokens that agree with the best fit',
    number: true,
    order: 'agreeing',
    cell: ({ fit }) => (fit === null ? '–' : formatPercent(fit.agreeing, fit.agreeing === 1 ? 0 : 1)),
  },
  {
    title: 'Worst',
    width: '80px',
    hint: 'Largest |logged − recomputed| / |recomputed|',
    number: true,
    order: '-worst',
    cell: ({ fit }) => formatDifference(fit?.worst ?? null),
  },
  {
    title: 'Parts at',
    width: '168px',
    hint: 'The last token in time that differs: start there',
    cell: (row) =>
      row.place === null || row.externalId === null ? (
        '–'
      ) : (
        <a href={formatRoute(routeOf(row))} tabIndex={-1}>
          {placeName(row.place)}
        </a>
      ),
  },
];
const template: CSSProperties = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
const minWidth = 826;

/** The grid. `selected` is an index into `rows`. */
export function VerifiedTable(props: {
  readonly rows: readonly VerifiedRow[];
  readonly order: Order;
  readonly selected: number;
  readonly handle: Ref<VirtualRowsHandle>;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (row: VerifiedRow) => void;
  readonly onOrder: (order: Order) => void;
}): ReactNode {
  const { rows, order, selected } = props;
  if (rows.length === 0)
    return <EmptyState title="No rollout has this diagnosis">Press 0 to show all of them.</EmptyState>;
  return (
    <VirtualRows
      handle={props.handle}
      className="adv-table"
      role="grid"
      aria-label={`Compared rollouts, ${orderTitles[order]}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={`adv-row-${selected}`}
      tabIndex={0}
      count={rows.length}
      rowHeight={rowHeight}
      headerHeight={headerHeight}
      minWidth={minWidth}
      header={<Head order={order} onOrder={props.onOrder} />}
      row={(index, style) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: rows are moved and opened by the shortcuts of the action table
          <div
            key={row.id}
            id={`adv-row-${index}`}
            role="row"
            tabIndex={-1}
            aria-rowindex={index + 2}
            aria-selected={index === selected}
            className={`adv-row${index === selected ? ' selected' : ''}`}
            style={{ ...style, ...template }}
            onClick={() => props.onSelect(index)}
            onDoubleClick={() => props.onOpen(row)}
          >
            {columns.map((column) => (
              <div
                key={column.title}
                role="gridcell"
                tabIndex={-1}
                className={`ellipsis${column.number === true ? ' number' : ''}`}
                title={column.full?.(row)}
              >
                {column.cell(row)}
              </div>
            ))}
          </div>
        );
      }}
    />
  );
}

function Head({ order, onOrder }: { readonly order: Order; readonly onOrder: (order: Order) => void }): ReactNode {
  return (
    <div className="adv-table-head" role="row" aria-rowindex={1} style={{ ...template, minWidth }}>
      {columns.map(({ title, hint, number, order: own }) => (
        <div
          key={title}
          role="columnheader"
          tabIndex={-1}
          className={number === true ? 'number' : undefined}
          title={hint}
          aria-sort={own === order ? (own === '-worst' ? 'descending' : 'ascending') : undefined}
        >
          {own === undefined ? (
            title
          ) : (
            <button type="button" tabIndex={-1} onClick={() => onOrder(own)}>
              {title}
              {own === order && <span aria-hidden="true">{own === '-worst' ? ' ↓' : ' ↑'}</span>}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
