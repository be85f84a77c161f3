// What a file is known by: size, time of change, a hash of the whole, and a fingerprint that tells growth from rewriting
// without reading it all.

import { createHash } from 'node:crypto';
import { type FileHandle, open, stat } from 'node:fs/promises';

export interface FileFacts {
  /** Bytes; null for standard input and for a file that is gone. */
  readonly size: number | null;
  readonly mtimeMs: number | null;
}

/** Bytes at either end of a file that its fingerprint covers. */
const fingerprinted = 64 * 1024;
const hashBuffer = 1024 * 1024;

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
export async function hashFile(path: string, size: number): Promise<Uint8Array> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    // One buffer for the whole file: streams make a new one for every chunk.
    const buffer = new Uint8Array(Math.max(1, Math.min(hashBuffer, size)));
    for (let left = size; left > 0; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left), null);
      if (bytesRead === 0) break;
      hash.update(buffer.subarray(0, bytesRead));
      left -= bytesRead;
    }
    return hash.digest();
  } finally {
    await file.close();
  }
}

/**
 * The first `size` bytes of a file in a few words: its file number, and hashes of the first and of the last 64 KiB of them.
 * Null when the file cannot be read or is shorter.
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

/** What became of a file since a fingerprint of it was taken. */
export type FileChange = 'same-beginning' | 'shorter' | 'rewritten';

/**
 * Compares the beginning of a file with what it was. A file with another file number (copied anew, as rsync does, or rotated) is
 * compared as a whole where the hash is known.
 */
export async function changeOf(
  path: string,
  size: number,
  earlier: { readonly size: number; readonly fingerprint: string; readonly contentHash: Uint8Array | null },
): Promise<FileChange> {
  if (size < earlier.size) return 'shorter';
  const now = await fingerprintOf(path, earlier.size);
  if (now === null) return 'shorter';
  if (now === earlier.fingerprint) return 'same-beginning';
  const ends = (fingerprint: string): string => fingerprint.slice(fingerprint.indexOf(':'));
  if (ends(now) !== ends(earlier.fingerprint)) return 'rewritten';
  if (earlier.contentHash === null) return 'same-beginning';
  const hash = await hashFile(path, earlier.size);
  return Buffer.compare(hash, earlier.contentHash) === 0 ? 'same-beginning' : 'rewritten';
}
