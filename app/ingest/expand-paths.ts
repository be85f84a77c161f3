// What a person names (files, folders, patterns) into a list of files.

import { glob, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const byName = new Intl.Collator('en', { numeric: true });
/** Numbers inside names count as numbers (2.pt before 10.pt); equal ones fall back to code units. */
const inOrder = (a: string, b: string): number => byName.compare(a, b) || (a < b ? -1 : 1);

/**
 * Files of the given paths: a file stands for itself, a folder for the files in it and below (hidden ones, links to
 * folders and anything but regular files are left out), a pattern for what it matches. Order: as named, within a folder
 * or pattern by name; each file once. A path that does not exist stays in the list, so that opening it says so. `-` is
 * standard input.
 */
export async function expandPaths(paths: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const path of paths) for (const file of await expandOne(path)) files.add(file);
  return [...files];
}

async function expandOne(path: string): Promise<string[]> {
  if (path === '-') return ['-'];
  const kind = await kindOf(path);
  if (kind === 'folder') return filesBelow(resolve(path));
  if (kind !== 'missing' || !/[*?[{]/u.test(path)) return [resolve(path)];
  const matches: string[] = [];
  for await (const match of glob(path)) matches.push(resolve(match));
  if (matches.length === 0) return [resolve(path)];
  const files: string[] = [];
  for (const match of matches.toSorted(inOrder)) {
    const matched = await kindOf(match);
    if (matched === 'file') files.push(match);
    else if (matched === 'folder') files.push(...(await filesBelow(match)));
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => inOrder(a.name, b.name))) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path)));
    else if (entry.isFile() || (entry.isSymbolicLink() && (await kindOf(path)) === 'file')) files.push(path);
  }
  return files;
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | 'missing'> {
  const status = await stat(path).catch(() => null);
  if (status === null) return 'missing';
  if (status.isDirectory()) return 'folder';
  return status.isFile() ? 'file' : 'other';
}
