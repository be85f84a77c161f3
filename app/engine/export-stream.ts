// An export as a stream for a caller at the other end of a wire: the text piece by piece, then its size and hash.

import { createHash } from 'node:crypto';
import type { ExportedPiece, LabelFile } from '../contract/exchange.ts';
import type { JudgementFile } from '../contract/judge.ts';
import { type ExportRequest, exportLines } from './export.ts';
import type { Threads } from './services.ts';

/** The labels as a file. */
export function exportLabelFile(threads: Threads, as: LabelFile): AsyncGenerator<ExportedPiece> {
  return exportFile(threads, {
    what: 'labels',
    format: as === 'csv' ? 'csv' : 'jsonl',
    shape: as === 'labelled' ? 'labelled' : 'acts',
  });
}

/** The judgements as a file. */
export function exportJudgementFile(threads: Threads, as: JudgementFile): AsyncGenerator<ExportedPiece> {
  return exportFile(threads, { what: 'judgements', format: as });
}

/** Writing waits for whoever reads; ending the stream early ends the export. */
async function* exportFile(threads: Threads, request: Omit<ExportRequest, 'write'>): AsyncGenerator<ExportedPiece> {
  const { readable, writable } = new TransformStream<string, string>();
  const writer = writable.getWriter();
  const done = exportLines(threads, { ...request, write: (chunk) => writer.write(chunk) }).then(
    async (exported) => {
      await writer.close();
      return exported;
    },
    async (error: unknown) => {
      await writer.abort(error);
      throw error;
    },
  );
  // Awaited below; while the stream is read its failure comes by the stream.
  done.catch(() => undefined);
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const text of readable) {
    if (text === '') continue;
    const encoded = Buffer.from(text, 'utf8');
    hash.update(encoded);
    bytes += encoded.byteLength;
    yield { type: 'text', text };
  }
  const { rows, masked } = await done;
  yield { type: 'done', rows, masked, bytes, sha256: hash.digest('hex') };
}
