// Grouping of rows that stand in the order of their group: headings with what is worth knowing of a group. Pure.

import type { RolloutRow } from '../../../app/contract/index.ts';

export interface GroupHeading {
  readonly kind: 'heading';
  /** Value of the grouping column; null for rows without one. */
  readonly key: string | null;
  readonly count: number;
  /** Mean of the known rewards; null when none is known. */
  readonly meanReward: number | null;
  readonly marked: number;
  readonly collapsed: boolean;
  /** A rollout of the group, where rows are grouped by group: its board can be opened by it. */
  readonly board: string | null;
}

interface GroupedRow {
  readonly kind: 'row';
  /** Position in the result set. */
  readonly index: number;
}

export type GroupedLine = GroupHeading | GroupedRow;

/** Lines to draw: a heading before each run of rows with the same key, rows of collapsed groups left out. */
export function groupLines(
  rows: readonly RolloutRow[],
  by: 'task' | 'group',
  collapsed: ReadonlySet<string | null>,
): GroupedLine[] {
  const lines: GroupedLine[] = [];
  for (let start = 0; start < rows.length; ) {
    const key = rows[start]?.[by] ?? null;
    let end = start;
    while (end < rows.length && (rows[end]?.[by] ?? null) === key) end += 1;
    const members = rows.slice(start, end);
    const rewards = members.flatMap((row) => (row.reward === null ? [] : [row.reward]));
    lines.push({
      kind: 'heading',
      key,
      count: members.length,
      meanReward: rewards.length === 0 ? null : rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length,
      marked: members.filter((row) => row.marked).length,
      collapsed: collapsed.has(key),
      board: by === 'group' && key !== null ? (members[0]?.id ?? null) : null,
    });
    if (!collapsed.has(key)) for (let index = start; index < end; index += 1) lines.push({ kind: 'row', index });
    start = end;
  }
  return lines;
}
