// A JSON array of numbers straight from bytes into a typed array: no string, no JavaScript array, and every value bit for
// bit what JSON.parse gives. Whatever is not plain (a number of 19 digits, a string, NaN) is left to the caller's other way.

/** Numbers of one JSON array in the narrowest type that keeps each of them exactly; NaN stands for `null`. */
export type NumberArray = Int32Array | Float32Array | Float64Array;

export interface NumberRun {
  readonly data: NumberArray;
  /** How many elements are `null`. */
  readonly nulls: number;
  /** Index of the byte after the closing bracket. */
  readonly end: number;
}

/** Powers of ten that a double holds exactly. */
const exactPowers = Float64Array.from({ length: 23 }, (_, k) => Number(`1e${k}`));

// 10^k as the unevaluated sum of two doubles, for k from -minPower to maxPower: `high` is the nearest double, `low` the
// nearest double to what is missing. `highTop` holds the upper 26 bits of `high`, for exact products.
const minPower = 70;
const maxPower = 40;
const high = new Float64Array(minPower + maxPower + 1);
const highTop = new Float64Array(high.length);
const low = new Float64Array(high.length);
/** Veltkamp's constant 2^27 + 1, which splits a double into two halves of 26 bits. */
const splitter = 134217729;

for (let i = 0; i < high.length; i++) {
  const power = i - minPower;
  const nearest = Number(`1e${power}`);
  const scaled = nearest * splitter;
  high[i] = nearest;
  highTop[i] = scaled - (scaled - nearest);
  low[i] = remainderOf(power, nearest);
}

/** 10^power - nearest, correct to a double, by integer arithmetic. */
function remainderOf(power: number, nearest: number): number {
  // Scaled by 2^420 both are integers or far finer than a double can tell.
  const unit = 1n << 420n;
  const exact = power >= 0 ? 10n ** BigInt(power) * unit : (unit << 200n) / 10n ** BigInt(-power);
  const shift = power >= 0 ? 0n : 200n;
  let mantissa = nearest;
  let exponent = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  const approximate = (BigInt(mantissa) * (unit << shift)) >> BigInt(exponent);
  return Number(exact - approximate) / Number(unit) / 2 ** Number(shift);
}

/** Room for the values of the array being read; kept for the next one unless it grew large. */
let scratch = new Float64Array(16_384);
const scratchKept = 1 << 20;

const comma = 0x2c;
const minus = 0x2d;
const plus = 0x2b;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const closing = 0x5d;
const letterE = 0x65;

// Digits are read four at a time. Of four bytes, each taken XOR "0", `nonDigits` keeps the highest bit of those that are
// none (right up to the first of them, which is all that counts), `fourDigits` is the number that four digits write.
function nonDigits(four: number): number {
  return ((four + 0x76767676) | four) & 0x80808080;
}
function fourDigits(four: number): number {
  const pairs = (Math.imul(four, 10) + (four >>> 8)) | 0;
  return (Math.imul(pairs & 0xff, 100) + ((pairs >>> 16) & 0xff)) | 0;
}
/** How many of the four bytes are digits before the first that is none. */
function leadingDigits(others: number): number {
  return (31 - Math.clz32(others & -others)) >> 3;
}
/** Those digits moved up behind zeros, so that `fourDigits` reads them. */
function aligned(four: number, digits: number): number {
  return (four << (24 - 8 * digits)) << 8;
}

/**
 * Reads the array whose opening bracket stands before `from`. Null when it is no array of numbers and nulls only, is not
 * strict JSON, is empty, holds an integer beyond 2^53, or ends with the bytes (in a record something follows).
 *
 * A decimal is read as an integer of up to 19 digits and a power of ten. Below 2^53 and within 10^±22 one division or product
 * of exact doubles rounds correctly (Clinger 1990). Else integer times power is computed as a sum of two doubles (Dekker
 * 1971) with a relative error below 2^-100; the nearest double is certain unless that sum lies within 2^-98 of the middle
 * between two doubles. Then, and for any other number, its text goes through `Number`.
 *
 * One long loop: it runs for every number of a log, and a call that returns a double may have to allocate it.
 */
