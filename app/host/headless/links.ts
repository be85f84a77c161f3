// Whose link is whose: every token belongs to one holder. The owner's has no name: it works under the name set in the workspace
// and may do everything; the others are bound to an annotator and a role.

import type { Role } from '../../contract/annotators.ts';
import { newToken, sameToken } from './auth.ts';

export interface LinkHolder {
  readonly annotator: string;
  readonly role: Role;
}

export interface Link {
  /** Null for the owner. */
  readonly holder: LinkHolder | null;
  readonly token: string;
}

/** One new token for each holder; `first` is the token of the first one, a new one unless given. */
export function makeLinks(holders: readonly (LinkHolder | null)[], first?: string): Link[] {
  return holders.map((holder, at) => ({ holder, token: at === 0 && first !== undefined ? first : newToken() }));
}

/** The link that a token opens; null for a wrong one. All are compared, so that the time says nothing about which fits. */
export function linkOf(links: readonly Link[], given: string): Link | null {
  let found: Link | null = null;
  for (const link of links) if (sameToken(given, link.token)) found = link;
  return found;
}
