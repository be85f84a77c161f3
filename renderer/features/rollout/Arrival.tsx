// Takes whoever follows a link to one token there, once: on the axis, in the steps and in the Token panel.

import { useEffect, useRef } from 'react';
import { segmentByIndex, useScreen } from './screen-context.ts';
import { useGoToToken } from './use-go-to-token.ts';
import { initialRoute } from './use-route-sync.ts';

/** Draws nothing. The URL names the segment and the token in it; afterwards it names what is selected. */
export function Arrival(): null {
  const { id, segments } = useScreen();
  const go = useGoToToken();
  // As the screen was opened: what the URL says later is where the person went.
  const asked = useRef(initialRoute(id));
  useEffect(() => {
    const { seg, token } = asked.current ?? {};
    asked.current = null;
    if (seg === undefined || token === undefined) return;
    const segment = segmentByIndex(segments, seg);
    if (segment !== undefined && token < segment.tokens) go(segment.axisStart + token);
  }, [go, segments]);
  return null;
}