export function readNumberArray(bytes: Uint8Array, from: number): NumberRun | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lastGroup = bytes.length - 4;
  let at = from;
  let count = 0;
  let nulls = 0;
  let integers = true;
  let single = true;
  let out = scratch;
  for (;;) {
    if (at > lastGroup) return null;
    let four = view.getInt32(at, true);
    if ((four & 0xff) <= 0x20) {
      while (isSpace(bytes[at] ?? 0)) at++;
      if (at > lastGroup) return null;
      four = view.getInt32(at, true);
    }
    const start = at;
    let value = Number.NaN;
    if (four === nullText) {
      at += 4;
      nulls++;
      integers = false;
    } else {
      const negative = (four & 0xff) === minus;
      if (negative) {
        at++;
        if (at > lastGroup) return null;
        four = view.getInt32(at, true);
      }
      const leadingZero = (four & 0xff) === zero;
      const whole = at;
      let plain = true;
      four ^= 0x30303030;
      let others = nonDigits(four);
      // The significant digits: those of `first`, then `secondDigits` of `second`.
      let first = 0;
      let second = 0;
      let secondDigits = 0;
      while (others === 0 && first < 10_000) {
        first = (Math.imul(first, 10_000) + fourDigits(four)) | 0;
        at += 4;
        if (at > lastGroup) return null;
        four = view.getInt32(at, true) ^ 0x30303030;
        others = nonDigits(four);
      }
      let n = others === 0 ? 4 : leadingDigits(others);
      if (first < 100_000 || n === 0) {
        if (n > 0) first = (Math.imul(first, powersOfTen[n] ?? 0) + fourDigits(aligned(four, n))) | 0;
      } else plain = false;
      at += n;
      if (at === whole || (leadingZero && at > whole + 1)) return null;
      let byte = bytes[at] ?? 0;
      let exponent = 0;
      let isWhole = true;
      if (byte === point && plain) {
        isWhole = false;
        const fraction = ++at;
        if (at > lastGroup) return null;
        four = view.getInt32(at, true) ^ 0x30303030;
        others = nonDigits(four);
        while (others === 0 && first < 100_000) {
          first = (Math.imul(first, 10_000) + fourDigits(four)) | 0;
          at += 4;
          if (at > lastGroup) return null;
          four = view.getInt32(at, true) ^ 0x30303030;
          others = nonDigits(four);
        }
        while (others === 0 && secondDigits < 8) {
          second = (Math.imul(second, 10_000) + fourDigits(four)) | 0;
          secondDigits += 4;
          at += 4;
          if (at > lastGroup) return null;
          four = view.getInt32(at, true) ^ 0x30303030;
          others = nonDigits(four);
        }
        if (others === 0) plain = false;
        else {
          n = leadingDigits(others);
          if (n > 0) {
            const rest = fourDigits(aligned(four, n));
            if (first < 100_000) first = (Math.imul(first, powersOfTen[n] ?? 0) + rest) | 0;
            else {
              second = second * (powersOfTen[n] ?? 0) + rest;
              secondDigits += n;
            }
            at += n;
          }
        }
        if (at === fraction) return null;
        exponent = fraction - at;
        byte = bytes[at] ?? 0;
      }
      if ((byte | 0x20) === letterE && plain) {
        isWhole = false;
        byte = bytes[++at] ?? 0;
        const down = byte === minus;
        if (down || byte === plus) byte = bytes[++at] ?? 0;
        const power = at;
        let scale = 0;
        while (byte >= zero && byte <= nine && scale < 1000) {
          scale = scale * 10 + (byte - zero);
          byte = bytes[++at] ?? 0;
        }
        if (at === power) return null;
        plain = byte < zero || byte > nine;
        exponent = (exponent + (down ? -scale : scale)) | 0;
      }
      if (isWhole && plain) value = first;
      else if (plain && (secondDigits <= 9 || first < 100_000_000)) {
        // Exact: 10^9·5^9 and 10^8·5^11 are less than 2^53, and the rest of the power is one of two.
        const top = first * (exactPowers[secondDigits] ?? 0);
        const sum = top + second;
        const i = exponent + minPower;
        if (sum <= Number.MAX_SAFE_INTEGER && exponent >= -22 && exponent <= 22) {
          value = exponent < 0 ? sum / (exactPowers[-exponent] ?? 1) : sum * (exactPowers[exponent] ?? 1);
        } else if (i >= 0 && i < high.length) {
          const rest = second - (sum - top);
          const power = high[i] ?? 0;
          const powerTop = highTop[i] ?? 0;
          const powerBottom = power - powerTop;
          const scaled = sum * splitter;
          const sumTop = scaled - (scaled - sum);
          const sumBottom = sum - sumTop;
          const product = sum * power;
          const missing =
            sumTop * powerTop - product + sumTop * powerBottom + sumBottom * powerTop + sumBottom * powerBottom;
          const correction = missing + (sum * (low[i] ?? 0) + rest * power);
          const rounded = product + correction;
          const left = correction - (rounded - product);
          const doubt = rounded * certainty;
          if (rounded + (left + doubt) === rounded && rounded + (left - doubt) === rounded) value = rounded;
        }
      }
      if (Number.isNaN(value)) {
        const slow = slowNumber(bytes, start);
        if (slow === null) return null;
        value = slow.value;
        at = slow.end;
        isWhole = false;
      } else if (negative) value = -value;
      // What is written as a whole number is an int32 here, but for minus zero; others may still be one, such as 1.0.
      if (integers && (negative || !isWhole)) integers = (value | 0) === value && !Object.is(value, -0);
      if (Math.fround(value) !== value) single = false;
    }
    if (count === out.length) {
      out = new Float64Array(out.length * 2);
      out.set(scratch);
      scratch = out;
    }
    out[count++] = value;
    let byte = bytes[at++] ?? 0;
    while (byte <= 0x20 && isSpace(byte)) byte = bytes[at++] ?? 0;
    if (byte === comma) continue;
    if (byte !== closing) return null;
    break;
  }
  const values = out.subarray(0, count);
  const data = integers ? new Int32Array(values) : single ? new Float32Array(values) : values.slice();
  if (scratch.length > scratchKept) scratch = new Float64Array(scratchKept);
  return { data, nulls, end: at };
}

const powersOfTen = Int32Array.of(1, 10, 100, 1000, 10_000);
/** The four bytes of "null", the first one lowest. */
const nullText = 0x6c6c756e;
/** How near to the middle between two doubles a sum may lie, relative to its size, before its rounding is not trusted. */
const certainty = 2 ** -98;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

const numberToken = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/u;
/** Longer numbers are nobody's; the array is then read the ordinary way. */
const longestNumber = 400;

/** One number by its text; null when it is none, or an integer that a double does not hold. */
function slowNumber(bytes: Uint8Array, start: number): { value: number; end: number } | null {
  let end = start;
  while (end - start < longestNumber && isNumberByte(bytes[end])) end++;
  let text = '';
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] ?? 0);
  const match = numberToken.exec(text);
  if (match === null) return null;
  const value = Number(text);
  const isInteger = match[1] === undefined && match[2] === undefined;
  return isInteger && !Number.isSafeInteger(value) ? null : { value, end };
}

function isNumberByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= zero && byte <= 0x39) || byte === minus || byte === point || byte === 0x2b || (byte | 0x20) === letterE
  );
}
