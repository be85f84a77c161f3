// Safetensors files with a batch of token sequences, padded or packed.

import type { IngestEvent } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { type ArrayBatch, readArrayBatch } from '../array-batch.ts';
import { alertEvent } from '../emit.ts';
import { isSafetensors } from '../safetensors.ts';
import type { Detection, Format, ReadContext, Sniff, SourceFile, SourceGroup } from '../source.ts';
import { type Batch, batchEvents, isBatch } from './token-records-batch.ts';
import { splitOfPath, stepOfFileName, stepOfPath } from './trainer-names.ts';

function detect(sniff: Sniff): Detection | null {
  if (!isSafetensors(sniff.head)) return null;
  return { confidence: 0.9, reason: 'length of a JSON header, then the header: safetensors' };
}

async function* read(group: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const { main } = group;
  const { arrays, metadata, alerts } = await readArrayBatch(main, context, (names) => {
    if (isBatch(names)) return;
    throw new Refusal(
      'batch-shape',
      `${main.name} holds no tensor of token ids; its tensors are ${names.slice(0, 12).join(', ')}.`,
      'A file of model weights is no log. Say which tensor is which with a mapping (--mapping FILE, or "Map columns" in the app).',
    );
  });
  for (const alert of alerts) yield alertEvent(alert);
  yield* batchEvents({ name: main.name, arrays, defaults: batchDefaults(main, metadata) });
}

/** Training step and split as the metadata of a file, else its path, says. */
export function batchDefaults(file: SourceFile, metadata: ArrayBatch['metadata']): Batch['defaults'] {
  const step = Number(metadata.get('training_step') ?? metadata.get('step') ?? Number.NaN);
  return {
    trainingStep: Number.isSafeInteger(step) ? step : (stepOfPath(file.path) ?? stepOfFileName(file.name)),
    split: metadata.get('split') ?? splitOfPath(file.path),
  };
}

export const format: Format = { id: 'safetensors', title: 'Tensor batch (safetensors)', detect, read };
