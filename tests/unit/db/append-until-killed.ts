// Run by labels.test.ts as a process of its own: appends labels and says each one's id when it is stored, until it is killed.

import { writeSync } from 'node:fs';
import { openWriter } from '../../../db/open.ts';
import { addLabel } from '../../../db/queries/labels.ts';

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: append-until-killed.ts WORKSPACE');
const db = openWriter(path);
for (let i = 0; ; i++) {
  const act = addLabel(
    db,
    {
      target: { type: 'rollout', rollout: `r-${i % 50}` },
      verdict: i % 2 === 0 ? 'hack' : 'clean',
      kinds: [],
      note: `act ${i}`,
      confidence: null,
    },
    { annotator: 'ada' },
  );
  // Only now, when the function has returned, may anybody be told.
  writeSync(1, `${act.id}\n`);
}
