// Arithmetic of very tall lists. Browsers cap the height of an element (near 16 M px), so above `maxSpace` the scrolled
// space is smaller than the content and a scroll position stands for a proportional offset. Pure; pixels throughout.

/** Well below what any browser allows, device pixel ratios included. */
export const maxSpace = 6_000_000;

export interface ScaledSpace {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the visible window. */
  readonly viewport: number;
  /** Height the content would have. */
  readonly content: number;
  /** Height of the element that is scrolled. */
  readonly space: number;
}

/** The space of `count` rows of one height in a window. */
export function scaledSpace(count: number, rowHeight: number, viewport: number): ScaledSpace {
  const content = count * rowHeight;
  return { count, rowHeight, viewport, content, space: Math.min(content, maxSpace) };
}

/** Content pixels per scrolled pixel; 1 unless the space is scaled. */
export function scaleOf(space: ScaledSpace): number {
  if (space.space === space.content) return 1;
  return (space.content - space.viewport) / (space.space - space.viewport);
}

/** Largest meaningful content offset. */
export function maxOffset(space: ScaledSpace): number {
  return Math.max(0, space.content - space.viewport);
}

/** Content offset at the top of the window for a scroll position. */
export function offsetOf(space: ScaledSpace, scrollTop: number): number {
  return Math.min(maxOffset(space), Math.max(0, scrollTop * scaleOf(space)));
}

/** Scroll position for a content offset. */
export function scrollTopOf(space: ScaledSpace, offset: number): number {
  return Math.min(maxOffset(space), Math.max(0, offset)) / scaleOf(space);
}

/** Rows [first, last) that are visible at a content offset, with `overscan` more on both sides. */
export function visibleRows(space: ScaledSpace, offset: number, overscan: number): { first: number; last: number } {
  const first = Math.floor(offset / space.rowHeight) - overscan;
  const last = Math.ceil((offset + space.viewport) / space.rowHeight) + overscan;
  return { first: Math.max(0, first), last: Math.min(space.count, Math.max(0, last)) };
}

/** The offset that brings a row into view with the least movement (`auto`), or to the middle. */
export function offsetForRow(space: ScaledSpace, offset: number, row: number, align: 'auto' | 'center'): number {
  const top = row * space.rowHeight;
  const bottom = top + space.rowHeight;
  if (align === 'center') return Math.min(maxOffset(space), Math.max(0, top - (space.viewport - space.rowHeight) / 2));
  if (top < offset) return Math.max(0, top);
  if (bottom > offset + space.viewport) return Math.min(maxOffset(space), bottom - space.viewport);
  return offset;
}
