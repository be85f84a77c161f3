// A file of advantages that is taken away in parts: the reader waits until the last part was fetched, so that what a slow
// connection has not taken yet does not pile up. A file that nobody reads on is closed.

import { randomBytes } from 'node:crypto';
import type { ExportPart } from '../contract/run-sets.ts';
import { Refusal } from '../shared/errors.ts';
import { type AdvantagesExport, exportAdvantages } from './advantages/export-advantages.ts';
import type { Threads } from './services.ts';

/** A part is sent when it holds so many bytes. */
const partBytes = 2 * 1024 * 1024;
const idleMs = 120_000;
/** Files that may be open at once. */
const mostOpen = 8;

interface Session {
  next(): Promise<ExportPart>;
  close(): void;
}

/** The open files of one engine. */
export class ExportSessions {
  readonly #threads: Threads;
  readonly #open = new Map<string, Session>();

  constructor(threads: Threads) {
    this.#threads = threads;
  }

  /** Starts one and gives its id. Refuses `exports-open` when there are too many. */
  open(request: Omit<AdvantagesExport, 'write' | 'onRollout'>): string {
    if (this.#open.size >= mostOpen) {
      throw new Refusal('exports-open', `${mostOpen} exports are open.`, 'Wait for one to end, or close its window.');
    }
    const id = `x-${randomBytes(9).toString('base64url')}`;
    this.#open.set(
      id,
      startSession(this.#threads, request, () => this.#open.delete(id)),
    );
    return id;
  }

  /** The next part. Refuses `export-unknown`, and with what the export itself refuses with. */
  next(id: string): Promise<ExportPart> {
    const session = this.#open.get(id);
    if (session !== undefined) return session.next();
    throw new Refusal('export-unknown', 'This export was closed.', 'Start it again.');
  }

  /** False when it was closed already. */
  close(id: string): boolean {
    const session = this.#open.get(id);
    session?.close();
    return session !== undefined;
  }
}

function startSession(
  threads: Threads,
  request: Omit<AdvantagesExport, 'write' | 'onRollout'>,
  onEnd: () => void,
): Session {
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  let closed = false;
  const soFar = { rollouts: 0, rows: 0, stale: 0, total: 0 };
  // One side waits for the other: the export for a part to be taken, the caller for a part to be full or the last.
  let taken = Promise.withResolvers<void>();
  let ready = Promise.withResolvers<void>();
  let idle = setTimeout(close, idleMs);

  function close(): void {
    if (closed) return;
    closed = true;
    clearTimeout(idle);
    taken.resolve();
    ready.resolve();
    onEnd();
  }

  const ended = exportAdvantages(threads, {
    ...request,
    onRollout: (progress) => Object.assign(soFar, progress),
    async write(chunk) {
      chunks.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk);
      bytes += chunk.length;
      if (bytes < partBytes) return;
      ready.resolve();
      await taken.promise;
      if (closed) throw new Refusal('cancelled', 'The export was closed.');
    },
  }).finally(() => ready.resolve());
  let last = false;
  ended.then(
    () => {
      last = true;
    },
    // The caller of `next` is told; an export that nobody asks for any more may fail in silence.
    () => undefined,
  );

  return {
    close,
    async next() {
      clearTimeout(idle);
      await ready.promise;
      if (closed) throw new Refusal('export-unknown', 'This export was closed.', 'Start it again.');
      if (bytes < partBytes) {
        try {
          await ended;
        } catch (error) {
          close();
          throw error;
        }
      }
      const part = { base64: Buffer.concat(chunks).toString('base64'), ...soFar, last };
      chunks = [];
      bytes = 0;
      if (last) close();
      else {
        const release = taken;
        taken = Promise.withResolvers();
        ready = Promise.withResolvers();
        idle = setTimeout(close, idleMs);
        release.resolve();
      }
      return part;
    },
  };
}
