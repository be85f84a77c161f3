// The places in a part that the selected marker rests on: the hops of its chain, and the answer that is looked at.

import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { Mark } from '../../text/runs.ts';
import { useScreen } from './screen-context.ts';

const none: readonly Mark[] = [];

/** Marks of kind `evidence` for one part. */
export function useEvidenceMarks(item: number, part: number): readonly Mark[] {
  const { store, markers } = useScreen();
  const focus = useStore(store, (state) =>
    state.focus?.item === item && state.focus.part === part ? state.focus : null,
  );
  const chain = useStore(store, (state) => {
    const marker = state.marker === null ? undefined : markers.find(({ id }) => id === state.marker);
    return marker?.chain.some((hop) => hop.item === item && hop.part === part) === true ? marker.chain : null;
  });
  return useMemo(() => {
    if (focus === null && chain === null) return none;
    const hops = (chain ?? []).flatMap((hop, index): Mark[] =>
      hop.item === item && hop.part === part
        ? [{ start: hop.start, end: hop.end, kind: 'evidence', id: `hop${index + 1}`, current: false }]
        : [],
    );
    if (focus === null) return hops;
    return [...hops, { start: focus.start, end: focus.end, kind: 'evidence', id: 'here', current: true }];
  }, [chain, focus, item, part]);
}
