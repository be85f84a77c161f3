// Baselines of groups that the log has only in part: a lone member, a sibling without a reward, no reward at all.

import { describe, expect, it } from 'vitest';
import { type LoggedRollout, verifyRollouts } from '../../../app/domain/advantage/verify/verify.ts';
import { rollout, segment } from './build.ts';

interface Row {
  readonly id: string;
  readonly group: string;
  readonly reward: number | null;
  /** The advantage of all its tokens; null where nothing is logged. */
  readonly advantage: number | null;
  readonly segments?: number;
}

function verified(rows: readonly Row[]) {
  const input = {
    rollouts: rows.map(({ id, group, reward, advantage, segments = 1 }) =>
      rollout(advantage === null ? [] : Array.from({ length: segments }, () => segment('..aaaa.aa')), {
        id,
        groupId: group,
        reward,
      }),
    ),
  };
  const logged = rows.map(({ advantage, segments = 1 }): LoggedRollout => {
    if (advantage === null) return { segments: [] };
    const column = [0, 0, 1, 1, 1, 1, 0, 1, 1].map((m) => m * advantage);
    return { segments: Array.from({ length: segments }, () => ({ advantages: column })) };
  });
  return new Map(verifyRollouts(input, logged).map((one) => [one.id, one]));
}

/** A group whose centred rewards are logged: what the batch follows. */
const whole: readonly Row[] = [
  { id: 'a', group: 'whole', reward: 1, advantage: 0.5 },
  { id: 'b', group: 'whole', reward: 0, advantage: -0.5 },
];

describe('a group of which one member is logged', () => {
  it('misses its siblings when its advantage is not what it has alone, at half confidence', () => {
    const lone: Row = { id: 'c', group: 'lone', reward: 1, advantage: 0.5 };
    const found = verified([...whole, lone]);
    expect(found.get('a')?.diagnosis.code).toBe('clean');
    const { code, sentence, confidence, evidence } = found.get('c')?.diagnosis ?? {};
    expect([code, confidence]).toEqual(['siblings-missing', 0.5]);
    expect(sentence).toContain('the group baseline (center) has 1 more member than the log, with reward 0');
    expect(evidence?.join(' ')).toContain('one number fits many groups');
  });

  it('has a sibling without a reward that was counted as 0', () => {
    const found = verified([
      ...whole,
      { id: 'c', group: 'crashed', reward: 1, advantage: 0.5, segments: 3 },
      { id: 'd', group: 'crashed', reward: null, advantage: null },
    ]);
    const { code, sentence } = found.get('c')?.diagnosis ?? {};
    expect(code).toBe('siblings-missing');
    expect(sentence).toContain('counts d, which has no reward in the log, with reward 0');
    expect(found.get('d')?.diagnosis.code).toBe('not-logged');
  });

  it('is still a normaliser where the number is one over something, and nothing follows a group', () => {
    const { code, sentence } =
      verified([{ id: 'c', group: 'lone', reward: 1, advantage: 1 / 6 }]).get('c')?.diagnosis ?? {};
    expect(code).toBe('normaliser-per-rollout');
    expect(sentence).toContain('one over its trainable tokens');
  });
});

it('says that there is nothing to recompute from without a reward', () => {
  const found = verified([{ id: 'a', group: 'g', reward: null, advantage: 0.5 }]).get('a');
  expect([found?.status, found?.diagnosis.evidence]).toEqual(['refused', ['reward_missing']]);
  expect(found?.diagnosis.sentence).toContain('No reward is logged');
});
