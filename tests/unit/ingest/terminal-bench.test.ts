import { describe, expect, it } from 'vitest';
import { readFixture } from './harness-support.ts';
import { kinds } from './support.ts';

describe('Terminal-Bench 1 results', () => {
  it('are siblings by task; how a trial ended is not whether it was resolved', async () => {
    const { rollouts, alerts } = await readFixture('terminal-bench', 'run.results.json');
    expect(rollouts.map(({ rollout }) => rollout)).toMatchObject([
      { groupId: 'dig-pond', attempt: 1, reward: 1, status: 'truncated', statusDetail: 'agent_timeout' },
      {
        groupId: 'dig-pond',
        attempt: 2,
        reward: 0,
        status: 'completed',
        rewardDetail: { tests: { test_depth: 'failed' } },
      },
      { groupId: 'dig-pond', attempt: 3, reward: null, status: 'failed' },
    ]);
    expect(rollouts.every(({ segments }) => segments.length === 0)).toBe(true);
    expect(rollouts[0]?.rollout.preview).toBe('Dig a pond.');
    expect(kinds(alerts)).toEqual(['record-unknown']);
  });
});
