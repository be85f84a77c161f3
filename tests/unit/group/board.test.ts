// The board as data: order of lanes, places on the axis, partners, and the flags in words.

import { describe, expect, it } from 'vitest';
import type { BoardMember, GroupBoard } from '../../../app/contract/index.ts';
import { flagsOf, versionsBehind, versionText } from '../../../renderer/features/group/flags.ts';
import {
  defaultReference,
  lengthOf,
  ordered,
  partingItem,
  partnerOf,
  stepPlace,
  stretchesOf,
} from '../../../renderer/features/group/lanes.ts';

function member(id: string, rest: Partial<BoardMember> = {}): BoardMember {
  return {
    id,
    externalId: id,
    reward: 1,
    status: 'completed',
    statusDetail: null,
    model: null,
    trainingStep: 1,
    excludedFromLoss: false,
    score: null,
    marked: false,
    label: null,
    tokens: 0,
    trainable: 0,
    tokensEstimated: false,
    weightVersions: [],
    segments: [],
    actions: [],
    stepItems: [],
    stepSegments: [],
    stepTokens: [],
    markers: [],
    ...rest,
  };
}

function board(members: BoardMember[], rest: Partial<GroupBoard> = {}): GroupBoard {
  return { group: 'g-1', title: 'g', run: null, trainingStep: 1, task: null, members, newestVersion: null, ...rest };
}

const a = member('a', { reward: 0, actions: [1, 2, 3], stepItems: [1, 2, 4] });
const b = member('b', { reward: 1, actions: [1, 2, 9, 10], stepItems: [1, 3, 5, 6] });
const c = member('c', { reward: null, actions: [1, 20], stepItems: [0, 2] });
const d = member('d', { reward: 1, actions: [] });
const all = [a, b, c, d];
const ids = (members: readonly BoardMember[]) => members.map(({ id }) => id).join('');

describe('lanes', () => {
  it('stand in the order asked for; unknown rewards last', () => {
    expect(ids(ordered(all, 'reward', b))).toBe('bdac');
    expect(ids(ordered(all, 'import', b))).toBe('abcd');
    expect(ids(ordered(all, 'steps', b))).toBe('bacd');
    expect(ids(ordered(all, 'divergence', b))).toBe('bacd');
  });

  it('are compared with the best reward that did anything, and the best with whom it goes along longest', () => {
    expect(defaultReference(all)?.id).toBe('b');
    expect(defaultReference([])).toBeUndefined();
    expect(defaultReference([d])?.id).toBe('d');
    expect(partnerOf(a, b, all)?.id).toBe('b');
    expect(partnerOf(b, b, all)?.id).toBe('a');
    expect(partnerOf(b, b, [b])).toBeUndefined();
  });

  it('open where they part, or at their end when they ended before', () => {
    expect(partingItem(b, a)).toBe(5);
    expect(partingItem(a, member('x', { actions: [1, 2, 3, 4] }))).toBe(4);
    expect(partingItem(d, b)).toBeUndefined();
    expect(partingItem(b, undefined)).toBeUndefined();
  });

  it('have places in steps and in tokens, between the segment’s ends where the log is silent', () => {
    const one = member('one', {
      tokens: 130,
      actions: [1, 2, 3, 4],
      stepSegments: [0, 0, 1, 1],
      stepTokens: [10, null, null, null],
      segments: [
        { index: 0, kind: 'execution', tokens: 100, trainable: 0, steps: 2, axisStart: 0 },
        { index: 1, kind: 'summary', tokens: 30, trainable: 0, steps: 2, axisStart: 100 },
      ],
    });
    expect([0, 1, 2, 3, 4].map((step) => stepPlace(one, step, 'tokens'))).toEqual([10, 50, 100, 115, 130]);
    expect(stepPlace(one, 3, 'steps')).toBe(3);
    expect(stretchesOf(one, 'steps').map(({ from, to }) => [from, to])).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(stretchesOf(one, 'tokens').map(({ from, to }) => [from, to])).toEqual([
      [0, 100],
      [100, 130],
    ]);
    expect([lengthOf(one, 'steps'), lengthOf(one, 'tokens')]).toEqual([4, 130]);
  });
});

describe('flags', () => {
  const words = (group: GroupBoard) => flagsOf(group).map(({ word }) => word);

  it('tell where siblings first part, and that a reward is unknown', () => {
    const flags = flagsOf(board(all));
    expect(flags.map(({ word }) => word)).toEqual(['reward unknown', 'first divergence']);
    expect(flags[1]?.text).toContain('1 step alike and part at step 2');
  });

  it('tell zero variance, a group of one, and that nobody parts', () => {
    const same = [member('x', { actions: [1, 2] }), member('y', { actions: [1, 2] })];
    expect(words(board(same))).toEqual(['zero variance', 'no divergence']);
    expect(words(board([a]))).toEqual(['group of one']);
    expect(words(board([]))).toEqual([]);
  });

  it('tell mixed versions and how far they are behind', () => {
    const old = member('old', { reward: 0, weightVersions: ['9', '10'], model: 'm1' });
    const now = member('now', { weightVersions: ['12'], model: 'm2' });
    const flags = flagsOf(board([old, now], { newestVersion: 12 }));
    expect(flags.map(({ word }) => word)).toEqual(['mixed policy versions', 'stale', 'mixed models']);
    expect(flags[0]?.text).toContain('9, 10, 12');
    expect(flags[1]?.text).toContain('1 rollout up to 3 versions behind the newest (12)');
    expect([
      versionsBehind(old, 12),
      versionsBehind(now, 12),
      versionsBehind(a, 12),
      versionsBehind(old, null),
    ]).toEqual([3, 0, null, null]);
    expect([versionText(old, 12), versionText(now, 12), versionText(a, 12)]).toEqual(['v9–10, 3 behind', 'v12', '']);
  });
});
