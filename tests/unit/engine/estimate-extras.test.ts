// What kept fields of a log add to an estimator's input: names of several trainers, gaps between segments, odd shapes.

import { describe, expect, it } from 'vitest';
import { extrasOf } from '../../../app/engine/advantages/estimate-extras.ts';

const of = (rollout: unknown, segments: readonly unknown[] = []) =>
  extrasOf({ rollout: JSON.stringify(rollout), segments: segments.map((one) => JSON.stringify(one)) });

describe('kept fields', () => {
  it('give the greedy reward and the learner version wherever trainers put them', () => {
    expect(of({ reward: { terminal: 1, greedy: 0.25 } }).greedyReward).toBe(0.25);
    expect(of({ metadata: { greedy_reward: 0 } }).greedyReward).toBe(0);
    expect(of({ learner_version: 12 }).learnerVersion).toBe(12);
    expect(of({ metadata: { learner_version: '7' } }).learnerVersion).toBe(7);
    expect(of({ learner_version: 'main' })).toMatchObject({ greedyReward: null, learnerVersion: null });
  });

  it('give spans of incorrect actions by segment', () => {
    const { incorrectSpans } = of({}, [{ metadata: { incorrect_spans: [[1, 4], 'x', [2]] } }, {}]);
    expect(incorrectSpans).toEqual([[[1, 4]], null]);
  });

  it('tell a missing sibling from positions and from tokens that are announced', () => {
    const at = (...indices: number[]) =>
      of(
        {},
        indices.map((i) => ({ metadata: { segment_index: i } })),
      ).siblingsMissing;
    expect([at(0, 1, 2), at(1, 2), at(0, 2), at(2, 3), at(0, 0, 1)]).toEqual([false, false, true, true, true]);
    const last = (tokens: number) =>
      of({}, [
        { train_metadata: { future_optimized_tokens: 9 } },
        { train_metadata: { future_optimized_tokens: tokens } },
      ]);
    expect([last(0).siblingsMissing, last(5).siblingsMissing]).toEqual([false, true]);
    expect(of({}, [{ segment_index: 3 }, {}]).siblingsMissing).toBe(false);
  });

  it('of any other shape count as absent', () => {
    const nothing = { greedyReward: null, learnerVersion: null, siblingsMissing: false };
    for (const odd of [null, 7, [], 'text', { metadata: 3, reward: [1] }])
      expect(of(odd, [odd])).toMatchObject(nothing);
    expect(extrasOf({ rollout: '{', segments: [null] })).toMatchObject(nothing);
  });
});
