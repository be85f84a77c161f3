// Keeps the full-text index up with the workspace, in the background: short batches through the writer while no job runs, with
// pauses in between, so that a label waits for one batch at most and an import for none. Interrupted at any point it resumes
// where it was, since each batch and the index's reach are one transaction.

import type { SearchIndexState } from '../../contract/search.ts';
import { messageOf } from '../../shared/errors.ts';

/** Limits of a batch: what a label may have to wait for. */
export const batchLimits = { bytes: 262_144, milliseconds: 40 } as const;
/** Rest between batches as a share of a batch's time, for labels and for the machine. */
const restShare = 0.25;
const restMinMs = 2;

export interface IndexerOptions {
  /** Indexes one batch. */
  readonly batch: () => Promise<SearchIndexState>;
  /** Whether something more important is going on. */
  readonly busy: () => boolean;
  readonly log: (line: string) => void;
  /** Milliseconds from `wake` to the first batch: short commands end before. */
  readonly delayMs: number;
}

export class SearchIndexer {
  readonly #options: IndexerOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
  }

  /** There may be something to index: after the start and after each job. */
  wake(): void {
    if (this.#stopped || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#running = this.#run().finally(() => {
        this.#running = undefined;
      });
    }, this.#options.delayMs);
    this.#timer.unref();
  }

  /** Indexes all there is now, without pauses. `onProgress` is told after each batch; stops between batches on `signal`. */
  async complete(onProgress?: (state: SearchIndexState) => void, signal?: AbortSignal): Promise<void> {
    while (!this.#stopped && signal?.aborted !== true) {
      const state = await this.#options.batch();
      onProgress?.(state);
      if (state.indexed >= state.total) return;
    }
  }

  /** Ends after the batch that runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Until everything is indexed or a job starts, whose end wakes it again. */
  async #run(): Promise<void> {
    try {
      while (!this.#stopped && !this.#options.busy()) {
        const before = performance.now();
        const state = await this.#options.batch();
        if (state.indexed >= state.total) return;
        const rest = Math.max(restMinMs, (performance.now() - before) * restShare);
        await new Promise((resolve) => setTimeout(resolve, rest));
      }
    } catch (error) {
      // Searching works without it; the next job's end tries again.
      if (!this.#stopped) this.#options.log(`The search index could not be brought up to date: ${messageOf(error)}`);
    }
  }
}
