// What is worth knowing of a group before comparing its members, in words.

import type { BoardMember, GroupBoard } from '../../../app/contract/index.ts';
import { hasNoVariance } from '../../../app/domain/group/conventions.ts';
import { commonToAll } from '../../../app/domain/group/divergence.ts';
import { formatNumber, plural } from '../../ui/format.ts';

export interface Flag {
  readonly id: string;
  readonly tone: 'neutral' | 'summary';
  readonly word: string;
  readonly text: string;
}

/** The flags of a board; the first divergence is always among them where there are two rollouts with steps. */
export function flagsOf(board: GroupBoard): Flag[] {
  const { members } = board;
  const flags: Flag[] = [];
  const known = members.flatMap(({ reward }) => (reward === null ? [] : [reward]));
  const unknown = members.length - known.length;
  const [first] = known;
  if (members.length === 1) {
    const text = 'there is no sibling to compare its reward with.';
    flags.push({ id: 'one', tone: 'summary', word: 'group of one', text });
  } else if (first !== undefined && hasNoVariance(known)) {
    const text = `all ${known.length} rewards are ${formatNumber(first)}: group baselines give every token advantage 0.`;
    flags.push({ id: 'variance', tone: 'summary', word: 'zero variance', text });
  }
  if (unknown > 0) {
    const text = `${plural(unknown, 'rollout')} of ${members.length}: baselines are over the others.`;
    flags.push({ id: 'unknown', tone: 'summary', word: 'reward unknown', text });
  }
  const versions = [...new Set(members.flatMap(({ weightVersions }) => weightVersions))];
  if (versions.length > 1) {
    const text = `sampled by weights ${versions.toSorted(naturally).join(', ')}: siblings are not from one policy.`;
    flags.push({ id: 'versions', tone: 'summary', word: 'mixed policy versions', text });
  }
  const stale = members.filter((member) => (versionsBehind(member, board.newestVersion) ?? 0) > 0);
  if (stale.length > 0) {
    const most = Math.max(...stale.map((member) => versionsBehind(member, board.newestVersion) ?? 0));
    const text = `${plural(stale.length, 'rollout')} up to ${plural(most, 'version')} behind the newest (${board.newestVersion ?? ''}) of the training step.`;
    flags.push({ id: 'stale', tone: 'summary', word: 'stale', text });
  }
  const models = [...new Set(members.flatMap(({ model }) => model ?? []))];
  if (models.length > 1) {
    flags.push({ id: 'models', tone: 'summary', word: 'mixed models', text: models.toSorted().join(', ') });
  }
  const acting = members.filter(({ actions }) => actions.length > 0);
  if (acting.length > 1) flags.push(divergenceFlag(acting));
  return flags;
}

function divergenceFlag(acting: readonly BoardMember[]): Flag {
  const common = commonToAll(acting.map(({ actions }) => actions));
  const alike = acting.every(({ actions }) => actions.length === common);
  const text = alike
    ? `all ${acting.length} take the same ${plural(common, 'step')}.`
    : common === 0
      ? 'they part at their first step.'
      : `they take ${plural(common, 'step')} alike and part at step ${common + 1}.`;
  return { id: 'divergence', tone: 'neutral', word: alike ? 'no divergence' : 'first divergence', text };
}

/** How many versions the oldest weights of a rollout are behind the newest; null where versions are not numbers. */
export function versionsBehind(member: BoardMember, newest: number | null): number | null {
  const numbers = member.weightVersions.map(Number);
  if (newest === null || numbers.length === 0 || !numbers.every(Number.isFinite)) return null;
  return newest - Math.min(...numbers);
}

/** `v3`, `v3–4, 1 behind`; empty where the log names no version. */
export function versionText(member: BoardMember, newest: number | null): string {
  const versions = member.weightVersions;
  const [first, last] = [versions[0], versions.at(-1)];
  if (first === undefined || last === undefined) return '';
  const behind = versionsBehind(member, newest) ?? 0;
  return `v${versions.length === 1 ? first : `${first}–${last}`}${behind > 0 ? `, ${behind} behind` : ''}`;
}

function naturally(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
