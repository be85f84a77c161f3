// The search for what is wrong with one rollout: wrong walks, wrong factors, another reward. Every explanation that is
// returned reproduces all logged tokens of the rollout.

import type { DiagnosisCode } from '../../../contract/verify.ts';
import { explains } from './compare.ts';
import { adaptiveOf, discountsOf } from './estimate.ts';
import { commonFactor, type FactorReading, impliedSignal, normaliserWords, readFactors } from './factors.ts';
import { lostEdges } from './lost-edge.ts';
import {
  type Critic,
  type Discount,
  type Recomputed,
  recompute,
  type Sequence,
  type Structure,
  signalOf,
  structures,
  trainableSequence,
} from './sequences.ts';
import { discountLabel, sameLambda } from './settings.ts';
import type { Trace } from './traces.ts';
import { shiftedValues, shifts, type WrongWalk, wrongWalks } from './walks.ts';

export interface Explanation {
  readonly code: DiagnosisCode;
  /** Finishes "The log is reproduced exactly when …". */
  readonly when: string;
  readonly evidence: readonly string[];
  /** Null for estimators without one. */
  readonly discount: Discount | null;
  /** The discount is the one that the configuration names, or none is named. */
  readonly asNamed: boolean;
  /** Numbers that were fitted to the log rather than given. */
  readonly fitted: number;
  /** Bound of the confidence, where the log has fewer independent numbers than tokens. */
  readonly atMost?: number;
  /** What a trainer without this mistake would have logged; null when it is another fit of the rollout. */
  readonly reference: Recomputed | null;
}

/** What is known of the discount before looking. */
export interface Prior {
  /** Discounts to try first: named by the configuration, or found in the rest of the batch. */
  readonly likely: readonly Discount[];
  /** The configuration's own, null where it names none. */
  readonly named: Discount | null;
}

/** All explanations of one rollout, each code with its first one. In the order of the search. */
export function explanationsOf(trace: Trace, prior: Prior): Explanation[] {
  const signal = signalOf(trace);
  if (signal === null || trace.tokens === 0) return [];
  const found: Explanation[] = [];
  const hasValues = trace.segments.some(({ values }) => values !== null);
  for (const critic of hasValues ? (['logged', 'zero'] as const) : (['zero'] as const)) {
    const right = walkAll(trace, { build: trainableSequence }, critic);
    if (right === null) continue;
    for (const walk of wrongWalks) found.push(...explainWalk(trace, walk, critic, right, prior, signal));
    found.push(...explainNormaliser(trace, critic, right, prior, signal));
    found.push(...explainFactors(trace, critic, right, prior, signal));
    if (critic === 'logged') found.push(...explainReward(trace, right, prior, signal));
  }
  if (hasValues && !found.some(({ code }) => code === 'values-shifted')) found.push(...lostEdges(trace, prior, signal));
  if (hasValues && found.length === 0) found.push(...overAllTokens(trace, prior, signal));
  // Where all that is logged stands at masked tokens, only another mask says anything.
  return trace.onlyMasked ? found.filter(({ code }) => code === 'mask-shifted' || code === 'mask-inverted') : found;
}

/** Every segment of a rollout under a walk; null when one of them has not what it takes. */
export function walkAll(trace: Trace, walk: Pick<WrongWalk, 'build'>, critic: Critic): Sequence[] | null {
  const sequences: Sequence[] = [];
  for (const segment of trace.segments) {
    const sequence = walk.build(segment, critic);
    if (sequence === null) return null;
    sequences.push(sequence);
  }
  return sequences;
}

/** Mistakes of trainers whose walk counts observations anyway: shifted values, and a normaliser per rollout. */
function overAllTokens(trace: Trace, prior: Prior, signal: number): Explanation[] {
  const found: Explanation[] = [];
  for (const base of wrongWalks.filter(({ code }) => code === 'observations-as-transitions')) {
    const right = walkAll(trace, base, 'logged');
    if (right === null) continue;
    const and = `${base.when}, and`;
    for (const by of shifts) {
      for (const edge of ['zero', 'repeat'] as const) {
        const walk: WrongWalk = {
          code: 'values-shifted',
          when: `${and} the values are read one token ${by === 1 ? 'later' : 'earlier'}`,
          build: (segment, critic) => base.build(shiftedValues(segment, by, edge), critic),
        };
        found.push(...explainWalk(trace, walk, 'logged', right, prior, signal));
      }
    }
    const scaled = explainNormaliser(trace, 'logged', right, prior, signal);
    found.push(...scaled.map((one) => ({ ...one, when: `${and} ${one.when}` })));
    if (found.length > 0) break;
  }
  return found;
}

