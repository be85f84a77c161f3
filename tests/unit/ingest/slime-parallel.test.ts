// Slices of context parallelism put together again, and records of several ranks joined to one.

import { describe, expect, it } from 'vitest';
import { mergedRecords, placedSlices, responseRanges } from '../../../app/ingest/formats/slime-parallel.ts';
import type { TrainRecord } from '../../../app/ingest/formats/slime-train.ts';
import { kinds } from './support.ts';

const tokens = Int32Array.from({ length: 13 }, (_, i) => i + 1);
const responseLength = 8;
const values = Float64Array.from({ length: responseLength }, (_, i) => i / 8);

function record(columns: TrainRecord['columns'], more: Partial<TrainRecord> = {}): TrainRecord {
  return {
    position: 0,
    positioned: true,
    rolloutId: '0',
    tokens,
    responseLength,
    lossMask: null,
    columns,
    reward: null,
    rawReward: null,
    truncated: false,
    extra: {},
    ...more,
  };
}

/** The slice of a rank, cut by the same ranges. */
function slice(rank: number, size: number): TrainRecord['columns'] {
  const ranges = responseRanges(tokens.length, responseLength, { size, rank, longest: null });
  const data = Float64Array.from(ranges.flatMap(({ start, end }) => [...values.subarray(start, end)]));
  return placedSlices('values', data, 5, ranges) ?? [];
}

describe('context parallelism', () => {
  it.each([2, 3, 4])('%i ranks cover every response token once', (size) => {
    const held = new Array<number>(responseLength).fill(0);
    for (let rank = 0; rank < size; rank++) {
      for (const { start, end } of responseRanges(tokens.length, responseLength, { size, rank, longest: null })) {
        for (let i = start; i < end; i++) held[i] = (held[i] ?? 0) + 1;
      }
    }
    expect(held).toEqual(new Array<number>(responseLength).fill(1));
  });

  it('cuts as the trainer does: 13 tokens, 8 of them response, 2 ranks with chunks of 4', () => {
    // Chunks [0,4) [4,8) [8,12) [12,16); the positions that predict the response are 4 to 11.
    expect(responseRanges(13, 8, { size: 2, rank: 0, longest: null })).toEqual([
      { start: 0, end: 0 },
      { start: 0, end: 0 },
    ]);
    expect(responseRanges(13, 8, { size: 2, rank: 1, longest: null })).toEqual([
      { start: 0, end: 4 },
      { start: 4, end: 8 },
    ]);
  });

  it('gives the column back from the slices of all ranks', () => {
    const alerts: Parameters<Parameters<typeof mergedRecords>[1]>[0][] = [];
    const merged = mergedRecords([record(slice(2, 3)), record(slice(0, 3)), record(slice(1, 3))], (a) =>
      alerts.push(a),
    );
    expect(alerts).toEqual([]);
    expect(merged).toHaveLength(1);
    expect(merged[0]?.columns).toMatchObject([{ name: 'values', start: 5 }]);
    expect([...(merged[0]?.columns[0]?.data ?? [])]).toEqual([...values]);
  });

  it('leaves a column with a hole out and says what is missing', () => {
    const alerts: Parameters<Parameters<typeof mergedRecords>[1]>[0][] = [];
    const merged = mergedRecords([record(slice(0, 3)), record(slice(1, 3))], (a) => alerts.push(a));
    expect(merged[0]?.columns).toEqual([]);
    expect(kinds(alerts)).toEqual(['context-parallel']);
  });

  it('keeps records of other samples apart', () => {
    const other = record([], { tokens: Int32Array.from(tokens, (id) => id + 1) });
    expect(mergedRecords([record([]), other, record([])], () => {})).toHaveLength(2);
  });

  it('gives nothing for a slice of another length', () => {
    const ranges = responseRanges(13, 8, { size: 2, rank: 1, longest: null });
    expect(placedSlices('values', Float64Array.of(1, 2), 5, ranges)).toBeNull();
  });
});
