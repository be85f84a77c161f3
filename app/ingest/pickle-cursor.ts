// A cursor over the bytes of a pickle: fixed-width numbers, lines and strings, each checked against the end.

import { PickleShapeError } from './pickle-globals.ts';

/** Bytes of an integer beyond which a pickle is not a log: turning digits into a bigint takes quadratic time. */
const longestInteger = 4096;

/** Reads forward through a pickle. Every method throws PickleShapeError at the end of the bytes. */
export class PickleCursor {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #advance(length: number): number {
    const start = this.at;
    if (length < 0 || start + length > this.#bytes.length) throw new PickleShapeError('the pickle ends early');
    this.at = start + length;
    return start;
  }

  u1(): number {
    return this.#bytes[this.#advance(1)] ?? 0;
  }

  u2(): number {
    return this.#bytes.readUInt16LE(this.#advance(2));
  }

  i4(): number {
    return this.#bytes.readInt32LE(this.#advance(4));
  }

  u4(): number {
    return this.#bytes.readUInt32LE(this.#advance(4));
  }

  /** An 8-byte length. Lengths beyond the file fail at the next read. */
  u8(): number {
    return Number(this.#bytes.readBigUInt64LE(this.#advance(8)));
  }

  /** A big-endian double, as BINFLOAT writes it. */
  f8(): number {
    return this.#bytes.readDoubleBE(this.#advance(8));
  }

  /** A copy of the next bytes. */
  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return new Uint8Array(this.#bytes.subarray(start, start + length));
  }

  /** UTF-8 text of a byte length; what is not UTF-8 becomes U+FFFD. */
  utf8(length: number): string {
    const start = this.#advance(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  latin1(length: number): string {
    const start = this.#advance(length);
    return this.#bytes.toString('latin1', start, start + length);
  }

  /** The text up to the next line feed, which is consumed. */
  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.at);
    if (end < 0) throw new PickleShapeError('a text line of the pickle has no end');
    const text = this.#bytes.toString('latin1', this.at, end);
    this.at = end + 1;
    return text;
  }

  /** A little-endian two's-complement integer of any length: a number where it is safe, else a bigint. */
  integer(length: number): number | bigint {
    const start = this.#advance(length);
    if (length === 0) return 0;
    if (length > longestInteger) throw new PickleShapeError(`an integer has ${length} bytes`);
    if (length <= 6) return this.#bytes.readIntLE(start, length);
    let hex = '';
    for (let i = length - 1; i >= 0; i--) hex += (this.#bytes[start + i] ?? 0).toString(16).padStart(2, '0');
    const value = BigInt.asIntN(length * 8, BigInt(`0x${hex}`));
    return narrow(value);
  }
}

/** A bigint as a number where a double holds it exactly. */
function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A decimal integer of protocol 0 (`I12`, `L12L`). */
export function decimalInteger(text: string): number | bigint {
  const digits = text.trim().replace(/L$/, '');
  if (!/^[+-]?\d{1,5000}$/.test(digits)) throw new PickleShapeError(`${JSON.stringify(text)} is not an integer`);
  return narrow(BigInt(digits.replace(/^\+/, '')));
}

/** A decimal float of protocol 0. */
export function decimalFloat(text: string): number {
  const trimmed = text.trim();
  if (trimmed === 'nan' || trimmed === '-nan') return Number.NaN;
  if (trimmed === 'inf') return Number.POSITIVE_INFINITY;
  if (trimmed === '-inf') return Number.NEGATIVE_INFINITY;
  const value = Number(trimmed);
  if (trimmed === '' || Number.isNaN(value)) throw new PickleShapeError(`${JSON.stringify(text)} is not a number`);
  return value;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
]);

/** A quoted Python string of protocol 0 (STRING). */
export function quotedString(text: string): string {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || !text.endsWith(quote)) {
    throw new PickleShapeError('a quoted string of the pickle is broken');
  }
  return text.slice(1, -1).replace(/\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|([\s\S]))/g, (whole, hex, octal, char) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    return escapes.get(char) ?? whole;
  });
}

/** A raw-unicode-escape line of protocol 0 (UNICODE). */
export function rawUnicode(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g, (whole, short, long) => {
    const point = Number.parseInt(short ?? long, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
