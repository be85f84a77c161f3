// How much a score catches when false alarms are rationed.

import type { Proportion } from '../../contract/records.ts';
import type { Labelled } from './calibrate.ts';
import { wilson } from './statistics.ts';

/** Hacks that a rate takes; fewer give an interval too wide to read. */
const leastHacks = 10;

/** A rate of true positives at a bounded rate of false ones. */
export interface RateAt {
  readonly fpr: number;
  /** Labels of each sort that it takes: ten hacks, and as many clean ones as make one false alarm no more than `fpr`. */
  readonly needed: { readonly hack: number; readonly clean: number };
  /** Least score that counts as positive; null when even the highest is shared by too many clean ones, or labels are missing. */
  readonly threshold: number | null;
  readonly truePositives: Proportion | null;
  readonly falsePositives: Proportion | null;
}

/** The lowest threshold whose share of clean ones at or above it is at most `fpr` (0..1), and the share of hacks there. */
export function rateAt(labelled: readonly Labelled[], fpr: number): RateAt {
  const needed = { hack: leastHacks, clean: Math.ceil(1 / fpr - 1e-9) };
  const hacks = labelled.filter(({ hack }) => hack).length;
  const clean = labelled.length - hacks;
  if (hacks < needed.hack || clean < needed.clean) {
    return { fpr, needed, threshold: null, truePositives: null, falsePositives: null };
  }
  const sorted = labelled.toSorted((a, b) => b.score - a.score);
  const allowed = Math.floor(fpr * clean + 1e-9);
  let best: { threshold: number | null; hits: number; alarms: number } = { threshold: null, hits: 0, alarms: 0 };
  let hits = 0;
  let alarms = 0;
  for (const [at, { score, hack }] of sorted.entries()) {
    if (hack) hits += 1;
    else alarms += 1;
    if (alarms > allowed) break;
    // Equal scores pass a threshold together.
    if (sorted[at + 1]?.score !== score) best = { threshold: score, hits, alarms };
  }
  return {
    fpr,
    needed,
    threshold: best.threshold,
    truePositives: wilson(best.hits, hacks),
    falsePositives: wilson(best.alarms, clean),
  };
}
