// Two texts side by side, line by line: a longest common subsequence over what is left between common beginnings and ends.

import type { DiffLine } from '../../contract/group.ts';

/** Cells of the table of the middle part; beyond that the middle is shown as replaced as a whole. */
const mostCells = 4_000_000;

/**
 * Lines of two texts in pairs. Between two common stretches the lines that only one side has stand beside each other in order
 * (`changed`), what is over on either side alone (`left`, `right`). Any line break ends a line.
 */
export function lineDiff(left: string, right: string): DiffLine[] {
  const a = left === '' ? [] : left.split(/\r?\n/u);
  const b = right === '' ? [] : right.split(/\r?\n/u);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail])
    tail += 1;
  const lines: DiffLine[] = a.slice(0, head).map(same);
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  let i = 0;
  let j = 0;
  for (const [p, q] of commonPairs(middleA, middleB)) {
    pushParted(lines, middleA.slice(i, p), middleB.slice(j, q));
    lines.push(same(middleA[p] ?? ''));
    i = p + 1;
    j = q + 1;
  }
  pushParted(lines, middleA.slice(i), middleB.slice(j));
  lines.push(...a.slice(a.length - tail).map(same));
  return lines;
}

function same(line: string): DiffLine {
  return { kind: 'same', left: line, right: line };
}

function pushParted(lines: DiffLine[], left: readonly string[], right: readonly string[]): void {
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const one = left[at] ?? null;
    const other = right[at] ?? null;
    lines.push({ kind: one === null ? 'right' : other === null ? 'left' : 'changed', left: one, right: other });
  }
}

/** Places of a longest common subsequence in both lists, ascending; none when the table would be too large. */
function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  const width = b.length + 1;
  if (a.length === 0 || b.length === 0 || (a.length + 1) * width > mostCells) return [];
  // longest[i * width + j]: common lines of a[i..] and b[j..].
  const longest = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      pairs.push([i, j]);
      i += 1;
      j += 1;
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}
