// What a file is known by: size, time of change, a hash of the whole, and a fingerprint that tells growth from rewriting
// without reading it all.

import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { allBlocks, BlockSummer, type BlockSums, blockBytes, hasSums, roundOf, sumsOf } from './file-blocks.ts';

export interface FileFacts {
  /** Bytes; null for standard input and for a file that is gone. */
  readonly size: number | null;
  readonly mtimeMs: number | null;
}

/** Bytes at either end of a file that its fingerprint covers. */
const fingerprinted = 64 * 1024;
const hashBuffer = 1024 * 1024;
/** Up to this size a grown file is hashed anew, so that a later copy of it is known by its content. */
const hashedAfterGrowth = 16 * 1024 * 1024;

/** Size and time of change; nulls where they cannot be told (the plan says what is wrong with the file). */
export async function factsOf(path: string): Promise<FileFacts> {
  if (path === '-') return { size: null, mtimeMs: null };
  try {
    const { size, mtimeMs } = await stat(path);
    return { size, mtimeMs };
  } catch {
    return { size: null, mtimeMs: null };
  }
}

/** SHA-256 of the first `size` bytes: a file that grows meanwhile is hashed as it was when its size was taken. */
export async function hashFile(
  path: string,
  size: number,
  onBytes: (bytes: Uint8Array) => void = () => {},
): Promise<Uint8Array> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    // One buffer for the whole file: streams make a new one for every chunk.
    const buffer = new Uint8Array(Math.max(1, Math.min(hashBuffer, size)));
    for (let left = size; left > 0; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left), null);
      if (bytesRead === 0) break;
      const bytes = buffer.subarray(0, bytesRead);
      hash.update(bytes);
      onBytes(bytes);
      left -= bytesRead;
    }
    return hash.digest();
  } finally {
    await file.close();
  }
}

/** What is remembered of the content of a file when its import has ended. */
export interface FileContent {
  /** Null for a large file that has grown: only its new part was read. */
  readonly contentHash: Uint8Array | null;
  /** Null when the file cannot be read any more. */
  readonly fingerprint: string | null;
}

/** The content of a file that is read from its start. */
export async function contentOf(path: string, size: number): Promise<FileContent> {
  const summer = new BlockSummer();
  const contentHash = await hashFile(path, size, (bytes) => summer.add(bytes));
  return { contentHash, fingerprint: withSums(await fingerprintOf(path, size), size, summer.sums(), 0) };
}

/** The content of a file that has grown from what is known of it. */
export async function grownContentOf(path: string, size: number, earlier: KnownContent): Promise<FileContent> {
  if (size <= hashedAfterGrowth) return contentOf(path, size);
  const { sums, next } = partsOf(earlier.fingerprint);
  // The last block has grown too.
  const whole = sums.slice(0, Math.floor(earlier.size / blockBytes));
  const all = await sumsOf(path, size, whole);
  const round = roundOf(earlier.size, size - earlier.size, next);
  const from = sums.length === 0 ? 0 : round.next;
  return { contentHash: null, fingerprint: withSums(await fingerprintOf(path, size), size, all, from) };
}

/**
 * The first `size` bytes of a file in a few words: its file number, and hashes of the first and of the last 64 KiB of them.
 * Null when the file cannot be read or is shorter. After an import the sums of its blocks stand behind it, where it has several.
 */
export async function fingerprintOf(path: string, size: number): Promise<string | null> {
  try {
    const file = await open(path);
    try {
      const { ino, size: now } = await file.stat({ bigint: true });
      if (now < BigInt(size)) return null;
      const length = Math.min(fingerprinted, size);
      return [ino, await hashRange(file, 0, length), await hashRange(file, size - length, length)].join(':');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

async function hashRange(file: FileHandle, start: number, length: number): Promise<string> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, start);
  return createHash('sha256').update(bytes.subarray(0, bytesRead)).digest('hex').slice(0, 32);
}

/** A fingerprint with the sums of the blocks and the block with which the next round begins. */
function withSums(fingerprint: string | null, size: number, sums: BlockSums, next: number): string | null {
  if (fingerprint === null || size <= blockBytes) return fingerprint;
  return `${fingerprint}:${next}:${Buffer.from(Uint32Array.from(sums).buffer).toString('base64')}`;
}

interface FingerprintParts {
  readonly inode: string;
  /** The hashes of both ends. */
  readonly ends: string;
  readonly next: number;
  readonly sums: BlockSums;
}

function partsOf(fingerprint: string): FingerprintParts {
  const [inode = '', first = '', last = '', next = '0', sums = ''] = fingerprint.split(':');
  const bytes = new Uint8Array(Buffer.from(sums, 'base64'));
  return { inode, ends: `${first}:${last}`, next: Number(next), sums: [...new Uint32Array(bytes.buffer)] };
}

/** What became of a file since a fingerprint of it was taken. */
export type FileChange = 'same-beginning' | 'shorter' | 'rewritten';

/** What is known of a file as it was. */
export interface KnownContent {
  readonly size: number;
  readonly fingerprint: string;
  readonly contentHash: Uint8Array | null;
}

/**
 * Compares the beginning of a file with what it was. A file that has grown in its place is looked at from both ends and in some
 * of its blocks; every byte is compared, as far as sums or a hash are known, in one that has another file number (copied anew,
 * as rsync does, or rotated), in one that has changed without growing, in small ones, and where `thorough` is asked for.
 */
export async function changeOf(
  path: string,
  size: number,
  earlier: KnownContent,
  thorough = false,
): Promise<FileChange> {
  if (size < earlier.size) return 'shorter';
  const fingerprint = await fingerprintOf(path, earlier.size);
  if (fingerprint === null) return 'shorter';
  const now = partsOf(fingerprint);
  const { inode, ends, next, sums } = partsOf(earlier.fingerprint);
  if (now.ends !== ends) return 'rewritten';
  const all = thorough || size === earlier.size || now.inode !== inode;
  if (earlier.contentHash !== null && (all || earlier.size <= blockBytes)) {
    const hash = await hashFile(path, earlier.size);
    return Buffer.compare(hash, earlier.contentHash) === 0 ? 'same-beginning' : 'rewritten';
  }
  if (sums.length === 0) return 'same-beginning';
  const blocks = all ? allBlocks(earlier.size) : roundOf(earlier.size, size - earlier.size, next).blocks;
  return (await hasSums(path, earlier.size, sums, blocks)) ? 'same-beginning' : 'rewritten';
}
