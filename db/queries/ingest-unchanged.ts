// Whether a whole import would change nothing: every file is in force with the size and time of change that it has now.

import type { SourceRow } from '../../app/contract/imports.ts';
import type { ReadDb } from '../connection.ts';
import { findUnchanged, sourceReports } from './sources.ts';

/** A file as the file system has it now. */
export interface FileFacts {
  readonly path: string;
  readonly size: number;
  /** Time of last change, milliseconds. */
  readonly mtimeMs: number;
}

/**
 * The reports of these files when all of them are unchanged, else null. A part is reported with its main file, and on its own
 * only when the main file is not among the files.
 */
export function unchangedSources(db: ReadDb, files: readonly FileFacts[]): SourceRow[] | null {
  return db.snapshot(() => {
    const known = [];
    for (const { path, size, mtimeMs } of files) {
      const source = findUnchanged(db, path, size, mtimeMs);
      if (source === null) return null;
      known.push(source);
    }
    const mains = new Set(known.map(({ id }) => id));
    const own = known.filter(({ mainSourceId }) => mainSourceId === null || !mains.has(mainSourceId));
    const reports = new Map(
      sourceReports(
        db,
        own.map(({ id }) => id),
      ).map((report) => [report.id, report]),
    );
    return own.flatMap(({ id }) => reports.get(id) ?? []);
  });
}
