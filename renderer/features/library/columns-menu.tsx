// Which columns are shown.

import { useState } from 'react';
import { useActions } from '../../actions.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { columnInfo, columnOf } from './column-info.ts';
import type { Layout } from './use-layout.ts';

/** The menu. */
export function ColumnsMenu({ layout }: { readonly layout: Layout }) {
  const [open, setOpen] = useState(false);
  useActions('library', { columns: () => setOpen(true) });
  return (
    <Menu trigger={<Button>Columns</Button>} open={open} onOpenChange={setOpen} align="end">
      {layout.order.map((id) => {
        const column = columnOf(id);
        return column === undefined ? null : (
          <MenuCheck
            key={id}
            checked={layout.visibility[id] !== false}
            onChange={(checked) => layout.setVisibility((old) => ({ ...old, [id]: checked }))}
          >
            {columnInfo[column].title}
          </MenuCheck>
        );
      })}
      <MenuSeparator />
      <MenuItem onClick={layout.reset}>Reset columns, order and widths</MenuItem>
    </Menu>
  );
}
