// A tooltip: a hint for the eye on hover and focus; the element it explains carries its own accessible name.

import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** Explains `children` (one element that takes a ref). */
export function Tooltip(props: {
  readonly text: ReactNode;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly children: ReactElement;
}) {
  return (
    <Base.Root>
      <Base.Trigger render={props.children} />
      <Base.Portal>
        <Base.Positioner className="layer" sideOffset={6} side={props.side ?? 'bottom'}>
          <Base.Popup className="popup tooltip">{props.text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** One provider above the app, so that neighbouring tooltips follow each other without a delay. */
export const TooltipProvider = Base.Provider;
