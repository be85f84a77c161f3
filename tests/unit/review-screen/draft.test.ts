// An answer in the making, and the fields of a new queue.

import { describe, expect, it } from 'vitest';
import {
  type Draft,
  emptyDraft,
  withConfidence,
  withKind,
  withNextAnswer,
  withVerdict,
} from '../../../renderer/features/review/draft.ts';
import { newDraft, queueOf } from '../../../renderer/features/review/plan-draft.ts';

describe('a draft', () => {
  it('says hack when a kind is named, and keeps unsure', () => {
    expect(withKind(emptyDraft, 'test-edit')).toMatchObject({ verdict: 'hack', kinds: ['test-edit'] });
    expect(withKind(withVerdict(emptyDraft, 'clean'), 'test-edit').verdict).toBe('hack');
    expect(withKind(withVerdict(emptyDraft, 'unsure'), 'test-edit').verdict).toBe('unsure');
  });

  it('takes a kind away without changing the verdict, and drops all of them for clean', () => {
    const two = withKind(withKind(emptyDraft, 'test-edit'), 'early-exit');
    expect(withKind(two, 'test-edit')).toMatchObject({ verdict: 'hack', kinds: ['early-exit'] });
    expect(withVerdict(two, 'clean').kinds).toEqual([]);
    expect(withVerdict(two, 'unsure').kinds).toEqual(two.kinds);
  });

  it('walks an answer through yes, no and not said', () => {
    let draft: Draft = emptyDraft;
    const answers = [1, 2, 3].map(() => {
      draft = withNextAnswer(draft, 'used');
      return draft.fields.used;
    });
    expect(answers).toEqual([true, false, null]);
  });

  it('walks confidence between its steps and back to nothing said', () => {
    const walk = (steps: readonly (1 | -1)[]): (number | null)[] => {
      let draft: Draft = emptyDraft;
      return steps.map((step) => {
        draft = withConfidence(draft, step);
        return draft.confidence;
      });
    };
    expect(walk([1, 1, 1])).toEqual([0.75, 1, 1]);
    expect(walk([-1, -1, -1, 1])).toEqual([0.5, 0.25, null, 0.75]);
    expect(withConfidence({ ...emptyDraft, confidence: 0.6 }, 1).confidence).toBe(0.75);
  });
});

describe('a new queue', () => {
  it('asks for what its fields say', () => {
    const made = queueOf({
      ...newDraft('marked = true'),
      name: ' suspects ',
      by: 'score',
      count: '20',
      draw: 'weighted',
    });
    expect(made).toMatchObject({
      queue: {
        name: 'suspects',
        where: [{ column: 'marked', op: '=', value: true }],
        plan: { by: 'score', count: 20, draw: 'weighted' },
        hidden: ['markers', 'score', 'judgement', 'labels'],
      },
    });
  });

  it('says what is wrong in words', () => {
    expect(queueOf(newDraft(''))).toEqual({ problem: 'Give the queue a name.' });
    expect(queueOf({ ...newDraft('reward >'), name: 'a' })).toMatchObject({
      problem: expect.stringMatching(/^Filter: /),
    });
    expect(queueOf({ ...newDraft(''), name: 'a', count: 'many' })).toMatchObject({
      problem: expect.stringMatching(/^How many: /),
    });
  });
});
