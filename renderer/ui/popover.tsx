// A popover: content that hangs on a button and does not block the page.

import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';

/** A popover on `trigger`, under the control of `open`. */
export function Popover(props: {
  readonly trigger: ReactElement;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly label: string;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open={props.open} onOpenChange={(open) => props.onOpenChange(open)}>
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner className="layer" sideOffset={4} align={props.align ?? 'start'}>
          <Base.Popup className="popup popover" aria-label={props.label}>
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
