// A file of critic values to join: one column of numbers per segment, named by rollout and segment. Three layouts are read,
// told apart by content: native JSONL (whole lines or `{"rollout", "segment", "values"}`), Parquet rows of the same names,
// and npz archives whose arrays are called ROLLOUT/SEGMENT.

import type { Json } from '../contract/ingest.ts';
import { messageOf, Refusal } from '../shared/errors.ts';
import type { Limits } from './limits.ts';
import { readNpy } from './npy.ts';
import { floats } from './numbers.ts';
import { isParquet, openParquet } from './parquet.ts';
import { readJsonLines } from './records.ts';
import { sniffFile } from './sniff.ts';
import type { ReadContext, SourceFile } from './source.ts';
import { array, get, idText, integer, isArray, isObject, type JsonObject } from './values.ts';
import { openZip } from './zip.ts';

export type ValuesFormat = 'native' | 'parquet' | 'npz';

/** The values of one segment as the file has them; NaN is missing. */
export interface FileColumn {
  readonly rollout: string;
  readonly segment: number;
  readonly values: Float32Array | Float64Array;
}

/** A column, or something that is none and why. */
export type FileEntry =
  | { readonly type: 'column'; readonly column: FileColumn }
  | { readonly type: 'unread'; readonly rollout: string; readonly segment: number; readonly reason: string };

const layouts =
  'Expected: JSONL lines {"rollout": id, "segment": number, "values": [...]} or native lines with "values" in their segments; ' +
  'Parquet with columns rollout, segment and values; or npz with arrays named ROLLOUT/SEGMENT.';

/**
 * Recognises a values file and reads it entry by entry. Throws a Refusal: `values-format` for a file of none of the layouts,
 * and those of the containers (`parquet-invalid`, `zip-invalid`, `limit-exceeded`...).
 */
export async function openValues(
  file: SourceFile,
  limits: Limits,
  checkCancelled: () => void,
): Promise<{ readonly format: ValuesFormat; readonly entries: AsyncIterable<FileEntry> }> {
  const sniff = await sniffFile(file, limits);
  if (isParquet(sniff.head)) return { format: 'parquet', entries: await parquetEntries(file, limits, checkCancelled) };
  if (sniff.head[0] === 0x50 && sniff.head[1] === 0x4b) {
    return { format: 'npz', entries: npzEntries(file, limits, checkCancelled) };
  }
  const first = sniff.lines[0] ?? sniff.whole ?? sniff.prefix;
  if (typeof first !== 'object' || first === null || !('segments' in first || 'values' in first)) {
    throw new Refusal('values-format', `${file.name} is no file of values.`, layouts);
  }
  const context: ReadContext = { limits, sibling: async () => null, checkCancelled };
  return { format: 'native', entries: lineEntries(file, context) };
}

async function* lineEntries(file: SourceFile, context: ReadContext): AsyncGenerator<FileEntry> {
  for await (const record of readJsonLines(file, context)) {
    if (record.kind === 'alert') {
      yield unread('', 0, record.alert.message);
      continue;
    }
    const { value, place } = record;
    const at = `line ${place.line ?? 0}`;
    if (!isObject(value)) yield unread(at, 0, 'The line is no object.');
    else if (array(value, 'segments') === null) yield entryOf(value, at);
    else yield* nativeEntries(value, at);
  }
}

/** The segments of a native line that have values. */
function* nativeEntries(head: JsonObject, at: string): Generator<FileEntry> {
  const rollout = idText(head, 'rollout_id') ?? at;
  for (const [index, segment] of (array(head, 'segments') ?? []).entries()) {
    if (!isObject(segment) || get(segment, 'values') === undefined) continue;
    yield columnOf(rollout, index, get(segment, 'values') ?? null);
  }
}

/** A flat record: rollout, segment, values. */
function entryOf(row: JsonObject, at: string): FileEntry {
  const rollout = idText(row, 'rollout') ?? idText(row, 'rollout_id') ?? idText(row, 'id');
  const segment = integer(row, 'segment') ?? integer(row, 'segment_index') ?? 0;
  if (rollout === null) return unread(at, segment, 'It names no rollout ("rollout" or "rollout_id").');
  return columnOf(rollout, segment, get(row, 'values') ?? null);
}

function columnOf(rollout: string, segment: number, values: Json): FileEntry {
  if (!isArray(values)) return unread(rollout, segment, 'Its values are no list of numbers.');
  const out = new Float64Array(values.length);
  for (const [t, value] of values.entries()) {
    if (value === null || value === 'NaN') out[t] = Number.NaN;
    else if (typeof value === 'number') out[t] = value;
    else
      return unread(rollout, segment, `Its value ${t} is ${JSON.stringify(value).slice(0, 40)}, which is no number.`);
  }
  return { type: 'column', column: { rollout, segment, values: floats(out) } };
}

function unread(rollout: string, segment: number, reason: string): FileEntry {
  return { type: 'unread', rollout, segment, reason };
}

async function parquetEntries(
  file: SourceFile,
  limits: Limits,
  checkCancelled: () => void,
): Promise<AsyncIterable<FileEntry>> {
  const table = await openParquet(file, limits);
  if (!table.columns.includes('values')) {
    throw new Refusal(
      'values-format',
      `${file.name} has no column "values"; its columns are ${table.columns.join(', ')}.`,
      layouts,
    );
  }
  async function* rows(): AsyncGenerator<FileEntry> {
    for await (const { row, index } of table.rows(checkCancelled)) yield entryOf(row, `row ${index}`);
  }
  return rows();
}

async function* npzEntries(file: SourceFile, limits: Limits, checkCancelled: () => void): AsyncGenerator<FileEntry> {
  const zip = await openZip(file, limits);
  for (const name of zip.members.keys()) {
    checkCancelled();
    const stem = name.replace(/\.npy$/u, '');
    const slash = stem.lastIndexOf('/');
    const segment = Number(stem.slice(slash + 1));
    const rollout = stem.slice(0, Math.max(0, slash));
    if (stem === name || slash <= 0 || !Number.isSafeInteger(segment) || segment < 0) {
      yield unread(stem, 0, 'The array is not called ROLLOUT/SEGMENT.');
      continue;
    }
    try {
      const { shape, data } = readNpy(await zip.read(name), `${file.name}, array ${JSON.stringify(stem)}`, limits);
      if (shape.length !== 1) yield unread(rollout, segment, `The array has ${shape.length} dimensions, not one.`);
      else yield { type: 'column', column: { rollout, segment, values: floats(data) } };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'limit-exceeded') throw error;
      yield unread(rollout, segment, messageOf(error));
    }
  }
}
