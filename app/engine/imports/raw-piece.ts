// The bytes of a source around a place as they may be shown: credentials are masked, also those that begin before the piece or
// go on behind it.

import { stat } from 'node:fs/promises';
import type { RawBytes } from '../../contract/imports.ts';
import { maskRawBytes } from '../../domain/text/raw-credentials.ts';
import type { Limits } from '../../ingest/limits.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Threads } from '../services.ts';

/** Bytes read before and behind a piece to find the credentials that it cuts: a private key is the longest. */
const lead = 64 * 1024;
const trail = 16 * 1024;

/** Which bytes are asked for, and whether credentials in them are shown. */
interface PieceRequest {
  readonly source: number;
  readonly offset: number;
  readonly length: number;
  readonly reveal: boolean;
}

/** Where the source stood when it was imported. */
interface Place {
  readonly path: string;
  readonly size: number | null;
  readonly mtimeMs: number | null;
}

/** The piece from the file while it is there, else from what the workspace kept of it. */
export async function rawPiece(
  threads: Pick<Threads, 'parser' | 'screen'>,
  { path, size, mtimeMs }: Place,
  request: PieceRequest,
  limits: Partial<Limits>,
): Promise<RawBytes> {
  const { source, offset, length, reveal } = request;
  const now = await stat(path).catch(() => null);
  const before = reveal ? 0 : Math.min(offset, lead);
  const after = reveal ? 0 : trail;
  try {
    const read = { path, offset: offset - before, length: before + length + after, limits };
    const piece = await threads.parser.call('raw', read);
    const changed = now === null || now.size !== size || now.mtimeMs !== mtimeMs;
    const shown = shownBytes(piece.bytes, before, length, reveal);
    return { path, from: 'file', changed, offset, ...shown, size: piece.size };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The file is gone or cannot be read any more.
    const stored = await threads.screen.call('storedRaw', { source, offset });
    const shown = shownBytes(Buffer.from(stored ?? '', 'utf8'), 0, length, reveal);
    return { path, from: stored === null ? 'none' : 'stored', changed: true, offset, ...shown, size: null };
  }
}

/** Those of the bytes that were asked for, with the credentials that reach into them masked and counted. */
function shownBytes(
  bytes: Uint8Array,
  start: number,
  length: number,
  reveal: boolean,
): { readonly base64: string; readonly masked: number } {
  const end = Math.min(bytes.length, start + length);
  const found = reveal ? [] : maskRawBytes(bytes).filter((each) => each.start < end && each.end > start);
  return { base64: Buffer.from(bytes.subarray(start, end)).toString('base64'), masked: found.length };
}
