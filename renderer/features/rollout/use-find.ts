// The find of the screen: its hits as marks by item and part, and moving from hit to hit.

import { useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { useFind } from '../../data/rollout.ts';
import type { Mark } from '../../text/runs.ts';
import type { Screen } from './screen-context.ts';

const settleMs = 150;

export interface Finding {
  readonly marks: ReadonlyMap<number, ReadonlyMap<number, readonly Mark[]>>;
  readonly listed: number;
  readonly total: number | null;
  readonly failed: Error | null;
  readonly move: (by: number) => void;
}

const noMarks: Finding['marks'] = new Map();

/** Looks for the store's text when the person stops typing, and shows the first hit behind the selection. */
export function useFinding(screen: Pick<Screen, 'id' | 'store' | 'select'>): Finding {
  const { id, store, select } = screen;
  const text = useStore(store, (state) => (state.findOpen ? state.find : ''));
  const hit = useStore(store, (state) => state.hit);
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), text === '' ? 0 : settleMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error, isPlaceholderData } = useFind(id, asked);
  const hits = asked === '' || data === undefined ? null : data.hits;

  const marks = useMemo(() => {
    if (hits === null) return noMarks;
    const byItem = new Map<number, Map<number, Mark[]>>();
    for (const [number, one] of hits.entries()) {
      const parts = byItem.get(one.item) ?? new Map<number, Mark[]>();
      const list = parts.get(one.part) ?? [];
      list.push({ start: one.start, end: one.end, kind: 'find', id: String(number), current: number === hit });
      parts.set(one.part, list);
      byItem.set(one.item, parts);
    }
    return byItem;
  }, [hits, hit]);

  // New hits: go to the first one at or behind the selection, as a reader expects.
  useEffect(() => {
    if (hits === null || isPlaceholderData || hits.length === 0) return;
    const from = store.getState().item ?? 0;
    const first = hits.findIndex((one) => one.item >= from);
    const at = first === -1 ? 0 : first;
    store.setState({ hit: at });
    const item = hits[at]?.item;
    if (item !== undefined) select(item);
  }, [hits, isPlaceholderData, select, store]);

  return {
    marks,
    listed: hits?.length ?? 0,
    total: asked === '' || isPlaceholderData ? null : (data?.total ?? null),
    failed: error,
    move(by) {
      if (hits === null || hits.length === 0) return;
      const at = (store.getState().hit + by + hits.length) % hits.length;
      store.setState({ hit: at });
      const item = hits[at]?.item;
      if (item !== undefined) select(item);
    },
  };
}
