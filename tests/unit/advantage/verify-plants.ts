// Known mistakes of trainers, planted into the logs of correct batches.

import type { DiagnosisCode } from '../../../app/contract/verify.ts';
import {
  advantages,
  type Case,
  fp32,
  type LoggedBatch,
  log,
  makeBatch,
  type Part,
  type Recipe,
  type Round,
  type Shape,
  type Style,
  stream,
  trained,
} from './verify-batches.ts';

/** A log with a mistake in it, and who must be diagnosed with what. */
export interface Planted extends LoggedBatch {
  readonly code: DiagnosisCode;
  /** Rollouts whose log the mistake changes. */
  readonly affected: ReadonlySet<string>;
}

export interface Plant {
  readonly name: string;
  /** Structures of advantages that the mistake can be made in; none for baselines of groups. */
  readonly styles: readonly Style[];
  /**
   * A log with the mistake in it. `given` is what the trainer does otherwise, `size` how many rollouts there are; without them
   * the seed decides.
   */
  make(seed: number, round: Round, given?: Recipe, size?: Shape): Planted;
}

const lambdas: readonly Recipe['lambda'][] = [0.95, 0.99, 0.999, 0.9, { alpha: 1.5 }, 0.995];
const styles: readonly Style[] = ['cross', 'local', 'last'];
export const allStyles: readonly Style[] = [...styles, 'stitched'];

/** The correct recipe of a seed; styles and lambdas in turn. */
export function recipeOf(seed: number, allowed: readonly Style[] = styles): Recipe {
  return {
    style: allowed[seed % allowed.length] ?? 'local',
    gamma: 1,
    lambda: lambdas[Math.floor(seed / 2) % lambdas.length] ?? 0.95,
  };
}

/** Whether the configuration is in the log alternates too. */
export const namedIn = (seed: number, recipe: Recipe): Recipe | null => (seed % 3 === 0 ? null : recipe);

/** Whether a log says more than rounding of it can hide: bfloat16 keeps eight bits. */
function differs(a: readonly number[][], b: readonly number[][], parts: readonly Part[], round: Round): boolean {
  const part = round === fp32 ? 2e-3 : 2.5e-2;
  return parts.some(({ mask }, s) => {
    const right = mask.flatMap((m, t) => (m === 1 ? [[a[s]?.[t] ?? 0, b[s]?.[t] ?? 0] as const] : []));
    const size = Math.sqrt(right.reduce((sum, [, y]) => sum + y * y, 0) / Math.max(1, right.length));
    return right.some(([x, y]) => Math.abs(x - y) > part * (Math.abs(y) + size));
  });
}

/** A mistake made in every rollout by itself; affected are those whose log it changes. */
function plantPerRollout(
  code: DiagnosisCode,
  cases: readonly Case[],
  right: Recipe,
  wrong: (one: Case, i: number) => number[][],
  options: Parameters<typeof log>[2],
): Planted {
  const correct = cases.map((one) => advantages(one, right));
  const columns = cases.map(wrong);
  const round = options?.round ?? fp32;
  const affected = new Set(
    cases.filter((one, i) => differs(columns[i] ?? [], correct[i] ?? [], one.parts, round)).map(({ id }) => id),
  );
  return { code, affected, ...log(cases, columns, options) };
}

/** A wrong pass over every segment of every rollout. */
function walkPlant(
  name: string,
  code: DiagnosisCode,
  change: (part: Part, s: number, recipe: Recipe) => ReturnType<NonNullable<Recipe['change']>>,
  shape: Shape = {},
  allowed: readonly Style[] = styles,
): Plant {
  return {
    name,
    styles: allowed === styles ? allStyles : allowed,
    make(seed, round, right = recipeOf(seed, allowed), size = {}) {
      const cases = makeBatch(seed, { ...size, ...shape });
      const wrong = (one: Case): number[][] =>
        advantages(one, { ...right, change: (part, s) => change(part, s, right) });
      return plantPerRollout(code, cases, right, wrong, { named: namedIn(seed, right), round });
    },
  };
}

export const shift = (values: readonly number[], by: number): number[] => values.map((_, t) => values[t + by] ?? 0);

