// The containers of torch.save: the zip archive with a pickle and one record per storage, a bare pickle, and the legacy
// stream (refused). Tensors stay references; their storages are read when asked for, so that columns which nobody needs
// (routed experts can be most of a dump) are never loaded.

import { Refusal } from '../shared/errors.ts';
import { type Limits, limitRefusal } from './limits.ts';
import { countOf, elementSize, gather, type NumberArray } from './numbers.ts';
import { unpickle } from './pickle.ts';
import { storageType } from './pickle-globals.ts';
import type { NumpyArray, PickleValue, StorageRef, TensorRef } from './pickle-values.ts';
import type { SourceFile } from './source.ts';
import { openZip, type ZipArchive } from './zip.ts';

/** A file written by torch.save (or pickle.dump), opened as plain data. */
export interface TorchFile {
  readonly value: PickleValue;
  /** Records of the archive that torch does not write; they are never read. */
  readonly strangers: readonly string[];
  /** The numbers of a tensor or numpy array, row-major. Throws `limit-exceeded` for an expansion beyond the limit. */
  numbers(value: TensorRef | NumpyArray): Promise<NumberArray>;
}

export type TorchContainer = 'zip' | 'legacy' | 'pickle' | 'other';

/** The magic number with which the legacy stream of torch.save begins, as a protocol-2 pickle. */
const legacyMagic = [0x80, 0x02, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, 0x2e];

/** Which container a file begins with. */
export function torchContainer(head: Uint8Array): TorchContainer {
  if (head[0] === 0x50 && head[1] === 0x4b && head[2] === 0x03 && head[3] === 0x04) return 'zip';
  if (legacyMagic.every((byte, i) => head[i] === byte)) return 'legacy';
  const protocol = head[1] ?? 0;
  return head[0] === 0x80 && protocol >= 2 && protocol <= 5 ? 'pickle' : 'other';
}

/**
 * Opens a torch file without running anything. Throws a Refusal: `torch-legacy`, `torch-container`, `torch-storage`
 * (a storage record is missing or has another size), and those of openZip and unpickle.
 */
export async function openTorch(file: SourceFile, limits: Limits, tick?: () => void): Promise<TorchFile> {
  if (file.size === null) {
    throw new Refusal(
      'torch-stdin',
      `${file.name}: a torch file cannot be read from standard input.`,
      'Save it first.',
    );
  }
  const head = await file.readRange(0, Math.min(file.size, 64));
  switch (torchContainer(head)) {
    case 'zip':
      return openArchive(file, limits, tick);
    case 'pickle': {
      if (file.size > limits.documentBytes) throw limitRefusal('documentBytes', limits, file.name);
      const bytes = await file.readRange(0, file.size);
      const value = unpickle(bytes, { limits, where: file.name, ...(tick === undefined ? {} : { tick }) });
      return { value, strangers: [], numbers: async (ref) => numbersOf(ref, null, true, limits, file.name) };
    }
    case 'legacy':
      throw new Refusal(
        'torch-legacy',
        `${file.name} is in the legacy (non-zip) container of torch.save.`,
        'Load it where you trust it and save it again with the default: torch.save(torch.load(PATH), PATH).',
      );
    case 'other':
      throw new Refusal(
        'torch-container',
        `${file.name} does not begin like a file of torch.save.`,
        'Give the .pt file as torch wrote it, not compressed or wrapped.',
      );
  }
}

