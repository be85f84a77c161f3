// Who calls, and what they may do. A connection of the headless host carries the identity of its link; every other one is the
// machine's own user, who may do everything under the name that is set.

import { type Identity, type Role, roles } from '../contract/annotators.ts';
import type { JobRequest } from '../contract/jobs.ts';
import { Refusal } from '../shared/errors.ts';

/** What a transport says about a connection. Without an identity it is the owner's. */
export interface ConnectionContext {
  readonly identity?: { readonly annotator: string; readonly role: Role };
}

/** Who a connection is; `owner` is the name set on this machine. */
export function identityOf(context: ConnectionContext, owner: string): Identity {
  const { identity } = context;
  return identity === undefined
    ? { annotator: owner, role: 'admin', bound: false }
    : { annotator: identity.annotator, role: identity.role, bound: true };
}

/** Whether a role may do what another may. */
export function mayActAs(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/**
 * The least role of a procedure where it is not the default: reading needs a viewer, writing an admin. A new procedure that
 * writes is therefore closed to annotators until it is named here.
 */
const leastRoles: Readonly<Record<string, Role>> = {
  'labels.label': 'annotator',
  'labels.undo': 'annotator',
  'labels.redo': 'annotator',
  'review.next': 'annotator',
  'review.renew': 'annotator',
  'review.release': 'annotator',
  'review.decide': 'annotator',
  'review.create': 'adjudicator',
  'review.preview': 'adjudicator',
  'review.close': 'adjudicator',
  'review.entries': 'adjudicator',
  'review.disputes': 'adjudicator',
  'review.dispute': 'adjudicator',
  'exchange.exportLabels': 'adjudicator',
  'judge.exportJudgements': 'adjudicator',
  // A link is a person's way in.
  'annotators.links': 'admin',
  'annotators.link': 'admin',
  'annotators.revoke': 'admin',
  'review.adjudicate': 'adjudicator',
  'advantages.compute': 'annotator',
  'jobs.start': 'annotator',
  'jobs.cancel': 'annotator',
  // They read files of the host, as an import does.
  'imports.inspect': 'admin',
  'imports.preview': 'admin',
  // They show what no export of an annotator would.
  'imports.raw': 'adjudicator',
  'imports.asLogged': 'adjudicator',
  'workspace.setAnnotator': 'viewer',
};

/** Jobs that an annotator may start: they compute and change nothing that others rely on. */
const openJobs: readonly JobRequest['kind'][] = ['advantages', 'verify'];

/**
 * @param otherwise The least role of a procedure that has none of its own.
 * @throws Refusal `role-too-low`.
 */
export function checkRole(identity: Identity, path: readonly string[], otherwise: Role): void {
  const least = leastRoles[path.join('.')] ?? otherwise;
  if (!mayActAs(identity.role, least)) throw roleRefusal(identity, least);
}

/** @throws Refusal `role-too-low` when the role may not start such a job. */
export function checkJob(identity: Identity, kind: JobRequest['kind']): void {
  if (!openJobs.includes(kind) && identity.role !== 'admin') throw roleRefusal(identity, 'admin');
}

/** @throws Refusal `annotator-bound` when the connection's link names the annotator. */
export function checkUnbound({ annotator, bound }: Identity): void {
  if (!bound) return;
  throw new Refusal(
    'annotator-bound',
    `This link is ${annotator}'s: labels given here are ${annotator}'s.`,
    'Open the link of another annotator to label under another name.',
  );
}

function roleRefusal({ annotator, role }: Identity, least: Role): Refusal {
  return new Refusal(
    'role-too-low',
    `${annotator} is ${article(role)} ${role} here; this needs ${article(least)} ${least}.`,
    'Ask whoever started the server for a link with that role.',
  );
}

function article(role: Role): string {
  return role === 'viewer' ? 'a' : 'an';
}
