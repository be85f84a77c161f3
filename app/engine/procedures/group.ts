// The group board: reads only.

import type { Procedures } from './base.ts';

/** The handlers of `group`. */
export function groupProcedures({ base, services }: Procedures) {
  const { screen } = services.threads;
  return {
    board: base.group.board.handler(({ input }) => screen.call('groupBoard', input)),
    divergence: base.group.divergence.handler(({ input }) => screen.call('groupDivergence', input)),
  };
}
