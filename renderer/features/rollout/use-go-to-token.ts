// Goes to one token from outside of the axis: the axis, the steps and the Token panel show it as if it had been clicked, and
// the cross-hair stands on it until the person does the next thing.

import { useCallback } from 'react';
import { createScale, revealInView, toUnit } from '../../ui/axis/scale.ts';
import { useScreen } from './screen-context.ts';
import { itemAt } from './spans.ts';

/** A function that goes to a token of the rollout's axis. */
export function useGoToToken(): (token: number) => void {
  const { store, axis, segments, spans, select } = useScreen();
  return useCallback(
    (token) => {
      store.setState({ token });
      const item = itemAt(spans, token);
      if (item >= 0) select(item);
      // Selecting brings the item into view; a token of a segment without items has only the axis to be seen on.
      const scale = createScale(
        segments.map((one) => ({ start: one.axisStart, tokens: one.tokens })),
        0.02,
      );
      const { view } = axis.getState();
      axis.setState({ view: revealInView(view, toUnit(scale, token), toUnit(scale, token + 1)), hover: token });
      const stop = new AbortController();
      const leave = () => {
        stop.abort();
        if (axis.getState().hover === token) axis.setState({ hover: null });
      };
      // Seen on the way down, for keys and clicks are often stopped where they are taken.
      for (const act of ['pointerdown', 'keydown', 'wheel']) {
        window.addEventListener(act, leave, { capture: true, passive: true, signal: stop.signal });
      }
    },
    [axis, segments, select, spans, store],
  );
}
