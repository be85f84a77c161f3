// Figures as people read them.

import { describe, expect, it } from 'vitest';
import {
  baseName,
  formatBytes,
  formatClock,
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRecent,
  formatSigned,
  formatTokens,
  plural,
} from '../../../renderer/ui/format.ts';

describe('figures', () => {
  it('tokens', () => {
    expect([0, 412, 999, 1000, 9649, 9950, 154_900, 999_499, 999_500, 12_400_000].map(formatTokens)).toEqual([
      '0',
      '412',
      '999',
      '1.0k',
      '9.6k',
      '10k',
      '155k',
      '999k',
      '1.0M',
      '12M',
    ]);
  });

  it('bytes, never 1000 of a unit', () => {
    expect([0, 999, 1000, 9949, 9950, 999_499, 999_500, 412e6, 1.2e9].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '1.0 kB',
      '9.9 kB',
      '10 kB',
      '999 kB',
      '1.0 MB',
      '412 MB',
      '1.2 GB',
    ]);
  });

  it('durations, never 60 of a unit', () => {
    expect([0, 340, 999.4, 4200, 41_000, 59_700, 142_000, 3_599_600, 3_900_000].map(formatDuration)).toEqual([
      '0 ms',
      '340 ms',
      '999 ms',
      '4.2 s',
      '41 s',
      '1 min',
      '2 min 22 s',
      '1 h',
      '1 h 5 min',
    ]);
  });

  it('numbers with a real minus, and no negative zero', () => {
    expect(formatNumber(-0.224)).toBe('−0.22');
    expect(formatNumber(-0.0001)).toBe('0.00');
    expect(formatSigned(1.416)).toBe('+1.42');
    expect(formatSigned(0.0001)).toBe('0.00');
    expect(formatSigned(-1)).toBe('−1.00');
    expect(formatPercent(0.93333)).toBe('93.3 %');
    expect(formatCount(12_480)).toBe('12,480');
  });

  it('what is unknown is a dash, never a zero', () => {
    expect([
      formatTokens(null),
      formatBytes(null),
      formatDuration(null),
      formatNumber(null),
      formatNumber(Number.NaN),
    ]).toEqual(['–', '–', '–', '–', '–']);
    expect([
      formatClock(null),
      formatClock('never'),
      formatPercent(null),
      formatSigned(null),
      formatCount(null),
    ]).toEqual(['–', '–', '–', '–', '–']);
  });

  it('gives the day with a time that is not of today', () => {
    const now = new Date(2026, 10, 29, 14, 2, 11);
    expect(formatRecent(new Date(2026, 10, 29, 9, 5, 7).toISOString(), now)).toBe('09:05:07');
    expect(formatRecent(new Date(2026, 10, 28, 9, 5, 7).toISOString(), now)).toBe('2026-11-28 09:05');
  });

  it('words', () => {
    expect([plural(1, 'alert'), plural(0, 'alert'), plural(12_480, 'rollout'), plural(2, 'entry', 'entries')]).toEqual([
      '1 alert',
      '0 alerts',
      '12,480 rollouts',
      '2 entries',
    ]);
    expect([baseName('/data/a/b.jsonl'), baseName('C:\\logs\\x.pt'), baseName('/data/dir/'), baseName('bare')]).toEqual(
      ['b.jsonl', 'x.pt', 'dir', 'bare'],
    );
  });
});
