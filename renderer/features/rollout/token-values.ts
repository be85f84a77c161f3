// Names and figures of what is known about a token.

import type { TokenDetail } from '../../../app/contract/index.ts';
import { formatCount, formatNumber } from '../../ui/format.ts';
import { columnTitle } from './format.ts';

const derivedTitles: readonly (readonly [start: string, title: string])[] = [
  ['diff:', 'logged − recomputed'],
  ['td:', 'TD residual'],
  ['ratio:', 'ratio'],
  ['fate:dis', 'DIS fate'],
  ['fate:icepop', 'IcePop fate'],
  ['kl:', 'KL'],
  ['weight:', 'token weight'],
  ['signal:', '|w × A|'],
];

/** What a value of a token is called. Figures of the shown run come as `run.<column>`, derived ones as `<kind>:<of what>`. */
export function tokenValueTitle(name: string): string {
  switch (name) {
    case 'run.advantages':
      return 'recomputed advantage';
    case 'run.returns':
      return 'recomputed return';
    case 'run.weights':
      return 'token weight';
    default: {
      const derived = derivedTitles.find(([start]) => name.startsWith(start))?.[1];
      if (derived === undefined) return columnTitle(name);
      return name.startsWith('kl:') ? `${derived} ${name.slice(3)}` : derived;
    }
  }
}

/** A figure on its own: four decimals, very small and very large ones in powers of ten. */
export function formatFigure(value: number | null): string {
  if (value === null || value === 0) return formatNumber(value, value === 0 ? 0 : 4);
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e5 ? value.toExponential(2).replace('-', '−') : formatNumber(value, size < 10 ? 4 : 2);
}

/** A value of a token as text: ids and masks as integers, fates in words, what is infinite as such. */
export function formatTokenValue({ name, value, infinite }: TokenDetail['values'][number]): string {
  if (infinite !== undefined) return infinite === '+' ? '∞' : '−∞';
  if (name === 'ids') return value === null ? '–' : String(value);
  if (name.startsWith('fate:') && value !== null)
    return value === 0 ? 'kept' : value < 0 ? 'masked, too low' : 'masked, too high';
  if (name.endsWith('mask')) return formatCount(value);
  return formatFigure(value);
}

/** Line ends, tabs and other characters without a shape as signs that can be seen. */
export function visible(text: string): string {
  return text
    .replaceAll('\r', '␍')
    .replaceAll('\n', '↵')
    .replaceAll('\t', '⇥')
    .replace(/\p{Cc}/gu, '␣');
}
