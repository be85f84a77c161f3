// A modal dialog: title, content, close button; focus stays inside and returns to where it was.

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode, RefObject } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** A modal dialog under the control of `open`. */
export function Dialog(props: {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: string;
  readonly wide?: boolean;
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open={props.open} onOpenChange={(open) => props.onOpenChange(open)}>
      <Base.Portal>
        <Base.Backdrop className="scrim" />
        <Base.Popup
          className={`dialog${props.wide === true ? ' wide' : ''}`}
          {...(props.initialFocus === undefined ? {} : { initialFocus: props.initialFocus })}
        >
          <header>
            <Base.Title>{props.title}</Base.Title>
            <Base.Close render={<Button variant="quiet" icon aria-label="Close" />}>
              <Icon name="close" />
            </Base.Close>
          </header>
          {props.description !== undefined && (
            <Base.Description className="dialog-description">{props.description}</Base.Description>
          )}
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
