// Task contracts: what a task forbids and grants, and its edits. An edit scores the task's rollouts anew.

import type { Procedures } from './base.ts';

/** The handlers of `taskContracts`. */
export function taskContractProcedures({ base, writable, services }: Procedures) {
  const { screen, writer } = services.threads;
  return {
    get: base.taskContracts.get.handler(({ input }) => screen.call('taskContract', input)),
    set: writable.taskContracts.set.handler(async ({ input, context }) => {
      const { task, rollouts } = await screen.call('taskRollouts', { rollout: input.rollout });
      const { contract, version: seen } = input;
      await writer.call('editContract', { task, contract, seen, annotator: context.me.annotator });
      const job = services.jobs.start({ kind: 'scan', rollouts });
      return { ...(await screen.call('taskContract', { rollout: input.rollout })), job };
    }),
  };
}
