// Which advantages the screen shows when several are there.

import type { EstimatorRun, SegmentRow } from '../../../app/contract/index.ts';
import type { Shown } from './screen-context.ts';

/** What is asked for, else the newest run that was not refused, else what was logged, else the newest refusal. */
export function chooseShown(
  wanted: string | null,
  runs: readonly EstimatorRun[],
  segments: readonly SegmentRow[],
): Shown {
  const logged = segments.some((segment) => segment.columns.includes('advantages'));
  if (wanted === 'logged' && logged) return { kind: 'logged' };
  const run = runs.find((one) => one.id === wanted) ?? runs.find((one) => one.result.error === undefined);
  if (run !== undefined) return { kind: 'run', run };
  if (logged) return { kind: 'logged' };
  const refused = runs[0];
  return refused === undefined ? { kind: 'none' } : { kind: 'run', run: refused };
}
