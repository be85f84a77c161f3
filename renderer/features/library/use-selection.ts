// Which row is selected. The URL holds the rollout's id; the row number follows from it in each new result set.

import { useEffect, useRef, useState } from 'react';
import type { ResultSet, RolloutRow } from '../../../app/contract/index.ts';
import { useApi } from '../../data/api.ts';

export interface Selection {
  /** Row in the result set; null while nothing can be selected. */
  readonly index: number | null;
  readonly select: (index: number) => void;
}

/**
 * The selection over a result set. `onId` is told the id of a newly selected row as soon as the row is there (it may
 * still be on its way after a jump to the end).
 */
export function useSelection(options: {
  readonly set: ResultSet | undefined;
  readonly id: string | undefined;
  readonly rowAt: (index: number) => RolloutRow | undefined;
  readonly onId: (id: string) => void;
}): Selection {
  const { set, id, rowAt, onId } = options;
  const { client } = useApi();
  const [index, setIndex] = useState<number | null>(null);
  // Chosen by a person here, id not known yet.
  const unwritten = useRef(false);
  // Where the current index was found, so that our own change of the URL does not ask for the position again.
  const settled = useRef<{ readonly set: string; readonly id: string | undefined } | null>(null);
  const setId = set?.set;
  const total = set?.total ?? 0;

  useEffect(() => {
    if (setId === undefined) return;
    if (settled.current?.set === setId && settled.current.id === id) return;
    settled.current = { set: setId, id };
    const fallback = (old: number | null): number | null => (total === 0 ? null : Math.min(old ?? 0, total - 1));
    if (id === undefined) {
      setIndex(fallback);
      return;
    }
    const stop = new AbortController();
    client.rollouts.position({ set: setId, id }, { signal: stop.signal }).then(
      ({ position }) => setIndex((old) => (position >= 0 ? position : fallback(old))),
      // A set that is gone is followed by a new one, which asks again.
      () => setIndex(fallback),
    );
    return () => stop.abort();
  }, [client, setId, total, id]);

  const rowId = index === null ? undefined : rowAt(index)?.id;
  useEffect(() => {
    if (!unwritten.current || rowId === undefined || setId === undefined) return;
    unwritten.current = false;
    settled.current = { set: setId, id: rowId };
    onId(rowId);
  }, [rowId, setId, onId]);

  return {
    index: index !== null && index < total ? index : null,
    select(next) {
      if (total === 0 || setId === undefined) return;
      const wanted = Math.max(0, Math.min(total - 1, next));
      // Stands there already, for want of the row that the URL names: no change of the index would write its id.
      if (wanted === index && rowId !== undefined) {
        settled.current = { set: setId, id: rowId };
        if (rowId !== id) onId(rowId);
        return;
      }
      unwritten.current = true;
      setIndex(wanted);
    },
  };
}
