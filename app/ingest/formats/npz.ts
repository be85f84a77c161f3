// numpy archives (.npz) with a batch of token sequences, padded or packed. Object arrays are refused.

import type { IngestEvent } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { npzBegins, readArrayBatch } from '../array-batch.ts';
import { alertEvent } from '../emit.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { batchEvents, isBatch } from './token-records-batch.ts';
import { splitOfPath, stepOfFileName, stepOfPath } from './trainer-names.ts';

function detect(sniff: Sniff): Detection | null {
  const name = npzBegins(sniff.head);
  return name === null ? null : { confidence: 0.9, reason: `zip archive that begins with the array ${name}` };
}

async function* read(group: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const { main } = group;
  const { arrays, alerts } = await readArrayBatch(main, context, (names) => {
    if (isBatch(names)) return;
    throw new Refusal(
      'batch-shape',
      `${main.name} holds no array of token ids; its arrays are ${names.slice(0, 12).join(', ')}.`,
      'Say which array is which with a mapping (--mapping FILE, or "Map columns" in the app).',
    );
  });
  for (const alert of alerts) yield alertEvent(alert);
  const defaults = { trainingStep: stepOfPath(main.path) ?? stepOfFileName(main.name), split: splitOfPath(main.path) };
  yield* batchEvents({ name: main.name, arrays, defaults });
}

export const format: Format = { id: 'npz', title: 'numpy batch (.npz)', detect, read };
