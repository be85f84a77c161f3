// The figures of a scope as a table: columns, their order, and the same as CSV.

import type { WhatIfComparison, WhatIfRow } from '../../../app/contract/index.ts';
import { formatNumber, formatPercent, formatSigned } from '../../ui/format.ts';

export interface FigureColumn {
  readonly id: string;
  readonly title: string;
  readonly help: string;
  /** What sorts by it; null sorts last in either direction. */
  readonly value: (row: WhatIfRow) => number | null;
  readonly text: (row: WhatIfRow) => string;
}

const delta = (row: WhatIfRow): number => (row.shareB ?? 0) - (row.shareA ?? 0);

export const figureColumns: readonly FigureColumn[] = [
  {
    id: 'reward',
    title: 'Reward',
    help: 'Reward in the log',
    value: (row) => row.reward,
    text: (row) => formatNumber(row.reward),
  },
  {
    id: 'score',
    title: 'Marker',
    help: 'Suspicion by the rule pack',
    value: (row) => row.score,
    text: (row) => (row.score === null || row.score === 0 ? '' : formatNumber(row.score)),
  },
  {
    id: 'flips',
    title: 'Sign changes',
    help: 'Tokens whose advantage changes its sign, of those trained on either side',
    value: (row) => row.flips,
    text: (row) => (row.tokens === 0 ? '–' : formatPercent(row.flips / row.tokens)),
  },
  {
    id: 'meanA',
    title: 'Mean A',
    help: 'Mean advantage of its trained tokens under A',
    value: (row) => row.meanA,
    text: (row) => formatSigned(row.meanA, 3),
  },
  {
    id: 'meanB',
    title: 'Mean B',
    help: 'Mean advantage of its trained tokens under B',
    value: (row) => row.meanB,
    text: (row) => formatSigned(row.meanB, 3),
  },
  {
    id: 'shareA',
    title: 'Share in A',
    help: 'Share of the sum of |weight × advantage| under A',
    value: (row) => row.shareA,
    text: (row) => formatPercent(row.shareA),
  },
  {
    id: 'shareB',
    title: 'Share in B',
    help: 'Share of the sum of |weight × advantage| under B',
    value: (row) => row.shareB,
    text: (row) => formatPercent(row.shareB),
  },
  {
    id: 'moved',
    title: 'B − A',
    help: 'Share in B minus share in A, in points; sorts by its size',
    value: (row) => Math.abs(delta(row)),
    text: (row) => (row.shareA === null && row.shareB === null ? '–' : formatSigned(delta(row) * 100, 1)),
  },
];

export interface FigureSort {
  readonly column: FigureColumn;
  readonly descending: boolean;
}

/** The order in the text form of the URL (`-shareA`); by share in A, largest first, without one. */
export function sortOf(text: string | undefined): FigureSort {
  const descending = text === undefined || text.startsWith('-');
  const id = text === undefined ? 'shareA' : text.replace(/^-/, '');
  const column = figureColumns.find((one) => one.id === id) ?? figureColumns.find((one) => one.id === 'shareA');
  if (column === undefined) throw new Error('The figures have no column to sort by.');
  return { column, descending };
}

/** Rows in an order; rows without a value are last. */
export function sortedRows(rows: readonly WhatIfRow[], sort: FigureSort): WhatIfRow[] {
  const { column, descending } = sort;
  return rows.toSorted((a, b) => {
    const [x, y] = [column.value(a), column.value(b)];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    return descending ? y - x : x - y;
  });
}

const csvHeads = [
  'rollout',
  'external_id',
  'group',
  'reward',
  'score',
  'marked',
  'label',
  'tokens',
  'sign_changes',
  'to_zero',
  'from_zero',
  'mean_a',
  'mean_b',
  'signal_a',
  'signal_b',
  'share_a',
  'share_b',
  'why_not_a',
  'why_not_b',
] as const;

/** All rows as CSV (RFC 4180), full precision. Texts that a spreadsheet would take for a formula begin with an apostrophe. */
export function toCsv(comparison: WhatIfComparison, sort: FigureSort): string {
  const lines = sortedRows(comparison.rows, sort).map((row) =>
    [
      row.id,
      row.externalId,
      row.group,
      row.reward,
      row.score,
      row.marked,
      row.label,
      row.tokens,
      row.flips,
      row.lost,
      row.gained,
      row.meanA,
      row.meanB,
      row.signalA,
      row.signalB,
      row.shareA,
      row.shareB,
      row.whyA,
      row.whyB,
    ]
      .map(csvCell)
      .join(','),
  );
  return `${[csvHeads.join(','), ...lines].join('\r\n')}\r\n`;
}

function csvCell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
