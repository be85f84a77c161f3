// Where in its rollout a label stands, in words: the same words on every screen.

import type { LabelTarget } from '../../app/contract/index.ts';

/** The place in words, `segment 2` or `a span of item 14`; null for the whole rollout and for a marker, which have names of their own. */
export function placeOf({ type, segment, item, span, tokens }: LabelTarget): string | null {
  switch (type) {
    case 'rollout':
    case 'marker':
      return null;
    case 'segment':
      return `segment ${(segment ?? 0) + 1}`;
    case 'item':
      return `item ${(item ?? 0) + 1}`;
    case 'span':
      return `a span of item ${(span?.item ?? 0) + 1}`;
    case 'tokens':
      return `tokens ${tokens?.start ?? 0} to ${tokens?.end ?? 0} of segment ${(tokens?.segment ?? 0) + 1}`;
  }
}
