// Takes in the review of somebody who worked apart, from a workspace or a file of labels, and says what came of it.

import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxSkipReasons, type TakenIn } from '../../contract/exchange.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import type { Services } from '../services.ts';
import { labelFileLines } from './label-files.ts';
import { importLabelLines } from './labels-import.ts';
import { mergeWorkspace } from './merge.ts';

/** The first bytes of every SQLite file (https://sqlite.org/fileformat2.html, 1.3). */
const sqliteHeader = 'SQLite format 3\0';

/**
 * Reads the file and appends what is new; the file is never changed.
 * @throws Refusal `file-unreadable`, or those of opening a workspace to read.
 */
export async function takeIn(services: Services, path: string): Promise<TakenIn> {
  const found = (await isSqlite(path)) ? await fromWorkspace(services, path) : await fromLabels(services, path);
  const { open: disputed } = await services.threads.screen.call('disputes', { open: true, start: 0, count: 1 });
  return { ...found, open: disputed };
}

async function fromWorkspace(services: Services, path: string): Promise<Omit<TakenIn, 'open'>> {
  const { skipped, imported, duplicates, schemas, queues, absent } = await mergeWorkspace(services, path);
  return {
    what: 'workspace',
    path,
    imported,
    duplicates,
    skipped: skipped.length,
    reasons: skipped.slice(0, maxSkipReasons).map(({ id, reason }) => ({ place: id, reason })),
    schemas,
    queues,
    absent,
  };
}

async function fromLabels(services: Services, path: string): Promise<Omit<TakenIn, 'open'>> {
  const name = basename(path);
  const { imported, duplicates, skipped } = await importLabelLines(services, labelFileLines(path, name), name);
  return {
    what: 'labels',
    path,
    imported,
    duplicates,
    skipped: skipped.length,
    reasons: skipped.slice(0, maxSkipReasons).map(({ line, reason }) => ({
      place: line === 0 ? 'the whole file' : `line ${line}`,
      reason,
    })),
    schemas: 0,
    queues: 0,
    absent: 0,
  };
}

async function isSqlite(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(sqliteHeader.length), 0, sqliteHeader.length, 0);
      return buffer.toString('latin1', 0, bytesRead) === sqliteHeader;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Refusal(
      'file-unreadable',
      `${path} cannot be read: ${messageOf(error)}.`,
      'Give the path of a workspace or of a file of labels on the machine where Rollscope runs.',
    );
  }
}
