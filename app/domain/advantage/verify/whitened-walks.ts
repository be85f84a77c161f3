// A mistake under whitening: trainers that always whiten (verl, OpenRLHF) hide every other mistake behind one more scale and
// shift. A wrong walk explains such a batch when one affine map of it is the log of all rollouts.

import { affineFit, isIdentity, type Sample } from './affine.ts';
import { adaptiveOf, discountsOf, type Walked } from './estimate.ts';
import { type Explanation, figure, movesMask, type Prior, possible, structureWords, walkAll } from './explain.ts';
import { type Discount, recompute, type Structure, signalOf, structures, trainableSequence } from './sequences.ts';
import { discountLabel, sameDiscount } from './settings.ts';
import type { Trace } from './traces.ts';
import { type WrongWalk, wrongWalks } from './walks.ts';

/** A map over fewer tokens for each number in it says little. */
const fewest = 12;

interface Found {
  readonly walk: WrongWalk;
  readonly structure: Structure;
  readonly discount: Discount;
  readonly scale: number;
  readonly shift: number;
  readonly left: number;
}

/**
 * Explanations of rollouts that nothing else explains, by a wrong walk that was whitened over all of them together. Empty when
 * one of them has no reward or no critic, or when no walk gives the log of all.
 */
export function whitenedWalksOf(
  traces: readonly Trace[],
  prior: Prior,
  checkpoint: () => void,
): Map<Trace, Explanation> {
  const logged = traces.filter(({ tokens }) => tokens > 0);
  const tokens = logged.reduce((sum, trace) => sum + trace.tokens, 0);
  if (logged.length === 0 || tokens < fewest || logged.some((trace) => signalOf(trace) === null)) return new Map();
  let best: Found | null = null;
  for (const walk of wrongWalks) {
    checkpoint();
    const found = fitOf(walk, logged, prior);
    // Earlier walks are likelier: a later one must leave clearly less over.
    if (found !== null && (best === null || found.left < 0.5 * best.left - 1e-7)) best = found;
  }
  if (best === null) return new Map();
  const { walk, structure, discount, scale, shift } = best;
  const base = `${structureWords[structure]}, ${discountLabel(discount.gamma, discount.lambda)}`;
  const map = `logged = ${figure(scale)} · x ${shift < 0 ? '−' : '+'} ${figure(Math.abs(shift))}`;
  const explanation: Explanation = {
    code: walk.code,
    when: `${walk.when}, and all advantages are whitened after that`,
    evidence: [`${map} at all ${tokens} tokens of ${logged.length} rollouts, x = ${base} when ${walk.when}.`],
    discount,
    asNamed: prior.named === null || sameDiscount(prior.named, discount),
    fitted: 2,
    reference: null,
  };
  return new Map(logged.map((trace) => [trace, explanation]));
}

function fitOf(walk: WrongWalk, traces: readonly Trace[], prior: Prior): Found | null {
  const walked: Walked[] = [];
  for (const trace of traces) {
    const sequences = walkAll(trace, walk, 'logged');
    if (sequences === null || walkAll(trace, { build: trainableSequence }, 'logged') === null) return null;
    walked.push({ trace, sequences });
  }
  const gammas = prior.likely.map(({ gamma }) => gamma);
  const adaptive = walked.slice(0, 4).flatMap((one) => adaptiveOf(one, 'affine'));
  const discounts = [
    ...prior.likely,
    ...discountsOf(walked, 'affine', gammas),
    ...adaptive.map((lambda) => ({ gamma: 1, lambda })),
  ];
  const masks = walk.code === 'mask-shifted' || walk.code === 'mask-inverted';
  let best: Found | null = null;
  for (const [place, discount] of discounts.entries()) {
    if (discounts.findIndex((other) => sameDiscount(other, discount)) !== place) continue;
    for (const structure of structures) {
      if (!possible(structure, discount)) continue;
      const samples = samplesOf(walked, structure, discount, masks);
      const fit = samples === null ? null : affineFit(samples);
      if (fit === null || isIdentity(fit)) continue;
      const left = fit.residual / (fit.scale * fit.deviation);
      if (best === null || left < 0.5 * best.left - 1e-7) {
        best = { walk, structure, discount, scale: fit.scale, shift: fit.shift, left };
      }
    }
  }
  return best;
}

/** Every rollout under the walk; null as soon as one of them alone is no affine map of it. */
function samplesOf(
  walked: readonly Walked[],
  structure: Structure,
  discount: Discount,
  masks: boolean,
): Sample[] | null {
  const samples: Sample[] = [];
  for (const { trace, sequences } of walked) {
    const recomputed = recompute(trace, sequences, structure, discount, signalOf(trace) ?? 0);
    const sample = { trace, recomputed };
    if (masks && !movesMask(trace, recomputed)) return null;
    if (recomputed.advantages.reduce((sum, { length }) => sum + length, 0) >= fewest && affineFit([sample]) === null) {
      return null;
    }
    samples.push(sample);
  }
  return samples;
}
