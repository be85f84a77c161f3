// SQLite's own errors as refusals that say what happened to which file and what to do. What is left over is a bug of ours.

import Database from 'better-sqlite3';
import { Refusal } from '../app/shared/errors.ts';

/** The refusal for an error of SQLite that a person can do something about; any other error as it is. */
export function explained(error: unknown, file: string): unknown {
  if (!(error instanceof Database.SqliteError)) return error;
  const { code, message } = error;
  const is = (...prefixes: readonly string[]): boolean => prefixes.some((prefix) => code.startsWith(prefix));
  if (is('SQLITE_NOTADB')) {
    return new Refusal(
      'workspace-not-sqlite',
      `${file} is not a Rollscope workspace: SQLite cannot read it. It was not changed.`,
      'Choose another file name with --db.',
    );
  }
  if (is('SQLITE_BUSY', 'SQLITE_LOCKED')) {
    return new Refusal(
      'workspace-locked',
      `${file} is being written by another program.`,
      'Wait until its import is done or close the other Rollscope, then try again.',
    );
  }
  if (is('SQLITE_FULL')) {
    return new Refusal(
      'disk-full',
      `There is no room left on the disk for ${file}. The last step was taken back; everything before it is kept.`,
      'Make room on the disk, then try again.',
    );
  }
  if (is('SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM')) {
    return new Refusal(
      'workspace-not-writable',
      `${file} cannot be opened or written: ${message}.`,
      'Check the permissions of the file and of its folder, or choose another workspace with --db.',
    );
  }
  if (is('SQLITE_CORRUPT')) {
    return new Refusal(
      'workspace-damaged',
      `${file} is damaged: ${message}.`,
      'Restore a copy (backups stand beside it as *.backup-vN) or import the logs into a new workspace.',
    );
  }
  if (is('SQLITE_IOERR')) {
    return new Refusal(
      'disk-error',
      `The disk of ${file} failed to read or write: ${message} (${code}).`,
      'Check the disk and its connection, then try again.',
    );
  }
  return error;
}
