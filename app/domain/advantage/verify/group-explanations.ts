// What is wrong with a group's baseline, as an explanation of each of its members.

import { type Explanation, figure } from './explain.ts';
import { baselineLabel, type GroupReading, type Member, membersOf, readGroup } from './groups.ts';
import type { Trace } from './traces.ts';

/** Baselines of groups with an unexplained member. */
export function groupExplanations(traces: readonly Trace[], open: readonly Trace[]): Map<Trace, Explanation> {
  const found = new Map<Trace, Explanation>();
  for (const group of new Set(open.map((trace) => trace.group))) {
    const all = traces.filter((trace) => trace.group === group);
    const members = membersOf(all);
    if (members === null) continue;
    const rest = all.flatMap(({ tokens, input }) => (tokens === 0 && input.reward !== null ? [input.reward] : []));
    const reading = readGroup(members, rest);
    if (reading === null) continue;
    const explanation = explanationOf(reading, members, rest.length);
    for (const { trace } of members) found.set(trace, explanation);
  }
  return found;
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
    case 'member-not-logged':
      return {
        ...base,
        code: 'siblings-missing',
        when: `the group baseline (${baseline}) has ${reading.rewards.length} more member(s) than the log, with reward ${reading.rewards.map(figure).join(', ')}`,
        evidence: [
          `${baseline} over ${members.length + silent} logged and ${reading.rewards.length} unlogged members gives every advantage of the group.`,
        ],
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
