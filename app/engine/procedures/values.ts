// Joined files of critic values: listing and taking them out. Joining is a job.

import type { Procedures } from './base.ts';

export function valuesProcedures({ base, writable, services }: Procedures) {
  const { screen, writer } = services.threads;
  return {
    list: base.values.list.handler(() => screen.call('valueSets', undefined)),
    remove: writable.values.remove.handler(async ({ input }) => ({
      removed: await writer.call('removeValueSet', input),
    })),
  };
}
