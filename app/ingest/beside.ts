// Files that belong to a file that was given alone: a trainer writes the two dumps of a step into sibling folders, a
// harness puts the result of a trial one folder up. The names are fixed by the formats; a log never names a path here.

import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { Refusal } from '../shared/errors.ts';
import type { Limits } from './limits.ts';
import { openSourceFile } from './open-file.ts';
import type { SourceFile } from './source.ts';

/** Entries of a folder that are looked at; a larger one belongs to something else. */
const largestFolder = 20_000;

/** The regular files of a folder whose names are accepted, in the order of their names; none where there is no folder. */
export async function filesIn(
  folder: string,
  accepts: (name: string) => boolean,
  limits: Limits,
): Promise<SourceFile[]> {
  if (!isAbsolute(folder)) return [];
  const names = await readdir(folder).catch((): string[] => []);
  if (names.length > largestFolder) return [];
  const files: SourceFile[] = [];
  for (const name of names.filter(accepts).toSorted()) {
    const file = await fileAt(join(folder, name), limits);
    if (file !== null) files.push(file);
  }
  return files;
}

/** The regular file at a path; null where there is none that can be read. */
export async function fileAt(path: string, limits: Limits): Promise<SourceFile | null> {
  if (!isAbsolute(path)) return null;
  try {
    return await openSourceFile(path, limits);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
