// When the indexer works and when it rests.

import { describe, expect, it, vi } from 'vitest';
import { SearchIndexer } from '../../../app/engine/search/search-index.ts';

describe('the indexer', () => {
  it('waits while a job runs, and goes on when woken at its end', async () => {
    let busy = false;
    let indexed = 0;
    const indexer = new SearchIndexer({
      batch: () => {
        indexed += 1;
        busy = indexed === 3;
        return Promise.resolve({ indexed, total: 6 });
      },
      busy: () => busy,
      log: (line) => {
        throw new Error(line);
      },
      delayMs: 0,
    });
    indexer.wake();
    await vi.waitFor(() => expect(indexed).toBe(3));
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(indexed).toBe(3);
    busy = false;
    indexer.wake();
    await vi.waitFor(() => expect(indexed).toBe(6));
    await indexer.stop();
  });

  it('says what went wrong and tries again when woken', async () => {
    const said: string[] = [];
    let calls = 0;
    const indexer = new SearchIndexer({
      batch: () => {
        calls += 1;
        return calls === 1 ? Promise.reject(new Error('disk full')) : Promise.resolve({ indexed: 1, total: 1 });
      },
      busy: () => false,
      log: (line) => said.push(line),
      delayMs: 0,
    });
    indexer.wake();
    await vi.waitFor(() => expect(said).toHaveLength(1));
    expect(said[0]).toContain('disk full');
    indexer.wake();
    await vi.waitFor(() => expect(calls).toBe(2));
    await indexer.stop();
  });
});
