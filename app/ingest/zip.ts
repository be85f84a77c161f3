// Reads a zip archive by its central directory, without ever writing to disk. Entry names are labels: they are compared,
// never joined to a path. The limits on entries, decompressed bytes and ratio hold for what is actually inflated.

import { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { messageOf, Refusal } from '../shared/errors.ts';
import { type Limits, limitRefusal } from './limits.ts';
import type { SourceFile } from './source.ts';

/** One member of an archive, as its central directory describes it. */
interface ZipMember {
  readonly name: string;
  /** Bytes after decompression, and as stored. */
  readonly size: number;
  readonly compressedSize: number;
}

export interface ZipArchive {
  readonly members: ReadonlyMap<string, ZipMember>;
  /** Names that stand more than once; the last one wins, as in most readers. */
  readonly duplicates: readonly string[];
  /** The bytes of a member. Throws a Refusal (`zip-invalid`, `limit-exceeded`) when they cannot be had in full. */
  read(name: string): Promise<Uint8Array>;
}

/** Ratios count only above this many decompressed bytes: small texts compress well for honest reasons. */
const ratioFloor = 10_000_000;
/** Members are gathered in memory; beyond this a Uint8Array cannot be allocated on every platform. */
const largestMember = 2 ** 32 - 1;

/**
 * Opens an archive. Throws a Refusal: `zip-invalid` for a file without a readable central directory (cut off, or not a
 * zip), `limit-exceeded` for too many members.
 */
export async function openZip(file: SourceFile, limits: Limits): Promise<ZipArchive> {
  if (file.size === null) {
    throw new Refusal(
      'zip-stdin',
      `${file.name}: an archive cannot be read from standard input.`,
      'Save it to a file first.',
    );
  }
  let zip: ZipFile;
  const entries = new Map<string, Entry>();
  const duplicates: string[] = [];
  try {
    zip = await fromRandomAccessReaderPromise(new RangeReader(file), file.size, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: true,
    });
    if (zip.entryCount > limits.zipEntries) throw limitRefusal('zipEntries', limits, file.name);
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileNameRaw.toString('utf8');
      if (entries.has(name)) duplicates.push(name);
      entries.set(name, entry);
      if (entries.size + duplicates.length > limits.zipEntries) throw limitRefusal('zipEntries', limits, file.name);
    }
  } catch (error) {
    throw asRefusal(error, file);
  }
  const members = new Map<string, ZipMember>();
  for (const [name, entry] of entries) {
    members.set(name, { name, size: entry.uncompressedSize, compressedSize: entry.compressedSize });
  }
  const budget = { inflated: 0 };
  return {
    members,
    duplicates,
    read: async (name) => {
      const entry = entries.get(name);
      if (entry === undefined) {
        throw new Refusal('zip-invalid', `${file.name}: the archive has no member ${JSON.stringify(name)}.`);
      }
      return readEntry(file, zip, entry, name, limits, budget);
    },
  };
}

async function readEntry(
  file: SourceFile,
  zip: ZipFile,
  entry: Entry,
  name: string,
  limits: Limits,
  budget: { inflated: number },
): Promise<Uint8Array> {
  const where = `${file.name}, member ${JSON.stringify(name)}`;
  if (entry.isEncrypted()) {
    throw new Refusal('zip-encrypted', `${where} is encrypted.`, 'Decrypt the archive first.');
  }
  const size = entry.uncompressedSize;
  // Stored members are bounded by the file itself; only inflation can blow up.
  if (entry.compressionMethod !== 0) {
    if (budget.inflated + size > limits.decompressedBytes) throw limitRefusal('decompressedBytes', limits, where);
    if (size > ratioFloor && size > entry.compressedSize * limits.decompressionRatio) {
      throw limitRefusal('decompressionRatio', limits, where);
    }
    budget.inflated += size;
  }
  if (size > largestMember) {
    throw new Refusal('zip-member-size', `${where} has ${size} bytes, more than can be held in memory.`);
  }
  try {
    const stream = await zip.openReadStreamPromise(entry);
    const bytes = new Uint8Array(size);
    let filled = 0;
    for await (const chunk of stream) {
      const piece: Uint8Array = chunk;
      // yauzl ends the stream with an error when the size differs; the check here keeps `set` in bounds regardless.
      if (filled + piece.length > size) throw new Error('more bytes than the central directory says');
      bytes.set(piece, filled);
      filled += piece.length;
    }
    if (filled !== size) throw new Error(`${filled} bytes of ${size}`);
    return bytes;
  } catch (error) {
    throw asRefusal(error, file, where);
  }
}

/** Archive bytes through `readRange`, so that the one file handle of the import is used. */
class RangeReader extends RandomAccessReader {
  readonly #file: SourceFile;

  constructor(file: SourceFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(pieces(this.#file, start, end), { objectMode: false });
  }
}

async function* pieces(file: SourceFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  const step = 1024 * 1024;
  for (let at = start; at < end; at += step) {
    const bytes = await file.readRange(at, Math.min(end, at + step));
    if (bytes.length === 0) throw new Error('the file ends early');
    yield bytes;
  }
}

function asRefusal(error: unknown, file: SourceFile, where: string = file.name): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(
    'zip-invalid',
    `${where}: the zip archive cannot be read (${messageOf(error)}).`,
    'It is probably cut off or damaged: copy it again, or write the dump again.',
  );
}
