// Who works on a workspace: named profiles, and the role that a connection has. Roles are enforced by the engine.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableString } from './records.ts';

/**
 * `viewer` reads. `annotator` also labels and works on queues. `adjudicator` also makes and closes queues and decides
 * disputes. `admin` may do everything. Each role may do what the ones before it may.
 */
export const roles = ['viewer', 'annotator', 'adjudicator', 'admin'] as const;
export type Role = (typeof roles)[number];

export const annotatorName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[^\p{Cc}:]*$/u, 'a name has no colon and no control characters');

/** A named profile of the workspace. */
export const annotatorProfile = z.object({
  name: z.string(),
  role: z.enum(roles),
  /** Labels in force. */
  labels: z.number(),
  lastAt: nullableString,
});
export type AnnotatorProfile = z.infer<typeof annotatorProfile>;

/** Who this connection is. */
export const identity = z.object({
  annotator: z.string(),
  role: z.enum(roles),
  /** The connection's link names the annotator: it cannot be switched. */
  bound: z.boolean(),
});
export type Identity = z.infer<typeof identity>;

/** A way into this host that is one person's. */
export const annotatorLink = z.object({ annotator: z.string(), role: z.enum(roles), url: z.string() });
export type AnnotatorLink = z.infer<typeof annotatorLink>;

/** The links of a headless host; `available` is false where there are none to give (the desktop, the command line). */
export const annotatorLinks = z.object({ available: z.boolean(), links: z.array(annotatorLink) });
export type AnnotatorLinks = z.infer<typeof annotatorLinks>;

export const annotatorsContract = {
  me: oc.output(identity),
  /** Everyone with a profile or a label, by name. */
  list: oc.output(z.array(annotatorProfile)),
  /** Adds a profile or changes its role. Switching to it is `workspace.setAnnotator`. */
  add: oc
    .input(z.object({ name: annotatorName, role: z.enum(roles).default('annotator') }))
    .output(z.array(annotatorProfile)),
  /** Takes a profile away. Labels stay: the ledger keeps the name. */
  remove: oc.input(z.object({ name: annotatorName })).output(z.array(annotatorProfile)),
  links: oc.output(annotatorLinks),
  /** A new link for somebody, with a profile; the one before stops working at once. Refusal `links-none`. */
  link: oc.input(z.object({ name: annotatorName, role: z.enum(roles).default('annotator') })).output(annotatorLinks),
  /** The person's link stops working and open windows are closed. The profile and the labels stay. */
  revoke: oc.input(z.object({ name: annotatorName })).output(annotatorLinks),
};
