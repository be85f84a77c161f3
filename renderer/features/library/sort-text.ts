// Sort keys as text for the URL: `-score,reward` is by suspicion descending, then by reward.

import type { SortKey } from '../../../app/contract/index.ts';
import { columnOf } from './column-info.ts';

/** The contract takes at most four keys. */
const mostKeys = 4;

/** The keys of a text; words that are no columns are skipped. */
export function parseSort(text: string): SortKey[] {
  return text
    .split(',')
    .flatMap((part) => {
      const descending = part.startsWith('-');
      const column = columnOf(descending ? part.slice(1) : part);
      return column === undefined ? [] : [{ column, descending }];
    })
    .slice(0, mostKeys);
}

/** The text of keys. */
export function formatSort(keys: readonly SortKey[]): string {
  return keys.map((key) => `${key.descending ? '-' : ''}${key.column}`).join(',');
}
