// Brings the selected item, and the place looked at in it, into view. Heights are known only once rows are measured, so it looks
// again for a few frames; a person who scrolls meanwhile is left alone.

import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useStore } from 'zustand';
import type { ReadingStore, View } from './desk-context.ts';
import type { Row } from './rows.ts';

const longestMs = 1_500;
/** Frames in place after which the selection counts as shown. */
const calmFrames = 5;
/** Air above and below what is shown, pixels. */
const airPx = 90;

interface Scroller {
  readonly scrollToIndex: (index: number, options: { readonly align: 'auto' | 'center' }) => void;
}

/** Scrolls whenever a selection asks for it, and when the view is another. */
export function useReveal(
  pane: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  list: Scroller,
  reading: ReadingStore,
  view: View,
): void {
  const reveal = useStore(reading, (state) => state.reveal);
  const latest = useRef({ rows, list });
  useLayoutEffect(() => {
    latest.current = { rows, list };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each request and each change of the view is answered once
  useLayoutEffect(() => {
    const element = pane.current;
    const { step } = reading.getState();
    if (element === null) return;
    if (step === null || view === 'about') {
      element.scrollTop = 0;
      return;
    }
    const started = performance.now();
    let calm = 0;
    let frame = 0;
    const look = (): void => {
      const target = targetIn(element, step);
      if (target === null) {
        calm = 0;
        const at = latest.current.rows.findIndex((row) => row.kind === 'item' && row.index === step);
        if (at >= 0) latest.current.list.scrollToIndex(at, { align: 'auto' });
      } else if (bringIntoView(element, target)) calm = 0;
      else calm += 1;
      if (calm < calmFrames && performance.now() - started < longestMs) frame = requestAnimationFrame(look);
      else stop();
    };
    const stop = (): void => {
      cancelAnimationFrame(frame);
      element.removeEventListener('wheel', stop);
      element.removeEventListener('pointerdown', stop);
    };
    element.addEventListener('wheel', stop, { passive: true });
    element.addEventListener('pointerdown', stop);
    look();
    return stop;
  }, [reveal, view, reading, pane]);
}

function targetIn(pane: HTMLElement, step: number): Element | null {
  const row = pane.querySelector(`[data-item="${step}"]`);
  return row?.querySelector('.mark-marker-current') ?? row;
}

/** The least scroll that shows an element with some air; true when it had to scroll. */
function bringIntoView(pane: HTMLElement, element: Element): boolean {
  const box = element.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  const air = Math.min(airPx, Math.max(4, (frame.height - box.height) / 2));
  const before = pane.scrollTop;
  if (box.height > frame.height - 8 || box.top < frame.top + air) pane.scrollTop += box.top - frame.top - air;
  else if (box.bottom > frame.bottom - air) pane.scrollTop += box.bottom - frame.bottom + air;
  return Math.abs(pane.scrollTop - before) >= 1;
}
