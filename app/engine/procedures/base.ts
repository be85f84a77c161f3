// What every procedure starts from: refusals that cross the wire with their code, and the check of what may be written.
// An area with more than a line or two has a file beside this one: a function of `Procedures` that gives its handlers.

import { implement, ORPCError } from '@orpc/server';
import { contract } from '../../contract/index.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { type ConnectionContext, checkRole, identityOf } from '../access.ts';
import { blindRefusal, isBlindable, tellsAtAll } from '../blindfold.ts';
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

/**
 * The builders of procedures: `base` may read, `writable` refuses while the workspace is open read-only. Both know who calls
 * (`context.me`), check the role, and refuse what an annotator with items of a blind queue must not learn.
 */
export function createProcedures(services: Services) {
  const named = implement(contract)
    .$context<ConnectionContext>()
    .use(async ({ context, path, next }, input) => {
      try {
        const me = identityOf(context, services.annotator());
        if (isBlindable(me) && tellsAtAll(path, input) && (await services.blind(me)).size > 0) throw blindRefusal();
        return await next({ context: { me } });
      } catch (error) {
        throw toWireError(error);
      }
    });
  const base = named.use(({ context, path, next }) => {
    checkRole(context.me, path, 'viewer');
    return next();
  });
  const writable = named.use(({ context, path, next }) => {
    checkRole(context.me, path, 'admin');
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
