// How alike two acts are, for showing a suspicious one beside the nearest legitimate one.

/**
 * The words of an act with what differs from run to run made equal: numbers, hashes and identifiers, quoted text beyond its
 * words, case. Paths count by their names and by their endings. Each word with how often it occurs.
 */
function terms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const plain = text
    .slice(0, 4000)
    .toLowerCase()
    .replace(/\b(?:0x)?[0-9a-f]{7,64}\b/g, ' #hash ')
    .replace(/\b\d+(?:\.\d+)?\b/g, ' #number ');
  for (const word of plain.match(/#\w+|--?[\p{L}\p{N}][\p{L}\p{N}-]*|\.?[\p{L}_][\p{L}\p{N}_]*/gu) ?? [])
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Weighted Jaccard similarity of two acts in 0..1: the sum of the smaller counts of each word over that of the larger. */
export function likeness(a: string, b: string): number {
  return overlap(terms(a), terms(b));
}

function overlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let common = 0;
  let all = 0;
  for (const [word, count] of a) {
    const other = b.get(word) ?? 0;
    common += Math.min(count, other);
    all += Math.max(count, other);
  }
  for (const [word, count] of b) if (!a.has(word)) all += count;
  return all === 0 ? 0 : common / all;
}

/** The `count` candidates most like `text`, the nearest first; of equal quotes only the first. */
export function nearest<T extends { readonly quote: string }>(
  text: string,
  candidates: readonly T[],
  count: number,
): (T & { readonly likeness: number })[] {
  const own = terms(text);
  const seen = new Set<string>();
  return candidates
    .map((candidate) => ({ ...candidate, likeness: overlap(own, terms(candidate.quote)) }))
    .toSorted((a, b) => b.likeness - a.likeness)
    .filter(({ quote }) => !seen.has(quote) && seen.add(quote))
    .slice(0, count);
}
