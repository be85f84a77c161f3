// Writes an export to a file: complete or not at all, with its hash.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, createZstdCompress } from 'node:zlib';
import type { Engine } from '../../engine/engine.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import type { Output } from './output.ts';
import { plural } from './text.ts';

export type ExportOptions = Omit<Parameters<Engine['exportTo']>[0], 'write'>;

/**
 * Streams an export to `file`; `.gz` and `.zst` names are compressed. The file appears under its name only when it is
 * whole. `sha256` is of the bytes on disk.
 * @throws Refusal `file-exists`, `file-unwritable`.
 */
export async function exportToFile(
  engine: Engine,
  options: ExportOptions,
  file: string,
  replace: boolean,
): Promise<{ rows: number; masked: number; file: string; sha256: string }> {
  return writeWhole(file, replace, (write) => engine.exportTo({ ...options, write }));
}

/** Gives `produce` a way to write, and the file its name when that is done. Errors as above. */
export async function writeWhole<T extends object>(
  file: string,
  replace: boolean,
  produce: (write: (chunk: string | Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T & { file: string; sha256: string }> {
  if (!replace && existsSync(file)) {
    throw new Refusal('file-exists', `${file} is there already.`, 'Replace it with --force, or name another file.');
  }
  const partial = `${file}.partial`;
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const head = compressor(file);
  const target = createWriteStream(partial);
  const written = head === null ? pipeline(hashing, target) : pipeline(head, hashing, target);
  // Awaited below; a failure meanwhile must not count as unhandled.
  written.catch(() => undefined);
  const entry: Writable = head ?? hashing;
  try {
    const result = await Promise.race([
      produce((chunk) => writeTo(entry, chunk)),
      written.then((): Promise<never> => Promise.reject(new Error('The stream ended early.'))),
    ]);
    entry.end();
    await written;
    await rename(partial, file);
    return { ...result, file, sha256: hash.digest('hex') };
  } catch (error) {
    entry.destroy();
    await rm(partial, { force: true });
    if (isFileError(error)) throw new Refusal('file-unwritable', `${file} cannot be written: ${messageOf(error)}.`);
    throw error;
  }
}

/** Streams an export to stdout. */
export function exportToStdout(
  engine: Engine,
  options: ExportOptions,
  output: Output,
): Promise<{ rows: number; masked: number }> {
  return engine.exportTo({ ...options, write: (chunk) => output.write(chunk) });
}

/** How many credentials were masked, as the end of a message; nothing for none. */
export function maskedNote(masked: number): string {
  return masked === 0 ? '' : ` ${plural(masked, 'credential')} masked.`;
}

function compressor(file: string): Transform | null {
  if (file.endsWith('.gz')) return createGzip();
  return file.endsWith('.zst') ? createZstdCompress() : null;
}

async function writeTo(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
