// Reading known keys out of JSON of unknown shape. Parsed records are never cast, merged or assigned into other objects:
// each key is looked at by its own guard, and what no guard asked for stays in `leftover`.

import type { Json } from '../contract/ingest.ts';

export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of an own key; undefined when the key is absent (`__proto__` and `constructor` included). */
export function get(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The string under a key, else null. */
export function text(object: JsonObject, key: string): string | null {
  const value = get(object, key);
  return typeof value === 'string' ? value : null;
}

/** The finite number under a key, else null. */
export function number(object: JsonObject, key: string): number | null {
  const value = get(object, key);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The safe integer under a key, else null. */
export function integer(object: JsonObject, key: string): number | null {
  const value = get(object, key);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

/** A string or number under a key as text (ids are written both ways), else null. */
export function idText(object: JsonObject, key: string): string | null {
  const value = get(object, key);
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : null;
}

/** The object under a key, else null. */
export function object(parent: JsonObject, key: string): JsonObject | null {
  const value = get(parent, key);
  return isObject(value) ? value : null;
}

/** The array under a key, else null. */
export function array(parent: JsonObject, key: string): readonly Json[] | null {
  const value = get(parent, key);
  return isArray(value) ? value : null;
}

/** The keys of an object that were not mapped, as a new object; undefined when nothing is left. */
export function leftover(object: JsonObject, mapped: ReadonlySet<string>): JsonObject | undefined {
  const rest = Object.entries(object).filter(([key, value]) => value !== undefined && !mapped.has(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
