// A key as printed on the keyboard. Decoration for the eye: the action's name is what assistive technology reads.

import { keyLabel } from './keys.ts';

/** Shows a key named in the notation of keys.ts. */
export function Kbd({ name }: { readonly name: string }) {
  return (
    <span aria-hidden="true">
      <kbd>{keyLabel(name)}</kbd>
    </span>
  );
}
