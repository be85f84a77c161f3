// Small files that the workspace does not know go through an import in batches: while one batch is written the next one is read.

import { MessageChannel } from 'node:worker_threads';
import type { ImportedFile } from '../../contract/records.ts';
import type { Limits } from '../../ingest/limits.ts';
import type { PlanLine } from '../threads/parser.ts';
import { factsOf, hashFile } from './file-facts.ts';
import { fileOf, partOf, withAlternatives } from './import-report.ts';
import type { ImportThreads } from './import-transfer.ts';
import type { SmallFile, SmallWritten } from './small-writes.ts';
import { draftOf } from './source-draft.ts';

/** Bytes up to which a file is small, its parts included. */
const smallBytes = 1024 * 1024;
/** A batch ends with the file that brings it to so many bytes, or files. */
const batchBytes = 2 * 1024 * 1024;
const batchFiles = 64;

/** A source of a plan whose file and parts are not in the workspace. */
export interface FreshSource {
  readonly line: PlanLine;
  readonly plan: number;
}

/** Bytes of a source with its parts. */
export function sizeOfLine({ size, parts }: PlanLine): number {
  return (size ?? 0) + parts.reduce((sum, part) => sum + (part.size ?? 0), 0);
}

/** Whether a source of a plan may go through a batch, if only the workspace does not know its files. */
export function isSmall(line: PlanLine): boolean {
  return line.refusal === null && line.size !== null && sizeOfLine(line) <= smallBytes;
}

/** Sources in batches, in their order. */
export function batchesOf(sources: readonly FreshSource[]): FreshSource[][] {
  const batches: FreshSource[][] = [];
  let bytes = 0;
  for (const source of sources) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= batchFiles || bytes >= batchBytes) {
      batches.push([source]);
      bytes = 0;
    } else last.push(source);
    bytes += sizeOfLine(source.line);
  }
  return batches;
}

export interface SmallRequest {
  readonly following: boolean;
  readonly limits: Partial<Limits>;
  readonly cancelFlag: Int32Array<SharedArrayBuffer>;
}

/** What became of one source; `files` is null for one that has to be read the usual way. */
export interface SmallResult {
  readonly source: FreshSource;
  readonly files: ImportedFile[] | null;
  readonly written: SmallWritten;
}

/** Reads one batch and hands it to the writer. @throws Refusal `cancelled`, and of the workspace; nothing is stored then. */
export async function importBatch(
  threads: ImportThreads,
  batch: readonly FreshSource[],
  { following, limits, cancelFlag }: SmallRequest,
): Promise<SmallResult[]> {
  const { port1, port2 } = new MessageChannel();
  const plan = batch[0]?.plan ?? 0;
  const indexes = batch.map(({ line }) => line.index);
  const reading = threads.parser.call(
    'readSmall',
    { plan, indexes, following, limits, cancel: cancelFlag, port: port1 },
    { transfer: [port1] },
  );
  const writing = Promise.all(batch.map(smallFile)).then((files) =>
    threads.writer.call('importSmall', { files, port: port2 }, { transfer: [port2] }),
  );
  const [read, written] = await Promise.allSettled([reading, writing]);
  // The reader's own refusal says more than what the writer saw of it.
  if (read.status === 'rejected') throw read.reason;
  if (written.status === 'rejected') throw written.reason;
  return batch.map((source, i) => {
    const own = written.value[i] ?? null;
    return { source, written: own, files: own === null ? null : filesOf(source, fileOf(own.row)) };
  });
}

/** Batches one after the other: the next one is read while one is written. Results are taken in order. */
export class Batches {
  readonly #import: (batch: readonly FreshSource[]) => Promise<SmallResult[]>;
  readonly #take: (result: SmallResult) => Promise<void>;
  /** Begun and not yet taken, the oldest first. */
  #running: Promise<SmallResult[]>[] = [];

  constructor(
    importOne: (batch: readonly FreshSource[]) => Promise<SmallResult[]>,
    take: (result: SmallResult) => Promise<void>,
  ) {
    this.#import = importOne;
    this.#take = take;
  }

  /** Begins a batch and ends the one before it. */
  async start(batch: readonly FreshSource[]): Promise<void> {
    const next = this.#import(batch);
    // Awaited later; a failure meanwhile must not count as unhandled.
    next.catch(() => undefined);
    this.#running.push(next);
    while (this.#running.length > 1) await this.#takeOldest();
  }

  /** Ends what is under way. */
  async end(): Promise<void> {
    while (this.#running.length > 0) await this.#takeOldest();
  }

  /** Waits for what is under way and forgets it: the import has failed. */
  async drop(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#running = [];
  }

  async #takeOldest(): Promise<void> {
    const [oldest] = this.#running;
    for (const result of (await oldest) ?? []) await this.#take(result);
    this.#running.shift();
  }
}

function filesOf({ line }: FreshSource, file: ImportedFile): ImportedFile[] {
  return [withAlternatives(file, line), ...line.parts.map(({ path, size }) => partOf(path, size, line))];
}

async function smallFile({ line }: FreshSource): Promise<SmallFile> {
  const facts = await factsOf(line.path);
  const [main, contentHash, parts] = await Promise.all([
    draftOf(line.path, facts, line),
    // A file that is gone meanwhile: the reader says so.
    facts.size === null ? null : hashFile(line.path, facts.size).catch(() => null),
    Promise.all(line.parts.map(async ({ path }) => draftOf(path, await factsOf(path), line))),
  ]);
  return { main, contentHash, parts, format: line.format?.id ?? '' };
}
