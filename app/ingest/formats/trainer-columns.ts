// Per-token lists of trainer logs as typed columns over the tokens of a segment. A list that has one value for every
// token, for every response token, or for every token but the first (logs that were shifted by one) finds its place by
// its length; any other length is reported and the list is left out. Index t always describes token t.

import type { AlertDraft, Json, Place, TokenColumn } from '../../contract/ingest.ts';
import { alertOf, counted } from '../emit.ts';
import { floats, type NumberData } from '../numbers.ts';
import { isArray } from '../values.ts';

export type Report = (alert: AlertDraft) => void;

interface ReadNumbers {
  readonly data: NumberData;
  /** Elements that are neither number, boolean nor null. */
  readonly odd: number;
  /** True when no element says anything. */
  readonly empty: boolean;
}

/** The numbers of a JSON list (null becomes NaN, booleans 0 and 1); null for what is no list. */
export function numbersIn(value: Json | undefined): ReadNumbers | null {
  if (!isArray(value)) return null;
  const wide = new Float64Array(value.length);
  let odd = 0;
  let nulls = 0;
  let whole = true;
  for (let i = 0; i < value.length; i++) {
    const element = value[i];
    if (typeof element === 'number') {
      wide[i] = element;
      if (element !== (element | 0)) whole = false;
      continue;
    }
    if (typeof element === 'boolean') {
      wide[i] = element ? 1 : 0;
      continue;
    }
    wide[i] = Number.NaN;
    whole = false;
    if (element === null) nulls++;
    else odd++;
  }
  return { data: whole ? new Int32Array(wide) : wide, odd, empty: nulls === value.length };
}

/** Token ids: a list of whole numbers from 0 to 2^31 - 1. Null for anything else. */
export function idsIn(value: Json | NumberData | undefined): Int32Array | null {
  const data = isNumbers(value) ? value : (numbersIn(value)?.data ?? null);
  if (data === null) return null;
  if (data instanceof Int32Array) return data.every((id) => id >= 0) ? data : null;
  const ids = new Int32Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const id = data[i] ?? -1;
    if (id !== (id | 0) || id < 0) return null;
    ids[i] = id;
  }
  return ids;
}

export function isNumbers(value: Json | NumberData | undefined): value is NumberData {
  return ArrayBuffer.isView(value);
}

const masks = new Set(['loss_mask', 'sampled_mask', 'content_mask']);

/** Whether a column of this name is a mask of 0 and 1. */
export function isMaskName(name: string): boolean {
  return masks.has(name) || name.startsWith('is_masked');
}

/** Gathers the columns of one segment. */
export interface ColumnSet {
  readonly columns: TokenColumn[];
  /**
   * Adds a list under a column name; `start` says where it begins, else its length does. False when it is no list, has
   * no value at all, or does not fit (which is reported).
   */
  add(name: string, value: Json | NumberData | undefined, start?: number): boolean;
}

export interface ColumnTarget {
  /** Tokens of the segment, and how many of them are its prompt (0 where unknown). */
  readonly tokens: number;
  readonly promptLength: number;
  /** How messages call the segment, and where it stands. */
  readonly where: string;
  readonly place: Place;
  readonly report: Report;
}

/** A set of columns for a segment of `tokens` tokens. */
export function columnSet(target: ColumnTarget): ColumnSet {
  const { tokens, promptLength, where, place, report } = target;
  const columns: TokenColumn[] = [];
  const warn = (kind: string, message: string): void => {
    report(alertOf(kind, 'warning', `${where}: ${message}`, { place }));
  };
  return {
    columns,
    add: (name, value, start) => {
      const read = isNumbers(value) ? { data: value, odd: 0, empty: false } : numbersIn(value);
      if (read === null) {
        if (value !== undefined && value !== null) {
          warn('field-type', `${name} is no list of numbers; it is kept but not shown on the tokens.`);
        }
        return false;
      }
      if (read.data.length === 0 || read.empty) return false;
      const at = start ?? placeOf(read.data.length, tokens, promptLength);
      if (at === null || at < 0 || at + read.data.length > tokens) {
        warn(
          'length-mismatch',
          `${name} has ${counted(read.data.length, 'value')} for ${counted(tokens, 'token')} (${tokens - promptLength} of them response); the column was left out.`,
        );
        return false;
      }
      if (start === undefined && at === 1 && promptLength !== 1) {
        warn(
          'length-mismatch',
          `${name} has ${counted(read.data.length, 'value')} for ${counted(tokens, 'token')}; it was read as beginning at the second token (one value for every predicted token).`,
        );
      }
      if (read.odd > 0)
        warn(
          'value-not-number',
          `${name} holds ${counted(read.odd, 'value')} that are no numbers; they count as missing.`,
        );
      columns.push({ name, start: at, data: isMaskName(name) ? maskOf(read.data) : floats(read.data) });
      return true;
    },
  };
}

/** Where a list of this length belongs; null when it fits nowhere. */
function placeOf(length: number, tokens: number, promptLength: number): number | null {
  if (length === tokens) return 0;
  if (length === tokens - promptLength) return promptLength;
  return length === tokens - 1 ? 1 : null;
}

/** Anything but 0 (and a missing value) counts as 1. */
function maskOf(data: NumberData): Uint8Array {
  const mask = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) mask[i] = (data[i] ?? 0) > 0 ? 1 : 0;
  return mask;
}

/** A column as one number a token over the whole segment: `fallback` outside it. Null when it is not there. */
export function wholeColumn(columns: readonly TokenColumn[], name: string, tokens: number): Uint8Array | null {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) return null;
  const whole = new Uint8Array(tokens);
  for (let i = 0; i < column.data.length; i++) whole[column.start + i] = (column.data[i] ?? 0) > 0 ? 1 : 0;
  return whole;
}

/** Tokens before the first sampled one; the whole length when nothing was sampled. */
export function promptLengthOf(mask: ArrayLike<number>): number {
  for (let i = 0; i < mask.length; i++) if ((mask[i] ?? 0) > 0) return i;
  return mask.length;
}
