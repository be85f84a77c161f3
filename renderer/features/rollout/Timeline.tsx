// Everything on the token axis: segment rail, advantage curve, heat strip, context size and markers under one cross-hair.

import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type SeriesRequest, useSeries } from '../../data/rollout.ts';
import { Axis, AxisLane, useAxis } from '../../ui/axis/Axis.tsx';
import { CanvasLane } from '../../ui/axis/CanvasLane.tsx';
import { type AxisScale, type AxisView, toUnit, viewPieces, wholeAxis } from '../../ui/axis/scale.ts';
import {
  drawBars,
  drawBorders,
  drawContext,
  drawHeat,
  extentOf,
  type HeatKind,
  type LaneFrame,
} from '../../ui/axis/series.ts';
import { formatTokens, plural } from '../../ui/format.ts';
import { Select } from '../../ui/select.tsx';
import { CurveNotice } from './CurveNotice.tsx';
import { columnTitle } from './format.ts';
import { MarkerTicks, SegmentRail } from './SegmentRail.tsx';
import { segmentByIndex, useScreen, useScreenState } from './screen-context.ts';
import { contextPoints, itemAt } from './spans.ts';
import { TokenTip } from './TokenTip.tsx';

const heights = { rail: 26, curve: 64, heat: 14, context: 22 } as const;
/** Pixels per bucket of the curve: bars with air between them read better than a solid area. */
const barPx = 2;
/** Requests of one lane at once; beyond that the view is one uniform request. */
const mostPieces = 24;

/** The axis of the open rollout. */
export function Timeline(): ReactNode {
  const screen = useScreen();
  const { segments, spans, axis, select } = screen;
  const item = useScreenState((state) => state.item);
  const axisSegments = useMemo(() => segments.map((one) => ({ start: one.axisStart, tokens: one.tokens })), [segments]);
  const span = item === null ? undefined : spans[item];
  const selection = useMemo(() => (span === undefined || span.end === span.start ? null : span), [span]);
  const columns = useHeatColumns();
  const [chosen, setChosen] = useState<string | null>(null);
  const column = columns.some((one) => one.value === chosen) ? chosen : (columns[0]?.value ?? null);
  const points = useMemo(() => contextPoints(segments), [segments]);
  const curve =
    screen.shown.kind === 'run' ? `run:${screen.shown.run.id}` : screen.shown.kind === 'logged' ? 'advantages' : null;
  const summaries = segments.filter((one) => one.kind === 'summary').length;
  const executions = segments.filter((one) => one.kind === 'execution').length;
  const estimated = segments.some((one) => one.tokensEstimated);
  return (
    <Axis
      segments={axisSegments}
      store={axis}
      label="Token axis"
      selection={selection}
      onPick={(token) => {
        const at = itemAt(spans, token);
        screen.store.setState({ token });
        if (at >= 0) select(at);
      }}
      tooltip={(token) => <TokenTip token={token} />}
    >
      <AxisLane
        height={heights.rail}
        label={
          <>
            {plural(segments.length, 'segment')}
            <br />
            {estimated
              ? 'estimated from text'
              : summaries > 0
                ? `K = ${executions}+${summaries}`
                : `${formatTokens(screen.detail.axisLength)} tokens`}
          </>
        }
      >
        <SegmentRail />
      </AxisLane>
      <AxisLane
        height={heights.curve}
        label={
          <>
            {screen.shown.kind === 'logged' ? 'logged' : 'advantage'}
            <br />
            {screen.shown.kind === 'logged' ? 'advantage' : 'per token'}
          </>
        }
      >
        <CurveLane column={curve} />
        <MarkerTicks />
      </AxisLane>
      {column !== null && (
        <AxisLane
          height={heights.heat}
          label={<Select label="Column of the strip" value={column} options={columns} onChange={setChosen} />}
        >
          <HeatLane column={column} />
        </AxisLane>
      )}
      {points.length > 0 && (
        <AxisLane height={heights.context} label="context">
          <ContextLane points={points} />
        </AxisLane>
      )}
    </Axis>
  );
}

/** The columns the strip can show, the most telling first. */
function useHeatColumns(): { readonly value: string; readonly label: string }[] {
  const { segments, shown } = useScreen();
  return useMemo(() => {
    const stored = new Set(segments.flatMap((segment) => segment.columns));
    const run = shown.kind === 'run' && shown.run.result.error === undefined ? shown.run.id : null;
    const options: { value: string; label: string }[] = [];
    if (run !== null && stored.has('advantages')) options.push({ value: `diff:${run}`, label: 'logged − recomputed' });
    const rest = [...stored].filter((name) => !['ids', 'loss_mask', 'sampled_mask', 'advantages'].includes(name));
    rest.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
    for (const name of rest) options.push({ value: name, label: columnTitle(name) });
    if (run !== null) options.push({ value: `run:${run}`, label: 'recomputed advantage' });
    if (stored.has('advantages')) options.push({ value: 'advantages', label: columnTitle('advantages') });
    return options;
  }, [segments, shown]);
}

