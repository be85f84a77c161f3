// Safetensors files: a JSON header with the type, shape and byte range of every tensor, then the numbers. Every range is
// checked against the file before a tensor is read; tensors are read one by one.

import { Refusal } from '../shared/errors.ts';
import { parseDocument } from './json.ts';
import { type Limits, limitRefusal } from './limits.ts';
import { countOf, type ElementType, elementSize, gather, type NumberArray, stridesOf } from './numbers.ts';
import type { SourceFile } from './source.ts';
import { array, isObject, text } from './values.ts';

const types: ReadonlyMap<string, ElementType> = new Map([
  ['F64', 'f64'],
  ['F32', 'f32'],
  ['F16', 'f16'],
  ['BF16', 'bf16'],
  ['I64', 'i64'],
  ['I32', 'i32'],
  ['I16', 'i16'],
  ['I8', 'i8'],
  ['U64', 'u64'],
  ['U32', 'u32'],
  ['U16', 'u16'],
  ['U8', 'u8'],
  ['BOOL', 'bool'],
]);

/** The format's own bound of its header. */
const longestHeader = 100_000_000;

export interface SafetensorsFile {
  /** Shapes of the tensors by name. */
  readonly tensors: ReadonlyMap<string, readonly number[]>;
  /** The free texts of `__metadata__`. */
  readonly metadata: ReadonlyMap<string, string>;
  /** The numbers of a tensor. Throws a Refusal (`safetensors-type`, `limit-exceeded`). */
  read(name: string): Promise<NumberArray>;
}

/** Whether a file begins like safetensors: the length of a JSON object, then the object. */
export function isSafetensors(head: Uint8Array): boolean {
  if (head.length < 16) return false;
  const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getBigUint64(0, true);
  return length >= 2n && length <= BigInt(longestHeader) && head[8] === 0x7b && head[9] === 0x22;
}

/** Opens a file. Throws a Refusal: `safetensors-invalid` for a header that does not fit the file, `safetensors-stdin`. */
export async function openSafetensors(file: SourceFile, limits: Limits): Promise<SafetensorsFile> {
  const { size } = file;
  if (size === null) {
    throw new Refusal(
      'safetensors-stdin',
      `${file.name}: safetensors cannot be read from standard input.`,
      'Save it first.',
    );
  }
  const head = await file.readRange(0, Math.min(size, 16));
  if (!isSafetensors(head)) throw invalid(file, 'it does not begin like safetensors');
  const length = Number(new DataView(head.buffer, head.byteOffset, head.byteLength).getBigUint64(0, true));
  if (8 + length > size) throw invalid(file, `its header should have ${length} bytes, more than the file holds`);
  if (length > limits.headerBytes) throw limitRefusal('headerBytes', limits, `${file.name}, header`);
  const [record] = parseDocument(await file.readRange(8, 8 + length), limits, `${file.name}, header`).records;
  if (record === undefined || !isObject(record.value)) throw invalid(file, 'its header is no JSON object');
  const start = 8 + length;
  const tensors = new Map<string, readonly number[]>();
  const places = new Map<string, { type: string; from: number; to: number }>();
  const metadata = new Map<string, string>();
  for (const [name, entry] of Object.entries(record.value)) {
    if (!isObject(entry)) throw invalid(file, `the entry ${JSON.stringify(name)} is no object`);
    if (name === '__metadata__') {
      for (const [key, value] of Object.entries(entry)) if (typeof value === 'string') metadata.set(key, value);
      continue;
    }
    const shape = numbers(array(entry, 'shape') ?? []);
    const [from, to] = numbers(array(entry, 'data_offsets') ?? []) ?? [];
    const type = text(entry, 'dtype') ?? '';
    if (shape === null || from === undefined || to === undefined || from > to || start + to > size) {
      throw invalid(file, `the tensor ${JSON.stringify(name)} lies outside the file`);
    }
    const known = types.get(type);
    if (known !== undefined && countOf(shape) * elementSize(known) !== to - from) {
      throw invalid(file, `the tensor ${JSON.stringify(name)} of shape [${shape}] does not have ${to - from} bytes`);
    }
    tensors.set(name, shape);
    places.set(name, { type, from: start + from, to: start + to });
  }
  return {
    tensors,
    metadata,
    read: async (name) => {
      const place = places.get(name);
      const shape = tensors.get(name);
      const type = place === undefined ? undefined : types.get(place.type);
      if (place === undefined || shape === undefined || type === undefined) {
        throw new Refusal(
          'safetensors-type',
          `${file.name}: the tensor ${JSON.stringify(name)} has elements of type ${JSON.stringify(place?.type ?? null)}, which are not read.`,
        );
      }
      if (countOf(shape) > limits.pickleValues) throw limitRefusal('pickleValues', limits, `${file.name}, ${name}`);
      const bytes = await file.readRange(place.from, place.to);
      if (bytes.length !== place.to - place.from) throw invalid(file, `the tensor ${JSON.stringify(name)} is cut off`);
      return gather(bytes, type, true, { offset: 0, shape, strides: stridesOf(shape) });
    },
  };
}

/** Whole numbers from 0 up; null for anything else. */
function numbers(values: readonly unknown[]): number[] | null {
  const found: number[] = [];
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return null;
    found.push(value);
  }
  return found;
}

function invalid(file: SourceFile, what: string): Refusal {
  return new Refusal(
    'safetensors-invalid',
    `${file.name}: ${what}.`,
    'The file is damaged or was cut off: write it again.',
  );
}
