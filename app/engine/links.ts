// The links of a headless host as the engine knows them: the host keeps them, the contract gives them to admins.

import type { AnnotatorLink, Role } from '../contract/annotators.ts';
import { Refusal } from '../shared/errors.ts';

/** What a host that has links can do with them. The owner's own link is none of them. */
export interface LinkKeeper {
  list(): readonly AnnotatorLink[];
  /** A new link; the one the person had before stops working. */
  give(annotator: string, role: Role): void;
  /** False when the person has none. */
  revoke(annotator: string): boolean;
}

/** @throws Refusal `links-none` where the host has no links. */
export function keeperOf(keeper: LinkKeeper | undefined): LinkKeeper {
  if (keeper !== undefined) return keeper;
  throw new Refusal(
    'links-none',
    'This program serves nobody else, so there are no links to give.',
    'Start "rollscope serve" on this workspace, and give links there.',
  );
}
