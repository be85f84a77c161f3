// What the parts of the Rollout screen share: the data of the open rollout and what can be done with it.

import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type {
  EstimatorRun,
  ItemOutline,
  MarkerRow,
  RolloutDetail,
  SegmentRow,
  Span,
  Verdict,
} from '../../../app/contract/index.ts';
import type { AxisStore } from '../../ui/axis/store.ts';
import type { ScreenState, ScreenStore } from './screen-store.ts';
import type { ItemSpan } from './spans.ts';

/** Advantages on show: a stored run, the ones the trainer logged, or none. */
export type Shown =
  | { readonly kind: 'run'; readonly run: EstimatorRun }
  | { readonly kind: 'logged' }
  | { readonly kind: 'none' };

export interface Screen {
  readonly id: string;
  readonly detail: RolloutDetail;
  readonly segments: readonly SegmentRow[];
  readonly outline: readonly ItemOutline[];
  readonly spans: readonly ItemSpan[];
  /** Markers in the order of the rollout. */
  readonly markers: readonly MarkerRow[];
  readonly markersOf: ReadonlyMap<number, readonly MarkerRow[]>;
  readonly runs: readonly EstimatorRun[];
  readonly shown: Shown;
  /** The `run` input of procedures that show advantages. */
  readonly runInput: string | undefined;
  readonly annotator: string;
  readonly store: ScreenStore;
  readonly axis: AxisStore;
  readonly select: (item: number, marker?: string | null) => void;
  /** Selects the first item of a segment and brings its header to the top. */
  readonly selectSegment: (segment: SegmentRow) => void;
  readonly selectMarker: (marker: MarkerRow) => void;
  /** Goes to a place of a marker's evidence and lights it; the marker stays selected. */
  readonly selectSpan: (span: Span, marker: string | null) => void;
  readonly showRun: (run: string) => void;
  /** Labels the selected marker, else the rollout. `kinds` and `note` default to what is chosen in the verdict panel. */
  readonly label: (verdict: Verdict, on?: MarkerRow | 'rollout') => void;
}

export const ScreenContext = createContext<Screen | null>(null);

/** The open rollout. */
export function useScreen(): Screen {
  const screen = useContext(ScreenContext);
  if (screen === null) throw new Error('useScreen is used outside of the Rollout screen');
  return screen;
}

/** A piece of the screen's state. */
export function useScreenState<T>(pick: (state: ScreenState) => T): T {
  return useStore(useScreen().store, pick);
}

/** The segment with an index. */
export function segmentByIndex(segments: readonly SegmentRow[], index: number): SegmentRow | undefined {
  const guess = segments[index];
  return guess?.index === index ? guess : segments.find((segment) => segment.index === index);
}
