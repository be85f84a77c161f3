// Train dumps of several ranks put together. With context parallelism a rank holds two slices of every per-token column:
// the sequence is cut into twice as many chunks as there are ranks, and rank r has chunk r from the front and chunk r
// from the back (Megatron's zigzag; miles/backends/training_utils/cp_utils.py). With pipeline or tensor parallelism the
// ranks repeat each other, and only some of them hold a column at all.

import { createHash } from 'node:crypto';
import type { TokenColumn } from '../../contract/ingest.ts';
import { counted } from '../emit.ts';
import { floats, type NumberData } from '../numbers.ts';
import type { Report } from './slime-sample.ts';
import type { TrainRecord } from './slime-train.ts';

/** Where a rank stands in its group; `longest` is the padded length with which the chunks were cut, null for the own. */
export interface Parallel {
  readonly size: number;
  readonly rank: number;
  readonly longest: number | null;
}

/** The two ranges of the response whose values a rank holds, one after the other; an empty one has no length. */
export function responseRanges(
  tokens: number,
  responseLength: number,
  { size, rank, longest }: Parallel,
): readonly { readonly start: number; readonly end: number }[] {
  const chunk = Math.ceil((longest ?? tokens) / (2 * size));
  // The value of a token comes from the position before it: the last prompt token predicts the first of the response.
  const first = tokens - responseLength - 1;
  return [rank, 2 * size - rank - 1].map((index) => {
    const start = Math.max(index * chunk, first);
    const end = Math.min((index + 1) * chunk, tokens - 1);
    return start < end ? { start: start - first, end: end - first } : { start: 0, end: 0 };
  });
}

/** The slices of a rank as columns at their places; null when their number is not that of the ranges. */
export function placedSlices(
  name: string,
  data: NumberData,
  start: number,
  ranges: ReturnType<typeof responseRanges>,
): TokenColumn[] | null {
  const lengths = ranges.map((range) => range.end - range.start);
  if (data.length !== lengths.reduce((sum, length) => sum + length, 0)) return null;
  let taken = 0;
  return ranges.flatMap((range, i) => {
    const length = lengths[i] ?? 0;
    const piece = data.subarray(taken, taken + length);
    taken += length;
    return length === 0 ? [] : [{ name, start: start + range.start, data: floats(piece) }];
  });
}

/** One record for each sample: the columns of all ranks that hold it. A column with a hole is left out and reported. */
export function mergedRecords(records: readonly TrainRecord[], report: Report): TrainRecord[] {
  const samples = new Map<string, TrainRecord[]>();
  for (const record of records) {
    const key = `${record.position} ${tokensKey(record.tokens, record.responseLength)}`;
    samples.set(key, [...(samples.get(key) ?? []), record]);
  }
  return [...samples.values()].flatMap((same) => {
    const [first] = same;
    return first === undefined ? [] : [{ ...first, columns: mergedColumns(first, same, report) }];
  });
}

/** A text that is the same for the same tokens and the same response. */
export function tokensKey(tokens: NumberData, responseLength: number): string {
  const ids = Float64Array.from(tokens);
  return `${responseLength} ${createHash('sha1').update(new Uint8Array(ids.buffer)).digest('base64')}`;
}

function mergedColumns(first: TrainRecord, same: readonly TrainRecord[], report: Report): TokenColumn[] {
  const { responseLength } = first;
  const begin = first.tokens.length - responseLength;
  const names = new Set(same.flatMap((record) => record.columns.map((column) => column.name)));
  const merged: TokenColumn[] = [];
  for (const name of names) {
    const pieces = same.flatMap((record) => record.columns.filter((column) => column.name === name));
    const whole = pieces.find((piece) => piece.start === begin && piece.data.length === responseLength);
    if (whole !== undefined) {
      merged.push(whole);
      continue;
    }
    const data = new Float64Array(responseLength).fill(Number.NaN);
    const held = new Uint8Array(responseLength);
    for (const piece of pieces) {
      data.set(piece.data, piece.start - begin);
      held.fill(1, piece.start - begin, piece.start - begin + piece.data.length);
    }
    const missing = held.filter((flag) => flag === 0).length;
    if (missing === 0) {
      merged.push({ name, start: begin, data: floats(data) });
      continue;
    }
    report({
      kind: 'context-parallel',
      severity: 'warning',
      message: `Train record for position ${first.position}: ${name} lacks ${counted(missing, 'value')} of ${responseLength}, the slices of other ranks; it was left out. Import the dumps of all ranks together.`,
    });
  }
  return merged;
}