/** A multiplier for each segment of each rollout, or for each rollout. */
export function factorPlant(
  name: string,
  code: DiagnosisCode,
  factor: (one: Case, s: number, next: () => number) => number,
  segments: number | undefined,
): Plant {
  return {
    name,
    styles: ['cross', 'local'],
    make(seed, round, right = recipeOf(seed, ['cross', 'local']), size = {}) {
      const next = stream(seed + 77);
      const several = segments === undefined ? {} : { segments: () => 2 + Math.floor(next() * segments) };
      const cases = makeBatch(seed, { ...size, ...several });
      const wrong = (one: Case): number[][] => {
        const own = advantages(one, right);
        return own.map((column, s) => {
          const by = factor(one, s, next);
          return column.map((x) => x * by);
        });
      };
      return plantPerRollout(code, cases, right, wrong, { named: namedIn(seed, right), round });
    },
  };
}

/** Whitened advantages of a batch, over all of it or within each shard; `ddof` 1 as in verl, 0 as in OpenRLHF. */
export function whiten(
  columns: readonly number[][][],
  cases: readonly Case[],
  shardOf: (one: Case) => string,
  ddof: number,
): number[][][] {
  const flat = new Map<string, number[]>();
  for (const [i, one] of cases.entries()) {
    const list = flat.get(shardOf(one)) ?? [];
    for (const [s, part] of one.parts.entries())
      list.push(...part.mask.flatMap((m, t) => (m === 1 ? [columns[i]?.[s]?.[t] ?? 0] : [])));
    flat.set(shardOf(one), list);
  }
  const maps = new Map(
    [...flat].map(([shard, list]) => {
      const mean = list.reduce((sum, x) => sum + x, 0) / list.length;
      const deviation = Math.sqrt(list.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (list.length - ddof) + 1e-8);
      return [shard, { mean, deviation }] as const;
    }),
  );
  return columns.map((rollout, i) => {
    const one = cases[i];
    const map = one === undefined ? undefined : maps.get(shardOf(one));
    return rollout.map((column, s) =>
      column.map((x, t) => (one?.parts[s]?.mask[t] === 1 && map !== undefined ? (x - map.mean) / map.deviation : 0)),
    );
  });
}

function whitenPlant(name: string, code: DiagnosisCode, shardOf: (one: Case) => string, shards: boolean): Plant {
  return {
    name,
    styles: allStyles,
    make(seed, round, right = recipeOf(seed), size = {}) {
      const cases = makeBatch(seed, { members: 2 + (seed % 5), ...size });
      const correct = cases.map((one) => advantages(one, right));
      const columns = whiten(correct, cases, shardOf, seed % 2);
      return {
        code,
        affected: new Set(cases.map(({ id }) => id)),
        ...log(cases, columns, { named: namedIn(seed, right), round, shards }),
      };
    },
  };
}

type Scored = (rewards: readonly number[], own: number) => number;
const baselines: readonly Scored[] = [
  (rewards, own) => own - rewards.reduce((sum, r) => sum + r, 0) / rewards.length,
  (rewards, own) => {
    const mean = rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
    const deviation = Math.sqrt(rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (rewards.length - 1));
    return (own - mean) / (deviation + 1e-6);
  },
];

function broadcast(cases: readonly Case[], scalar: (one: Case) => number): number[][][] {
  return cases.map((one) => one.parts.map(({ mask }) => mask.map((m) => (m === 1 ? scalar(one) : 0))));
}

/** A group baseline over other members than the group's rollouts. */
function groupPlant(
  name: string,
  code: DiagnosisCode,
  shape: Shape,
  used: (group: readonly Case[], seed: number) => readonly number[],
): Plant {
  return {
    name,
    styles: [],
    make(seed, round) {
      const cases = makeBatch(seed, shape);
      const score = baselines[seed % 2] ?? baselines[0];
      const groupOf = (one: Case): Case[] => cases.filter(({ group }) => group === one.group);
      const columns = broadcast(cases, (one) => score?.(used(groupOf(one), seed), one.reward) ?? 0);
      const correct = broadcast(
        cases,
        (one) =>
          score?.(
            groupOf(one).map(({ reward }) => reward),
            one.reward,
          ) ?? 0,
      );
      const changed = new Set(
        cases
          .filter((one, i) => differs(columns[i] ?? [], correct[i] ?? [], one.parts, round))
          .map(({ group }) => group),
      );
      const affected = new Set(cases.filter(({ group }) => changed.has(group)).map(({ id }) => id));
      return { code, affected, ...log(cases, columns, { values: seed % 2 === 0, round }) };
    },
  };
}

