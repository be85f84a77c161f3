// The JSON objects in the head of a file, for recognisers: rows of JSONL, elements of an array, or the beginning of a
// record that is longer than the head.

import type { Sniff } from '../source.ts';
import type { JsonObject } from '../values.ts';

/** The objects at the beginning of a file, at most 50. The last may have been cut by the end of the head. */
export function rowsOf(sniff: Sniff): JsonObject[] {
  const values: readonly unknown[] =
    sniff.lines.length > 0 ? sniff.lines : sniff.whole !== undefined ? [sniff.whole] : [sniff.prefix];
  const flat = values.length === 1 && Array.isArray(values[0]) ? values[0].slice(0, 50) : values;
  const rows = flat.filter(isRecord);
  // A first line longer than the head leaves no complete line, but its beginning says what it is.
  return rows.length === 0 && isRecord(sniff.prefix) ? [sniff.prefix] : rows;
}

function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether an object has all of the keys. */
export function hasAll(row: JsonObject, ...keys: readonly string[]): boolean {
  return keys.every((key) => Object.hasOwn(row, key));
}

/** Whether an object has any of the keys. */
export function hasAny(row: JsonObject, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(row, key));
}
