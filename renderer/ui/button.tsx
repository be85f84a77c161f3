// Buttons: plain, primary, quiet (no border) and danger; always `type="button"` unless told otherwise.

import type { ComponentProps } from 'react';
import { Kbd } from './kbd.tsx';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly variant?: 'plain' | 'primary' | 'quiet' | 'danger';
  /** Shows the shortcut that does the same, in the notation of keys.ts. */
  readonly shortcut?: string | undefined;
  /** A square button whose only content is an icon; give it an `aria-label`. */
  readonly icon?: boolean;
}

/** A button. */
export function Button({ variant = 'plain', shortcut, icon = false, className, children, ...rest }: ButtonProps) {
  const classes = ['button', variant, icon ? 'icon-only' : '', className ?? ''].filter((name) => name !== '').join(' ');
  return (
    <button type="button" className={classes} {...rest}>
      {shortcut !== undefined && <Kbd name={shortcut} />}
      {children}
    </button>
  );
}
