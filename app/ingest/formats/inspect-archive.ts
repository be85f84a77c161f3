// The members of an Inspect `.eval` archive. They are deflated, or compressed with zstd (method 93, possibly several
// frames one after the other), which the zip reader does not know; a name that stands twice counts in its last copy.

import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { type Limits, limitRefusal } from '../limits.ts';
import type { SourceFile } from '../source.ts';

/** PKWARE's number for zstd. */
const zstdMethod = 93;
const stored = 0;
/** Below this many bytes the ratio is not looked at: small texts compress well for honest reasons. */
const ratioFloor = 10_000_000;
const readStep = 1024 * 1024;
const inflateZstd = promisify(zstdDecompress);

export interface EvalArchive {
  /** Names in the order of their first mention. */
  readonly names: readonly string[];
  /** Names that stand more than once. */
  readonly repeated: readonly string[];
  /** The bytes of a member. Throws a Refusal (`zip-invalid`, `limit-exceeded`) when they cannot be had in full. */
  read(name: string): Promise<Uint8Array>;
}

/** Opens an archive by its central directory. Throws a Refusal for a cut or foreign file and for too many members. */
export async function openEval(file: SourceFile, limits: Limits): Promise<EvalArchive> {
  if (file.size === null) {
    throw new Refusal(
      'zip-stdin',
      `${file.name}: an archive cannot be read from standard input.`,
      'Save it to a file first.',
    );
  }
  const entries = new Map<string, Entry>();
  const repeated = new Set<string>();
  let zip: ZipFile;
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
      if (entries.has(name)) repeated.add(name);
      entries.set(name, entry);
    }
  } catch (error) {
    throw asRefusal(error, file.name);
  }
  const budget = { inflated: 0 };
  return {
    names: [...entries.keys()],
    repeated: [...repeated],
    read: async (name) => {
      const entry = entries.get(name);
      const where = `${file.name}, member ${JSON.stringify(name)}`;
      if (entry === undefined) throw new Refusal('zip-invalid', `${where} is not in the archive.`);
      try {
        return await readEntry(zip, entry, where, limits, budget);
      } catch (error) {
        throw asRefusal(error, where);
      }
    },
  };
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  where: string,
  limits: Limits,
  budget: { inflated: number },
): Promise<Uint8Array> {
  const { uncompressedSize: size, compressedSize, compressionMethod } = entry;
  if (entry.isEncrypted()) throw new Refusal('zip-encrypted', `${where} is encrypted.`, 'Decrypt the archive first.');
  if (size > limits.documentBytes) throw limitRefusal('documentBytes', limits, where);
  if (compressionMethod !== stored) {
    if (budget.inflated + size > limits.decompressedBytes) throw limitRefusal('decompressedBytes', limits, where);
    if (size > ratioFloor && size > compressedSize * limits.decompressionRatio) {
      throw limitRefusal('decompressionRatio', limits, where);
    }
    budget.inflated += size;
  }
  const zstd = compressionMethod === zstdMethod;
  const stream = await zip.openReadStreamPromise(entry, zstd ? { decodeFileData: false } : {});
  const bytes = await gathered(stream, zstd ? compressedSize : size);
  if (!zstd) return bytes;
  // The frames say themselves how long they are; the directory says how much that may be.
  const inflated = await inflateZstd(bytes, { maxOutputLength: Math.max(1, size) });
  if (inflated.length !== size) throw new Error(`${inflated.length} bytes of ${size}`);
  return inflated;
}

async function gathered(stream: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > size) throw new Error('more bytes than the central directory says');
    pieces.push(piece);
  }
  if (length !== size) throw new Error(`${length} bytes of ${size}`);
  return Buffer.concat(pieces, length);
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
  for (let at = start; at < end; at += readStep) {
    const bytes = await file.readRange(at, Math.min(end, at + readStep));
    if (bytes.length === 0) throw new Error('the file ends early');
    yield bytes;
  }
}

function asRefusal(error: unknown, where: string): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(
    'zip-invalid',
    `${where}: the archive cannot be read (${messageOf(error)}).`,
    'It is probably cut off, damaged or still being written: copy it again when the evaluation has ended.',
  );
}
