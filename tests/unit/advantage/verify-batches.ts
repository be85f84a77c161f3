// Batches for the tests of "verify my trainer": rollouts of several segments with holes in their masks, and what a trainer
// would log for them, correct or with one known mistake. Written without the estimators that are under test.

import type { LambdaSpec } from '../../../app/domain/advantage/lambda.ts';
import type { EstimatorInput, RolloutInput, SegmentInput } from '../../../app/domain/advantage/types.ts';
import type { LoggedRollout } from '../../../app/domain/advantage/verify/verify.ts';

/** A reproducible stream of numbers in [0, 1): multiply-with-carry on 32 bits. */
export function stream(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0;
  let carry = 362_436_069;
  return () => {
    const product = BigInt(state) * 4_164_903_690n + BigInt(carry);
    state = Number(product & 0xffff_ffffn);
    carry = Number(product >> 32n);
    return state / 4_294_967_296;
  };
}

export interface Part {
  readonly kind: SegmentInput['kind'];
  readonly mask: number[];
  readonly values: number[];
  readonly ids: number[];
  readonly logprobs: number[];
}

export interface Case {
  readonly id: string;
  readonly group: string;
  readonly reward: number;
  readonly parts: Part[];
  readonly shard: string;
}

export interface Shape {
  readonly groups?: number;
  readonly members?: number;
  readonly segments?: number | (() => number);
  /** Every segment ends with masked tokens, or with a trained one. */
  readonly tail?: 'masked' | 'trained' | 'either';
  readonly scale?: number;
}

const between = (next: () => number, low: number, high: number): number => low + Math.floor(next() * (high - low + 1));

/** Segments begin with an action; actions and observations alternate; every second segment is a summary. */
function makePart(next: () => number, kind: Part['kind'], tail: 'masked' | 'trained', scale: number): Part {
  const mask: number[] = [];
  const actions = kind === 'summary' ? 1 : between(next, 2, 4);
  for (let a = 0; a < actions; a += 1) {
    const length = Math.max(8, Math.round(between(next, 8, 30) * scale));
    mask.push(...new Array<number>(length).fill(1));
    if (a + 1 < actions || tail === 'masked') mask.push(...new Array<number>(between(next, 2, 12)).fill(0));
  }
  let v = 0.2 + 0.5 * next();
  const values = mask.map(() => {
    v += (next() - 0.5) * 0.15;
    return Math.fround(v);
  });
  return {
    kind,
    mask,
    values,
    ids: mask.map(() => between(next, 0, 30_000)),
    logprobs: mask.map(() => Math.fround(-0.01 - next())),
  };
}

export function makeBatch(seed: number, shape: Shape = {}): Case[] {
  const next = stream(seed);
  const cases: Case[] = [];
  const groups = shape.groups ?? between(next, 1, 2);
  for (let g = 0; g < groups; g += 1) {
    const members = shape.members ?? between(next, 2, 8);
    for (let m = 0; m < members; m += 1) {
      const segments =
        typeof shape.segments === 'number' ? shape.segments : (shape.segments?.() ?? between(next, 1, 9));
      const parts: Part[] = [];
      for (let s = 0; s < segments; s += 1) {
        const tail = shape.tail === 'masked' || (shape.tail !== 'trained' && next() < 0.4) ? 'masked' : 'trained';
        parts.push(makePart(next, s % 2 === 1 ? 'summary' : 'execution', tail, shape.scale ?? 1));
      }
      // Rewards differ within a group, so that every baseline has something to say.
      const reward = m === 0 ? 1 : m === 1 ? 0 : between(next, 0, 100) / 100;
      cases.push({ id: `r-${g}-${m}`, group: `g-${g}`, reward, parts, shard: `rank-${m % 2}` });
    }
  }
  return cases;
}

export const trained = (part: Part): number => part.mask.reduce((sum, m) => sum + m, 0);

/** A trainer's pass over one segment, in the plainest form. */
export interface Pass {
  readonly gamma: number;
  readonly lambda: number;
  readonly reward: number;
  readonly values?: number[];
  readonly mask?: number[];
  /** Tokens that are transitions: the trained ones, or all. */
  readonly over?: 'trained' | 'all';
  /** Where the reward lands. */
  readonly at?: 'last' | 'last-trained' | 'tail' | 'nowhere';
  /** The sums start anew after a hole in the mask. */
  readonly reset?: boolean;
}

/** Advantages of a segment's raw tokens; a token that is no transition has 0. */
export function pass(part: Part, how: Pass): number[] {
  const values = how.values ?? part.values;
  const mask = how.mask ?? part.mask;
  const all = how.over === 'all';
  const places = mask.flatMap((m, t) => (all || m === 1 ? [t] : []));
  const out = new Array<number>(mask.length).fill(0);
  const lastTrained = mask.lastIndexOf(1);
  const paid = { last: places.at(-1), 'last-trained': lastTrained, tail: mask.length - 1, nowhere: -1 }[
    how.at ?? 'last'
  ];
  let running = 0;
  let nextValue = 0;
  let following = -1;
  for (const t of places.toReversed()) {
    const hole = how.reset === true && following >= 0 && following !== t + 1;
    const reward = t === paid ? how.reward : 0;
    const value = values[t] ?? 0;
    running = reward + how.gamma * nextValue - value + (hole ? 0 : how.gamma * how.lambda * running);
    out[t] = running;
    nextValue = value;
    following = t;
  }
  return all ? out.map((x, t) => (mask[t] === 1 ? x : 0)) : out;
}

