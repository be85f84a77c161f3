// Runs one compiled pattern over a text. Patterns that begin with filler, as `[^\n]{0,160}word` does to mark the words
// before it, are slow when run as they are: at every character the filler is tried in all its lengths.

import { parseRegex } from './regex-syntax.ts';

/** A pattern without its leading filler, and how far before its match the whole pattern may begin. */
export interface Probe {
  readonly regex: RegExp;
  readonly back: number;
}

const maxFiller = 1_000;

/** The probe of a pattern; null where no branch begins with filler of limited length. */
export function probeOf(source: string, flags: string): Probe | null {
  const tree = parseRegex(source);
  if (tree === null) return null;
  let back = 0;
  let bare = '';
  let at = 0;
  for (const branch of tree.type === 'alternatives' ? tree.items : [tree]) {
    const first = branch.type === 'sequence' ? branch.items[0] : undefined;
    if (first?.type !== 'repeat' || first.of.type !== 'char' || first.min > 0 || first.max > maxFiller) continue;
    back = Math.max(back, first.max);
    bare += source.slice(at, first.start);
    at = first.end;
  }
  if (back === 0) return null;
  // With the `u` flag the filler counts code points.
  return { regex: new RegExp(bare + source.slice(at), flags), back: flags.includes('u') ? back * 2 : back };
}

/**
 * The matches of `regex` (which has the `g` flag) in order, empty ones left out: the same as `text.matchAll(regex)`. No match
 * can begin earlier than `probe.back` before the next match of the probe, so the whole pattern is run from there.
 */
export function* search(text: string, regex: RegExp, probe: Probe | null): Generator<RegExpExecArray> {
  let from = 0;
  for (;;) {
    let start = from;
    if (probe !== null) {
      probe.regex.lastIndex = from;
      const near = probe.regex.exec(text);
      if (near === null) return;
      start = Math.max(from, near.index - probe.back);
    }
    regex.lastIndex = start;
    const match = regex.exec(text);
    if (match === null) return;
    from = match.index + match[0].length;
    if (match[0] === '') {
      from += (text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1;
      if (from > text.length) return;
    } else yield match;
  }
}
