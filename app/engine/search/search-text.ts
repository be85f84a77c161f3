// How a text is prepared for the full-text index: the one place that joins folding, views and the index.

import type { IndexText } from '../../../db/queries/search.ts';
import { foldText } from '../../domain/text/literal.ts';
import { viewOfArguments } from '../../domain/text/view.ts';

/** Names the folding of the index. Unicode gains letters: an index made with an older one would miss the new pairs. */
export const folding = `1/unicode-${process.versions.unicode ?? 'unknown'}`;

/** A text as it is indexed. Any text may be the arguments of a tool call somewhere, now or after the next import. */
export function indexText(text: string): IndexText {
  const view = viewOfArguments(text);
  return { raw: foldText(text), view: view === text ? null : foldText(view) };
}
