// Names and figures of what is known about a token.

import { formatCount, formatNumber } from '../../ui/format.ts';
import { columnTitle } from './format.ts';

/** What a value of a token is called. Figures of the shown run come as `run.<column>`. */
export function tokenValueTitle(name: string): string {
  switch (name) {
    case 'run.advantages':
      return 'recomputed advantage';
    case 'run.returns':
      return 'recomputed return';
    case 'run.weights':
      return 'token weight';
    default:
      return columnTitle(name);
  }
}

/** Ids and masks as integers, figures with four decimals, very small ones in powers of ten. */
export function formatTokenValue(name: string, value: number | null): string {
  if (name === 'ids') return value === null ? '–' : String(value);
  if (name.endsWith('mask')) return formatCount(value);
  return value !== null && value !== 0 && Math.abs(value) < 1e-3 ? value.toExponential(2) : formatNumber(value, 4);
}
