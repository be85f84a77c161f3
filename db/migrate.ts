// Migrations: numbered 1..N without gaps, one transaction each, a backup beside the workspace before the first of an existing
// one. The version stands in the file's `user_version`.

import { existsSync } from 'node:fs';
import { Refusal } from '../app/shared/errors.ts';
import type { WriteDb } from './connection.ts';

interface MigrationHead {
  /** 1, 2, 3... without gaps. */
  readonly version: number;
  /** A few words in kebab case, as in the file's name. */
  readonly name: string;
}

/** One step of the schema: SQL text, or a function for what SQL alone cannot do. Runs inside a transaction. */
export type Migration = MigrationHead & ({ readonly sql: string } | { up(db: WriteDb): void });

export interface MigrationReport {
  readonly from: number;
  readonly to: number;
  /** Path of the backup, or null where none was needed (a new workspace, nothing to do). */
  readonly backup: string | null;
}

/** The `user_version` of a connection's file. */
function schemaVersion(db: WriteDb): number {
  return db.value<number>('PRAGMA user_version') ?? 0;
}

/** Throws when versions are not exactly 1..N in order: a mistake of ours, found at once and not on a user's file. */
export function checkMigrations(list: readonly Migration[]): void {
  for (const [i, migration] of list.entries()) {
    if (migration.version !== i + 1) {
      throw new Error(
        `Migrations must be 1..N without gaps: number ${i + 1} in the list is version ${migration.version}.`,
      );
    }
  }
}

/**
 * Brings the file to the newest version. A file of a newer program is refused (`workspace-newer`) and not touched. When a
 * migration throws, its transaction is rolled back, earlier ones stay, and Refusal('migration-failed') names the backup.
 */
export function migrate(db: WriteDb, list: readonly Migration[]): MigrationReport {
  checkMigrations(list);
  const from = schemaVersion(db);
  const to = list.length;
  if (from > to) throw newerRefusal(db, from, to);
  if (from === to) return { from, to, backup: null };

  const backup = from === 0 ? null : backUp(db, from);
  // Rebuilding a table needs foreign keys off, which SQLite only allows outside a transaction; they are checked before commit.
  db.exec('PRAGMA foreign_keys = OFF');
  try {
    for (const migration of list.slice(from)) apply(db, migration, backup);
  } finally {
    db.exec('PRAGMA foreign_keys = ON');
  }
  return { from, to, backup };
}

function apply(db: WriteDb, migration: Migration, backup: string | null): void {
  try {
    db.transaction(() => {
      // Another process may have opened the same workspace at the same moment and been quicker.
      if (schemaVersion(db) >= migration.version) return;
      if ('sql' in migration) db.exec(migration.sql);
      else migration.up(db);
      const broken = db.all<{ table: string }>('PRAGMA foreign_key_check');
      const first = broken[0];
      if (first !== undefined) throw new Error(`${broken.length} rows of ${first.table} point to nothing`);
      db.exec(`PRAGMA user_version = ${migration.version}`);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(
      'migration-failed',
      `${db.path}: updating the workspace to version ${migration.version} (${migration.name}) failed: ${reason}.`,
      backup === null
        ? 'The workspace is as it was before. Please report this message.'
        : `The workspace is as it was before this step; a copy from before the update is at ${backup}. Please report this message.`,
    );
  }
}

/** Copies the whole workspace, compacted and consistent, to `<path>.backup-v<N>`; an earlier backup is never overwritten. */
function backUp(db: WriteDb, version: number): string {
  const base = `${db.path}.backup-v${version}`;
  let path = base;
  for (let n = 2; existsSync(path); n++) path = `${base}.${n}`;
  db.run('VACUUM INTO ?', path);
  return path;
}

function newerRefusal(db: WriteDb, found: number, known: number): Refusal {
  const hasSettings = db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'settings'") !== undefined;
  const writer = hasSettings ? db.value<string>("SELECT value FROM settings WHERE key = 'app_version'") : undefined;
  const by = writer === undefined ? 'a newer Rollscope' : `Rollscope ${writer}`;
  return new Refusal(
    'workspace-newer',
    `${db.path} was written by ${by}: its schema version is ${found}, this program knows up to ${known}.`,
    'Update Rollscope to open it, or choose another workspace with --db. Nothing was changed.',
  );
}
