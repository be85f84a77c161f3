// The menu of the strip's columns, by group. Arrow keys walk, letters jump, Enter chooses.

import type { ReactNode } from 'react';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { type StripColumn, stripGroups } from './strip-columns.ts';

/** A quiet button with the chosen column that opens the menu; without one it offers to compare. */
export function ColumnMenu(props: {
  readonly label: string;
  readonly columns: readonly StripColumn[];
  readonly chosen: StripColumn | null;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onChoose: (key: string) => void;
  /** Takes the column away. */
  readonly onNone?: () => void;
}): ReactNode {
  const { chosen, columns, onNone } = props;
  return (
    <Menu
      open={props.open}
      onOpenChange={props.onOpenChange}
      trigger={
        <button
          type="button"
          className={`strip-column${chosen === null ? ' none' : ''}`}
          aria-label={chosen === null ? props.label : `${props.label}: ${chosen.title}`}
          title={chosen === null ? props.label : `${chosen.title}: ${chosen.note}`}
        >
          <span className="ellipsis">{chosen?.title ?? 'compare'}</span>
          <Icon name="chevron" size={12} />
        </button>
      }
    >
      {onNone !== undefined && chosen !== null && (
        <>
          <MenuItem onClick={onNone}>No second column</MenuItem>
          <MenuSeparator />
        </>
      )}
      {stripGroups.map((group) => {
        const some = columns.filter((one) => one.group === group);
        if (some.length === 0) return null;
        return (
          <div key={group}>
            <div className="menu-heading">{group}</div>
            {some.map((one) => (
              <MenuItem key={one.key} checked={one.key === chosen?.key} onClick={() => props.onChoose(one.key)}>
                {one.title}
                <small>{one.note}</small>
              </MenuItem>
            ))}
          </div>
        );
      })}
    </Menu>
  );
}
