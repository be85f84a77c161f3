// Safetensors files with a batch of token sequences, padded or packed.

import type { IngestEvent } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { alertEvent, alertOf } from '../emit.ts';
import type { NumberArray } from '../numbers.ts';
import { isSafetensors, openSafetensors } from '../safetensors.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { batchEvents, isBatch } from './token-records-batch.ts';
import { splitOfPath, stepOfFileName, stepOfPath } from './trainer-names.ts';

function detect(sniff: Sniff): Detection | null {
  if (!isSafetensors(sniff.head)) return null;
  return { confidence: 0.9, reason: 'length of a JSON header, then the header: safetensors' };
}

async function* read(group: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const { main } = group;
  const file = await openSafetensors(main, context.limits);
  const names = [...file.tensors.keys()];
  if (!isBatch(names)) {
    throw new Refusal(
      'batch-shape',
      `${main.name} holds no tensor of token ids; its tensors are ${names.slice(0, 12).join(', ')}.`,
      'A file of model weights is no log. Name the tensor of token ids token_ids or input_ids.',
    );
  }
  const arrays = new Map<string, NumberArray>();
  const skipped: string[] = [];
  for (const name of names) {
    context.checkCancelled();
    try {
      arrays.set(name, await file.read(name));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'safetensors-type') throw error;
      skipped.push(name);
    }
  }
  if (skipped.length > 0) {
    const message = `${main.name}: the tensors ${skipped.slice(0, 8).join(', ')} have a type that is not read; they were left out.`;
    yield alertEvent(alertOf('array-not-numbers', 'warning', message, { count: skipped.length }));
  }
  const step = Number(file.metadata.get('training_step') ?? file.metadata.get('step') ?? Number.NaN);
  const trainingStep = Number.isSafeInteger(step) ? step : (stepOfPath(main.path) ?? stepOfFileName(main.name));
  const split = file.metadata.get('split') ?? splitOfPath(main.path);
  yield* batchEvents({ name: main.name, arrays, defaults: { trainingStep, split } });
}

export const format: Format = { id: 'safetensors', title: 'Tensor batch (safetensors)', detect, read };
