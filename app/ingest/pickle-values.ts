// What the data-only unpickler gives back, and how much of it there is once shared references are expanded.

import type { Json } from '../contract/ingest.ts';
import { Refusal } from '../shared/errors.ts';
import { type Limits, limitRefusal } from './limits.ts';
import { countOf, type ElementType, gather, type Layout } from './numbers.ts';

/** Lists and tuples are arrays, dicts are Maps (so that no key is special), sets are Sets. Nothing is ever a class. */
export type PickleValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | PickleValue[]
  | PickleMap
  | PickleSet
  | PickleGlobal
  | StorageRef
  | TensorRef
  | NumpyArray
  | NumpyType;
export interface PickleMap extends Map<PickleValue, PickleValue> {}
interface PickleSet extends Set<PickleValue> {}

/** A name on the allow-list. It stands for itself and runs nothing. */
export interface PickleGlobal {
  readonly kind: 'global';
  readonly name: string;
}

/** The storage of a tensor: a record of the archive with `count` elements. */
export interface StorageRef {
  readonly kind: 'storage';
  readonly key: string;
  readonly type: ElementType;
  readonly count: number;
}

/** A tensor: a checked view into a storage whose bytes are read on demand. */
export interface TensorRef {
  readonly kind: 'tensor';
  readonly storage: StorageRef;
  readonly layout: Layout;
}

/** A numpy dtype while it is put together: BUILD tells its byte order. */
export interface NumpyType {
  readonly kind: 'dtype';
  readonly type: ElementType;
  littleEndian: boolean;
}

/** A numpy array while it is put together: BUILD tells its shape and bytes; `content` is null before that. */
export interface NumpyArray {
  readonly kind: 'array';
  content: {
    readonly type: ElementType;
    readonly littleEndian: boolean;
    readonly layout: Layout;
    readonly bytes: Uint8Array;
  } | null;
}

/** Whether a value is a dict. */
export function isMap(value: PickleValue | undefined): value is PickleMap {
  return value instanceof Map;
}

/** Whether a value is one of the objects that carry a `kind` of their own. */
export function isKind<K extends 'global' | 'storage' | 'tensor' | 'array' | 'dtype'>(
  value: PickleValue | undefined,
  kind: K,
): value is Extract<PickleValue, { kind: K }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}

/**
 * Refuses values that nest deeper than `limits.nesting`, hold more than `limits.pickleValues` leaves when every shared
 * reference is expanded (so that a few kilobytes cannot stand for 2^40 values), or contain themselves. Takes time and
 * memory in proportion to the pickle, not to its expansion.
 */
export function checkExpansion(root: PickleValue, limits: Limits, where: string): void {
  const done = new Map<object, Extent>();
  const open = new Set<object>();
  const stack: PickleContainer[] = [];
  if (isContainer(root)) stack.push(root);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    if (done.has(top)) {
      stack.pop();
      continue;
    }
    let leaves = 0;
    let depth = 0;
    let waiting = false;
    const first = !open.has(top);
    open.add(top);
    const see = (child: PickleValue): void => {
      if (!isContainer(child)) {
        leaves++;
        return;
      }
      const known = done.get(child);
      if (known !== undefined) {
        leaves += known.leaves;
        depth = Math.max(depth, known.depth);
      } else if (open.has(child)) {
        throw new Refusal('pickle-cycle', `${where}: a value of the pickle contains itself.`, wayOn);
      } else {
        stack.push(child);
        waiting = true;
      }
    };
    if (top instanceof Map) {
      for (const [key, value] of top) {
        see(key);
        see(value);
      }
    } else {
      for (const value of top) see(value);
    }
    if (waiting && first) continue;
    if (leaves > limits.pickleValues) throw limitRefusal('pickleValues', limits, where);
    if (depth + 1 > limits.nesting) throw limitRefusal('nesting', limits, where);
    done.set(top, { leaves: Math.max(1, leaves), depth: depth + 1 });
    open.delete(top);
    stack.pop();
  }
}

const wayOn = 'The file is damaged or was made to mislead; write the dump again.';

/** Leaves below a container when shared references are expanded, and how deep it nests. */
interface Extent {
  readonly leaves: number;
  readonly depth: number;
}

type PickleContainer = PickleValue[] | PickleMap | PickleSet;

function isContainer(value: PickleValue): value is PickleContainer {
  return Array.isArray(value) || value instanceof Map || value instanceof Set;
}

/** Arrays with more elements than this are named in JSON with their type and shape instead of being written out. */
const jsonElements = 4096;

/**
 * The value as JSON, for fields that are kept without being understood. Integers beyond ±2^53 and non-finite numbers
 * become strings; tensors and long arrays become `{"$tensor": {dtype, shape}}`; bytes become base64 up to 4 KiB.
 */
export function toJson(value: PickleValue): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) {
    if (value.length > 4096) return { $bytes: value.length };
    return { $base64: Buffer.from(value).toString('base64') };
  }
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Map) {
    // fromEntries defines own properties, so that a key such as __proto__ stays a key.
    return Object.fromEntries([...value].map(([key, element]) => [keyText(key), toJson(element)]));
  }
  if (value instanceof Set) return [...value].map(toJson);
  switch (value.kind) {
    case 'global':
      return value.name;
    case 'dtype':
      return value.type;
    case 'storage':
      return { $storage: { dtype: value.type, count: value.count } };
    case 'tensor':
      return { $tensor: { dtype: value.storage.type, shape: [...value.layout.shape] } };
    case 'array':
      return arrayToJson(value);
  }
}

function arrayToJson(array: NumpyArray): Json {
  const { content } = array;
  if (content === null) return null;
  const { type, layout } = content;
  if (countOf(layout.shape) > jsonElements || layout.shape.length !== 1) {
    return { $tensor: { dtype: type, shape: [...layout.shape] } };
  }
  return [...gather(content.bytes, type, content.littleEndian, layout).data].map((n) =>
    Number.isFinite(n) ? n : String(n),
  );
}

function keyText(key: PickleValue): string {
  return typeof key === 'string' ? key : (JSON.stringify(toJson(key)) ?? 'null');
}
