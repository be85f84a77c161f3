// Brings the selection into view. Heights are only known once texts have arrived, so it looks again, frame by frame, until
// the selected item is loaded and stands still in view; a person who scrolls meanwhile is left alone.

import { type RefObject, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { MarkerRow } from '../../../app/contract/index.ts';
import type { Mark } from '../../text/runs.ts';
import { type Row, rowOfItem } from './rows.ts';
import { useScreen } from './screen-context.ts';
import type { ScreenState } from './screen-store.ts';

const longestMs = 3000;
/** Frames in place after which the selection counts as shown. */
const calmFrames = 6;
/** Height of the segment header over the top of the list, and air around what is shown. */
const topPx = 38;
const airPx = 84;

interface Scroller {
  readonly scrollToIndex: (index: number, options: { readonly align: 'auto' | 'start' }) => void;
  readonly cancelScroll: () => void;
}

type Finds = ReadonlyMap<number, ReadonlyMap<number, readonly Mark[]>>;

/** Scrolls `pane` to the selected item, and within it to the selected marker or the current hit, whenever asked. */
export function useReveal(
  pane: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  list: Scroller,
  finds: Finds,
): void {
  const { store, markers } = useScreen();
  const reveal = useStore(store, (state) => state.reveal);
  const latest = useRef({ rows, list, markers, finds });
  latest.current = { rows, list, markers, finds };
  useEffect(() => {
    const element = pane.current;
    const { item } = store.getState();
    if (element === null || item === null || reveal === 0) return;
    const whole = store.getState().revealAs === 'segment';
    const scroll = () => {
      const { rows: now, list: scroller } = latest.current;
      const row = rowOfItem(now, item);
      const header = whole && row >= 0 ? headerAbove(now, row) : row;
      if (header >= 0) scroller.scrollToIndex(header, { align: whole ? 'start' : 'auto' });
    };
    const started = performance.now();
    let calm = 0;
    let frame = 0;
    let frames = 0;
    const look = () => {
      const target = targetIn(element, item, markToReveal(item, store.getState(), latest.current));
      const header = whole ? headerIn(element, latest.current.rows, item) : null;
      if (target === null) {
        calm = 0;
        if (frames % 15 === 0) scroll();
      } else if (header === null ? bringIntoView(element, target) : bringToTop(element, header)) {
        calm = 0;
      } else {
        calm += 1;
      }
      frames += 1;
      if (calm < calmFrames && performance.now() - started < longestMs) frame = requestAnimationFrame(look);
      else stop();
    };
    const stop = () => {
      cancelAnimationFrame(frame);
      latest.current.list.cancelScroll();
    };
    frame = requestAnimationFrame(look);
    element.addEventListener('wheel', stop, { passive: true });
    element.addEventListener('pointerdown', stop);
    return () => {
      stop();
      element.removeEventListener('wheel', stop);
      element.removeEventListener('pointerdown', stop);
    };
  }, [reveal, store, pane]);
}

/** Position of the segment header above a row. */
function headerAbove(rows: readonly Row[], row: number): number {
  let at = row;
  while (at > 0 && rows[at]?.kind !== 'segment') at -= 1;
  return at;
}

/** The row element of the segment header above an item, when it is rendered. */
function headerIn(pane: HTMLElement, rows: readonly Row[], item: number): Element | null {
  const row = rowOfItem(rows, item);
  return row < 0 ? null : pane.querySelector(`[data-index="${headerAbove(rows, row)}"]`);
}

/** Scrolls an element to the top of the pane, as far as there is room below; true when it had to scroll. */
function bringToTop(pane: HTMLElement, element: Element): boolean {
  const before = pane.scrollTop;
  const off = element.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (Math.abs(off) >= 1) pane.scrollTop += off;
  return Math.abs(pane.scrollTop - before) >= 1;
}

/** The element to show: the mark if it is there, else the item once its text has arrived; null while neither is. */
function targetIn(pane: HTMLElement, item: number, mark: string | null): Element | null {
  const row = pane.querySelector(`[data-item="${item}"]`);
  if (row === null || row.querySelector('.skeleton') !== null) return null;
  return (mark === null ? null : row.querySelector(`[data-mark~="${CSS.escape(mark)}"]`)) ?? row;
}

function markToReveal(
  item: number,
  { marker, focus }: Pick<ScreenState, 'marker' | 'focus'>,
  known: { readonly markers: readonly MarkerRow[]; readonly finds: Finds },
): string | null {
  for (const marks of known.finds.get(item)?.values() ?? []) {
    const current = marks.find((mark) => mark.current);
    if (current !== undefined) return `find-${current.id}`;
  }
  if (focus?.item === item) return 'evidence-here';
  return known.markers.some((one) => one.id === marker && one.item === item) ? `marker-${marker}` : null;
}

/** The least scroll that shows an element; true when it had to scroll. What is taller than the pane shows its top. */
function bringIntoView(pane: HTMLElement, element: Element): boolean {
  const box = element.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  const top = frame.top + topPx;
  const before = pane.scrollTop;
  const small = element.tagName === 'MARK';
  const air = small ? airPx : 0;
  if (box.top < top && (small || box.height < frame.height - topPx || box.top < top - box.height + 60)) {
    pane.scrollTop -= top + air - box.top;
  } else if (box.bottom > frame.bottom - 4 && box.top > top) {
    pane.scrollTop += Math.min(box.bottom - frame.bottom + 4 + air, box.top - top);
  }
  return Math.abs(pane.scrollTop - before) >= 1;
}