export const plants: readonly Plant[] = [
  whitenPlant('whitened over the batch', 'whitened-globally', () => 'all', false),
  whitenPlant('whitened per rank, ranks in the log', 'whitened-per-shard', ({ shard }) => shard, true),
  whitenPlant('whitened per rank, ranks unknown', 'whitened-per-shard', ({ shard }) => shard, false),
  factorPlant('a factor per segment', 'factor-per-segment', (_, s, next) => 0.3 + 0.25 * s + 0.1 * next(), 8),
  factorPlant(
    'one over the trainable tokens',
    'normaliser-per-rollout',
    ({ parts }) => 1 / parts.reduce((sum, part) => sum + trained(part), 0),
    undefined,
  ),
  walkPlant('observations as transitions', 'observations-as-transitions', () => ({ over: 'all' }), {}, [
    'local',
    'last',
  ]),
  walkPlant(
    'observations as transitions, reward on the last trained token',
    'observations-as-transitions',
    () => ({ over: 'all', at: 'last-trained' }),
    {},
    ['local'],
  ),
  walkPlant(
    'observations as transitions of value 0',
    'observations-as-transitions',
    (part) => ({
      over: 'all',
      at: 'last-trained',
      values: part.values.map((v, t) => (part.mask[t] === 1 ? v : 0)),
    }),
    {},
    ['local'],
  ),
  walkPlant(
    'observations as transitions, then cross-trajectory factors',
    'observations-as-transitions',
    () => ({ over: 'all' }),
    {},
    ['cross'],
  ),
  walkPlant('reward on a masked tail', 'reward-on-masked-tail', () => ({ at: 'tail' }), { tail: 'masked' }),
  walkPlant('reward on a tail that is masked here and there', 'reward-on-masked-tail', () => ({ at: 'tail' })),
  walkPlant('recursion reset at observations', 'return-reset-at-observations', () => ({ reset: true })),
  walkPlant('values one later', 'values-shifted', (part) => ({ values: shift(part.values, 1) })),
  walkPlant('values one earlier', 'values-shifted', (part) => ({ values: shift(part.values, -1) })),
  walkPlant('mask one later', 'mask-shifted', (part) => ({ mask: shift(part.mask, -1) })),
  walkPlant('mask one earlier', 'mask-shifted', (part) => ({ mask: shift(part.mask, 1) })),
  walkPlant('mask inverted', 'mask-inverted', (part) => ({ mask: part.mask.map((m) => 1 - m) }), { tail: 'masked' }),
  {
    name: 'summaries left out of the tokens after',
    styles: ['cross'],
    make(seed, round, right = recipeOf(seed, ['cross']), size = {}) {
      const cases = makeBatch(seed, size);
      const wrong = (one: Case): number[][] =>
        advantages(one, { ...right, count: (part) => (part.kind === 'summary' ? 0 : trained(part)) });
      return plantPerRollout('summaries-left-out', cases, right, wrong, { named: namedIn(seed, right), round });
    },
  },
  {
    name: 'one segment not counted',
    styles: ['cross'],
    make(seed, round, right = recipeOf(seed, ['cross']), size = {}) {
      // From four segments on, an execution segment that is neither the only one after the first nor all of the rest.
      const next = stream(seed + 5);
      const cases = makeBatch(seed, { ...size, segments: () => 5 + Math.floor(next() * 5) });
      const wrong = (one: Case): number[][] =>
        advantages(one, { ...right, count: (part, s) => (s === 2 + 2 * (seed % 2) ? 0 : trained(part)) });
      return plantPerRollout('siblings-missing', cases, right, wrong, { named: namedIn(seed, right), round });
    },
  },
  groupPlant('segments counted as members', 'siblings-counted-twice', { members: 4 }, (group) =>
    group.flatMap(({ reward, parts }) => parts.map(() => reward)),
  ),
  groupPlant('a member of the group left out', 'siblings-missing', { members: 6 }, (group, seed) =>
    group.filter((_, i) => i !== seed % group.length).map(({ reward }) => reward),
  ),
  groupPlant('a member of the group that is not in the log', 'siblings-missing', { members: 5 }, (group, seed) => [
    ...group.map(({ reward }) => reward),
    seed % 3 === 0 ? 0 : 1,
  ]),
  {
    name: 'another lambda than the configuration names',
    styles: allStyles,
    make(seed, round, given = recipeOf(seed), size = {}) {
      const right = { ...given, lambda: 0.95 };
      const cases = makeBatch(seed, size);
      const other = [0.9, 0.97, 0.99, 1, 0.937][seed % 5] ?? 0.9;
      const wrong = (one: Case): number[][] => advantages(one, { ...right, lambda: other });
      return plantPerRollout('wrong-discount', cases, right, wrong, { named: right, round });
    },
  },
  {
    name: 'another gamma than the configuration names',
    styles: allStyles,
    make(seed, round, given = recipeOf(seed), size = {}) {
      const right = { ...given, gamma: 1, lambda: 0.95 };
      const cases = makeBatch(seed, size);
      const gamma = [0.99, 0.9, 0.995][seed % 3] ?? 0.9;
      return plantPerRollout('wrong-discount', cases, right, (one) => advantages(one, { ...right, gamma }), {
        named: right,
        round,
      });
    },
  },
  {
    name: 'another reward than the logged one',
    styles: allStyles,
    make(seed, round, right = recipeOf(seed), size = {}) {
      const cases = makeBatch(seed, size);
      const wrong = (one: Case): number[][] => advantages({ ...one, reward: 0.8 * one.reward - 0.31 }, right);
      return plantPerRollout('reward-differs', cases, right, wrong, { named: namedIn(seed, right), round });
    },
  },
  {
    name: 'a summary trained again where it was copied',
    styles: allStyles,
    make(seed, round, right = recipeOf(seed), size = {}) {
      const next = stream(seed + 9);
      const cases = makeBatch(seed, { ...size, segments: () => 3 + Math.floor(next() * 6) }).map((one) =>
        withCopiedSummaries(one),
      );
      return {
        code: 'trained-twice',
        affected: new Set(cases.map(({ id }) => id)),
        ...log(
          cases,
          cases.map((one) => advantages(one, right)),
          { named: namedIn(seed, right), round, ids: true },
        ),
      };
    },
  },
];

