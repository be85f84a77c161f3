// Lists longer than a browser can scroll.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maxOffset,
  maxSpace,
  offsetForRow,
  offsetOf,
  scaledSpace,
  scaleOf,
  scrollTopOf,
  visibleRows,
} from '../../../renderer/ui/scaled-space.ts';

const rowHeight = 30;
const spaces = fc
  .record({ count: fc.nat({ max: 5_000_000 }), viewport: fc.integer({ min: 0, max: 2000 }) })
  .map(({ count, viewport }) => scaledSpace(count, rowHeight, viewport));

describe('scaled space', () => {
  it('is the content itself while the browser can hold it', () => {
    const space = scaledSpace(12_480, rowHeight, 700);
    expect(space.space).toBe(12_480 * rowHeight);
    expect(scaleOf(space)).toBe(1);
    expect(offsetOf(space, 1234)).toBe(1234);
  });

  it('never exceeds the limit', () => {
    fc.assert(
      fc.property(spaces, (space) => {
        expect(space.space).toBeLessThanOrEqual(maxSpace);
      }),
    );
  });

  it('reaches the first and the last row at the ends of the scroll bar', () => {
    fc.assert(
      fc.property(spaces, (space) => {
        const end = visibleRows(space, offsetOf(space, space.space - space.viewport), 0);
        expect(visibleRows(space, offsetOf(space, 0), 0).first).toBe(0);
        if (space.count > 0 && space.viewport >= rowHeight) expect(end.last).toBe(space.count);
      }),
    );
  });

  it('turns an offset into a scroll position and back', () => {
    fc.assert(
      fc.property(spaces, fc.double({ min: 0, max: 1, noNaN: true }), (space, share) => {
        const offset = share * maxOffset(space);
        expect(offsetOf(space, scrollTopOf(space, offset))).toBeCloseTo(offset, 3);
      }),
    );
  });

  it('brings any row into view, and moves no more than needed', () => {
    fc.assert(
      fc.property(spaces, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (space, pick, share) => {
        fc.pre(space.count > 0 && space.viewport >= rowHeight);
        const row = pick % space.count;
        const before = share * maxOffset(space);
        const after = offsetForRow(space, before, row, 'auto');
        expect(row * rowHeight).toBeGreaterThanOrEqual(after - 1e-6);
        expect((row + 1) * rowHeight).toBeLessThanOrEqual(after + space.viewport + 1e-6);
        const visible = row * rowHeight >= before && (row + 1) * rowHeight <= before + space.viewport;
        if (visible) expect(after).toBe(before);
      }),
    );
  });

  it('draws only what is visible, however long the list', () => {
    const space = scaledSpace(5_000_000, rowHeight, 700);
    const { first, last } = visibleRows(space, maxOffset(space) / 2, 6);
    expect(last - first).toBeLessThan(40);
  });
});
