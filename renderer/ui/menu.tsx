// Menus: a button that opens a list of acts or of switches.

import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';

/** A menu hanging on `trigger` (an element that takes a ref, such as Button). */
export function Menu(props: {
  readonly trigger: ReactElement;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}) {
  return (
    <Base.Root
      {...(props.open === undefined ? {} : { open: props.open })}
      onOpenChange={(open) => props.onOpenChange?.(open)}
    >
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner className="layer" sideOffset={4} align={props.align ?? 'start'}>
          <Base.Popup className="popup menu">{props.children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** An act of a menu. */
export function MenuItem(props: {
  readonly onClick: () => void;
  readonly shortcut?: string;
  readonly disabled?: boolean;
  /** The item is what is chosen now. */
  readonly checked?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <Base.Item
      className="menu-item"
      onClick={props.onClick}
      disabled={props.disabled ?? false}
      {...(props.checked === true ? { 'aria-current': true } : {})}
    >
      <span className="menu-check">{props.checked === true && <Icon name="check" />}</span>
      <span className="menu-label">{props.children}</span>
      {props.shortcut !== undefined && <Kbd name={props.shortcut} />}
    </Base.Item>
  );
}

/** A switch of a menu; the menu stays open. */
export function MenuCheck(props: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <Base.CheckboxItem
      className="menu-item"
      checked={props.checked}
      onCheckedChange={(checked) => props.onChange(checked)}
      closeOnClick={false}
    >
      <span className="menu-check">
        <Base.CheckboxItemIndicator>
          <Icon name="check" />
        </Base.CheckboxItemIndicator>
      </span>
      <span className="menu-label">{props.children}</span>
    </Base.CheckboxItem>
  );
}

/** A hairline between groups of items. */
export function MenuSeparator() {
  return <Base.Separator className="menu-separator" />;
}
