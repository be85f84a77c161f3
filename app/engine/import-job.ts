// The import of files: plan, then one source after the other from the parser thread to the writer thread. A source comes
// into force when it is complete; a cancelled import removes everything it had brought in.

import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { MessageChannel } from 'node:worker_threads';
import type { SourceDraft } from '../../db/queries/sources.ts';
import type { ImportReport, SourceRow } from '../contract/imports.ts';
import type { ImportedFile } from '../contract/records.ts';
import type { Limits } from '../ingest/limits.ts';
import { messageOf, Refusal } from '../shared/errors.ts';
import type { JobContext } from './jobs.ts';
import type { ParserApi, PlanLine } from './threads/parser.ts';
import type { ThreadClient } from './threads/rpc.ts';
import type { WriterApi } from './threads/writer.ts';

export interface ImportThreads {
  readonly parser: ThreadClient<ParserApi>;
  readonly writer: ThreadClient<WriterApi>;
}

export interface ImportOptions {
  readonly paths: readonly string[];
  readonly format: string | null;
  readonly limits: Partial<Limits>;
}

interface FileFacts {
  readonly size: number | null;
  readonly mtimeMs: number | null;
}

/** What an import brought: its report, and the ids of the sources that are new. */
export interface Imported {
  readonly report: ImportReport;
  readonly sourceIds: readonly number[];
}

/**
 * Imports files, folders and patterns. Files that cannot be read are in the report, they do not stop the others.
 * @throws Refusal `cancelled` after everything this import had written was removed.
 */
export async function runImport(threads: ImportThreads, options: ImportOptions, job: JobContext): Promise<Imported> {
  const started = performance.now();
  job.progress({ phase: 'recognising', unit: 'files', done: 0, total: null });
  const nothingNew = options.format === null ? await unchangedFiles(threads, options.paths) : null;
  if (nothingNew !== null) return { report: reportOf(nothingNew, performance.now() - started), sourceIds: [] };
  const { plan, lines } = await threads.parser.call(
    'plan',
    { paths: options.paths, format: options.format, limits: options.limits, cancel: job.cancelFlag },
    { onEvent: (event) => isCount(event) && job.progress({ done: event.done, total: event.total }) },
  );
  const totalBytes = lines.reduce((sum, line) => sum + bytesOf(line), 0);
  const begun: number[] = [];
  const files: ImportedFile[] = [];
  const progress = { bytes: 0, rows: 0, alerts: 0 };
  try {
    job.progress({ phase: 'importing', unit: 'bytes', done: 0, total: totalBytes, rows: 0, alerts: 0 });
    for (const line of lines) {
      job.checkCancelled();
      const base = { ...progress };
      const report = (event: { bytes?: number; rows?: number; alerts?: number }): void => {
        if (event.bytes !== undefined) progress.bytes = base.bytes + event.bytes;
        if (event.rows !== undefined) progress.rows = base.rows + event.rows;
        if (event.alerts !== undefined) progress.alerts = base.alerts + event.alerts;
        job.progress({ done: progress.bytes, rows: progress.rows, alerts: progress.alerts });
      };
      files.push(...(await importSource(threads, plan, line, options, job, begun, report)));
      progress.bytes = base.bytes + bytesOf(line);
      job.progress({ done: progress.bytes, rows: progress.rows, alerts: progress.alerts });
    }
  } catch (error) {
    if (begun.length > 0) {
      job.progress({ phase: 'removing what was imported' });
      await threads.writer.call('discard', { sourceIds: begun });
    }
    throw error;
  } finally {
    await threads.parser.call('release', { plan });
  }
  return { report: reportOf(files, performance.now() - started), sourceIds: begun };
}

/** The report of an import that would change nothing, told without opening a single file; null when there may be news. */
async function unchangedFiles(threads: ImportThreads, paths: readonly string[]): Promise<ImportedFile[] | null> {
  const files = await threads.parser.call('survey', { paths });
  const known = files === null ? null : await threads.writer.call('allUnchanged', { files });
  return known?.map(unchangedFile) ?? null;
}