/** Discounts worth trying under a walk: the likely ones, then what the log says under this very walk. */
function discountsFor(
  trace: Trace,
  sequences: readonly Sequence[],
  critic: Critic,
  prior: Prior,
): { exact: Discount[]; scaled: Discount[] } {
  const walked = [{ trace, sequences }];
  const gammas = prior.likely.map(({ gamma }) => gamma);
  if (critic === 'zero') {
    // Without a critic lambda is 1 and only gamma is left: A_i = r_i + gamma*A_{i+1}.
    const found = discountsOf(walked, 'exact', [1]).flatMap(({ lambda }) =>
      typeof lambda === 'number' ? [{ gamma: lambda, lambda: 1 }] : [],
    );
    const exact = unique([...gammas.map((gamma) => ({ gamma, lambda: 1 })), { gamma: 1, lambda: 1 }, ...found]);
    return { exact, scaled: exact };
  }
  const adaptive = (freedom: 'exact' | 'scale'): Discount[] =>
    adaptiveOf({ trace, sequences }, freedom).map((lambda) => ({ gamma: 1, lambda }));
  return {
    exact: unique([...prior.likely, ...discountsOf(walked, 'exact', gammas), ...adaptive('exact')]),
    scaled: unique([...prior.likely, ...discountsOf(walked, 'scale', gammas), ...adaptive('scale')]),
  };
}

function unique(list: readonly Discount[]): Discount[] {
  return list.filter(
    (one, i) => list.findIndex((other) => other.gamma === one.gamma && sameLambda(other.lambda, one.lambda)) === i,
  );
}

function agreesWith(prior: Prior, discount: Discount): boolean {
  const { named } = prior;
  return named === null || (named.gamma === discount.gamma && sameLambda(named.lambda, discount.lambda));
}

/** Stitching has one lambda for the rollout. */
export function possible(structure: Structure, { lambda }: Discount): boolean {
  return structure !== 'stitched' || typeof lambda === 'number' || lambda.length === 'rollout_trainable';
}

/** Structures in words. */
export const structureWords: Readonly<Record<Structure, string>> = {
  cross: 'cross-trajectory GAE',
  local: 'segment-local GAE',
  last: 'segment-local GAE with the reward on the last segment',
  stitched: 'stitched GAE',
};

function basis(structure: Structure, critic: Critic, discount: Discount): string {
  if (critic === 'zero') return `reward to go, γ ${discount.gamma}`;
  return `${structureWords[structure]}, ${discountLabel(discount.gamma, discount.lambda)}`;
}

function explainWalk(
  trace: Trace,
  walk: WrongWalk,
  critic: Critic,
  right: readonly Sequence[],
  prior: Prior,
  signal: number,
): Explanation[] {
  const sequences = walkAll(trace, walk, critic);
  if (sequences === null) return [];
  const { exact, scaled } = discountsFor(trace, sequences, critic, prior);
  const masks = walk.code === 'mask-shifted' || walk.code === 'mask-inverted';
  for (const discount of unique([...exact, ...scaled])) {
    for (const structure of structures) {
      if (!possible(structure, discount)) continue;
      const recomputed = recompute(trace, sequences, structure, discount, signal);
      if (!explains(trace, recomputed) || (masks && !movesMask(trace, recomputed))) continue;
      const reference = recompute(trace, right, structure, discount, signal);
      // A walk that changes nothing here explains nothing.
      if (!masks && explains(trace, reference)) continue;
      const asNamed = agreesWith(prior, discount);
      const evidence = [`Every logged number is that of ${basis(structure, critic, discount)} when ${walk.when}.`];
      return [{ code: walk.code, when: walk.when, evidence, discount, asNamed, fitted: 0, reference }];
    }
  }
  return [];
}

/** Another mask is one under which something is trained, and outside which nothing is logged. */
export function movesMask(trace: Trace, recomputed: Recomputed): boolean {
  if (!recomputed.advantages.some((column) => column.some((x) => x !== 0))) return false;
  return trace.segments.every(({ positions, logged }, s) => {
    const moved = new Set(recomputed.positions[s]);
    return positions.every((t) => moved.has(t) || !Number.isFinite(logged[t]) || logged[t] === 0);
  });
}

/** One factor for the whole rollout, under each structure. */
function explainNormaliser(
  trace: Trace,
  critic: Critic,
  right: readonly Sequence[],
  prior: Prior,
  signal: number,
): Explanation[] {
  const { scaled } = discountsFor(trace, right, critic, prior);
  for (const discount of scaled) {
    for (const structure of structures) {
      if (!possible(structure, discount)) continue;
      const reference = recompute(trace, right, structure, discount, signal);
      const factor = commonFactor(trace, reference);
      if (factor === null || Math.abs(factor - 1) <= 10 * trace.tolerance) continue;
      const named = normaliserWords(trace, factor);
      return [
        {
          code: 'normaliser-per-rollout',
          when: `the whole rollout is multiplied by ${figure(factor)}${named === null ? '' : `, ${named}`}`,
          evidence: [`Every logged number is ${figure(factor)} times that of ${basis(structure, critic, discount)}.`],
          discount,
          asNamed: agreesWith(prior, discount),
          fitted: 1,
          reference,
        },
      ];
    }
  }
  return [];
}

