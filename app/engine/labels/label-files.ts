// Files of labels as lines: JSON lines as they are, tables row by row, gzip inflated by the name.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { linesOfCsv } from './labels-csv.ts';

/**
 * The lines of a file of labels; of standard input when `path` is null.
 * @param shown What the file is called in a message.
 * @throws Refusal `file-unreadable`.
 */
export async function* labelFileLines(path: string | null, shown: string): AsyncGenerator<string> {
  const stream: Readable = path === null ? process.stdin : createReadStream(path);
  const input = path?.endsWith('.gz') ? stream.pipe(createGunzip()) : stream;
  const failed = Promise.withResolvers<never>();
  // A stream that fails before it is read would otherwise end the process.
  failed.promise.catch(() => undefined);
  stream.once('error', failed.reject);
  input.once('error', failed.reject);
  const isTable = path !== null && /\.csv(\.gz)?$/iu.test(path);
  const lines = isTable
    ? linesOfCsv(input)
    : createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([lines.next(), failed.promise]);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw new Refusal('file-unreadable', `${shown} cannot be read: ${messageOf(error)}.`);
  }
}
