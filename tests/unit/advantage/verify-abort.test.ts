// A comparison ends when whoever asked for it is gone: the signal reaches the loop over rollouts, not only the reply.

import { describe, expect, it } from 'vitest';
import type { VerifyRequest } from '../../../app/contract/verify.ts';
import { verifyRollouts } from '../../../app/domain/advantage/verify/verify.ts';
import { verifyNow } from '../../../app/engine/advantages/verify-job.ts';
import type { ReaderApi } from '../../../app/engine/threads/reader.ts';
import type { ThreadClient } from '../../../app/engine/threads/rpc.ts';
import { Refusal } from '../../../app/shared/errors.ts';
import { fp32 } from './verify-batches.ts';
import { plants } from './verify-plants.ts';

/** A reader whose comparison of a planted batch calls `at` with the number of each checkpoint it passes. */
function readerOf(at: (checkpoint: number) => void): { work: ThreadClient<ReaderApi>; passed: () => number } {
  let passed = 0;
  const planted = plants[0]?.make(7, fp32);
  if (planted === undefined) throw new Error('a plant is expected');
  const call = (method: string, args: { cancel?: Int32Array }): Promise<unknown> => {
    if (method === 'rolloutIds') return Promise.resolve([1, 2]);
    return new Promise((resolve) => {
      resolve(
        verifyRollouts(planted.input, planted.logged, {
          checkpoint: () => {
            if (args.cancel !== undefined && Atomics.load(args.cancel, 0) !== 0)
              throw new Refusal('cancelled', 'The job was cancelled.');
            passed += 1;
            at(passed);
          },
        }),
      );
    });
  };
  // Boundary: a thread's generic `call` cannot be written as a plain function; only the two methods used are answered.
  return { work: { call } as unknown as ThreadClient<ReaderApi>, passed: () => passed };
}

const request: VerifyRequest = { rollouts: ['r-1', 'r-2'], critic: { kind: 'logged' } };

describe('verify.run', () => {
  it('stops at the next checkpoint after its caller aborted', async () => {
    const caller = new AbortController();
    const { work, passed } = readerOf((checkpoint) => {
      if (checkpoint === 5) caller.abort();
    });
    await expect(verifyNow(work, request, caller.signal)).rejects.toThrow('cancelled');
    expect(passed()).toBe(5);
  });

  it('does not begin for a caller that is gone already', async () => {
    const { work, passed } = readerOf(() => undefined);
    await expect(verifyNow(work, request, AbortSignal.abort())).rejects.toThrow('cancelled');
    expect(passed()).toBe(0);
  });

  it('runs to its end otherwise, and later aborts change nothing', async () => {
    const caller = new AbortController();
    const { work, passed } = readerOf(() => undefined);
    const { rollouts } = await verifyNow(work, request, caller.signal);
    caller.abort();
    expect(rollouts.length).toBeGreaterThan(1);
    expect(passed()).toBeGreaterThan(5);
  });
});
