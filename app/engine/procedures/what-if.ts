// What-if: reads on the thread of the jobs, so that a whole training step never makes a screen wait; a caller that goes away stops it.

import type { Procedures } from './base.ts';

/** The handlers of `whatIf`. */
export function whatIfProcedures({ base, services }: Procedures) {
  const { screen, work } = services.threads;
  return {
    members: base.whatIf.members.handler(({ input }) => screen.call('whatIfMembers', input)),
    columns: base.whatIf.columns.handler(({ input }) => screen.call('whatIfColumns', input)),
    compare: base.whatIf.compare.handler(async ({ input, signal }) => {
      const cancel = new Int32Array(new SharedArrayBuffer(4));
      const stop = (): void => {
        Atomics.store(cancel, 0, 1);
      };
      if (signal?.aborted === true) stop();
      signal?.addEventListener('abort', stop, { once: true });
      try {
        return await work.call('whatIfCompare', { ...input, cancel });
      } finally {
        signal?.removeEventListener('abort', stop);
      }
    }),
  };
}
