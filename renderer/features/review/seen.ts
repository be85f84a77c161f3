// What had been on screen, and for how long: the ledger keeps it with each label. Time counts while the page can be seen.

import type { LabelSeen } from '../../../app/contract/index.ts';

/** Attention to one item of a queue. */
export interface SeenStore {
  /** These items of the rollout are on screen from now on. */
  look(items: readonly number[]): void;
  /** Time spent so far, milliseconds. */
  elapsedMs(): number;
  /** Items with the time they had been on screen; `markers` are those at one of them. */
  seen(markers: readonly { readonly id: string; readonly item: number }[]): LabelSeen;
  stop(): void;
}

/** Starts to count. `now` gives milliseconds of a clock that only goes forward. */
export function createSeen(now: () => number = () => performance.now()): SeenStore {
  const times = new Map<number, number>();
  let visible: readonly number[] = [];
  let since = now();
  let spent = 0;
  let hidden = document.visibilityState === 'hidden';
  const count = (): void => {
    const at = now();
    if (!hidden) {
      spent += at - since;
      for (const item of visible) times.set(item, (times.get(item) ?? 0) + at - since);
    }
    since = at;
  };
  const onVisibility = (): void => {
    count();
    hidden = document.visibilityState === 'hidden';
  };
  document.addEventListener('visibilitychange', onVisibility);
  return {
    look(items) {
      count();
      visible = items;
    },
    elapsedMs() {
      count();
      return Math.round(spent);
    },
    seen(markers) {
      count();
      const items = [...times].map(([item, ms]) => ({ item, ms: Math.round(ms) })).toSorted((a, b) => a.item - b.item);
      return {
        shown: [],
        markers: markers.filter(({ item }) => times.has(item)).map(({ id }) => id),
        items: items.slice(0, 20_000),
      };
    },
    stop() {
      document.removeEventListener('visibilitychange', onVisibility);
    },
  };
}
