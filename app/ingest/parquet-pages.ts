// Looks through the pages of a Parquet column before they are decoded. A run of a run-length encoding may claim any
// number of values in three bytes, and a decoder that believes it fills the memory; here every page and every run is
// held against what the footer says about the column.

import type { ColumnMetaData, Compressors, SchemaTree } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { getMaxDefinitionLevel, getMaxRepetitionLevel } from 'hyparquet/src/schema.js';

/** Encoders pad the last run of a page to a whole group of values. */
const padding = 64;
/** Encodings whose values are a hybrid of runs after one byte with their bit width. */
const dictionaryEncodings = new Set(['PLAIN_DICTIONARY', 'RLE_DICTIONARY']);

/**
 * Checks the pages of one column chunk. Throws an Error that says which page claims what: sizes outside the chunk, more
 * values than the column has, or runs longer than their page.
 */
export function checkPages(
  chunk: Uint8Array,
  column: ColumnMetaData,
  schemaPath: SchemaTree[],
  compressors: Compressors,
): void {
  const reader = { view: new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength), offset: 0 };
  const repetition = widthOf(getMaxRepetitionLevel(schemaPath));
  const definition = widthOf(getMaxDefinitionLevel(schemaPath));
  let left = Number(column.num_values);
  for (let page = 0; reader.offset < chunk.length - 1; page++) {
    const header = parquetHeader(reader);
    const { compressed_page_size: packed, uncompressed_page_size: plain } = header;
    const start = reader.offset;
    if (!isCount(packed) || !isCount(plain) || start + packed > chunk.length) {
      throw new Error(`page ${page} lies outside its column`);
    }
    reader.offset = start + packed;
    const body = chunk.subarray(start, start + packed);
    const dictionary = header.dictionary_page_header;
    const first = header.data_page_header;
    const second = header.data_page_header_v2;
    if (header.type === 'DICTIONARY_PAGE' && dictionary !== undefined) {
      if (!isCount(dictionary.num_values) || dictionary.num_values > plain * 8) {
        throw new Error(`page ${page} claims a dictionary of ${dictionary.num_values} values`);
      }
    } else if (header.type === 'DATA_PAGE' && first !== undefined) {
      const { num_values: values, encoding } = first;
      left = rest(left, values, page);
      const bytes = decompressPage(body, plain, column.codec, compressors);
      let at = 0;
      if (repetition > 0 && schemaPath.length > 1) at = sizedRuns(bytes, at, repetition, values, page);
      if (definition > 0) at = sizedRuns(bytes, at, definition, values, page);
      if (dictionaryEncodings.has(encoding)) runs(bytes, at + 1, bytes.length, bytes[at] ?? 0, values, page);
      else if (encoding === 'RLE') sizedRuns(bytes, at, 1, values, page);
    } else if (header.type === 'DATA_PAGE_V2' && second !== undefined) {
      const { num_values: values, num_nulls: nulls, num_rows: rows, encoding } = second;
      left = rest(left, values, page);
      const [r, d] = [second.repetition_levels_byte_length, second.definition_levels_byte_length];
      if (![nulls, rows, r, d].every(isCount) || nulls > values || rows > values || r + d > Math.min(packed, plain)) {
        throw new Error(`page ${page} has an impossible header`);
      }
      if (repetition > 0) runs(body, 0, r, repetition, values, page);
      if (definition > 0) runs(body, r, r + d, definition, values, page);
      const inner = body.subarray(r + d);
      const size = plain - r - d;
      const bytes =
        second.is_compressed === false || size === 0 ? inner : decompressPage(inner, size, column.codec, compressors);
      if (dictionaryEncodings.has(encoding)) runs(bytes, 1, bytes.length, bytes[0] ?? 0, values, page);
      else if (encoding === 'RLE') sizedRuns(bytes, 0, 1, values, page);
    }
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Values of the column that are left after a page. */
function rest(left: number, values: number, page: number): number {
  if (!isCount(values) || values > left) throw new Error(`page ${page} claims ${values} of ${left} values`);
  return left - values;
}

/** Bits of a level. */
function widthOf(level: number): number {
  return 32 - Math.clz32(level);
}

/** Runs after a length of four bytes; gives the position after them. */
function sizedRuns(bytes: Uint8Array, at: number, width: number, values: number, page: number): number {
  if (at + 4 > bytes.length) throw new Error(`page ${page} is cut off`);
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);
  const end = at + 4 + length;
  if (end > bytes.length) throw new Error(`page ${page} is cut off`);
  runs(bytes, at + 4, end, width, values, page);
  return end;
}

/** Walks a hybrid of runs and bit-packed groups without decoding it. */
function runs(bytes: Uint8Array, start: number, end: number, width: number, values: number, page: number): void {
  // A width of 0 needs no runs at all: every value is the first of the dictionary.
  if (width === 0) return;
  if (width > 32) throw new Error(`page ${page} has values of ${width} bits`);
  let at = start;
  let seen = 0;
  while (at < end && seen < values) {
    let header = 0;
    let shift = 0;
    for (let more = true; more; shift += 7) {
      const byte = bytes[at++] ?? 0;
      if (at > end || shift > 28) throw new Error(`page ${page} has a broken run`);
      header += (byte & 0x7f) * 2 ** shift;
      more = byte >= 0x80;
    }
    const packed = header % 2 === 1;
    const count = packed ? Math.floor(header / 2) * 8 : header / 2;
    if (count > values - seen + padding)
      throw new Error(`page ${page} has a run of ${count} values, but only ${values}`);
    seen += count;
    at += packed ? (count / 8) * width : Math.ceil(width / 8);
  }
}
