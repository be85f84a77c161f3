// Whose link is whose: every token belongs to one holder. The owner's has no name: it works under the name set in the workspace
// and may do everything; the others are bound to an annotator and a role. Links come and go while the server runs.

import type { AnnotatorLink, Role } from '../../contract/annotators.ts';
import type { LinkKeeper } from '../../engine/links.ts';
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

/** The links of one server. */
export class LinkBook implements LinkKeeper {
  #links: Link[] = [];
  #urlOf: (token: string) => string = (token) => `#token=${token}`;
  #onRevoke: (link: Link) => void = () => undefined;

  /** Begins with one new token for each holder; `first` is the token of the first one, a new one unless given. */
  begin(holders: readonly (LinkHolder | null)[], first?: string): readonly Link[] {
    this.#links = holders.map((holder, at) => ({
      holder,
      token: at === 0 && first !== undefined ? first : newToken(),
    }));
    return this.#links;
  }

  /** Says how a token is written as an address, and who closes the windows of a revoked link. */
  attach(urlOf: (token: string) => string, onRevoke: (link: Link) => void): void {
    this.#urlOf = urlOf;
    this.#onRevoke = onRevoke;
  }

  all(): readonly Link[] {
    return this.#links;
  }

  /** The link that a token opens; null for a wrong one. All are compared, so that the time says nothing about which fits. */
  linkOf(given: string): Link | null {
    let found: Link | null = null;
    for (const link of this.#links) if (sameToken(given, link.token)) found = link;
    return found;
  }

  list(): AnnotatorLink[] {
    return this.#links.flatMap(({ holder, token }) =>
      holder === null ? [] : [{ ...holder, url: this.#urlOf(token) }],
    );
  }

  give(annotator: string, role: Role): void {
    this.revoke(annotator);
    this.#links.push({ holder: { annotator, role }, token: newToken() });
  }

  revoke(annotator: string): boolean {
    const ended = this.#links.filter(({ holder }) => holder?.annotator === annotator);
    this.#links = this.#links.filter((link) => !ended.includes(link));
    for (const link of ended) this.#onRevoke(link);
    return ended.length > 0;
  }
}
