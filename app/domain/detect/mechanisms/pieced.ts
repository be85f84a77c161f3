// Words that a text holds only when its pieces are put together: whoever writes a word of a ban in pieces means it not to be found.

import { origin } from '../mapped.ts';
import type { Unit } from '../prepare.ts';

/** Two literals, or one that is turned round. */
const literals =
  /["'][^"'\n]{0,60}["'][^"'\n]{0,20}["']|["'][^"'\n]{2,60}["']\W{0,3}(?:reverse|\[::-1\]|\.chars)|rev\w*\W{1,3}["']/;

/**
 * The first literal of a unit that was put together and then holds one of the words, none of which stands whole in what was written.
 * `words`, in small letters, are asked for only where a literal was put together.
 */
export function pieced(unit: Unit, words: () => ReadonlySet<string>): { start: number; end: number } | null {
  const { text } = unit;
  if (text.pieces.every(({ exact }) => exact)) return null;
  let known: ReadonlySet<string> | null = null;
  for (const { 0: literal, index } of text.text.matchAll(/"[^"\n]{4,200}"/g)) {
    const { start, end } = origin(text, index, index + literal.length);
    const written = unit.part.text.slice(start, end);
    if (written === literal || !literals.test(written)) continue;
    known ??= words();
    if (known.size === 0) return null;
    const lower = written.toLowerCase();
    const said = literal.toLowerCase().match(/[a-z_]{4,}/g) ?? [];
    for (const word of said)
      if (known.has(word) && !lower.includes(word)) return { start: index, end: index + literal.length };
  }
  return null;
}
