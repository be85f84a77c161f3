// The arrays of an npz or safetensors file by name, read within the limits. What holds no numbers is left out and said.

import type { AlertDraft } from '../contract/ingest.ts';
import { Refusal } from '../shared/errors.ts';
import { alertOf } from './emit.ts';
import { readNpy } from './npy.ts';
import type { NumberArray } from './numbers.ts';
import { isSafetensors, openSafetensors } from './safetensors.ts';
import type { ReadContext, SourceFile } from './source.ts';
import { openZip } from './zip.ts';

export interface ArrayBatch {
  readonly arrays: ReadonlyMap<string, NumberArray>;
  /** Free texts beside the arrays (safetensors). */
  readonly metadata: ReadonlyMap<string, string>;
  readonly alerts: readonly AlertDraft[];
}

const npyEnding = '.npy';

/** The name of the first array when bytes begin like an npz archive; null otherwise. */
export function npzBegins(head: Uint8Array): string | null {
  if (head[0] !== 0x50 || head[1] !== 0x4b || head[2] !== 0x03 || head[3] !== 0x04 || head.length < 30) return null;
  const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint16(26, true);
  const name = Buffer.from(head.subarray(30, 30 + length)).toString('utf8');
  return name.endsWith(npyEnding) ? name : null;
}

/** Whether a file begins like a container of arrays. */
export function isArrayBatch(head: Uint8Array): boolean {
  return npzBegins(head) !== null || isSafetensors(head);
}

/** Told the names of all arrays before any is read; throws when they are not what is wanted. */
type NameCheck = (names: readonly string[]) => void;

/**
 * Reads all arrays of a file whose names pass `check`: a file of model weights is turned away by its header. Throws the
 * Refusals of the container; object arrays are refused, never stepped over.
 */
export async function readArrayBatch(file: SourceFile, context: ReadContext, check: NameCheck): Promise<ArrayBatch> {
  const [first, second] = await file.readRange(0, Math.min(file.size ?? 0, 2));
  const zip = first === 0x50 && second === 0x4b;
  return zip ? readNpz(file, context, check) : readTensors(file, context, check);
}

async function readNpz(file: SourceFile, context: ReadContext, check: NameCheck): Promise<ArrayBatch> {
  const zip = await openZip(file, context.limits);
  const members = [...zip.members.keys()].filter((name) => name.endsWith(npyEnding));
  check(members.map(stem));
  const arrays = new Map<string, NumberArray>();
  const alerts: AlertDraft[] = [];
  const skipped: string[] = [];
  let unsafe = 0;
  for (const name of members) {
    context.checkCancelled();
    const where = `${file.name}, array ${JSON.stringify(name)}`;
    try {
      const array = readNpy(await zip.read(name), where, context.limits);
      unsafe += array.unsafe;
      arrays.set(stem(name), array);
    } catch (error) {
      // Texts beside the numbers are no reason to lose the numbers; an object array is never stepped over.
      if (!(error instanceof Refusal) || error.code !== 'npy-type') throw error;
      skipped.push(name);
    }
  }
  if (skipped.length > 0) {
    const message = `${file.name}: ${skipped.slice(0, 8).join(', ')} hold no numbers and were left out.`;
    alerts.push(alertOf('array-not-numbers', 'warning', message, { count: skipped.length }));
  }
  if (unsafe > 0) {
    const message = `${file.name} holds integers beyond 2^53, which were rounded.`;
    alerts.push(alertOf('number-unsafe', 'warning', message, { count: unsafe }));
  }
  return { arrays, metadata: new Map(), alerts };
}

function stem(member: string): string {
  return member.slice(0, -npyEnding.length);
}

async function readTensors(file: SourceFile, context: ReadContext, check: NameCheck): Promise<ArrayBatch> {
  const opened = await openSafetensors(file, context.limits);
  check([...opened.tensors.keys()]);
  const arrays = new Map<string, NumberArray>();
  const alerts: AlertDraft[] = [];
  const skipped: string[] = [];
  for (const name of opened.tensors.keys()) {
    context.checkCancelled();
    try {
      arrays.set(name, await opened.read(name));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'safetensors-type') throw error;
      skipped.push(name);
    }
  }
  if (skipped.length > 0) {
    const message = `${file.name}: the tensors ${skipped.slice(0, 8).join(', ')} have a type that is not read; they were left out.`;
    alerts.push(alertOf('array-not-numbers', 'warning', message, { count: skipped.length }));
  }
  return { arrays, metadata: opened.metadata, alerts };
}
