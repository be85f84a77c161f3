// The lanes of the board as data: order, places on the common axis, where each parts from the reference. Pure.

import type { BoardMember } from '../../../app/contract/index.ts';
import { commonPrefix } from '../../../app/domain/group/divergence.ts';

/** What a lane is laid out by. */
export type Unit = 'steps' | 'tokens';
export type Order = 'reward' | 'import' | 'steps' | 'divergence';
export const orders: readonly Order[] = ['reward', 'divergence', 'steps', 'import'];

/** Length of a rollout in a unit. */
export function lengthOf(member: BoardMember, unit: Unit): number {
  return unit === 'steps' ? member.actions.length : member.tokens;
}

/** The rollout that the others are compared with when nobody chose one: the best reward, the first of equals. */
export function defaultReference(members: readonly BoardMember[]): BoardMember | undefined {
  let best: BoardMember | undefined;
  for (const member of members) {
    if (member.actions.length === 0) continue;
    if (best === undefined || (member.reward ?? -Infinity) > (best.reward ?? -Infinity)) best = member;
  }
  return best ?? members[0];
}

/** Members in an order; rewards from the largest, unknown ones last. Equal members stay in the order of import. */
export function ordered(
  members: readonly BoardMember[],
  order: Order,
  reference: BoardMember | undefined,
): BoardMember[] {
  switch (order) {
    case 'import':
      return [...members];
    case 'reward':
      return members.toSorted((a, b) => compareRewards(b.reward, a.reward));
    case 'steps':
      return members.toSorted((a, b) => b.actions.length - a.actions.length);
    case 'divergence': {
      const shared = (member: BoardMember): number =>
        reference === undefined ? 0 : commonPrefix(reference.actions, member.actions);
      return members.toSorted((a, b) => shared(b) - shared(a));
    }
  }
}

function compareRewards(a: number | null, b: number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return a - b;
}

/** Where a step begins, in the unit; `step` may be the length: the end. */
export function stepPlace(member: BoardMember, step: number, unit: Unit): number {
  if (unit === 'steps') return step;
  if (step >= member.actions.length) return member.tokens;
  const known = member.stepTokens[step];
  if (known !== null && known !== undefined) return known;
  // Without a place in the log the steps of a segment share its tokens.
  const segment = member.segments.find(({ index }) => index === member.stepSegments[step]);
  if (segment === undefined) return 0;
  const first = member.stepSegments.indexOf(segment.index);
  return segment.axisStart + ((step - first) / Math.max(1, segment.steps)) * segment.tokens;
}

/** A stretch of a lane that is one segment. */
export interface Stretch {
  readonly index: number;
  readonly kind: BoardMember['segments'][number]['kind'];
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  readonly tokens: number;
}

/** The segments of a lane in the unit; those that take no room are left out. */
export function stretchesOf(member: BoardMember, unit: Unit): Stretch[] {
  let step = 0;
  return member.segments.flatMap(({ index, kind, tokens, steps, axisStart }) => {
    const from = unit === 'steps' ? step : axisStart;
    const to = from + (unit === 'steps' ? steps : tokens);
    step += steps;
    return to > from ? [{ index, kind, from, to, steps, tokens }] : [];
  });
}

/** The sibling that a rollout is shown beside: the reference, or for the reference itself the one that goes along longest. */
export function partnerOf(
  member: BoardMember,
  reference: BoardMember | undefined,
  members: readonly BoardMember[],
): BoardMember | undefined {
  if (reference !== undefined && reference.id !== member.id) return reference;
  let best: { readonly other: BoardMember; readonly shared: number } | undefined;
  for (const other of members) {
    if (other.id === member.id) continue;
    const shared = commonPrefix(member.actions, other.actions);
    if (best === undefined || shared > best.shared) best = { other, shared };
  }
  return best?.other;
}

/** The item at which a rollout parts from another: its first step that differs, or its last where it ends before. */
export function partingItem(member: BoardMember, other: BoardMember | undefined): number | undefined {
  if (other === undefined) return undefined;
  const shared = commonPrefix(member.actions, other.actions);
  return member.stepItems[Math.min(shared, member.stepItems.length - 1)];
}
