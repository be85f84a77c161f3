// Draws the items of a queue by a plan, each with the chance that it had to be drawn. With the chance known, a label speaks
// for 1/chance things (Horvitz and Thompson, "A generalization of sampling without replacement from a finite universe",
// JASA 47 (1952) 663-685).

import type { SamplingPlan } from '../../contract/queues.ts';
import { drawsOf, shuffled } from './draws.ts';

/** What a plan may look at. */
export interface SampleUnit {
  /** Suspicion in 0..1; null before a scan. */
  readonly score: number | null;
  readonly task: string | null;
  readonly kind: string | null;
  /** Training step. */
  readonly step: number | null;
  /** How far labels differ: 0 not at all, 3 hack against clean. */
  readonly dispute: number;
}

export interface Drawn {
  /** Index of the unit. */
  readonly unit: number;
  /** Chance in 0..1 that it was drawn. */
  readonly probability: number;
  readonly stratum: string | null;
}

export interface Stratum {
  readonly name: string;
  readonly population: number;
  readonly drawn: number;
}

export interface Sample {
  /** In the order in which they are worked on. */
  readonly drawn: readonly Drawn[];
  readonly strata: readonly Stratum[];
}

/** Chance floor of weighted draws, so that everything may be drawn and every label can be weighted. */
const leastWeight = 0.02;

/**
 * Draws a sample. The same units, plan and seed give the same sample.
 * @param threshold Of the rule pack, for `uncertainty`.
 */
export function drawSample(
  units: readonly SampleUnit[],
  plan: SamplingPlan,
  { seed, threshold }: { readonly seed: number; readonly threshold: number },
): Sample {
  const draw = drawsOf(seed);
  const all = units.map((_, at) => at);
  switch (plan.by) {
    case 'all':
      return { drawn: all.map(certain), strata: [] };
    case 'random': {
      const count = Math.min(plan.count, units.length);
      const probability = units.length === 0 ? 1 : count / units.length;
      const drawn = shuffled(all, draw).slice(0, count);
      return { drawn: drawn.map((unit) => ({ unit, probability, stratum: null })), strata: [] };
    }
    case 'stratified':
      return stratified(units, plan, draw);
    case 'disagreement': {
      const disputed = all.filter((at) => (units[at]?.dispute ?? 0) > 0);
      return { drawn: top(disputed, (at) => units[at]?.dispute ?? 0, plan.count), strata: [] };
    }
    case 'score': {
      const weight = (at: number): number => units[at]?.score ?? 0;
      return {
        drawn: plan.draw === 'top' ? top(all, weight, plan.count) : weighted(all, weight, plan.count, draw),
        strata: [],
      };
    }
    case 'uncertainty': {
      const middle = plan.threshold ?? threshold;
      const widest = Math.max(middle, 1 - middle);
      const weight = (at: number): number => 1 - Math.abs((units[at]?.score ?? 0) - middle) / widest;
      return {
        drawn: plan.draw === 'top' ? top(all, weight, plan.count) : weighted(all, weight, plan.count, draw),
        strata: [],
      };
    }
  }
}

function certain(unit: number): Drawn {
  return { unit, probability: 1, stratum: null };
}

/** The units of highest weight; nothing was left to chance. Equal ones keep their order. */
function top(units: readonly number[], weight: (at: number) => number, count: number): Drawn[] {
  return units
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, count)
    .map(certain);
}

/**
 * Chances proportional to weights that add up to `count`; where that is more than 1 the unit is certain and the rest is shared
 * among the others.
 */
export function chances(weights: readonly number[], count: number): number[] {
  const out = new Array<number>(weights.length).fill(1);
  let open = weights.map((_, at) => at);
  let left = Math.min(count, weights.length);
  for (;;) {
    const sum = open.reduce((total, at) => total + (weights[at] ?? 0), 0);
    if (open.length === 0 || sum <= 0) return out;
    const over = open.filter((at) => ((weights[at] ?? 0) * left) / sum >= 1);
    if (over.length === 0) {
      for (const at of open) out[at] = ((weights[at] ?? 0) * left) / sum;
      return out;
    }
    left -= over.length;
    const certainOnes = new Set(over);
    open = open.filter((at) => !certainOnes.has(at));
  }
}

/**
 * Systematic sampling with unequal chances over a random order: one random start, then steps of one along the cumulated
 * chances. Each unit is drawn with exactly its chance. Source: W. G. Madow, "On the theory of systematic sampling, II", Annals
 * of Mathematical Statistics 20 (1949) 333-354.
 */
