// Builds the engine as it is shipped, with import-once.ts and scan-once.ts as more entries: from the sources Node would strip types in every
// thread, and what is measured would not be what people run.

import { join } from 'node:path';
import { build, mergeConfig } from 'vite';
import nodeConfig from '../../vite.node.config.ts';

const root = join(import.meta.dirname, '..', '..');

/** Builds into `dist/bench` and gives the paths of the built scripts. */
export async function buildOnce(): Promise<{ readonly importOnce: string; readonly scanOnce: string }> {
  const outDir = join(root, 'dist', 'bench');
  const input = {
    'import-once': join(import.meta.dirname, 'import-once.ts'),
    'scan-once': join(import.meta.dirname, 'scan-once.ts'),
  };
  const own = { root, configFile: false, logLevel: 'warn', build: { outDir, rolldownOptions: { input } } } as const;
  await build(mergeConfig(nodeConfig, own));
  return { importOnce: join(outDir, 'import-once.js'), scanOnce: join(outDir, 'scan-once.js') };
}