function unchangedFile(known: SourceRow): ImportedFile {
  return { ...fileOf(known), status: 'unchanged', message: 'Imported before; nothing changed.' };
}

async function importSource(
  threads: ImportThreads,
  plan: number,
  line: PlanLine,
  options: ImportOptions,
  job: JobContext,
  begun: number[],
  report: (event: { bytes?: number; rows?: number; alerts?: number }) => void,
): Promise<ImportedFile[]> {
  const main = await factsOf(line.path);
  if (line.refusal !== null) {
    const { message, hint } = line.refusal;
    return [fileOf(await threads.writer.call('refuse', { draft: draftOf(line.path, main, line), message, hint }))];
  }
  const parts = await Promise.all(line.parts.map(async ({ path }) => ({ path, facts: await factsOf(path) })));
  const known = await unchanged(threads.writer, line.path, main, parts);
  if (known !== null) return [unchangedFile(known)];

  const started = performance.now();
  const { sourceId } = await threads.writer.call('begin', {
    main: draftOf(line.path, main, line),
    parts: parts.map(({ path, facts }) => draftOf(path, facts, line)),
  });
  begun.push(sourceId);
  const hashing = line.path === '-' ? Promise.resolve(null) : hashFile(line.path);
  hashing.catch(() => undefined);
  try {
    const { bytes } = await transfer(threads, plan, line, sourceId, options, job, report);
    const outcome = {
      status: 'imported' as const,
      bytesRead: bytes,
      contentHash: await hashing,
      elapsedMs: performance.now() - started,
    };
    const row = await threads.writer.call('finish', { sourceId, outcome });
    return [fileOf(row), ...parts.map(({ path, facts }) => partOf(path, facts, line))];
  } catch (error) {
    if (error instanceof Refusal && error.code === 'cancelled') throw error;
    // Not cancelled: the file is at fault (or we are); keep why, and go on with the others.
    begun.splice(begun.indexOf(sourceId), 1);
    const outcome = {
      status: error instanceof Refusal && error.code !== 'reader-failed' ? ('refused' as const) : ('failed' as const),
      message: messageOf(error),
      hint: error instanceof Refusal ? (error.hint ?? null) : null,
      elapsedMs: performance.now() - started,
    };
    return [fileOf(await threads.writer.call('finish', { sourceId, outcome }))];
  }
}

/** Parser and writer at work on one source, joined by a port of their own. */
async function transfer(
  threads: ImportThreads,
  plan: number,
  line: PlanLine,
  sourceId: number,
  options: ImportOptions,
  job: JobContext,
  report: (event: { bytes?: number; rows?: number; alerts?: number }) => void,
): Promise<{ bytes: number }> {
  const { port1, port2 } = new MessageChannel();
  const writing = threads.writer.call(
    'ingest',
    { sourceId, format: line.format?.id ?? '', path: line.path, port: port2 },
    { transfer: [port2], onEvent: (event) => isCounts(event) && report(event) },
  );
  const reading = threads.parser.call(
    'read',
    { plan, index: line.index, limits: options.limits, cancel: job.cancelFlag, port: port1 },
    { transfer: [port1], onEvent: (event) => isBytes(event) && report(event) },
  );
  const [written, read] = await Promise.allSettled([writing, reading]);
  // The reader's own refusal says more than what the writer saw of it; a stopped writer is the cause of its own.
  if (read.status === 'rejected' && !(read.reason instanceof Refusal && read.reason.code === 'writer-stopped'))
    throw read.reason;
  if (written.status === 'rejected') throw written.reason;
  return { bytes: written.value.bytes };
}

async function unchanged(
  writer: ThreadClient<WriterApi>,
  path: string,
  main: FileFacts,
  parts: readonly { path: string; facts: FileFacts }[],
): Promise<SourceRow | null> {
  for (const part of parts) if ((await sameFile(writer, part.path, part.facts)) === null) return null;
  return sameFile(writer, path, main);
}