function explainFactors(
  trace: Trace,
  critic: Critic,
  right: readonly Sequence[],
  prior: Prior,
  signal: number,
): Explanation[] {
  const found: Explanation[] = [];
  const { scaled } = discountsFor(trace, right, critic, prior);
  for (const discount of scaled) {
    const reading = readFactors(trace, right, discount, signal);
    if (reading === null || reading.kind === 'none') continue;
    const structure = 'cross';
    const reference = recompute(trace, right, structure, discount, signal);
    const words = factorWords(trace, reading);
    const evidence = [
      `Within every segment the log is proportional to ${basis('local', critic, discount)}.`,
      ...words.evidence,
    ];
    found.push({
      code: words.code,
      when: words.when,
      evidence,
      discount,
      asNamed: agreesWith(prior, discount),
      fitted: reading.kind === 'unknown' ? reading.factors.length : 0,
      reference,
    });
    // A reading as a count of tokens is as good as it gets.
    if (reading.kind !== 'unknown') break;
  }
  return found;
}

function factorWords(
  trace: Trace,
  reading: Exclude<FactorReading, { kind: 'none' }>,
): { code: DiagnosisCode; when: string; evidence: string[] } {
  const index = (s: number): number => trace.segments[s]?.index ?? s;
  switch (reading.kind) {
    case 'summaries': {
      const tokens = trace.segments.filter(({ kind }) => kind === 'summary').map(({ positions }) => positions.length);
      return {
        code: 'summaries-left-out',
        when: 'summary tokens are left out of the count of tokens after each segment',
        evidence: [
          `The factors count ${trace.trainable - sum(tokens)} of ${trace.trainable} trainable tokens: without the ${sum(tokens)} of ${tokens.length} summary segments.`,
        ],
      };
    }
    case 'missing': {
      const which = reading.segments.map(index).join(', ');
      return {
        code: 'siblings-missing',
        when: `segment ${which} is not counted among the tokens after the segments before it`,
        evidence: [
          `The factors fit the tokens after each segment only without segment ${which}: lost or on another rank.`,
        ],
      };
    }
    case 'raw-tokens':
      return {
        code: 'factor-per-segment',
        when: 'each segment is scaled by a factor that counts all later tokens, masked ones included',
        evidence: ['The exponent of each factor is the number of all later tokens instead of the trainable ones.'],
      };
    case 'own-tokens':
      return {
        code: 'factor-per-segment',
        when: "each segment is scaled by a factor that counts the segment's own tokens too",
        evidence: [
          'The exponent of each factor is the number of trainable tokens from the segment on, its own included.',
        ],
      };
    case 'unknown': {
      const list = reading.factors
        .map((factor, s) => `${index(s)}: ${factor === null ? '–' : figure(factor)}`)
        .join(', ');
      return {
        code: 'factor-per-segment',
        when: 'each segment is scaled by a factor of its own',
        evidence: [`Logged over segment-local advantages, by segment: ${list}. No count of tokens gives these.`],
      };
    }
  }
}

function explainReward(trace: Trace, right: readonly Sequence[], prior: Prior, signal: number): Explanation[] {
  const { exact, scaled } = discountsFor(trace, right, 'logged', prior);
  for (const discount of unique([...exact, ...scaled])) {
    const implied = impliedSignal(trace, right, discount);
    if (implied === null || Math.abs(implied - signal) <= 10 * trace.tolerance * (1 + Math.abs(signal))) continue;
    for (const structure of structures) {
      if (!possible(structure, discount)) continue;
      if (!explains(trace, recompute(trace, right, structure, discount, implied))) continue;
      return [
        {
          code: 'reward-differs',
          when: `the reward is ${figure(implied)} instead of the logged ${figure(signal)}`,
          evidence: [
            `Every logged number is that of ${basis(structure, 'logged', discount)} with reward ${figure(implied)}.`,
          ],
          discount,
          asNamed: agreesWith(prior, discount),
          fitted: 1,
          reference: recompute(trace, right, structure, discount, signal),
        },
      ];
    }
  }
  return [];
}

function sum(xs: readonly number[]): number {
  return xs.reduce((total, x) => total + x, 0);
}

/** A number with at most five significant digits. */
export function figure(x: number): string {
  return String(Number(x.toPrecision(5)));
}
