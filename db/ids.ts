// Public ids: a letter for the kind and 12 hex digits of a hash over what makes the thing what it is, so that the same thing
// has the same id after a re-import, in another workspace, and in links.

import { createHash } from 'node:crypto';

/** The first 12 hex digits of the SHA-256 of a text. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
