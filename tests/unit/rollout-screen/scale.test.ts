// The token axis: units, pixels, zoom and pan, and which stretches of it one request may cover.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AxisSegment,
  createScale,
  panView,
  revealInView,
  smallestSpan,
  toPixel,
  toToken,
  toUnit,
  toUnitAt,
  viewPieces,
  wholeAxis,
  zoomView,
} from '../../../renderer/ui/axis/scale.ts';

function contiguous(tokens: readonly number[]): AxisSegment[] {
  let start = 0;
  return tokens.map((count) => {
    const segment = { start, tokens: count };
    start += count;
    return segment;
  });
}

const lengths = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 60 });

describe('createScale', () => {
  it('is proportional when every segment is long enough', () => {
    expect(createScale(contiguous([100, 300]), 0.01).stops).toEqual([0, 0.25, 1]);
  });

  it('gives a short segment its minimum and keeps the others in proportion to each other', () => {
    const { stops } = createScale(contiguous([100_000, 10, 50_000]), 0.02);
    const [a = 0, b = 0, c = 0, d = 0] = stops;
    expect(c - b).toBeGreaterThan(0.019);
    expect((b - a) / (d - c)).toBeCloseTo(2, 9);
  });

  it('keeps room for the long ones when there are very many short ones', () => {
    const { stops } = createScale(contiguous([...Array.from({ length: 500 }, () => 1), 1_000_000]), 0.05);
    expect(1 - (stops[500] ?? 1)).toBeGreaterThan(0.7);
  });

  it('survives rollouts without segments and without tokens', () => {
    const none = createScale([], 0.02);
    expect([none.total, toUnit(none, 5), toToken(none, 0.5)]).toEqual([0, 0, 0]);
    const empty = createScale(contiguous([0, 0]), 0.02);
    expect(empty.stops).toEqual([0, 0.5, 1]);
    expect(viewPieces(empty, wholeAxis, 10)).toEqual([]);
  });
});

describe('units and tokens', () => {
  it('are inverse wherever there are tokens, and never decrease', () => {
    fc.assert(
      fc.property(lengths, fc.double({ min: 0, max: 0.0833, noNaN: true }), (tokens, least) => {
        const scale = createScale(contiguous(tokens), least);
        fc.pre(scale.total > 0);
        let before = -1;
        for (let step = 0; step <= 40; step += 1) {
          const token = Math.floor(((scale.total - 1) * step) / 40);
          const unit = toUnit(scale, token);
          expect(unit).toBeGreaterThanOrEqual(before);
          expect(toToken(scale, unit + 1e-13)).toBeCloseTo(token, 2);
          before = unit;
        }
      }),
    );
  });

  it('puts the border of two segments where the second one starts', () => {
    const scale = createScale(contiguous([100, 0, 50]), 0.05);
    expect(toUnit(scale, 100)).toBe(scale.stops[2]);
  });
});

describe('the view', () => {
  it('keeps what is under the pointer when it zooms', () => {
    const width = 1000;
    const at = toUnitAt(wholeAxis, 300, width);
    const near = zoomView(wholeAxis, at, 0.25, 1e-6);
    expect(near.to - near.from).toBeCloseTo(0.25, 12);
    expect(toPixel(near, at, width)).toBeCloseTo(300, 6);
  });

  it('never leaves the axis and never goes below the smallest span', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.01, max: 20, noNaN: true }))),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (zooms, pan) => {
          let view = wholeAxis;
          for (const [at, factor] of zooms) view = zoomView(view, at, factor, 0.001);
          view = panView(view, pan);
          expect(view.from).toBeGreaterThanOrEqual(0);
          expect(view.to).toBeLessThanOrEqual(1 + 1e-12);
          expect(view.to - view.from).toBeGreaterThanOrEqual(0.001 - 1e-12);
        },
      ),
    );
  });

  it('stops at about two dozen tokens', () => {
    const scale = createScale(contiguous([240_000]), 0.02);
    expect(smallestSpan(scale) * 240_000).toBeCloseTo(24, 6);
    expect(smallestSpan(createScale(contiguous([10]), 0.02))).toBe(1);
  });

  it('moves only as far as it must to reveal a span', () => {
    const view = { from: 0.4, to: 0.5 };
    expect(revealInView(view, 0.42, 0.44)).toBe(view);
    const right = revealInView(view, 0.7, 0.71);
    expect(right.to - right.from).toBeCloseTo(0.1, 12);
    expect(right.to).toBeGreaterThan(0.71);
    const wide = revealInView(view, 0.6, 0.9);
    expect(wide.from).toBeLessThanOrEqual(0.6);
    expect(wide.to).toBeGreaterThanOrEqual(0.9);
  });
});

describe('viewPieces', () => {
  it('joins neighbours of one density and cuts at others', () => {
    const scale = createScale(contiguous([60_000, 40_000, 10, 50_000]), 0.02);
    expect(viewPieces(scale, wholeAxis, 10)).toEqual([
      { start: 0, end: 100_000 },
      { start: 100_000, end: 100_010 },
      { start: 100_010, end: 150_010 },
    ]);
  });

  it('is one piece when there would be too many', () => {
    const scale = createScale(contiguous([60_000, 10, 40_000, 10, 50_000]), 0.02);
    expect(viewPieces(scale, wholeAxis, 3)).toEqual([{ start: 0, end: 150_020 }]);
  });

  it('covers every token in view exactly once', () => {
    fc.assert(
      fc.property(lengths, fc.double({ min: 0, max: 0.9, noNaN: true }), (tokens, from) => {
        const scale = createScale(contiguous(tokens), 0.02);
        fc.pre(scale.total > 0);
        const pieces = viewPieces(scale, { from, to: Math.min(1, from + 0.2) }, 100);
        for (const [index, piece] of pieces.entries()) {
          expect(piece.end).toBeGreaterThan(piece.start);
          if (index > 0) expect(piece.start).toBe(pieces[index - 1]?.end);
        }
      }),
    );
  });
});
