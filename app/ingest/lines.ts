// Bytes into lines: split on \n with byte offsets and line numbers. No line longer than the limit is ever held, and no
// string is made here.

const newline = 0x0a;
const carriageReturn = 0x0d;
/** Bytes kept of a line that is too long to be held. */
const keptOfLongLine = 4096;

export interface Line {
  /** The bytes without line end and byte order mark; for a line over the limit its beginning, at most 4 KiB. */
  readonly bytes: Uint8Array;
  /** Counts from 1. */
  readonly line: number;
  /** Offset of the first byte of `bytes` in the stream. */
  readonly offset: number;
  /** Length of the whole line in bytes, without its end. */
  readonly size: number;
  /** False for a last line without a line end: it may have been cut. */
  readonly ended: boolean;
  /** True when the line is longer than the limit, so that `bytes` is only its beginning. */
  readonly tooLong: boolean;
}

/** The lines of a byte stream, blank ones included. `\r\n` counts as one line end; a leading BOM is skipped. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let size = 0;
  let line = 1;
  let lineStart = 0;
  let position = 0;
  const add = (piece: Uint8Array): void => {
    if (piece.length === 0) return;
    const wasTooLong = size > maxBytes;
    size += piece.length;
    if (wasTooLong) return;
    pieces.push(piece);
    held += piece.length;
    if (size <= maxBytes) return;
    // A copy, so that the chunks it came from can be freed.
    pieces = [beginning(pieces, keptOfLongLine)];
    held = Math.min(held, keptOfLongLine);
  };
  const take = (ended: boolean): Line => {
    const made = finish(join(pieces, held), line, lineStart, size, ended, size > maxBytes);
    pieces = [];
    held = 0;
    size = 0;
    line++;
    return made;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at));
      yield take(true);
      from = at + 1;
      lineStart = position + from;
    }
    if (from < chunk.length) add(chunk.subarray(from));
    position += chunk.length;
  }
  if (size > 0) yield take(false);
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const only = pieces[0];
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function beginning(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const needed: Uint8Array[] = [];
  let have = 0;
  for (const piece of pieces) {
    if (have >= length) break;
    needed.push(piece.subarray(0, length - have));
    have += Math.min(piece.length, length - have);
  }
  return join(needed, have).slice();
}

function finish(all: Uint8Array, line: number, start: number, size: number, ended: boolean, tooLong: boolean): Line {
  const hasMark = line === 1 && all[0] === 0xef && all[1] === 0xbb && all[2] === 0xbf;
  const from = hasMark ? 3 : 0;
  const to = ended && !tooLong && all[all.length - 1] === carriageReturn ? all.length - 1 : all.length;
  const bytes = all.subarray(from, Math.max(from, to));
  return { bytes, line, offset: start + from, size: tooLong ? size : bytes.length, ended, tooLong };
}

/** Whether a line holds nothing but white space. */
export function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes)
    if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn && byte !== newline) return false;
  return true;
}
