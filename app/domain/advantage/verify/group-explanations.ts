// What is wrong with a group's baseline, as an explanation of each of its members.

import { type Explanation, figure } from './explain.ts';
import { normaliserWords } from './factors.ts';
import {
  type BaselineName,
  baselineLabel,
  baselines,
  type GroupReading,
  type Member,
  membersOf,
  readGroup,
  readSingle,
} from './groups.ts';
import type { Setting } from './settings.ts';
import type { Trace } from './traces.ts';

/** Baselines of groups with an unexplained member. `followed` is the setting of the rest of the batch. */
export function groupExplanations(
  traces: readonly Trace[],
  open: readonly Trace[],
  followed: Setting | null,
): Map<Trace, Explanation> {
  const found = new Map<Trace, Explanation>();
  for (const group of new Set(open.map((trace) => trace.group))) {
    const all = traces.filter((trace) => trace.group === group);
    const members = membersOf(all);
    if (members === null) continue;
    const rest = all.flatMap(({ tokens, input }) => (tokens === 0 && input.reward !== null ? [input.reward] : []));
    const unrewarded = all.flatMap(({ tokens, input, id }) => (tokens === 0 && input.reward === null ? [id] : []));
    const [only] = members;
    const reading =
      members.length > 1 || only === undefined
        ? readGroup(members, rest, unrewarded)
        : single(only, rest, unrewarded, followed);
    if (reading === null) continue;
    const explanation = explanationOf(reading, members, rest.length);
    for (const { trace } of members) found.set(trace, explanation);
  }
  return found;
}

/** The baseline that a setting is, as far as a group alone decides it. */
function baselineOf(setting: Setting | null): BaselineName | null {
  if (setting?.estimator !== 'group') return null;
  const { kind, ddof = 1, eps = 1e-6 } = setting.params;
  const known = baselines.find(
    (one) => one.kind === kind && (kind !== 'grpo' || (one.ddof === ddof && one.eps === eps)),
  );
  return known ?? null;
}

/**
 * A group of which one member is logged. One number has many readings, so it is taken for a group's advantage only where the
 * rest of the batch follows such a baseline, or where there is no critic and no count that it is one over.
 */
function single(
  member: Member,
  rest: readonly number[],
  unrewarded: readonly string[],
  followed: Setting | null,
): GroupReading | null {
  const { trace, logged, reward } = member;
  const baseline = baselineOf(followed);
  if (baseline !== null) return readSingle(member, rest, unrewarded, baseline);
  const critic = trace.segments.some(({ values }) => values !== null);
  if (critic || normaliserWords(trace, logged / reward) !== null) return null;
  return readSingle(member, rest, unrewarded, { kind: 'center', ddof: 1, eps: 0 });
}

function explanationOf(reading: GroupReading, members: readonly Member[], silent: number): Explanation {
  const baseline = baselineLabel(reading.baseline);
  const base = { discount: null, asNamed: true, fitted: 0, reference: null };
  switch (reading.kind) {
    case 'segments-counted': {
      const counts = members.map(({ trace }) => trace.segments.length).join(', ');
      const text = `${baseline} over segments (${counts} per member) has mean ${figure(reading.mean)} and gives every advantage of the group.`;
      return {
        ...base,
        code: 'siblings-counted-twice',
        when: `the group mean (${baseline}) counts every segment as a member`,
        evidence: [text],
      };
    }
    case 'member-left-out':
      return {
        ...base,
        code: 'siblings-missing',
        when: `${reading.left.join(' and ')} is left out of the group baseline (${baseline})`,
        evidence: [`${baseline} without ${reading.left.join(' and ')} gives every advantage of the group.`],
      };
    case 'member-not-logged': {
      const more = reading.rewards.length === 1 ? '1 more member' : `${reading.rewards.length} more members`;
      const lone =
        members.length + silent === 1
          ? [
              'The log has one member of this group, and one number fits many groups: look whether its siblings were imported, and whether the trainer groups by what the log calls a group.',
            ]
          : [];
      return {
        ...base,
        code: 'siblings-missing',
        ...(lone.length > 0 ? { atMost: 0.5 } : {}),
        when: `the group baseline (${baseline}) has ${more} than the log, with reward ${reading.rewards.map(figure).join(', ')}`,
        evidence: [
          `${baseline} over ${members.length + silent} logged and ${reading.rewards.length} unlogged members gives every advantage of the group.`,
          ...lone,
        ],
      };
    }
    case 'unrewarded-counted':
      return {
        ...base,
        code: 'siblings-missing',
        when: `the group baseline (${baseline}) counts ${reading.members.join(' and ')}, which has no reward in the log, with reward 0`,
        evidence: [`${baseline} with the missing reward taken as 0 gives every advantage of the group.`],
      };
    case 'normaliser':
      return {
        ...base,
        code: 'normaliser-per-rollout',
        when: `each rollout (${baseline}) is multiplied by ${reading.words}`,
        evidence: [`${baseline} times ${reading.words} gives every advantage of the group.`],
      };
  }
}
