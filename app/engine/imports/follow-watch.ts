// What there is to follow, and a hint that something changed. The hint only shortens the wait: where the file system gives none
// (network shares, exhausted watches) the next look finds the change.

import { type FSWatcher, statSync, watch } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { expandPaths } from '../../ingest/expand-paths.ts';

/** A file with a word that changes when the file does. */
export interface SurveyedFile {
  readonly path: string;
  readonly state: string;
}

/** The files of paths, folders and patterns that hold anything. What is not there (yet) is left out. */
export async function surveyFiles(paths: readonly string[]): Promise<SurveyedFile[]> {
  const files: SurveyedFile[] = [];
  for (const path of await expandPaths(paths)) {
    const status = await stat(path).catch(() => null);
    if (status?.isFile() === true && status.size > 0)
      files.push({ path, state: `${status.ino}:${status.size}:${status.mtimeMs}` });
  }
  return files;
}

/**
 * The files that lie inside the roots (real paths of folders) by their real path: a link that appears in a followed folder must not
 * lead out of what the host allows. All of them without roots.
 */
export async function filesInside(paths: readonly string[], roots: readonly string[] | null): Promise<string[]> {
  if (roots === null) return [...paths];
  const inside = await Promise.all(
    paths.map(async (path) => {
      const real = await realpath(path).catch(() => null);
      return (
        real !== null && roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep))
      );
    }),
  );
  return paths.filter((_, i) => inside[i] === true);
}

export interface PathWatcher {
  /** Whether anything changed since the last call. */
  changed(): boolean;
  close(): void;
}

/** Watches folders with everything in them, and files through their folder (a rotated file is another file). */
export function watchPaths(paths: readonly string[]): PathWatcher {
  let changed = false;
  const watchers: FSWatcher[] = [];
  const folders = new Map(paths.flatMap(watchedFolder).map(({ path, recursive }) => [`${path} ${recursive}`, path]));
  for (const [key, folder] of folders) {
    try {
      const watcher = watch(folder, { recursive: key.endsWith(' true'), persistent: false }, () => {
        changed = true;
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // Not there yet, or no watches left: looking again does without.
    }
  }
  return {
    changed: () => {
      const was = changed;
      changed = false;
      return was;
    },
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** The folder to watch for a path; none for a pattern over folders, whose fixed beginning may hold far too much. */
function watchedFolder(path: string): { readonly path: string; readonly recursive: boolean }[] {
  const full = resolve(path);
  if (statSync(full, { throwIfNoEntry: false })?.isDirectory() === true) return [{ path: full, recursive: true }];
  const folder = dirname(full);
  return /[*?[{]/u.test(folder) ? [] : [{ path: folder, recursive: false }];
}
