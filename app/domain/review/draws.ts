// Seeded draws: the same seed gives the same queue on every machine.

import { createDraws } from '../agreement/bootstrap.ts';

/** Uniform integers in 0..below-1. Small seeds are spread out and the first draws dropped: xorshift starts slowly. */
export function drawsOf(seed: number): (below: number) => number {
  const draw = createDraws(Math.imul(seed + 1, 0x9e3779b1) | 1);
  for (let i = 0; i < 16; i++) draw(2);
  return draw;
}

/** A random order (Fisher-Yates). */
export function shuffled<T>(list: readonly T[], draw: (below: number) => number): T[] {
  const order = [...list];
  for (let last = order.length - 1; last > 0; last--) {
    const other = draw(last + 1);
    const kept = order[last];
    const moved = order[other];
    if (kept === undefined || moved === undefined) continue;
    order[last] = moved;
    order[other] = kept;
  }
  return order;
}
