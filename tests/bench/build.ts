// Builds the engine as it is shipped, with import-once.ts as one more entry: from the sources Node would strip types in every
// thread, and what is measured would not be what people run.

import { join } from 'node:path';
import { build, mergeConfig } from 'vite';
import nodeConfig from '../../vite.node.config.ts';

const root = join(import.meta.dirname, '..', '..');

/** Builds into `dist/bench` and gives the path of the built import-once.ts. */
export async function buildImportOnce(): Promise<string> {
  const outDir = join(root, 'dist', 'bench');
  const input = { 'import-once': join(import.meta.dirname, 'import-once.ts') };
  const own = { root, configFile: false, logLevel: 'warn', build: { outDir, rolldownOptions: { input } } } as const;
  await build(mergeConfig(nodeConfig, own));
  return join(outDir, 'import-once.js');
}
