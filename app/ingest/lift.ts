// Takes long arrays of numbers out of a JSON text before it is parsed: they become typed arrays straight from the bytes, and a
// short stand-in string takes their place. What is left is a small text for JSON.parse. Nothing is judged here: a text that
// is not JSON stays not JSON, and a reader that finds anything odd in the outcome parses the whole bytes instead.

import { randomUUID } from 'node:crypto';
import type { Json } from '../contract/ingest.ts';
import { type NumberArray, readNumberArray } from './number-text.ts';
import { isArray, isObject } from './values.ts';

/** An array that was taken out. NaN in `data` stands for `null`; JSON has no other way to it. */
export interface LiftedArray {
  readonly data: NumberArray;
  readonly nulls: number;
}

/** The arrays of one record by their stand-ins. */
export interface LiftedArrays {
  /** The array that a value stands in for, else null. */
  of(value: Json | undefined): LiftedArray | null;
}

export const noLifted: LiftedArrays = { of: () => null };

/** Where arrays are taken out: keys from the root, `*` for the elements of an array. */
export type LiftWhere = (path: readonly string[]) => boolean;

/** A lifted array as JSON.parse would have given it. */
export function plainArray({ data, nulls }: LiftedArray): readonly Json[] {
  const all: (number | null)[] = Array.from(data);
  if (nulls > 0) for (let i = 0; i < all.length; i++) if (Number.isNaN(all[i])) all[i] = null;
  return all;
}

/** A value without stand-ins, for what no column holds; the same value where there are none. */
export function restored(value: Json, lifted: LiftedArrays): Json {
  if (lifted === noLifted) return value;
  const array = lifted.of(value);
  if (array !== null) return plainArray(array);
  if (isArray(value)) return value.map((element) => restored(element, lifted));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, restored(inner, lifted)]));
}

interface Lifting {
  /** The text with stand-ins. */
  readonly bytes: Uint8Array;
  readonly arrays: LiftedArrays;
}

/** Shorter arrays are left where they are: the stand-in would not be shorter by much. */
const fewestElements = 32;
/** Nothing worth taking is nested deeper. */
const deepest = 64;
/** A log cannot know it, so it cannot write a stand-in. */
const secret = `rollscope:${randomUUID()}:`;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const minus = 0x2d;

/** Takes the arrays out at places that `where` accepts; null when there is none, or the text is no JSON at first sight. */
export function liftArrays(given: Uint8Array, where: LiftWhere): Lifting | null {
  // A Buffer searches with memchr, which a plain Uint8Array does not.
  const buffer = Buffer.from(given.buffer, given.byteOffset, given.length);
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.length);
  const pieces: Uint8Array[] = [];
  const found = new Map<string, LiftedArray>();
  // Per open bracket: where the key stands that is being read in it; -1 in an array.
  const keyStarts = new Int32Array(deepest + 1);
  const keyEnds = new Int32Array(deepest + 1);
  let depth = 0;
  let copied = 0;
  let stringStart = 0;
  let stringEnd = 0;
  let previous = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) {
      at++;
      continue;
    }
    switch (byte) {
      case quote:
        stringStart = at + 1;
        stringEnd = closingQuote(buffer, bytes, at + 1);
        if (stringEnd < 0) return null;
        at = stringEnd + 1;
        break;
      case colon:
        keyStarts[depth] = stringStart;
        keyEnds[depth] = stringEnd;
        at++;
        break;
      case 0x7b:
      case 0x5b: {
        const next = bytes[at + 1] ?? 0;
        if (
          byte === 0x5b &&
          previous === colon &&
          (next === minus || (next >= 0x30 && next <= 0x39) || next === 0x6e)
        ) {
          const run = readNumberArray(bytes, at + 1);
          if (run !== null && run.data.length >= fewestElements && where(pathOf(buffer, keyStarts, keyEnds, depth))) {
            const name = `${secret}${found.size}`;
            found.set(name, { data: run.data, nulls: run.nulls });
            pieces.push(bytes.subarray(copied, at), Buffer.from(`"${name}"`, 'latin1'));
            copied = run.end;
          }
          if (run !== null) {
            at = run.end;
            break;
          }
        }
        depth++;
        if (depth > deepest) return null;
        keyStarts[depth] = -1;
        at++;
        break;
      }
      case 0x7d:
      case 0x5d:
        depth--;
        if (depth < 0) return null;
        at++;
        break;
      default:
        at++;
    }
    previous = byte;
  }
  if (found.size === 0) return null;
  pieces.push(bytes.subarray(copied));
  return {
    bytes: Buffer.concat(pieces),
    arrays: { of: (value) => (typeof value === 'string' ? (found.get(value) ?? null) : null) },
  };
}

function pathOf(buffer: Buffer, keyStarts: Int32Array, keyEnds: Int32Array, depth: number): string[] {
  const path: string[] = [];
  for (let level = 1; level <= depth; level++) {
    const start = keyStarts[level] ?? -1;
    path.push(start < 0 ? '*' : buffer.toString('latin1', start, keyEnds[level]));
  }
  return path;
}

/** Index of the quote that ends a string; -1 when it is not closed. Short strings are looked through here, long ones by memchr. */
function closingQuote(buffer: Buffer, bytes: Uint8Array, from: number): number {
  const near = Math.min(bytes.length, from + 24);
  let at = from;
  while (at < near) {
    const byte = bytes[at];
    if (byte === quote) return at;
    at += byte === backslash ? 2 : 1;
  }
  for (;;) {
    const end = buffer.indexOf(quote, at);
    if (end < 0) return -1;
    let escapes = 0;
    for (let i = end - 1; i >= at && bytes[i] === backslash; i--) escapes++;
    if (escapes % 2 === 0) return end;
    at = end + 1;
  }
}