function rank(column: string): number {
  const order = ['values', 'logprobs.rollout', 'entropy', 'kl'];
  const at = order.indexOf(column);
  return at === -1 ? order.length : at;
}

function heatKind(column: string): HeatKind {
  if (column.startsWith('logprobs')) return 'falling';
  return column === 'entropy' || column === 'kl' || column === 'values' ? 'rising' : 'signed';
}

/** Series for the view: coarse ones over the whole axis at once, and exact ones for a zoomed view when it comes to rest. */
function useLaneSeries(column: string | null, pxPerBucket: number) {
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

function requestsFor(scale: AxisScale, view: AxisView, width: number, pxPerBucket: number): SeriesRequest[] {
  return viewPieces(scale, view, mostPieces).map((piece) => {
    const pixels = ((toUnit(scale, piece.end - 1e-6) - toUnit(scale, piece.start)) / (view.to - view.from)) * width;
    const buckets = Math.min(4096, piece.end - piece.start, Math.max(1, Math.round(pixels / pxPerBucket)));
    return { ...piece, buckets };
  });
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

/** The finest series that cover the view now. */
function pick(lane: ReturnType<typeof useLaneSeries>, frame: LaneFrame) {
  const { fineView } = lane;
  const covers = fineView !== null && frame.view.from >= fineView.from - 1e-9 && frame.view.to <= fineView.to + 1e-9;
  return covers ? lane.fine.series : lane.coarse.series;
}

function CurveLane({ column }: { readonly column: string | null }): ReactNode {
  const { shown } = useScreen();
  const refused = shown.kind === 'run' && shown.run.result.error !== undefined;
  const lane = useLaneSeries(refused ? null : column, barPx);
  const draw = useCallback(
    (frame: LaneFrame) => {
      if (lane.extent !== null) drawBars(frame, pick(lane, frame), lane.extent);
      drawBorders(frame);
      if (lane.extent !== null) drawExtent(frame, lane.extent);
    },
    [lane],
  );
  const empty =
    column === null || refused || lane.coarse.error !== null || (lane.coarse.complete && lane.extent === null);
  return (
    <>
      <CanvasLane height={heights.curve} label="Advantage per token: orange above zero, blue below" draw={draw} />
      {empty && <CurveNotice failure={lane.coarse.error} />}
    </>
  );
}

/** The scale of the curve in words of two figures, at its right end. */
function drawExtent(frame: LaneFrame, extent: { readonly low: number; readonly high: number }): void {
  const { context, width, height, palette } = frame;
  context.font = palette.font;
  context.textAlign = 'right';
  const write = (text: string, y: number) => {
    const wide = context.measureText(text).width;
    context.globalAlpha = 0.8;
    context.fillStyle = palette.sunken;
    context.fillRect(width - wide - 5, y - 8, wide + 5, 11);
    context.globalAlpha = 1;
    context.fillStyle = palette.muted;
    context.fillText(text, width - 2, y);
  };
  const span = Math.max(extent.high, 0) - Math.min(extent.low, 0);
  if (extent.high > 0.08 * span) write(`+${short(extent.high)}`, 9);
  if (extent.low < -0.08 * span) write(`−${short(-extent.low)}`, height - 3);
}

function short(value: number): string {
  return value >= 0.01 && value < 1000 ? value.toFixed(2) : value.toExponential(1);
}

function HeatLane({ column }: { readonly column: string }): ReactNode {
  const lane = useLaneSeries(column, 1.5);
  const kind = heatKind(column);
  const draw = useCallback((frame: LaneFrame) => drawHeat(frame, pick(lane, frame), lane.extent, kind), [lane, kind]);
  return (
    <>
      <CanvasLane height={heights.heat} label={`${column} per token as colours`} draw={draw} />
      {lane.coarse.complete && lane.extent === null && lane.coarse.error === null && (
        <span className="axis-note">no trainable token has a value</span>
      )}
    </>
  );
}

function ContextLane({ points }: { readonly points: ReturnType<typeof contextPoints> }): ReactNode {
  const { axis, segments } = useScreen();
  const hover = useStore(axis, (state) => state.hover);
  const draw = useCallback((frame: LaneFrame) => drawContext(frame, points), [points]);
  const most = points.reduce((largest, point) => Math.max(largest, point.context), 0);
  const segment = hover === null ? undefined : segments.findLast((one) => one.axisStart <= hover);
  const here = segment === undefined ? undefined : segmentByIndex(segments, segment.index);
  return (
    <>
      <CanvasLane
        height={heights.context}
        label={`Size of the context, at most ${formatTokens(most)} tokens`}
        draw={draw}
      />
      <span className="axis-note">
        {here?.contextAfter === null || here === undefined
          ? `max ${formatTokens(most)}`
          : `from ${formatTokens(here.contextAfter)}`}
      </span>
    </>
  );
}
