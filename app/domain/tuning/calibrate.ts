// Rollout scores as probabilities of a hack, fitted to people's labels, and how far both can be believed: every figure is of
// rollouts that the fit had not seen.

import type { CalibrationMap, CalibrationReport } from '../../contract/calibration.ts';
import { brier, expectedError, reliabilityBins } from './reliability.ts';

/** A scanned rollout that people call hack or clean. */
export interface Labelled {
  /** 0..1. */
  readonly score: number;
  readonly hack: boolean;
}

/**
 * Least number of labels of the rarer sort. Platt has two parameters; isotonic regression has as many as there are steps and is known
 * to overfit small samples (Niculescu-Mizil and Caruana, "Predicting good probabilities with supervised learning", ICML 2005, find it
 * ahead of Platt from about a thousand points on).
 */
export const needed = { platt: 10, isotonic: 200 } as const;

/** Up to this many labels each is left out once; beyond, ten folds. */
const leaveOneOutMax = 200;
const manyFolds = 10;

/** The whole report. Labels in any order; the folds depend on nothing but the order by score. */
export function calibrate(labelled: readonly Labelled[]): CalibrationReport {
  const sorted = labelled.toSorted((a, b) => a.score - b.score || Number(a.hack) - Number(b.hack));
  const hack = sorted.filter((one) => one.hack).length;
  const clean = sorted.length - hack;
  const outcomes = sorted.map((one) => one.hack);
  const scores = sorted.map(({ score }) => score);
  const method = methodFor(Math.min(hack, clean));
  const held = method === null ? null : heldOut(sorted, method);
  const rate = sorted.length === 0 ? 0 : hack / sorted.length;
  return {
    hack,
    clean,
    needed: { ...needed },
    map: method === null ? null : method(sorted),
    folds: held?.folds ?? null,
    brier: {
      raw: brier(scores, outcomes),
      calibrated: held === null ? null : brier(held.probabilities, outcomes),
      baseRate: sorted.length === 0 ? null : rate * (1 - rate),
    },
    ece: {
      raw: expectedError(reliabilityBins(scores, outcomes)),
      calibrated: held === null ? null : expectedError(reliabilityBins(held.probabilities, outcomes)),
    },
    raw: reliabilityBins(scores, outcomes),
    calibrated: held === null ? [] : reliabilityBins(held.probabilities, outcomes),
  };
}

type Fit = (sorted: readonly Labelled[]) => CalibrationMap;

function methodFor(rarer: number): Fit | null {
  if (rarer < needed.platt) return null;
  return rarer < needed.isotonic ? platt : isotonic;
}

/** Probabilities of rollouts by fits that left them out: each alone, or every tenth of the order by score. */
function heldOut(
  sorted: readonly Labelled[],
  method: Fit,
): { readonly probabilities: number[]; readonly folds: number } {
  const folds = sorted.length <= leaveOneOutMax ? sorted.length : manyFolds;
  const probabilities = new Array<number>(sorted.length).fill(0);
  for (let fold = 0; fold < folds; fold++) {
    const map = method(sorted.filter((_, i) => i % folds !== fold));
    for (let i = fold; i < sorted.length; i += folds) probabilities[i] = probabilityOf(map, sorted[i]?.score ?? 0);
  }
  return { probabilities, folds };
}

/** The probability that a map gives to a score. */
export function probabilityOf(map: CalibrationMap, score: number): number {
  if (map.method === 'platt') return logistic(map.a * score + map.b);
  let at = 0;
  while (at + 1 < map.scores.length && (map.scores[at + 1] ?? Number.POSITIVE_INFINITY) <= score) at++;
  return map.probabilities[at] ?? 0;
}

/** 1 / (1 + exp(z)), without overflow. */
function logistic(z: number): number {
  return z >= 0 ? Math.exp(-z) / (1 + Math.exp(-z)) : 1 / (1 + Math.exp(z));
}

/**
 * Isotonic regression by pooling adjacent violators: the non-decreasing steps with the least squared error. Equal scores are one step.
 * Source: Ayer, Brunk, Ewing, Reid and Silverman, "An empirical distribution function for sampling with incomplete information", Annals
 * of Mathematical Statistics 26 (1955).
 */
export function isotonic(sorted: readonly Labelled[]): CalibrationMap {
  const blocks: { score: number; hacks: number; count: number }[] = [];
  for (const { score, hack } of sorted) {
    const last = blocks.at(-1);
    if (last !== undefined && last.count > 0 && last.score === score) {
      last.hacks += Number(hack);
      last.count += 1;
    } else blocks.push({ score, hacks: Number(hack), count: 1 });
  }
  const pooled: typeof blocks = [];
  for (const block of blocks) {
    let next = block;
    for (
      let last = pooled.at(-1);
      last !== undefined && last.hacks * next.count >= next.hacks * last.count;
      last = pooled.at(-1)
    ) {
      next = { score: last.score, hacks: last.hacks + next.hacks, count: last.count + next.count };
      pooled.pop();
    }
    pooled.push(next);
  }
  return {
    method: 'isotonic',
    scores: pooled.map(({ score }) => score),
    probabilities: pooled.map(({ hacks, count }) => hacks / count),
  };
}

/**
 * Platt scaling: p = 1 / (1 + exp(a s + b)) with the smoothed targets (n₊ + 1) / (n₊ + 2) and 1 / (n₋ + 2), by Newton's method with
 * backtracking. Sources: J. Platt, "Probabilistic outputs for support vector machines" (1999); Lin, Lin and Weng, "A note on Platt's
 * probabilistic outputs for support vector machines", Machine Learning 68 (2007), whose numerically safe form this is.
 */
export function platt(labelled: readonly Labelled[]): CalibrationMap {
  const positives = labelled.filter(({ hack }) => hack).length;
  const negatives = labelled.length - positives;
  const high = (positives + 1) / (positives + 2);
  const low = 1 / (negatives + 2);
  const points = labelled.map(({ score, hack }) => ({ score, target: hack ? high : low }));
  const loss = (a: number, b: number): number =>
    points.reduce((sum, { score, target }) => {
      const z = a * score + b;
      return sum + (z >= 0 ? target * z + Math.log1p(Math.exp(-z)) : (target - 1) * z + Math.log1p(Math.exp(z)));
    }, 0);
  let a = 0;
  let b = Math.log((negatives + 1) / (positives + 1));
  let value = loss(a, b);
  for (let round = 0; round < 100; round++) {
    // Gradient and Hessian; the small ridge keeps the latter invertible when all scores are equal.
    let h11 = 1e-12;
    let h22 = 1e-12;
    let h21 = 0;
    let g1 = 0;
    let g2 = 0;
    for (const { score, target } of points) {
      const p = logistic(a * score + b);
      const d2 = p * (1 - p);
      const d1 = target - p;
      h11 += score * score * d2;
      h22 += d2;
      h21 += score * d2;
      g1 += score * d1;
      g2 += d1;
    }
    if (Math.abs(g1) < 1e-6 && Math.abs(g2) < 1e-6) break;
    const det = h11 * h22 - h21 * h21;
    const da = -(h22 * g1 - h21 * g2) / det;
    const db = -(-h21 * g1 + h11 * g2) / det;
    const slope = g1 * da + g2 * db;
    let step = 1;
    for (; step >= 1e-10; step /= 2) {
      const next = loss(a + step * da, b + step * db);
      if (next < value + 1e-4 * step * slope) {
        a += step * da;
        b += step * db;
        value = next;
        break;
      }
    }
    if (step < 1e-10) break;
  }
  return { method: 'platt', a, b };
}