function weighted(
  units: readonly number[],
  weight: (at: number) => number,
  count: number,
  draw: (below: number) => number,
): Drawn[] {
  const order = shuffled(units, draw);
  const probabilities = chances(
    order.map((at) => Math.max(leastWeight, weight(at))),
    count,
  );
  const resolution = 1 << 30;
  const start = draw(resolution) / resolution;
  const drawn: Drawn[] = [];
  let reached = 0;
  for (const [place, unit] of order.entries()) {
    const probability = probabilities[place] ?? 0;
    const before = Math.ceil(reached - start);
    reached += probability;
    // A certain unit covers a whole step; rounding in the sum must not let it slip through.
    if (probability >= 1 || Math.ceil(reached - start) > before) drawn.push({ unit, probability, stratum: null });
  }
  return drawn.toSorted((a, b) => weight(b.unit) - weight(a.unit));
}

type StratifiedPlan = Extract<SamplingPlan, { by: 'stratified' }>;

function stratumOf(unit: SampleUnit, { strata, bin }: StratifiedPlan): string {
  switch (strata) {
    case 'task':
      return unit.task ?? 'no task';
    case 'kind':
      return unit.kind ?? 'no marker';
    case 'score': {
      if (unit.score === null) return 'not scanned';
      const width = bin ?? 0.2;
      const low = Math.min(Math.floor(unit.score / width), Math.ceil(1 / width) - 1) * width;
      return `${low.toFixed(2)} to ${Math.min(1, low + width).toFixed(2)}`;
    }
    case 'step': {
      if (unit.step === null) return 'no training step';
      const width = bin ?? 1;
      const low = Math.floor(unit.step / width) * width;
      return width === 1 ? `step ${low}` : `steps ${low} to ${low + width - 1}`;
    }
  }
}

function stratified(units: readonly SampleUnit[], plan: StratifiedPlan, draw: (below: number) => number): Sample {
  const groups = Map.groupBy(units.keys(), (at) => {
    const unit = units[at];
    return unit === undefined ? '' : stratumOf(unit, plan);
  });
  const names = [...groups.keys()].toSorted();
  const sizes = names.map((name) => groups.get(name)?.length ?? 0);
  const shares = allocate(sizes, plan.count, plan.allocation);
  const drawn: Drawn[] = [];
  const strata: Stratum[] = [];
  for (const [at, name] of names.entries()) {
    const members = groups.get(name) ?? [];
    const count = shares[at] ?? 0;
    strata.push({ name, population: members.length, drawn: count });
    for (const unit of shuffled(members, draw).slice(0, count)) {
      drawn.push({ unit, probability: count / members.length, stratum: name });
    }
  }
  // Strata are mixed, so that an annotator does not see one kind after the other.
  return { drawn: shuffled(drawn, draw), strata };
}

/**
 * How many of each stratum: equally many (what a small one cannot give goes to the others), or in proportion by largest
 * remainders, but at least one of each as far as `count` reaches.
 */
export function allocate(sizes: readonly number[], count: number, by: 'equal' | 'proportional'): number[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const wanted = Math.min(count, total);
  const out = sizes.map(() => 0);
  let left = wanted;
  const give = (at: number): void => {
    out[at] = (out[at] ?? 0) + 1;
    left -= 1;
  };
  const rest = (at: number): number => (sizes[at] ?? 0) - (out[at] ?? 0);
  const target = (at: number): number =>
    by === 'equal' ? wanted / Math.max(1, sizes.length) : (wanted * (sizes[at] ?? 0)) / Math.max(1, total);
  const order = sizes.map((_, at) => at);
  for (const at of order) if (left > 0 && rest(at) > 0) give(at);
  while (left > 0) {
    // The stratum furthest below its share gets the next one.
    let best = -1;
    for (const at of order) {
      if (rest(at) <= 0) continue;
      if (best < 0 || target(at) - (out[at] ?? 0) > target(best) - (out[best] ?? 0)) best = at;
    }
    if (best < 0) break;
    give(best);
  }
  return out;
}

/**
 * Where calibration items come a second time: `count` of the drawn ones, each about half the queue later. Gives the order of
 * the whole queue as indices into `drawn`, a repeat as `{repeats: index}`.
 */
export function withRepeats(drawn: number, count: number, seed: number): ({ first: number } | { repeats: number })[] {
  const draw = drawsOf(seed + 1);
  const chosen = new Set(shuffled([...Array(drawn).keys()], draw).slice(0, Math.min(count, drawn)));
  const distance = Math.ceil(drawn / 2);
  const due = new Map<number, number[]>();
  const order: ({ first: number } | { repeats: number })[] = [];
  for (let at = 0; at < drawn; at++) {
    order.push({ first: at });
    if (chosen.has(at))
      due.set(Math.min(drawn - 1, at + distance), [...(due.get(Math.min(drawn - 1, at + distance)) ?? []), at]);
    for (const again of due.get(at) ?? []) if (at < drawn - 1) order.push({ repeats: again });
  }
  for (const again of due.get(drawn - 1) ?? []) order.push({ repeats: again });
  return order;
}
