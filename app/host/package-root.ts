// Where the package stands on this machine. Works from the sources (app/host) and from every bundle under dist,
// because it looks for the package's own package.json instead of counting folders.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  readonly root: string;
  readonly version: string;
}

let found: Package | undefined;

function readPackage(folder: string): Package | null {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return null;
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof parsed !== 'object' || parsed === null || !('name' in parsed) || parsed.name !== 'rollscope') return null;
  const version = 'version' in parsed && typeof parsed.version === 'string' ? parsed.version : '0.0.0';
  return { root: folder, version };
}

function findPackage(): Package {
  if (found) return found;
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const here = readPackage(folder);
    if (here) {
      found = here;
      return here;
    }
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No package.json of rollscope above ${fileURLToPath(import.meta.url)}.`);
    folder = parent;
  }
}

/** The folder that holds the package's package.json. */
export function packageRoot(): string {
  return findPackage().root;
}

/** The version in the package's package.json. */
export function packageVersion(): string {
  return findPackage().version;
}

/** The folder of the built screens, or null when they were not built. */
export function rendererFolder(): string | null {
  const folder = join(packageRoot(), 'dist', 'renderer');
  return existsSync(join(folder, 'index.html')) ? folder : null;
}

/** The folder of the demo data. */
export function samplesFolder(): string {
  return join(packageRoot(), 'samples');
}
