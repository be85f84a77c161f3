// Where the hops of a chain are drawn on the token axis. Pure.

/** A hop on the axis: where it is, and where its number can be read. */
export interface ChainPlace {
  /** Pixel of its tokens, held within the lane. */
  readonly x: number;
  /** Pixel of its button; hops that stand too close are moved apart. */
  readonly at: number;
  /** Its tokens are beyond the view. */
  readonly off: 'left' | 'right' | null;
}

/** Places of hops at these pixels, at least `gap` apart and within [margin, width - margin] as far as there is room. */
export function chainPlaces(
  pixels: readonly number[],
  width: number,
  { gap, margin }: { readonly gap: number; readonly margin: number },
): ChainPlace[] {
  const high = Math.max(margin, width - margin);
  const order = pixels
    .map((pixel, index) => ({ pixel, index }))
    .toSorted((a, b) => a.pixel - b.pixel || a.index - b.index);
  const room = order.length < 2 ? gap : Math.min(gap, (high - margin) / (order.length - 1));
  const at = new Map<number, number>();
  let least = margin;
  for (const { pixel, index } of order) {
    const here = Math.max(least, Math.min(high, pixel));
    at.set(index, here);
    least = here + room;
  }
  let most = high;
  for (const { index } of order.toReversed()) {
    const here = Math.min(most, at.get(index) ?? most);
    at.set(index, here);
    most = here - room;
  }
  return pixels.map((pixel, index) => ({
    x: Math.max(0, Math.min(width, pixel)),
    at: at.get(index) ?? 0,
    off: pixel < 0 ? 'left' : pixel > width ? 'right' : null,
  }));
}

/** An arc from one place to another below a line: as high as there is room, the flatter the nearer they are. */
export function arc(from: number, to: number, base: number): string {
  const height = Math.min(base - 2, 5 + Math.abs(to - from) / 10);
  return `M${from} ${base}C${from} ${base - height} ${to} ${base - height} ${to} ${base}`;
}
