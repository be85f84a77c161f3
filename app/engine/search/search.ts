// Searching from the engine's side: a reader thread of its own, started by the first search, so that neither screens nor jobs
// wait for it; a search runs there in short slices, and stops when nobody reads its updates any more.

import type { SearchIndexState, SearchRequest, SearchUpdate } from '../../contract/search.ts';
import type { ReaderApi } from '../threads/reader.ts';
import type { ThreadClient } from '../threads/rpc.ts';

/** Milliseconds of one slice: a cancelled search stops within it. */
const sliceMs = 45;
/** Updates without new hits are sent this often. */
const quietMs = 100;

export interface Search {
  /** Opens a search and streams its updates. Rejects at once when the filter is refused. */
  texts(request: SearchRequest, signal: AbortSignal | undefined): Promise<AsyncGenerator<SearchUpdate>>;
  /** How far the index is. */
  state(): Promise<SearchIndexState>;
  close(): Promise<void>;
}

/** A searcher whose thread `start` starts when it is first needed. */
export function createSearch(start: () => ThreadClient<ReaderApi>): Search {
  let thread: ThreadClient<ReaderApi> | undefined;
  function reader(): ThreadClient<ReaderApi> {
    thread ??= start();
    return thread;
  }

  async function* updates(session: number, signal: AbortSignal | undefined): AsyncGenerator<SearchUpdate> {
    try {
      let lastSent = 0;
      while (signal?.aborted !== true) {
        const update = await reader().call('searchNext', { session, milliseconds: sliceMs });
        const now = performance.now();
        const news = update.hits.length > 0 || update.rollouts.length > 0 || update.finished;
        if (news || now - lastSent > quietMs) {
          lastSent = now;
          yield update;
        }
        if (update.finished) return;
      }
    } finally {
      // The thread may have ended with the engine.
      await reader()
        .call('searchClose', { session })
        .catch(() => undefined);
    }
  }

  return {
    async texts(request, signal) {
      const { session } = await reader().call('searchOpen', request);
      return updates(session, signal);
    },
    state: () => reader().call('searchState', undefined),
    close: async () => thread?.close(),
  };
}
