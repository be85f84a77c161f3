// An oRPC link whose transport can come and go: calls made while there is none wait for the next one.

import type { ClientLink } from '@orpc/client';

export type RpcLink = ClientLink<Record<never, never>>;

export interface SwitchingLink {
  readonly link: RpcLink;
  /** Puts a transport in place, or takes it away with null. */
  set(link: RpcLink | null): void;
  /** Gives up: waiting and later calls are rejected with this error until a transport is set. */
  fail(error: Error): void;
}

interface Waiter {
  resolve(link: RpcLink): void;
  reject(error: unknown): void;
}

/** Creates the link, without a transport at first. */
export function createSwitchingLink(): SwitchingLink {
  let current: RpcLink | null = null;
  let failure: Error | null = null;
  const waiters = new Set<Waiter>();

  function ready(signal: AbortSignal | undefined): Promise<RpcLink> {
    if (current !== null) return Promise.resolve(current);
    if (failure !== null) return Promise.reject(failure);
    const { promise, resolve, reject } = Promise.withResolvers<RpcLink>();
    const waiter: Waiter = { resolve, reject };
    waiters.add(waiter);
    const abort = (): void => reject(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    return promise.finally(() => {
      waiters.delete(waiter);
      signal?.removeEventListener('abort', abort);
    });
  }

  return {
    link: {
      async call(path, input, options) {
        const link = await ready(options.signal);
        return link.call(path, input, options);
      },
    },
    set(link) {
      current = link;
      failure = null;
      if (link !== null) for (const waiter of waiters) waiter.resolve(link);
    },
    fail(error) {
      current = null;
      failure = error;
      for (const waiter of waiters) waiter.reject(error);
    },
  };
}
