// Ranking of a short list by what was typed: pure, case-insensitive, every typed word must occur.

/** The items that contain every word of `query`, best first: prefixes, then word starts, then the rest. Stable. */
export function rankByText<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const scored = items.flatMap((item) => {
    const score = scoreOf(textOf(item).toLowerCase(), words);
    return score === null ? [] : [{ item, score }];
  });
  return scored.toSorted((a, b) => a.score - b.score).map(({ item }) => item);
}

/** Lower is better; null when a word does not occur. */
function scoreOf(text: string, words: readonly string[]): number | null {
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return null;
    score += at === 0 ? 0 : text[at - 1] === ' ' ? 1 : 2;
  }
  return score;
}
