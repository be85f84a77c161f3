// Shared by the database tests: workspaces in a temporary folder, complete drafts to vary, a whole import in one call.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { IngestEvent, ItemDraft, PartDraft, RolloutDraft, SegmentDraft } from '../../../app/contract/ingest.ts';
import { close, openReader, openWriter, type ReadDb, type WriteDb } from '../../../db/open.ts';
import { createIngestWriter } from '../../../db/queries/ingest-write.ts';
import { createSource, finishSource, type SourceDraft, type SourceOutcome } from '../../../db/queries/sources.ts';

const folders: string[] = [];
const connections: ReadDb[] = [];

afterEach(() => {
  for (const db of connections.splice(0)) db.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder that vanishes after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-db-'));
  folders.push(folder);
  return folder;
}

let template: string | undefined;

afterAll(() => {
  if (template !== undefined) rmSync(template, { recursive: true, force: true });
});

/** A new workspace open for writing: a copy of one that was made once, since creating one waits for the disk several times. */
export function newWorkspace(): WriteDb {
  if (template === undefined) {
    template = mkdtempSync(join(tmpdir(), 'rollscope-db-'));
    close(openWriter(join(template, 'empty.rollscope')));
  }
  const path = join(temporaryFolder(), 'test.rollscope');
  copyFileSync(join(template, 'empty.rollscope'), path);
  return track(openWriter(path));
}

/** A reader of the same workspace. */
export function readerOf(db: WriteDb): ReadDb {
  return track(openReader(db.path));
}

/** Closes the connection after the test. */
export function track<Db extends ReadDb>(db: Db): Db {
  connections.push(db);
  return db;
}

/** Closes a connection now, as the program does at its end. */
export function closeNow(db: ReadDb): void {
  connections.splice(connections.indexOf(db), 1);
  close(db);
}

export function rolloutDraft(change: Partial<RolloutDraft> & { key: string }): RolloutDraft {
  return { externalId: change.key, status: 'completed', reward: 1, ...change };
}

export function segmentDraft(change: Partial<SegmentDraft> & { index: number }): SegmentDraft {
  return { kind: 'execution', kindSource: 'declared', ...change };
}

function textPart(text: string): PartDraft {
  return { kind: 'text', text };
}

export function stepDraft(text: string, change: Partial<ItemDraft> = {}): ItemDraft {
  return { kind: 'step', role: 'assistant', parts: [textPart(text)], ...change };
}

export function inputDraft(text: string, change: Partial<ItemDraft> = {}): ItemDraft {
  return { kind: 'input', role: 'user', parts: [textPart(text)], ...change };
}

/** A rollout with one execution segment holding the given items. */
export function simpleRollout(change: Partial<RolloutDraft> & { key: string }, items: ItemDraft[] = []): IngestEvent[] {
  const { key } = change;
  return [
    { type: 'rollout', rollout: rolloutDraft(change) },
    { type: 'segment', rollout: key, segment: segmentDraft({ index: 0 }) },
    ...items.map((item): IngestEvent => ({ type: 'item', rollout: key, segment: 0, item })),
    { type: 'rolloutEnd', rollout: key, patch: {} },
  ];
}

export function sourceDraft(change: Partial<SourceDraft> = {}): SourceDraft {
  return {
    path: '/logs/a.jsonl',
    format: 'native',
    formatTitle: 'Native',
    size: 100,
    mtimeMs: 1_000,
    ...change,
  };
}

/** Opens a source and writes the events in batches, without ending it. */
export function beginImport(db: WriteDb, events: readonly IngestEvent[], change: Partial<SourceDraft> = {}): number {
  const draft = sourceDraft(change);
  const id = createSource(db, draft);
  const writer = createIngestWriter(db, id, { format: draft.format ?? 'native', path: draft.path });
  for (let i = 0; i < events.length; i += 50) db.transaction(() => writer.write(events.slice(i, i + 50)));
  writer.finish();
  return id;
}

/** A whole import. Gives the source's id. */
export function importEvents(
  db: WriteDb,
  events: readonly IngestEvent[],
  change: Partial<SourceDraft> = {},
  outcome: Partial<SourceOutcome> = {},
): number {
  const id = beginImport(db, events, change);
  finishSource(db, id, { status: 'imported', ...outcome });
  return id;
}

/** The refusal code that a function throws, or null when it does not throw. */
export function refusalOf(fn: () => unknown): { code: unknown; message: string; hint: unknown } | null {
  try {
    fn();
    return null;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return {
      code: 'code' in error ? error.code : undefined,
      message: error.message,
      hint: 'hint' in error ? error.hint : undefined,
    };
  }
}

/** Every row of every table as text, for "as it was before". Row ids that SQLite may hand out anew are part of it. */
export function dump(db: ReadDb): string {
  const tables = db.column<string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  );
  return JSON.stringify(
    tables.map((table) => [table, db.all<Record<string, unknown>>(`SELECT * FROM "${table}" ORDER BY 1, 2`)]),
    (_key, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value),
  );
}
