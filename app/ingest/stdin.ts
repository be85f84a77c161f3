// Standard input as a SourceFile. It can be read once; the beginning is kept so that the format can be recognised first.

import { Refusal } from '../shared/errors.ts';
import { inflated } from './decompress.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { SourceFile } from './source.ts';

/** As much of the beginning as is kept to be read again. */
const replayBytes = 8 * 1024 * 1024;

/** Standard input (or any stream of chunks) as a source with the path `-`. */
export function stdinSource(
  input: AsyncIterable<Uint8Array | string> = process.stdin,
  limits: Limits = defaultLimits,
): SourceFile {
  const iterator = input[Symbol.asyncIterator]();
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let replayable = true;

  async function* chunks(onBytes?: (bytes: number) => void): AsyncGenerator<Uint8Array> {
    if (!replayable) {
      throw new Refusal('stdin-consumed', 'Standard input was read already.', 'Save it to a file and import that.');
    }
    let position = 0;
    for (const chunk of kept) {
      position += chunk.length;
      onBytes?.(position);
      yield chunk;
    }
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      const chunk = typeof next.value === 'string' ? Buffer.from(next.value, 'utf8') : next.value;
      keptBytes += chunk.length;
      if (keptBytes > replayBytes) {
        replayable = false;
        kept = [];
      } else {
        kept.push(chunk);
      }
      position += chunk.length;
      onBytes?.(position);
      yield chunk;
    }
  }

  return {
    path: '-',
    name: '-',
    size: null,
    open: (onCompressed) => inflated(chunks(onCompressed), limits, 'standard input'),
    readRange: () =>
      Promise.reject(
        new Refusal(
          'stdin-not-seekable',
          'This format needs random access, which standard input does not give.',
          'Save it to a file and import that.',
        ),
      ),
  };
}
