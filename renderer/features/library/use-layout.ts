// The table's layout (hidden columns, order, widths) as TanStack state, remembered in the preferences.

import type { ColumnOrderState, ColumnSizingState, ColumnVisibilityState, Updater } from '@tanstack/react-table';
import { useMemo } from 'react';
import { setPreferences, type TableLayout, usePreferences } from '../../preferences.ts';
import { columns, shownByDefault } from './columns.tsx';

const name = 'library';
const ids = columns.flatMap((column) => (column.id === undefined ? [] : [column.id]));
const initial: TableLayout = {
  hidden: ids.filter((id) => !shownByDefault.some((shown) => shown === id)),
  order: ids,
  widths: {},
};

function apply<T>(updater: Updater<T>, old: T): T {
  // boundary: TanStack's updater is a value or a function, and no value used here is a function
  return typeof updater === 'function' ? (updater as (old: T) => T)(old) : updater;
}

function stateOf(layout: TableLayout): {
  readonly order: ColumnOrderState;
  readonly visibility: ColumnVisibilityState;
} {
  return {
    // A column that a newer version brought stands after what was ordered.
    order: [...layout.order.filter((id) => ids.includes(id)), ...ids.filter((id) => !layout.order.includes(id))],
    visibility: Object.fromEntries(layout.hidden.map((id) => [id, false])),
  };
}

/** The layout and its setters. */
export function useLayout() {
  const layout = usePreferences((preferences) => preferences.tables[name]) ?? initial;
  const change = (next: Partial<TableLayout>): void => {
    const { tables } = usePreferences.getState();
    setPreferences({ tables: { ...tables, [name]: { ...(tables[name] ?? initial), ...next } } });
  };
  // The table compares state by identity and would draw itself for ever if it were made anew at each render.
  const { order, visibility } = useMemo(() => stateOf(layout), [layout]);
  const sizing: ColumnSizingState = layout.widths;
  return {
    order,
    visibility,
    sizing,
    setOrder: (updater: Updater<ColumnOrderState>) => change({ order: apply(updater, order) }),
    setSizing: (updater: Updater<ColumnSizingState>) => change({ widths: apply(updater, sizing) }),
    setVisibility: (updater: Updater<ColumnVisibilityState>) => {
      const next = apply(updater, visibility);
      change({ hidden: ids.filter((id) => next[id] === false) });
    },
    reset: () => change(initial),
  };
}

export type Layout = ReturnType<typeof useLayout>;