/** Trained tokens of the segments after each; `count` says how many a segment adds. */
export function after(parts: readonly Part[], count: (part: Part, s: number) => number = trained): number[] {
  return parts.map((_, s) => parts.slice(s + 1).reduce((sum, part, k) => sum + count(part, s + 1 + k), 0));
}

export type Style = 'cross' | 'local' | 'last' | 'stitched';

export interface Recipe {
  readonly style: Style;
  readonly gamma: number;
  /** A number, or an alpha for 1 - 1/(alpha*l), l the trainable tokens of the segment or of the rollout. */
  readonly lambda: number | { readonly alpha: number; readonly length?: 'segment' | 'rollout' };
  readonly count?: (part: Part, s: number) => number;
  readonly change?: (part: Part, s: number) => Partial<Pass>;
}

/** Advantages of a rollout by segment, as a trainer with this recipe logs them. */
export function advantages(one: Case, recipe: Recipe): number[][] {
  // A trainer that has another mask also counts with it.
  const masked = one.parts.map((part, s) => ({ ...part, mask: recipe.change?.(part, s).mask ?? part.mask }));
  const later = after(masked, recipe.count);
  const all = masked.reduce((sum, part) => sum + trained(part), 0);
  const { lambda: given, gamma, style } = recipe;
  const lambdaIn = (part: Part): number =>
    typeof given === 'number'
      ? given
      : Math.max(0, 1 - 1 / (given.alpha * (given.length === 'rollout' ? all : trained(part))));
  if (style === 'stitched') return stitched(one, recipe, lambdaIn);
  return one.parts.map((part, s) => {
    const lambda = lambdaIn(masked[s] ?? part);
    const reward = style === 'last' && s !== one.parts.length - 1 ? 0 : one.reward;
    const own = pass(part, { gamma, lambda, reward, ...recipe.change?.(part, s) });
    const factor = style === 'cross' ? (gamma * lambda) ** (later[s] ?? 0) : 1;
    return own.map((x) => x * factor);
  });
}

/** All segments as one pass, paid at the end of the last. */
function stitched(one: Case, recipe: Recipe, lambdaIn: (part: Part) => number): number[][] {
  const changed = one.parts.map((part, s) => recipe.change?.(part, s) ?? {});
  const joined = (pick: (part: Part, s: number) => readonly number[]): number[] => one.parts.flatMap(pick);
  const whole: Part = {
    kind: 'execution',
    mask: joined(({ mask }) => mask),
    values: joined(({ values }, s) => changed[s]?.values ?? values),
    ids: [],
    logprobs: [],
  };
  const mask = joined((part, s) => changed[s]?.mask ?? part.mask);
  const lambda = lambdaIn(whole);
  const { values: _values, mask: _mask, ...rest } = changed[0] ?? {};
  const own = pass(whole, { gamma: recipe.gamma, lambda, reward: one.reward, ...rest, mask });
  let start = 0;
  return one.parts.map((part) => {
    start += part.mask.length;
    return own.slice(start - part.mask.length, start);
  });
}

export const lambdaOf = (recipe: Recipe): LambdaSpec =>
  typeof recipe.lambda === 'number'
    ? recipe.lambda
    : {
        mode: 'length_adaptive',
        alpha: recipe.lambda.alpha,
        length: recipe.lambda.length === 'rollout' ? 'rollout_trainable' : 'segment_trainable',
        max: 1,
      };

export type Round = (x: number) => number;
export const fp32: Round = Math.fround;
/** To the nearest bfloat16, ties away from zero. */
export const bf16: Round = (x) => {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, x);
  view.setUint32(0, ((view.getUint32(0) + 0x8000) & 0xffff_0000) >>> 0);
  return view.getFloat32(0);
};

export interface LoggedBatch {
  readonly input: EstimatorInput;
  readonly logged: LoggedRollout[];
}

/** The log of a batch: what the estimators get, and what was written beside it. `named` is the configuration's discount. */
export function log(
  cases: readonly Case[],
  columns: readonly number[][][],
  options: {
    named?: Pick<Recipe, 'gamma' | 'lambda'> | null;
    round?: Round;
    values?: boolean;
    ids?: boolean;
    shards?: boolean;
  } = {},
): LoggedBatch {
  const round = options.round ?? fp32;
  const rollouts = cases.map(
    (one): RolloutInput => ({
      id: one.id,
      groupId: one.group,
      status: 'terminated',
      reward: one.reward,
      segments: one.parts.map((part, index) => ({
        index,
        kind: part.kind,
        lossMask: part.mask,
        ...(options.values === false ? {} : { values: part.values }),
        logprobs: { rollout: part.logprobs },
      })),
    }),
  );
  const { named } = options;
  return {
    input: { rollouts, nanIsMissing: true },
    logged: cases.map((one, i) => ({
      segments: one.parts.map((part, s) => ({
        advantages: (columns[i]?.[s] ?? []).map(round),
        ...(options.ids === true ? { ids: part.ids } : {}),
      })),
      ...(options.shards === true ? { shard: one.shard } : {}),
      ...(named === null || named === undefined
        ? {}
        : { gamma: named.gamma, lambda: lambdaOf({ style: 'local', ...named }) }),
    })),
  };
}
