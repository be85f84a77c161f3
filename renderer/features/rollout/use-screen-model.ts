// Puts together what the parts of the screen share: derived data and the acts on the selection.

import { useCallback, useEffect, useMemo, useRef } from 'react';
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
import { createScale, revealInView, toUnit } from '../../ui/axis/scale.ts';
import type { AxisStore } from '../../ui/axis/store.ts';
import { chooseShown } from './choose-shown.ts';
import { entryOf } from './moves.ts';
import { carriedRunOf } from './rows.ts';
import type { Screen } from './screen-context.ts';
import type { ScreenStore } from './screen-store.ts';
import { itemSpans } from './spans.ts';
import { useGiveVerdict } from './verdict-draft.ts';

/** The shared model of the screen. */
export function useScreenModel(input: {
  readonly id: string;
  readonly store: ScreenStore;
  readonly axis: AxisStore;
  readonly detail: RolloutDetail;
  readonly outline: readonly ItemOutline[];
  readonly runs: readonly EstimatorRun[];
  readonly annotator: string;
}): Screen {
  const { id, store, axis, detail, outline, runs, annotator } = input;
  const { segments } = detail;
  const wanted = useStore(store, (state) => state.run);
  const spans = useMemo(() => itemSpans(segments, outline), [segments, outline]);
  const markers = useMemo(
    () => detail.markers.toSorted((a, b) => a.item - b.item || a.part - b.part || a.start - b.start),
    [detail.markers],
  );
  const markersOf = useMemo(() => Map.groupBy(markers, (marker) => marker.item), [markers]);
  const shown = useMemo(() => chooseShown(wanted, runs, segments), [wanted, runs, segments]);
  const runInput =
    shown.kind === 'run'
      ? shown.run.result.error === undefined
        ? shown.run.id
        : undefined
      : shown.kind === 'logged'
        ? 'logged'
        : undefined;

  const select = useCallback(
    (item: number, marker: string | null = null) => {
      const within = Math.min(Math.max(0, item), outline.length - 1);
      if (within < 0) return;
      const state = store.getState();
      const run = carriedRunOf(segments, outline, within);
      const carried = run === null || state.carried.has(run) ? state.carried : new Set([...state.carried, run]);
      store.setState({
        item: within,
        marker,
        focus: null,
        span: null,
        carried,
        reveal: state.reveal + 1,
        revealAs: 'item',
      });
      const span = spans[within];
      if (span === undefined) return;
      // The minimum widths of the rail hardly move a span, so a plain scale is good enough to bring it into view.
      const scale = createScale(
        segments.map((one) => ({ start: one.axisStart, tokens: one.tokens })),
        0.02,
      );
      const { view } = axis.getState();
      const next = revealInView(view, toUnit(scale, span.start), toUnit(scale, span.end));
      if (next !== view) axis.setState({ view: next });
    },
    [axis, outline, segments, spans, store],
  );
  const selectSegment = useCallback(
    (segment: SegmentRow) => {
      if (segment.items === 0) return;
      select(entryOf(segment, outline));
      store.setState({ revealAs: 'segment' });
    },
    [outline, select, store],
  );
  const selectMarker = useCallback((marker: MarkerRow) => select(marker.item, marker.id), [select]);
  const selectSpan = useCallback(
    ({ item, part, start, end }: Span, marker: string | null) => {
      select(item, marker);
      store.setState({ focus: { item, part, start, end } });
    },
    [select, store],
  );
  const showRun = useCallback((run: string) => store.setState({ run }), [store]);

  const give = useGiveVerdict(id, detail.labels, annotator);
  const latest = useRef({ give, markers });
  latest.current = { give, markers };
  const label = useCallback(
    (verdict: Verdict, on?: MarkerRow | 'rollout') => {
      const selected = latest.current.markers.find((marker) => marker.id === store.getState().marker) ?? null;
      latest.current.give(verdict, on === 'rollout' ? null : (on ?? selected));
    },
    [store],
  );

  // A link to a marker is a link to its item. Only when the screen opens: later changes of markers (a label, a new scan)
  // must not move what a person looks at.
  const opened = useRef(false);
  useEffect(() => {
    if (opened.current) return;
    opened.current = true;
    const { item, marker, focus } = store.getState();
    const linked = markers.find((one) => one.id === marker);
    if (focus !== null) selectSpan(focus, marker);
    else if (linked !== undefined) select(linked.item, linked.id);
    else if (item !== null) select(item);
  }, [markers, select, selectSpan, store]);

  return useMemo(
    () => ({
      id,
      detail,
      segments,
      outline,
      spans,
      markers,
      markersOf,
      runs,
      shown,
      runInput,
      annotator,
      store,
      axis,
      select,
      selectSegment,
      selectMarker,
      selectSpan,
      showRun,
      label,
    }),
    [
      id,
      detail,
      segments,
      outline,
      spans,
      markers,
      markersOf,
      runs,
      shown,
      runInput,
      annotator,
      store,
      axis,
      select,
      selectSegment,
      selectMarker,
      selectSpan,
      showRun,
      label,
    ],
  );
}
