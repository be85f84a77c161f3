// The columns of the library's table. Ids are the contract's columns, so that sorting and filtering speak one language.

import {
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { RolloutColumn, RolloutRow } from '../../../app/contract/index.ts';
import { baseName, formatCount, formatNumber, formatTokens } from '../../ui/format.ts';
import { IdCell, LabelCell, RewardCell, StatusCell, SuspicionCell } from './cells.tsx';
import { columnInfo } from './column-info.ts';
import { Rail } from './rail.tsx';

/** A row of the table: its place in the result set, and the rollout once its page has come. */
export interface GridRow {
  readonly index: number;
  readonly rollout: RolloutRow | undefined;
}

export const features = tableFeatures({
  rowSortingFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  columnOrderingFeature,
});

const helper = createColumnHelper<typeof features, GridRow>();

function column(
  id: RolloutColumn,
  size: number,
  cell: (row: RolloutRow) => React.ReactNode,
  options: { readonly placeholder?: number } = {},
) {
  // TanStack lets only columns with an accessor be sorted; the value itself is never used, the engine sorts.
  return helper.accessor((row): unknown => row.index, {
    id,
    header: columnInfo[id].title,
    size,
    minSize: 40,
    maxSize: 900,
    enableSorting: true,
    sortDescFirst: columnInfo[id].type === 'number',
    cell: ({ row }) => {
      const { rollout } = row.original;
      if (rollout !== undefined) return cell(rollout);
      return <span className="placeholder" style={{ width: options.placeholder ?? Math.min(48, size - 24) }} />;
    },
  });
}

const text = (value: string | null) => (
  <span title={value ?? undefined}>{value ?? <span className="faint">–</span>}</span>
);

/** Every column, in the default order. */
export const columns = [
  column('id', 118, (row) => <IdCell row={row} />, { placeholder: 96 }),
  column('task', 104, (row) => text(row.task), { placeholder: 100 }),
  column('reward', 68, (row) => <RewardCell reward={row.reward} source={row.rewardSource} />),
  column('status', 80, (row) => <StatusCell row={row} />),
  column('segments', 112, (row) => <Rail rail={row.rail} />, { placeholder: 88 }),
  column('steps', 48, (row) => formatCount(row.steps)),
  column('tokens', 56, (row) => formatTokens(row.tokens)),
  column('maxAbsAdvantage', 66, (row) => formatNumber(row.maxAbsAdvantage)),
  column('score', 188, (row) => <SuspicionCell row={row} />, { placeholder: 90 }),
  column('label', 84, (row) => <LabelCell row={row} />),
  column('trainingStep', 96, (row) => formatCount(row.trainingStep)),
  column('group', 120, (row) => text(row.group)),
  column('model', 120, (row) => text(row.model)),
  column('agent', 110, (row) => text(row.agent)),
  column('split', 70, (row) => text(row.split)),
  column('attempt', 72, (row) => formatCount(row.attempt)),
  column('runId', 110, (row) => text(row.runId)),
  column('compactions', 96, (row) => formatCount(row.compactions)),
  column('trainableTokens', 116, (row) => formatTokens(row.trainableTokens)),
  column('markers', 72, (row) => formatCount(row.markers)),
  column('topKind', 140, (row) => text(row.topKind)),
  column('rule', 84, (row) => text(row.topRule)),
  column('labels', 66, (row) => formatCount(row.labels)),
  column('alerts', 66, (row) => formatCount(row.alerts)),
  column('format', 110, (row) => text(row.format)),
  column('source', 150, (row) => <span title={row.source}>{baseName(row.source)}</span>),
  column('externalId', 130, (row) => (
    <span className="mono" title={row.externalId}>
      {row.externalId}
    </span>
  )),
  column('preview', 260, (row) => text(row.preview)),
];

/** Shown until a person chooses others. */
export const shownByDefault: readonly RolloutColumn[] = [
  'id',
  'task',
  'reward',
  'status',
  'segments',
  'steps',
  'tokens',
  'maxAbsAdvantage',
  'score',
  'label',
];

/** Columns of figures, aligned right. */
export function isNumeric(id: string): boolean {
  return [
    'reward',
    'steps',
    'tokens',
    'maxAbsAdvantage',
    'trainingStep',
    'attempt',
    'compactions',
    'trainableTokens',
    'markers',
    'labels',
    'alerts',
  ].includes(id);
}
