// The series of a lane: coarse ones over the whole axis at once, and exact ones for a zoomed view when it comes to rest. What is
// fetched grows with the width of the lane, never with the rollout.

import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type SeriesRequest, useSeries } from '../../data/rollout.ts';
import { useAxis } from '../../ui/axis/Axis.tsx';
import { type AxisScale, type AxisView, toUnit, viewPieces, wholeAxis } from '../../ui/axis/scale.ts';
import { type BucketSeries, extentOf, type LaneFrame } from '../../ui/axis/series.ts';
import { useScreen } from './screen-context.ts';

/** Requests of one lane at once; beyond that the view is one uniform request. */
const mostPieces = 24;
const mostBuckets = 4096;

/** Series of a column for what the axis shows now. */
export function useLaneSeries(column: string | null, pxPerBucket: number) {
  const { id } = useScreen();
  const { scale, store, width } = useAxis();
  const view = useSettled(
    useStore(store, (state) => state.view),
    90,
  );
  const whole = useMemo(() => requestsFor(scale, wholeAxis, width, pxPerBucket), [scale, width, pxPerBucket]);
  const near = useMemo(
    () => (view.to - view.from > 0.999 ? [] : requestsFor(scale, view, width, pxPerBucket)),
    [scale, view, width, pxPerBucket],
  );
  const coarse = useSeries(id, column, whole);
  const fine = useSeries(id, column, near);
  const extent = useMemo(() => extentOf(coarse.series), [coarse.series]);
  return { coarse, fine, extent, fineView: near.length > 0 && fine.complete && fine.series.length > 0 ? view : null };
}
export type LaneSeries = ReturnType<typeof useLaneSeries>;

/** One request per stretch of even density, `pxPerBucket` CSS pixels a bucket. */
export function requestsFor(scale: AxisScale, view: AxisView, width: number, pxPerBucket: number): SeriesRequest[] {
  return viewPieces(scale, view, mostPieces).map((piece) => {
    const pixels = ((toUnit(scale, piece.end - 1e-6) - toUnit(scale, piece.start)) / (view.to - view.from)) * width;
    const buckets = Math.min(mostBuckets, piece.end - piece.start, Math.max(1, Math.round(pixels / pxPerBucket)));
    return { ...piece, buckets };
  });
}

/** The finest series that cover the view now. */
export function finest(lane: LaneSeries, frame: Pick<LaneFrame, 'view'>): readonly BucketSeries[] {
  const { fineView } = lane;
  const covers = fineView !== null && frame.view.from >= fineView.from - 1e-9 && frame.view.to <= fineView.to + 1e-9;
  return covers ? lane.fine.series : lane.coarse.series;
}

/** A value that follows another one only when it has been at rest for `ms`. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