async function sameFile(writer: ThreadClient<WriterApi>, path: string, facts: FileFacts): Promise<SourceRow | null> {
  if (facts.size === null || facts.mtimeMs === null) return null;
  const known = await writer.call('unchanged', { path, size: facts.size, mtimeMs: facts.mtimeMs });
  if (known !== null) return known;
  // Only touched, or copied back: worth a look at the bytes when the size is the same.
  if (!(await writer.call('knowsSize', { path, size: facts.size }))) return null;
  return writer.call('sameContent', { path, hash: await hashFile(path), ...facts });
}

async function factsOf(path: string): Promise<FileFacts> {
  if (path === '-') return { size: null, mtimeMs: null };
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, mtimeMs };
  } catch {
    // The plan has said already what is wrong with the file.
    return { size: null, mtimeMs: null };
  }
}

async function hashFile(path: string): Promise<Uint8Array> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    // One buffer for the whole file: streams make a new one for every chunk.
    const buffer = new Uint8Array(Math.max(4_096, Math.min(1024 * 1024, (await file.stat()).size)));
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest();
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}

function draftOf(path: string, facts: FileFacts, line: PlanLine): SourceDraft {
  return {
    path,
    format: line.format?.id ?? null,
    formatTitle: line.format?.title ?? null,
    formatVersion: line.format?.version ?? null,
    confidence: line.confidence,
    reason: line.reason,
    size: facts.size,
    mtimeMs: facts.mtimeMs,
  };
}

function fileOf(row: SourceRow): ImportedFile {
  const { id: _id, importedAt: _importedAt, ...file } = row;
  return file;
}

/** A file whose records are counted with its main file. */
function partOf(path: string, facts: FileFacts, line: PlanLine): ImportedFile {
  return {
    path,
    format: line.format?.id ?? null,
    formatTitle: line.format?.title ?? null,
    formatVersion: null,
    reason: null,
    confidence: null,
    status: 'part',
    message: `Part of ${line.path}.`,
    hint: null,
    size: facts.size,
    rollouts: 0,
    segments: { execution: 0, summary: 0, subagent: 0, other: 0 },
    steps: 0,
    items: 0,
    tokens: 0,
    trainableTokens: 0,
    alerts: [],
  };
}

function reportOf(files: readonly ImportedFile[], elapsedMs: number): ImportReport {
  const sum = (of: (file: ImportedFile) => number): number => files.reduce((total, file) => total + of(file), 0);
  return {
    files: [...files],
    totals: {
      files: files.length,
      rollouts: sum((file) => file.rollouts),
      segments: {
        execution: sum((file) => file.segments.execution),
        summary: sum((file) => file.segments.summary),
        subagent: sum((file) => file.segments.subagent),
        other: sum((file) => file.segments.other),
      },
      steps: sum((file) => file.steps),
      tokens: sum((file) => file.tokens),
      trainableTokens: sum((file) => file.trainableTokens),
      alerts: sum((file) => file.alerts.reduce((total, alert) => total + alert.count, 0)),
      refused: files.filter((file) => file.status === 'refused').length,
      failed: files.filter((file) => file.status === 'failed').length,
    },
    elapsedMs,
  };
}

function bytesOf(line: PlanLine): number {
  return (line.size ?? 0) + line.parts.reduce((sum, part) => sum + (part.size ?? 0), 0);
}

function isCount(event: unknown): event is { done: number; total: number } {
  return typeof event === 'object' && event !== null && 'done' in event && 'total' in event;
}
function isCounts(event: unknown): event is { rows: number; alerts: number } {
  return typeof event === 'object' && event !== null && 'rows' in event && 'alerts' in event;
}
function isBytes(event: unknown): event is { bytes: number } {
  return typeof event === 'object' && event !== null && 'bytes' in event;
}
