// What every procedure starts from: refusals that cross the wire with their code, and the check of what may be written.
// An area with more than a line or two has a file beside this one: a function of `Procedures` that gives its handlers.

import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../contract/index.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import type { Services } from '../services.ts';

/** A refusal crosses the wire with its code and hint; a fault with its message, since both ends are one person's machine. */
function toWireError(error: unknown): ORPCError<string, unknown> {
  if (error instanceof ORPCError) return error;
  if (error instanceof Refusal) {
    const status = /-unknown$|-missing$/u.test(error.code) ? 404 : 422;
    return new ORPCError(error.code, {
      status,
      message: error.message,
      data: { code: error.code, hint: error.hint ?? null },
    });
  }
  return new ORPCError('INTERNAL_SERVER_ERROR', { message: messageOf(error), cause: error });
}

/** The builders of procedures: `base` may read, `writable` refuses while the workspace is open read-only. */
export function createProcedures(services: Services) {
  const base = implement(contract).use(async ({ next }) => {
    try {
      return await next();
    } catch (error) {
      throw toWireError(error);
    }
  });
  const writable = base.use(({ next }) => {
    if (services.options.readOnly === true) {
      throw new Refusal(
        'read-only',
        'This workspace is open read-only.',
        'Start the host without --read-only to change it.',
      );
    }
    return next();
  });
  return { base, writable, services };
}
export type Procedures = ReturnType<typeof createProcedures>;
