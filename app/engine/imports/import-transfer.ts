// One source from the parser thread to the writer thread, joined by a port of their own.

import { MessageChannel } from 'node:worker_threads';
import type { Checkpoint } from '../../contract/ingest.ts';
import type { Limits } from '../../ingest/limits.ts';
import { Refusal } from '../../shared/errors.ts';
import type { ParserApi, ReadSource } from '../threads/parser.ts';
import type { ThreadClient } from '../threads/rpc.ts';
import type { WriterApi } from '../threads/writer.ts';

export interface ImportThreads {
  readonly parser: ThreadClient<ParserApi>;
  readonly writer: ThreadClient<WriterApi>;
}

/** How far a source is: bytes read, rows written, alerts so far; and the rollouts (row ids) just completed. */
export interface TransferProgress {
  readonly bytes?: number;
  readonly rows?: number;
  readonly alerts?: number;
  readonly closed?: readonly number[];
}

export interface TransferRequest {
  readonly sourceId: number;
  readonly path: string;
  readonly format: string;
  readonly source: ReadSource;
  /** Where reading goes on; null for a source that is read from the start. */
  readonly from: Checkpoint | null;
  readonly following: boolean;
  readonly limits: Partial<Limits>;
  readonly cancelFlag: Int32Array<SharedArrayBuffer>;
  onProgress(progress: TransferProgress): void;
}

/**
 * Reads a source and writes what it gives. Ends when both threads have; gives the bytes read.
 * @throws Refusal of the reader, or of the workspace (`disk-full`), and `cancelled`.
 */
export async function transfer(threads: ImportThreads, request: TransferRequest): Promise<{ bytes: number }> {
  const { port1, port2 } = new MessageChannel();
  const { sourceId, path, format, source, from, following, limits, cancelFlag, onProgress } = request;
  const writing = threads.writer.call(
    'ingest',
    { sourceId, format, path, grows: from !== null, port: port2 },
    { transfer: [port2], onEvent: (event) => isCounts(event) && onProgress(event) },
  );
  const reading = threads.parser.call(
    'read',
    { source, from, following, limits, cancel: cancelFlag, port: port1 },
    { transfer: [port1], onEvent: (event) => isBytes(event) && onProgress(event) },
  );
  const [written, read] = await Promise.allSettled([writing, reading]);
  // The reader's own refusal says more than what the writer saw of it; a stopped writer is the cause of its own.
  if (read.status === 'rejected' && !(read.reason instanceof Refusal && read.reason.code === 'writer-stopped'))
    throw read.reason;
  if (written.status === 'rejected') throw written.reason;
  return { bytes: written.value.bytes };
}

function isCounts(event: unknown): event is { rows: number; alerts: number; closed: number[] } {
  return typeof event === 'object' && event !== null && 'rows' in event && 'alerts' in event && 'closed' in event;
}
function isBytes(event: unknown): event is { bytes: number } {
  return typeof event === 'object' && event !== null && 'bytes' in event;
}
