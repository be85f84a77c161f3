// Reads a zip archive by its central directory, without ever writing to disk. Entry names are labels: they are compared,
// never joined to a path. The limits on entries, decompressed bytes and ratio hold for what is actually inflated. Members
// may be stored, deflated, or compressed with zstd (method 93, several frames one after the other included).

import { pipeline, Readable } from 'node:stream';
import { constants, createZstdDecompress } from 'node:zlib';
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
  /** The same bytes in chunks, for members that are too large to be held; throws the same Refusals, at the latest at the end. */
  open(name: string): AsyncIterable<Uint8Array>;
}

/** PKWARE's number for zstd, which the zip library passes on as it stands. */
const zstdMethod = 93;
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
  refuseOverlaps([...entries.values()], file);
  const members = new Map<string, ZipMember>();
  for (const [name, entry] of entries) {
    members.set(name, { name, size: entry.uncompressedSize, compressedSize: entry.compressedSize });
  }
  const budget = { inflated: 0 };
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name);
    if (entry !== undefined) return entry;
    throw new Refusal('zip-invalid', `${file.name}: the archive has no member ${JSON.stringify(name)}.`);
  };
  return {
    members,
    duplicates,
    read: async (name) => readEntry(file, zip, entryOf(name), name, limits, budget),
    open: (name) => entryBytes(file, zip, entryOf(name), name, limits, budget),
  };
}

/** Bytes of the fixed part of a member's own header, which stands before its name and its data. */
const localHeaderBytes = 30;

/** Refuses members that share bytes: a small archive of them unfolds into an endless one, and no honest writer makes any. */
function refuseOverlaps(entries: readonly Entry[], file: SourceFile): void {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const entry of ordered) {
    const begin = entry.relativeOffsetOfLocalHeader;
    if (begin < end) {
      const name = JSON.stringify(entry.fileNameRaw.toString('utf8'));
      throw new Refusal(
        'zip-overlap',
        `${file.name}: the member ${name} begins inside another one, as in archives made to fill a disk.`,
        'Do not trust this file. If it is your own, write it again with another program.',
      );
    }
    end = begin + localHeaderBytes + entry.fileNameRaw.length + entry.compressedSize;
  }
}

async function readEntry(
  file: SourceFile,
  zip: ZipFile,
  entry: Entry,
  name: string,
  limits: Limits,
  budget: { inflated: number },
): Promise<Uint8Array> {
  const size = entry.uncompressedSize;
  if (size > largestMember) {
    const where = `${file.name}, member ${JSON.stringify(name)}`;
    throw new Refusal('zip-member-size', `${where} has ${size} bytes, more than can be held in memory.`);
  }
  let bytes: Uint8Array | null = null;
  let filled = 0;
  for await (const piece of entryBytes(file, zip, entry, name, limits, budget)) {
    bytes ??= new Uint8Array(size);
    bytes.set(piece, filled);
    filled += piece.length;
  }
  return bytes ?? new Uint8Array(size);
}

/** The bytes of a member, exactly as many as the central directory says. */
async function* entryBytes(
  file: SourceFile,
  zip: ZipFile,
  entry: Entry,
  name: string,
  limits: Limits,
  budget: { inflated: number },
): AsyncGenerator<Uint8Array> {
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
  try {
    let given = 0;
    for await (const chunk of await entryStream(zip, entry)) {
      const piece: Uint8Array = chunk;
      given += piece.length;
      // The directory bounds what a member may unfold to, whatever its own frames say.
      if (given > size) throw new Error('more bytes than the central directory says');
      yield piece;
    }
    if (given !== size) throw new Error(`${given} bytes of ${size}`);
  } catch (error) {
    throw asRefusal(error, file, where);
  }
}

async function entryStream(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.compressionMethod !== zstdMethod) return zip.openReadStreamPromise(entry);
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const inflate = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 27 } });
  // A failure of either stream ends the other; it reaches the reader through `inflate`.
  return pipeline(raw, inflate, () => {});
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
    'It is probably cut off, damaged or still being written: copy it again, or write it again.',
  );
}
