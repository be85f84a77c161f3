// A text too long for one node: its lines in an inner virtual scroller, so that a text of millions of characters stays quick.

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Runs } from './Runs.tsx';
import type { Mark } from './runs.ts';
import { lineOffsets } from './windows.ts';

const longestLine = 1000;
const linePx = 18;
const viewPx = 420;

/** All of a text, scrolled within a box of its own. Scrolls to the current mark. */
export function LongText({
  text,
  marks,
  ansi,
  label,
}: {
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly ansi: boolean;
  readonly label: string;
}): ReactNode {
  const scroller = useRef<HTMLElement>(null);
  const offsets = useMemo(() => lineOffsets(text, longestLine), [text]);
  const virtualizer = useVirtualizer({
    count: offsets.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      Math.ceil(((offsets[index + 1] ?? text.length) - (offsets[index] ?? 0)) / 110 || 1) * linePx,
    overscan: 12,
    useFlushSync: false,
  });
  const current = marks.find((mark) => mark.current)?.start ?? null;
  useEffect(() => {
    if (current === null) return;
    const line = offsets.findLastIndex((offset) => offset <= current);
    if (line >= 0) virtualizer.scrollToIndex(line, { align: 'center' });
  }, [current, offsets, virtualizer]);
  return (
    <section
      ref={scroller}
      className="long-text"
      style={{ maxHeight: viewPx }}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
    >
      <div style={{ height: virtualizer.getTotalSize(), position: 'relative' }}>
        {virtualizer.getVirtualItems().map((line) => (
          <div
            key={line.key}
            data-index={line.index}
            ref={virtualizer.measureElement}
            className="long-line"
            style={{ transform: `translateY(${line.start}px)` }}
          >
            <Runs
              text={text}
              from={offsets[line.index] ?? 0}
              to={withoutBreak(text, offsets[line.index + 1] ?? text.length)}
              marks={marks}
              ansi={ansi}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** The end of a line without its line break, which would make the row two lines high. */
function withoutBreak(text: string, end: number): number {
  return text[end - 1] === '\n' ? end - 1 : end;
}
