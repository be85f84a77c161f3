// The shared axis as a widget: lanes under each other, one cross-hair and one selection through all of them, zoom and pan
// by wheel, drag and keys. It knows tokens and segments, nothing about rollouts.

import {
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import {
  type AxisScale,
  type AxisSegment,
  type AxisView,
  createScale,
  panView,
  revealInView,
  smallestSpan,
  toPixel,
  toToken,
  toUnit,
  toUnitAt,
  wholeAxis,
  zoomView,
} from './scale.ts';
import type { AxisStore, TokenSpan } from './store.ts';
import './axis.css';

/** Least pixels of a segment at full view. */
const leastSegmentPx = 20;
const dragThresholdPx = 4;
const keyZoom = 0.7;
const keyPan = 0.15;
/** Widths of the axes that were shown, by their names. */
const widths = new Map<string, number>();

interface AxisContextValue {
  readonly scale: AxisScale;
  readonly store: AxisStore;
  /** Width of every lane in CSS pixels. */
  readonly width: number;
}

const AxisContext = createContext<AxisContextValue | null>(null);

/** The axis a lane stands on. */
export function useAxis(): AxisContextValue {
  const axis = useContext(AxisContext);
  if (axis === null) throw new Error('useAxis is used outside of Axis');
  return axis;
}

export interface AxisProps {
  readonly segments: readonly AxisSegment[];
  readonly store: AxisStore;
  /** Name for assistive technology. */
  readonly label: string;
  /** Tokens [start, end) lit through all lanes; null for none. */
  readonly selection: { readonly start: number; readonly end: number } | null;
  /** A click on a token that no control of a lane took. */
  readonly onPick: (token: number) => void;
  /**
   * Makes spans selectable: a drag and Shift with the arrow keys select tokens, Escape gives null while `spanned`. Panning is then
   * by wheel, by arrow keys, and by dragging with Alt or the middle button.
   */
  readonly onSpan?: (span: TokenSpan | null) => void;
  /** Whether `selection` is such a span. */
  readonly spanned?: boolean;
  /** What stands beside the cross-hair. */
  readonly tooltip: (token: number) => ReactNode;
  readonly children: ReactNode;
}

/** Lanes on one axis. Children are `AxisLane`s. */
export function Axis(props: AxisProps): ReactNode {
  const { segments, store, label, selection, onPick, onSpan, spanned = false, tooltip, children } = props;
  const root = useRef<HTMLElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  // As wide as an axis of this name was last: then its lanes are there, and ask for their data, in the first pass already.
  const [width, setWidth] = useState(() => widths.get(label) ?? 0);
  const scale = useMemo(() => createScale(segments, leastSegmentPx / Math.max(200, width)), [segments, width]);

  useLayoutEffect(() => {
    const element = stage.current;
    if (element === null) return;
    const measure = () => {
      widths.set(label, element.clientWidth);
      setWidth(element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [label]);

  useWheel(root, stage, scale, store);
  const drag = useRef<Drag | null>(null);
  /** The end of the selected span that stays where it is while keys move the other. */
  const anchor = useRef<number | null>(null);

  /** Pixels from the left of the lanes; null beside them. */
  const pixelOf = (clientX: number): number | null => {
    const box = stage.current?.getBoundingClientRect();
    if (box === undefined || clientX < box.left || clientX > box.right) return null;
    return clientX - box.left;
  };
  /** The token at a place of the screen, that of the nearer end beside the lanes; null without tokens. */
  const tokenAt = (clientX: number): number | null => {
    const box = stage.current?.getBoundingClientRect();
    if (box === undefined || scale.total === 0) return null;
    const x = Math.min(box.width, Math.max(0, clientX - box.left));
    return Math.min(scale.total - 1, Math.floor(toToken(scale, toUnitAt(store.getState().view, x, width))));
  };
  const onPointerMove = (event: PointerEvent) => {
    const x = pixelOf(event.clientX);
    const { view } = store.getState();
    const held = drag.current;
    if (held !== null && (held.moved || Math.abs(event.clientX - held.x) > dragThresholdPx)) {
      if (!held.moved) root.current?.setPointerCapture(held.id);
      held.moved = true;
      if (held.from !== null) {
        const to = tokenAt(event.clientX);
        if (to !== null) store.setState({ draft: between(held.from, to), hover: to });
        return;
      }
      store.setState({ view: panView(view, ((held.x - event.clientX) / width) * (view.to - view.from)), hover: null });
      held.x = event.clientX;
      return;
    }
    const hover = x === null ? null : tokenAt(event.clientX);
    if (hover !== store.getState().hover) store.setState({ hover });
  };
  const onPointerUp = (event: PointerEvent) => {
    const held = drag.current;
    drag.current = null;
    if (held?.from !== null && held?.moved === true) {
      const { draft } = store.getState();
      store.setState({ draft: null });
      anchor.current = held.from;
      if (draft !== null) onSpan?.(draft);
      return;
    }
    if (
      held === null ||
      held.moved ||
      event.button !== 0 ||
      (event.target instanceof Element && event.target.closest('button, a'))
    )
      return;
    const token = pixelOf(event.clientX) === null ? null : tokenAt(event.clientX);
    if (token !== null) onPick(token);
  };
  /** Moves the free end of the span: by a token where single ones can be seen, else by about a hundredth of the view. */
  const extend = (by: 1 | -1): void => {
    const { view, hover } = store.getState();
    if (scale.total === 0) return;
    const [from, to] = [toToken(scale, view.from), toToken(scale, view.to)];
    const start = spanned ? selection : null;
    const fixed = start === null ? (hover ?? Math.floor((from + to) / 2)) : (anchor.current ?? start.start);
    anchor.current = fixed;
    const free = start === null ? fixed : start.start < fixed ? start.start : start.end - 1;
    const step = Math.max(1, Math.round((to - from) / 100));
    const next = Math.min(scale.total - 1, Math.max(0, start === null ? free : free + by * step));
    onSpan?.(between(fixed, next));
    store.setState({
      view: revealInView(store.getState().view, toUnit(scale, next), toUnit(scale, next + 1)),
      hover: next,
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (onSpan !== undefined && event.shiftKey && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      extend(event.key === 'ArrowRight' ? 1 : -1);
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (spanned && event.key === 'Escape') {
      onSpan?.(null);
      event.stopPropagation();
      return;
    }
    const view = viewForKey(event.key, store.getState().view, scale);
    if (view === null) return;
    store.setState({ view });
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <AxisContext.Provider value={useMemo(() => ({ scale, store, width }), [scale, store, width])}>
      <section
        ref={root}
        className="axis"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys zoom and pan the axis when it has the focus
        tabIndex={0}
        aria-label={`${label}. Plus and minus zoom, arrow keys pan, 0 shows all.${onSpan === undefined ? '' : ' Shift and arrow keys select tokens.'}`}
        onPointerDown={(event) => {
          if ((event.button !== 0 && event.button !== 1) || pixelOf(event.clientX) === null) return;
          const selects = onSpan !== undefined && event.button === 0 && !event.altKey;
          // The middle button would scroll the page.
          if (event.button === 1) event.preventDefault();
          const from = selects ? tokenAt(event.clientX) : null;
          drag.current = { x: event.clientX, moved: false, id: event.pointerId, from };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null;
          store.setState({ draft: null });
        }}
        onPointerLeave={() => store.setState({ hover: null })}
        onDoubleClick={(event) => {
          if (pixelOf(event.clientX) !== null) store.setState({ view: wholeAxis });
        }}
        onKeyDown={onKeyDown}
      >
        <div ref={stage} className="axis-stage" aria-hidden="true">
          {width > 0 && <AxisOverlay selection={selection} tooltip={tooltip} />}
        </div>
        {width > 0 && children}
      </section>
    </AxisContext.Provider>
  );
}

/** A press that may become a drag: from a token on, it selects; else it pans. */
interface Drag {
  x: number;
  moved: boolean;
  readonly id: number;
  readonly from: number | null;
}

/** The span of both tokens and all between them. */
function between(one: number, other: number): TokenSpan {
  return { start: Math.min(one, other), end: Math.max(one, other) + 1 };
}

/** The view that a key asks for; null for a key that is not the axis's. */
function viewForKey(key: string, view: AxisView, scale: AxisScale): AxisView | null {
  const middle = (view.from + view.to) / 2;
  switch (key) {
    case '+':
    case '=':
      return zoomView(view, middle, keyZoom, smallestSpan(scale));
    case '-':
      return zoomView(view, middle, 1 / keyZoom, smallestSpan(scale));
    case '0':
      return wholeAxis;
    case 'ArrowLeft':
      return panView(view, -keyPan * (view.to - view.from));
    case 'ArrowRight':
      return panView(view, keyPan * (view.to - view.from));
    default:
      return null;
  }
}

/** A lane: its name at the left, its content on the axis. `height` in CSS pixels is kept whatever the content. */
export function AxisLane(props: {
  readonly label: ReactNode;
  readonly height: number;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <>
      <div className="axis-label">{props.label}</div>
      <div className="axis-lane" style={{ height: props.height }}>
        {props.children}
      </div>
    </>
  );
}

/** The lit selection, the cross-hair and what stands beside it. */
function AxisOverlay(props: Pick<AxisProps, 'selection' | 'tooltip'>): ReactNode {
  const { scale, store, width } = useAxis();
  const view = useStore(store, (state) => state.view);
  const hover = useStore(store, (state) => state.hover);
  const draft = useStore(store, (state) => state.draft);
  const selection = draft ?? props.selection;
  const left = selection === null ? 0 : toPixel(view, toUnit(scale, selection.start), width);
  const right =
    selection === null ? 0 : toPixel(view, toUnit(scale, Math.max(selection.start, selection.end - 1e-6)), width);
  const lit = selection !== null && right >= 0 && left <= width;
  const x = hover === null ? null : toPixel(view, toUnit(scale, hover + 0.5), width);
  return (
    <>
      {lit && (
        <div
          className="axis-selection"
          style={{ left: Math.max(-2, left), width: Math.max(2, Math.min(width, right) - Math.max(-2, left)) }}
        />
      )}
      {x !== null && hover !== null && (
        <>
          <div className="axis-hair" style={{ left: x }} />
          <div className="axis-tip" style={x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }}>
            {props.tooltip(hover)}
          </div>
        </>
      )}
    </>
  );
}

/** Wheel: zoom around the pointer; with shift, or sideways, pan. Not passive, so that the page stays where it is. */
function useWheel(
  root: { readonly current: HTMLElement | null },
  stage: { readonly current: HTMLDivElement | null },
  scale: AxisScale,
  store: AxisStore,
): void {
  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent) => {
      const box = stage.current?.getBoundingClientRect();
      if (box === undefined || box.width === 0 || event.clientX < box.left) return;
      event.preventDefault();
      const { view } = store.getState();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (event.shiftKey || sideways) {
        const pixels = (sideways ? event.deltaX : event.deltaY) * unit;
        store.setState({ view: panView(view, (pixels / box.width) * (view.to - view.from)) });
      } else {
        const at = toUnitAt(view, event.clientX - box.left, box.width);
        const factor = Math.exp(Math.max(-200, Math.min(200, event.deltaY * unit)) * 0.002);
        store.setState({ view: zoomView(view, at, factor, smallestSpan(scale)) });
      }
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [root, stage, scale, store]);
}
