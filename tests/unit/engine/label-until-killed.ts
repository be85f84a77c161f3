// Run by killed.test.ts as a process of its own: decides the items of a queue one after the other, each under a key of its own,
// through the whole engine or through the methods of its writer thread alone (which start faster). Says each key before it
// sends it and again when it was answered, until it is killed. What was sent and not answered before is given on the command
// line and sent again, as a screen does.

import { writeSync } from 'node:fs';
import type { DecisionInput } from '../../../app/contract/review.ts';

const [how, path, queue, from, again] = process.argv.slice(2);
if (path === undefined || queue === undefined || from === undefined) {
  throw new Error('usage: label-until-killed.ts engine|writer WORKSPACE QUEUE FROM [AGAIN]');
}
const send = how === 'engine' ? await throughEngine(path) : await throughWriter(path);

async function throughEngine(dbPath: string): Promise<(input: DecisionInput) => Promise<unknown>> {
  const { createEngine } = await import('../../../app/engine/engine.ts');
  const engine = await createEngine({ dbPath, host: 'test', version: '1.2.3', annotator: 'ada', indexAfterMs: null });
  return (input) => engine.client.review.decide(input);
}

async function throughWriter(dbPath: string): Promise<(input: DecisionInput) => Promise<unknown>> {
  const { openWriter } = await import('../../../db/open.ts');
  const { reviewWrites } = await import('../../../app/engine/labels/review-writes.ts');
  const writes = reviewWrites(openWriter(dbPath));
  return async (input) => writes.decide({ input, by: { annotator: 'ada' } });
}

async function decide(place: number): Promise<void> {
  writeSync(1, `sent ${place}\n`);
  await send({
    item: `${queue}-${place + 1}`,
    key: `decision-${String(place).padStart(6, '0')}`,
    verdict: place % 2 === 0 ? 'hack' : 'clean',
    kinds: [],
    note: `decision ${place}`,
    confidence: null,
    elapsedMs: 100,
  });
  // Only now, when there is an answer, may anybody be told.
  writeSync(1, `done ${place}\n`);
}

if (again !== undefined) await decide(Number(again));
for (let place = Number(from); ; place++) await decide(place);
