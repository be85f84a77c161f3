// Literal find over the texts of one rollout: over the data, not over what is on screen.

import type { PartKind } from '../../contract/vocabulary.ts';
import { literalPattern } from '../../domain/text/literal.ts';
import { viewOfPart } from '../../domain/text/view.ts';

/** Hits listed; all are counted. */
const hitsMax = 2_000;

export interface FoundTexts {
  readonly hits: { item: number; part: number; start: number; end: number }[];
  readonly total: number;
}

/** Every occurrence of `query`, ignoring case, in the view texts of the parts, in order. Offsets are UTF-16 units. */
export function findInRollout(
  parts: Iterable<{ readonly item: number; readonly part: number; readonly kind: PartKind; readonly text: string }>,
  query: string,
): FoundTexts {
  const pattern = literalPattern(query);
  const hits: FoundTexts['hits'] = [];
  let total = 0;
  for (const { item, part, kind, text } of parts) {
    for (const match of viewOfPart(kind, text).matchAll(pattern)) {
      total += 1;
      if (hits.length < hitsMax) hits.push({ item, part, start: match.index, end: match.index + match[0].length });
    }
  }
  return { hits, total };
}

/** The first place where a quote stands literally in a part's view text; null when it is nowhere. */
export function locateQuote(
  parts: Iterable<{ readonly item: number; readonly part: number; readonly kind: PartKind; readonly text: string }>,
  quote: string,
): { item: number; part: number; start: number; end: number } | null {
  for (const { item, part, kind, text } of parts) {
    const start = viewOfPart(kind, text).indexOf(quote);
    if (start >= 0) return { item, part, start, end: start + quote.length };
  }
  return null;
}
