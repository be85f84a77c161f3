// numpy archives (.npz) with a batch of token sequences, padded or packed. Object arrays are refused.

import type { IngestEvent } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { alertEvent, alertOf } from '../emit.ts';
import { readNpy } from '../npy.ts';
import type { NumberArray } from '../numbers.ts';
import type { Detection, Format, ReadContext, Sniff, SourceGroup } from '../source.ts';
import { openZip } from '../zip.ts';
import { batchEvents, isBatch } from './token-records-batch.ts';
import { splitOfPath, stepOfFileName, stepOfPath } from './trainer-names.ts';

function detect(sniff: Sniff): Detection | null {
  const { head } = sniff;
  if (head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 0x03 || head[3] !== 0x04) return null;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const length = head.length < 30 ? 0 : view.getUint16(26, true);
  const name = Buffer.from(head.subarray(30, 30 + length)).toString('utf8');
  if (!name.endsWith('.npy')) return null;
  return { confidence: 0.9, reason: `zip archive that begins with the array ${name}` };
}

async function* read(group: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const { main } = group;
  const zip = await openZip(main, context.limits);
  const names = [...zip.members.keys()].filter((name) => name.endsWith('.npy'));
  const stems = names.map((name) => name.slice(0, -'.npy'.length));
  const arrays = new Map<string, NumberArray>();
  let unsafe = 0;
  const skipped: string[] = [];
  for (const [i, name] of names.entries()) {
    context.checkCancelled();
    const where = `${main.name}, array ${JSON.stringify(name)}`;
    try {
      const array = readNpy(await zip.read(name), where, context.limits);
      unsafe += array.unsafe;
      arrays.set(stems[i] ?? name, array);
    } catch (error) {
      // Texts beside the numbers are no reason to lose the numbers; an object array is never stepped over.
      if (!(error instanceof Refusal) || error.code !== 'npy-type') throw error;
      skipped.push(name);
    }
  }
  if (!isBatch([...arrays.keys()])) {
    throw new Refusal(
      'batch-shape',
      `${main.name} holds no array of token ids; its arrays are ${stems.slice(0, 12).join(', ')}.`,
      'Name the array of token ids token_ids or input_ids.',
    );
  }
  if (skipped.length > 0) {
    const message = `${main.name}: ${skipped.slice(0, 8).join(', ')} hold no numbers and were left out.`;
    yield alertEvent(alertOf('array-not-numbers', 'warning', message, { count: skipped.length }));
  }
  if (unsafe > 0) {
    const message = `${main.name} holds integers beyond 2^53, which were rounded.`;
    yield alertEvent(alertOf('number-unsafe', 'warning', message, { count: unsafe }));
  }
  const defaults = { trainingStep: stepOfPath(main.path) ?? stepOfFileName(main.name), split: splitOfPath(main.path) };
  yield* batchEvents({ name: main.name, arrays, defaults });
}

export const format: Format = { id: 'npz', title: 'numpy batch (.npz)', detect, read };
