// Checksums of a file in blocks, so that a change in the middle of what was imported can be noticed without reading all of it:
// at every growth a few blocks are looked at in turn, and all of them on request.

import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Bytes of a block; the last one of a file may be shorter. */
export const blockBytes = 4 * 1024 * 1024;
/** Blocks that are looked at whenever a file has grown, however little: some four milliseconds of a processor. */
const leastBlocks = 4;

/** Checksums (CRC-32) of the blocks of the first bytes of a file, the shorter last one included. */
export type BlockSums = readonly number[];

/** Takes the bytes of a file in order and gives the sums of its blocks. */
export class BlockSummer {
  readonly #sums: number[];
  #sum = 0;
  #filled = 0;

  /** @param known Sums of the whole blocks before the first byte that will come. */
  constructor(known: BlockSums = []) {
    this.#sums = [...known];
  }

  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const end = Math.min(bytes.length, at + blockBytes - this.#filled);
      this.#sum = crc32(bytes.subarray(at, end), this.#sum);
      this.#filled += end - at;
      at = end;
      if (this.#filled === blockBytes) this.#end();
    }
  }

  sums(): BlockSums {
    if (this.#filled > 0) this.#end();
    return this.#sums;
  }

  #end(): void {
    this.#sums.push(this.#sum);
    this.#sum = 0;
    this.#filled = 0;
  }
}

/** Which of the blocks of a file's former `size` to look at now that `newBytes` have come. */
export interface Round {
  /** Numbers of blocks, none twice. */
  readonly blocks: readonly number[];
  /** Block with which the next round begins. */
  readonly next: number;
}

/**
 * As many old bytes are looked at as new ones came, and at least four blocks, going round: a file that grows often is looked
 * at as a whole again and again, and one that doubles at once.
 */
export function roundOf(size: number, newBytes: number, from: number): Round {
  const count = Math.ceil(size / blockBytes);
  const wanted = Math.min(count, Math.max(leastBlocks, Math.ceil(newBytes / blockBytes)));
  const blocks = Array.from({ length: wanted }, (_, i) => (from + i) % count);
  return { blocks, next: count === 0 ? 0 : (from + wanted) % count };
}

/** All blocks of a file of a size. */
export function allBlocks(size: number): readonly number[] {
  return Array.from({ length: Math.ceil(size / blockBytes) }, (_, i) => i);
}

/** Whether these blocks of the first `size` bytes of a file have the sums that they had. */
export async function hasSums(
  path: string,
  size: number,
  sums: BlockSums,
  blocks: readonly number[],
): Promise<boolean> {
  const file = await open(path);
  try {
    const buffer = new Uint8Array(Math.min(blockBytes, size));
    for (const block of blocks) {
      const start = block * blockBytes;
      const length = Math.min(blockBytes, size - start);
      const { bytesRead } = await file.read(buffer, 0, length, start);
      if (bytesRead !== length || crc32(buffer.subarray(0, length)) !== sums[block]) return false;
    }
    return true;
  } finally {
    await file.close();
  }
}

/** The sums of the first `size` bytes of a file of which the whole blocks before are known. */
export async function sumsOf(path: string, size: number, known: BlockSums): Promise<BlockSums> {
  const summer = new BlockSummer(known);
  const file = await open(path);
  try {
    const buffer = new Uint8Array(1024 * 1024);
    for (let at = known.length * blockBytes; at < size; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at);
      if (bytesRead === 0) break;
      summer.add(buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    return summer.sums();
  } finally {
    await file.close();
  }
}
