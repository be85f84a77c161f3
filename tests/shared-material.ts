// Where the reference material of the project stands: named by ROLLSCOPE_SHARED, else `../shared` beside the
// repository. Tests that need it skip with a visible line where it is absent.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = process.env.ROLLSCOPE_SHARED ?? resolve(import.meta.dirname, '../../shared');

/** The joined path below the reference material when it exists, else null. */
export function sharedPath(...parts: string[]): string | null {
  const path = join(root, ...parts);
  return existsSync(path) ? path : null;
}