async function openArchive(file: SourceFile, limits: Limits, tick?: () => void): Promise<TorchFile> {
  const zip = await openZip(file, limits);
  const prefix = archivePrefix(zip, file);
  const pickle = zip.members.get(`${prefix}data.pkl`);
  if (pickle !== undefined && pickle.size > limits.documentBytes) {
    throw limitRefusal('documentBytes', limits, `${file.name}, data.pkl`);
  }
  const littleEndian = await byteOrder(zip, prefix, file);
  const value = unpickle(await zip.read(`${prefix}data.pkl`), {
    limits,
    where: `${file.name}, data.pkl`,
    persistent: (id) => storageOf(id, zip, prefix, file),
    ...(tick === undefined ? {} : { tick }),
  });
  let last: { key: string; bytes: Uint8Array } | null = null;
  const load = async (storage: StorageRef): Promise<Uint8Array> => {
    // Views of one storage come one after the other: remembering the last one reads each record about once.
    if (last?.key !== storage.key) last = { key: storage.key, bytes: await zip.read(`${prefix}data/${storage.key}`) };
    return last.bytes;
  };
  return {
    value,
    strangers: [...zip.members.keys()].filter((name) => !name.startsWith(prefix)),
    numbers: (ref) => numbersOf(ref, load, littleEndian, limits, file.name),
  };
}

/** The one folder of the archive that holds `data.pkl`, with its slash; empty where the records stand at the top. */
function archivePrefix(zip: ZipArchive, file: SourceFile): string {
  const prefixes = [...zip.members.keys()]
    .filter((name) => name === 'data.pkl' || /^[^/]+\/data\.pkl$/.test(name))
    .map((name) => name.slice(0, -'data.pkl'.length));
  const [prefix] = prefixes;
  if (prefix === undefined || prefixes.length > 1) {
    throw new Refusal(
      'torch-container',
      `${file.name} is a zip archive with ${prefixes.length === 0 ? 'no' : 'more than one'} data.pkl: torch.save did not write it.`,
      'Give a .pt file of torch.save.',
    );
  }
  return prefix;
}

async function byteOrder(zip: ZipArchive, prefix: string, file: SourceFile): Promise<boolean> {
  const name = `${prefix}byteorder`;
  const member = zip.members.get(name);
  if (member === undefined) return true;
  const text = member.size > 16 ? '' : new TextDecoder().decode(await zip.read(name)).trim();
  if (text === 'little') return true;
  if (text === 'big') return false;
  throw new Refusal('torch-container', `${file.name}: its byteorder record is neither "little" nor "big".`);
}

/** The storage of a persistent id ('storage', type, key, location, elements), checked against the archive. */
function storageOf(id: PickleValue, zip: ZipArchive, prefix: string, file: SourceFile): StorageRef {
  const [tag, global, key, , count] = Array.isArray(id) ? id : [];
  const type = storageType(global);
  if (tag !== 'storage' || type === null || typeof key !== 'string' || typeof count !== 'number') {
    throw new Refusal('torch-storage', `${file.name}: a storage reference of the pickle is broken.`, damaged);
  }
  const member = zip.members.get(`${prefix}data/${key}`);
  if (member === undefined) {
    throw new Refusal(
      'torch-storage',
      `${file.name}: the storage record data/${JSON.stringify(key)} is missing from the archive.`,
      damaged,
    );
  }
  if (!Number.isSafeInteger(count) || count < 0 || count * elementSize(type) > member.size) {
    throw new Refusal(
      'torch-storage',
      `${file.name}: the storage data/${JSON.stringify(key)} should hold ${count} elements of ${type}, but its record has ${member.size} bytes.`,
      damaged,
    );
  }
  return { kind: 'storage', key, type, count };
}

const damaged = 'The file is incomplete or damaged: copy it again, or write the dump again.';

async function numbersOf(
  ref: TensorRef | NumpyArray,
  load: ((storage: StorageRef) => Promise<Uint8Array>) | null,
  littleEndian: boolean,
  limits: Limits,
  where: string,
): Promise<NumberArray> {
  if (ref.kind === 'array') {
    const content = ref.content;
    if (content === null) throw new Refusal('pickle-invalid', `${where}: a numpy array has no content.`, damaged);
    return gather(content.bytes, content.type, content.littleEndian, content.layout);
  }
  // A stride of 0 lets one stored element stand for any number of them.
  if (countOf(ref.layout.shape) > limits.pickleValues) throw limitRefusal('pickleValues', limits, where);
  if (load === null) throw new Refusal('torch-storage', `${where}: a tensor has no storage.`, damaged);
  return gather(await load(ref.storage), ref.storage.type, littleEndian, ref.layout);
}
