// Keeps imports inside the folders that `--root` names. Both sides are compared by real path, and what is handed on is
// real paths, so that a link can neither lead out nor be swapped afterwards for one that does.

import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { Refusal } from '../../shared/errors.ts';

/** Files that one request may name, folders expanded: the contract's own limit. */
const maxFiles = 10_000;

/**
 * Checks the paths of an import against the roots (real paths of folders).
 * @returns Real paths inside the roots. A folder without links stays one path; one with links becomes its files.
 * @throws Refusal `outside-root`, `path-missing`, `too-many-files`.
 */
export async function confine(paths: readonly string[], roots: readonly string[]): Promise<string[]> {
  const allowed: string[] = [];
  for (const path of paths) {
    const real = await realInside(path, roots);
    if (!(await stat(real)).isDirectory()) {
      allowed.push(real);
      continue;
    }
    const folder = await walk(real, roots, allowed.length);
    if (folder.links) allowed.push(...folder.files);
    else allowed.push(real);
  }
  return [...new Set(allowed)];
}

/** Whether a real path is one of the roots or lies in one. */
export function isInside(real: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const rest = relative(root, real);
    return rest === '' || (!/^\.\.([/\\]|$)/.test(rest) && !isAbsolute(rest));
  });
}

async function realInside(path: string, roots: readonly string[]): Promise<string> {
  const outside = new Refusal(
    'outside-root',
    `${path} is not in a folder that this server may import from.`,
    `It may import from ${roots.join(', ')}. Start it with a further --root to allow more.`,
  );
  let real: string;
  try {
    real = await realpath(path);
  } catch {
    // Outside the roots the answer is the same whether the path exists or not.
    if (!isAbsolute(path) || !isInside(path, roots)) throw outside;
    throw new Refusal(
      'path-missing',
      `${path} is not there.`,
      'Patterns are not expanded here: name a file or a folder.',
    );
  }
  if (!isInside(real, roots)) throw outside;
  return real;
}

/** The files below a folder, hidden ones left out as everywhere, and whether any of them is a link. */
async function walk(
  folder: string,
  roots: readonly string[],
  before: number,
): Promise<{ files: string[]; links: boolean }> {
  const files: string[] = [];
  // Real paths of folders seen: a link may lead back up.
  const seen = new Set([folder]);
  const waiting = [folder];
  let links = false;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await sorted(next)) {
      const path = join(next, entry.name);
      const real = entry.isSymbolicLink() ? await realInside(path, roots) : path;
      links ||= entry.isSymbolicLink();
      const folderLike = entry.isDirectory() || (entry.isSymbolicLink() && (await stat(real)).isDirectory());
      if (folderLike) {
        if (!seen.has(real)) waiting.push(real);
        seen.add(real);
      } else if (entry.isFile() || entry.isSymbolicLink()) files.push(real);
      if (before + files.length > maxFiles) {
        throw new Refusal(
          'too-many-files',
          `${folder} holds more than ${maxFiles} files.`,
          'Import its folders one by one.',
        );
      }
    }
  }
  return { files: files.sort(), links };
}

async function sorted(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => !entry.name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
}
