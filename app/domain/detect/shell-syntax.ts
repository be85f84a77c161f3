// What the full bash grammar (unbash) knows beyond the tolerant reader of shell.ts: loops with their words put in, and where a
// text is no bash. Only compound commands are parsed with it; the many simple ones do not pay for it.

import { forEachChild, parse, type SyntaxNode } from 'unbash';
import type { Edit } from './mapped.ts';

export interface ShellSyntax {
  /** The uses of loop variables, each to be replaced by the words that it runs over. */
  readonly edits: readonly Edit[];
  /** What the grammar did not understand first; null when all of it was. */
  readonly error: string | null;
}

const compound = /\b(?:for|select|case|function|while|until)\b|\(\)\s*\{/;
/** Longer texts are data that is piped somewhere. */
const longest = 20_000;
const mostWords = 40;

/** Reads a shell text that holds a compound command; null for any other. Never fails. */
export function readSyntax(text: string): ShellSyntax | null {
  if (text.length > longest || !compound.test(text)) return null;
  const script = parse(text);
  const edits: Edit[] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'For') {
      const words = (node.wordlist ?? []).map(({ value }) => value).filter((word) => word !== '' && !/[$`]/.test(word));
      if (words.length > 0) edits.push(...uses(text, node.name.value, node.body, words.slice(0, mostWords)));
    }
    forEachChild(node, visit);
  };
  forEachChild(script, visit);
  return { edits: withoutOverlaps(edits), error: script.errors?.[0]?.message ?? null };
}

/** `$f`, `"$f"` and `${f}` in the body; a use inside a longer word has the first of the words. */
function uses(
  text: string,
  name: string,
  body: { readonly pos: number; readonly end: number },
  words: readonly string[],
): Edit[] {
  if (!/^[A-Za-z_]\w*$/.test(name)) return [];
  const found: Edit[] = [];
  const pattern = new RegExp(String.raw`"?\$(?:\{${name}\}|${name}\b)"?`, 'g');
  for (const match of text.slice(body.pos, body.end).matchAll(pattern)) {
    const [use] = match;
    const start = body.pos + match.index;
    const end = start + use.length;
    const alone = /[\s;|&(]|^$/.test(text.charAt(start - 1)) && /[\s;|&)]|^$/.test(text.charAt(end));
    const whole = use.startsWith('"') === use.endsWith('"');
    if (alone && whole) found.push({ start, end, text: words.join(' ') });
    else {
      // The quotes belong to the longer word.
      const left = use.startsWith('"') ? 1 : 0;
      const right = use.endsWith('"') ? 1 : 0;
      found.push({ start: start + left, end: end - right, text: words[0] ?? '' });
    }
  }
  return found;
}

/** Inner loops are visited after outer ones: what an outer loop replaced stays. */
function withoutOverlaps(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of edits)
    if (!kept.some((other) => edit.start < other.end && other.start < edit.end)) kept.push(edit);
  return kept;
}
