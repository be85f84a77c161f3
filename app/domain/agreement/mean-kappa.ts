// Cohen's κ averaged over pairs of raters, of whom each may have rated other units.
// Source: R. J. Light, "Measures of response agreement for qualitative data", Psychological Bulletin 76 (1971) 365-377.

import type { Coefficient } from '../../contract/coefficient.ts';
import { type Verdict, verdicts } from '../../contract/vocabulary.ts';
import { estimate, resample } from './bootstrap.ts';
import { cohenKappa } from './coefficients.ts';

/** Verdicts of one unit, by rater; undefined where a rater gave none. */
export type Row = readonly (Verdict | undefined)[];

/**
 * The mean κ over these pairs of raters (places in the rows) with its bootstrap interval over units. Pairs whose κ is not
 * defined are left out; null when none is. `of` counts the units that at least one of the pairs shares.
 */
export function meanKappa(rows: readonly Row[], pairs: readonly (readonly [number, number])[]): Coefficient {
  const shared = rows.filter((row) => pairs.some(([a, b]) => row[a] !== undefined && row[b] !== undefined));
  const sample = resample(shared, (row) => row.map((verdict) => verdict ?? '').join());
  return estimate(sample, (patterns, times) => {
    const values = pairs.flatMap(([a, b]) => cohenKappa(tableOf(patterns, times, a, b)) ?? []);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  });
}

function tableOf(rows: readonly Row[], times: ArrayLike<number>, a: number, b: number): number[][] {
  const table = verdicts.map(() => verdicts.map(() => 0));
  for (const [at, row] of rows.entries()) {
    const [first, second] = [row[a], row[b]];
    if (first === undefined || second === undefined) continue;
    const line = table[verdicts.indexOf(first)];
    const column = verdicts.indexOf(second);
    if (line !== undefined) line[column] = (line[column] ?? 0) + (times[at] ?? 0);
  }
  return table;
}
