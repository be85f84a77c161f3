// A scrolled list of rows of one height that can be millions long: only the visible ones exist, and above the browser's
// height limit the scroll space is scaled (scaled-space.ts). A header may stick to the top and scroll sideways with the rows.

import {
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { offsetForRow, offsetOf, scaledSpace, scaleOf, scrollTopOf, visibleRows } from './scaled-space.ts';

export interface VirtualRowsHandle {
  /** Brings a row into view. */
  scrollToRow(row: number, align?: 'auto' | 'center'): void;
  /** Rows that fit into the window. */
  pageSize(): number;
  /** The scrolled element. */
  element(): HTMLDivElement | null;
}

export interface VirtualRowsProps extends Omit<HTMLAttributes<HTMLDivElement>, 'children'> {
  readonly count: number;
  readonly rowHeight: number;
  readonly header?: ReactNode;
  /** Height of the header, which covers the top of the window. */
  readonly headerHeight?: number;
  /** Least width of the rows; wider than the window scrolls sideways. */
  readonly minWidth?: number | string;
  readonly overscan?: number;
  /** Draws row `index`; spread `style` on its element. */
  readonly row: (index: number, style: { readonly transform: string; readonly height: number }) => ReactNode;
  /** Told which rows [first, last) exist, after each change. */
  readonly onRange?: (first: number, last: number) => void;
  readonly handle?: Ref<VirtualRowsHandle>;
}

/** The list. */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, rowHeight, header, headerHeight = 0, minWidth, overscan = 6, row, onRange, handle, ...rest } = props;
  const element = useRef<HTMLDivElement>(null);
  const height = useHeight(element);
  const space = useMemo(
    () => scaledSpace(count, rowHeight, Math.max(0, height - headerHeight)),
    [count, rowHeight, height, headerHeight],
  );
  const [position, setPosition] = useState({ scrollTop: 0, offset: 0 });
  const latest = useRef({ space, position });
  useLayoutEffect(() => {
    latest.current = { space, position };
  });

  const moveTo = useCallback((offset: number) => {
    const { space } = latest.current;
    const scrollTop = scrollTopOf(space, offset);
    const next = { scrollTop, offset: offsetOf(space, scrollTop) };
    // Within one scrolled pixel the exact offset is kept, so that a scaled list still moves row by row.
    if (scaleOf(space) !== 1) next.offset = Math.max(0, Math.min(offset, space.content - space.viewport));
    latest.current.position = next;
    setPosition(next);
    if (element.current !== null) element.current.scrollTop = scrollTop;
  }, []);

  useImperativeHandle(
    handle,
    () => ({
      scrollToRow(row, align = 'auto') {
        const { space, position } = latest.current;
        const offset = offsetForRow(space, position.offset, row, align);
        if (offset !== position.offset) moveTo(offset);
      },
      pageSize: () => Math.max(1, Math.floor(latest.current.space.viewport / rowHeight) - 1),
      element: () => element.current,
    }),
    [moveTo, rowHeight],
  );

  useScaledWheel(element, latest, moveTo);

  const { first, last } = visibleRows(space, position.offset, overscan);
  useEffect(() => onRange?.(first, last), [onRange, first, last]);

  const shift = scaleOf(space) === 1 ? 0 : position.scrollTop - position.offset;
  const rows: ReactNode[] = [];
  for (let index = first; index < last; index += 1) {
    rows.push(row(index, { transform: `translateY(${index * rowHeight + shift}px)`, height: rowHeight }));
  }
  return (
    <div
      {...rest}
      ref={element}
      className={`virtual ${rest.className ?? ''}`}
      onScroll={(event) => {
        const { scrollTop } = event.currentTarget;
        const { space, position } = latest.current;
        // A scroll we caused ourselves comes back rounded to device pixels; it must not undo the exact offset.
        if (scaleOf(space) !== 1 && Math.abs(scrollTop - position.scrollTop) < 1) return;
        setPosition({ scrollTop, offset: offsetOf(space, scrollTop) });
      }}
    >
      {header}
      <div className="virtual-space" role="presentation" style={{ height: space.space, minWidth }}>
        {rows}
      </div>
    </div>
  );
}

function useHeight(element: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(0);
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return;
    setHeight(node.clientHeight);
    const observer = new ResizeObserver(() => setHeight(node.clientHeight));
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return height;
}

interface Latest {
  readonly space: ReturnType<typeof scaledSpace>;
  readonly position: { readonly scrollTop: number; readonly offset: number };
}

/** In a scaled space the wheel moves content pixels, not scrolled ones; otherwise one notch would skip many rows. */
function useScaledWheel(
  element: RefObject<HTMLDivElement | null>,
  latest: RefObject<Latest>,
  moveTo: (offset: number) => void,
): void {
  useEffect(() => {
    const node = element.current;
    if (node === null) return;
    const onWheel = (event: WheelEvent): void => {
      const { space, position } = latest.current;
      if (scaleOf(space) === 1 || event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? space.rowHeight : 1;
      moveTo(position.offset + event.deltaY * lines);
    };
    node.addEventListener('wheel', onWheel, { passive: false });
    return () => node.removeEventListener('wheel', onWheel);
  }, [element, latest, moveTo]);
}