/** Puts every summary, masked in, before the segment that starts from it. */
function withCopiedSummaries(one: Case): Case {
  const parts = one.parts.map((part, s): Part => {
    const summary = one.parts[s - 1];
    if (part.kind !== 'execution' || summary?.kind !== 'summary') return part;
    const gap = [0, 0, 0];
    const copied = summary.mask.flatMap((m, t) => (m === 1 ? [t] : []));
    return {
      ...part,
      mask: [...copied.map(() => 1), ...gap, ...part.mask],
      ids: [...copied.map((t) => summary.ids[t] ?? 0), ...gap, ...part.ids],
      values: [...copied.map((t) => Math.fround((summary.values[t] ?? 0) + 0.01)), ...gap, ...part.values],
      logprobs: [...copied.map(() => 0), ...gap, ...part.logprobs],
    };
  });
  return { ...one, parts };
}

/** A correct log: segments, discounts and styles as in the plants. */
export function cleanLog(seed: number, round: Round): LoggedBatch {
  if (seed % 4 === 3) {
    const cases = makeBatch(seed);
    const score = baselines[seed % 2] ?? baselines[0];
    const rewards = (one: Case): number[] =>
      cases.filter(({ group }) => group === one.group).map(({ reward }) => reward);
    return log(
      cases,
      broadcast(cases, (one) => score?.(rewards(one), one.reward) ?? 0),
      { values: seed % 8 === 3, round, ids: true },
    );
  }
  const right = recipeOf(seed);
  const cases = makeBatch(seed);
  return log(
    cases,
    cases.map((one) => advantages(one, right)),
    { named: namedIn(seed, right), round, ids: true },
  );
}
