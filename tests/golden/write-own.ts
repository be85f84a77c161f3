// Writes the project's own golden files: `node tests/golden/write-own.ts`. Run it after a change to a case,
// then `npx biome format --write tests/golden/own`.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownFiles } from './own-files.ts';

for (const [name, cases] of Object.entries(ownFiles)) {
  const lines = cases().map((one) => JSON.stringify(one));
  const text = `{"schema": "rollscope-golden-1", "cases": [\n${lines.join(',\n')}\n]}\n`;
  writeFileSync(join(import.meta.dirname, 'own', name), text);
  console.log(`${name}: ${lines.length} cases`);
}
