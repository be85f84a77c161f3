// Group baselines that went wrong: segments counted as members, members left out, members that are not in the log.

import { defined } from '../../../shared/assert.ts';
import { type BaselineSettings, type Members, scoreGroup } from '../group-baselines.ts';
import type { Trace } from './traces.ts';

export type GroupReading =
  | { readonly kind: 'segments-counted'; readonly baseline: BaselineName; readonly mean: number }
  | { readonly kind: 'member-left-out'; readonly baseline: BaselineName; readonly left: readonly string[] }
  | { readonly kind: 'member-not-logged'; readonly baseline: BaselineName; readonly rewards: readonly number[] }
  | { readonly kind: 'unrewarded-counted'; readonly baseline: BaselineName; readonly members: readonly string[] }
  | { readonly kind: 'normaliser'; readonly baseline: BaselineName; readonly words: string };

export interface BaselineName {
  readonly kind: BaselineSettings['kind'];
  readonly ddof: 0 | 1;
  readonly eps: number;
}

/** Baselines that trainers use, likeliest first. */
export const baselines: readonly BaselineName[] = [
  { kind: 'grpo', ddof: 1, eps: 1e-6 },
  { kind: 'center', ddof: 1, eps: 0 },
  { kind: 'grpo', ddof: 0, eps: 1e-6 },
  { kind: 'grpo', ddof: 1, eps: 1e-4 },
  { kind: 'rloo', ddof: 1, eps: 0 },
];

/** A member with the one number that all its tokens have. */
export interface Member {
  readonly trace: Trace;
  readonly reward: number;
  readonly logged: number;
}

/** The number that all compared tokens of a rollout share; null when they differ or nothing is logged. */
export function scalarOf(trace: Trace): number | null {
  const per = segmentScalars(trace);
  const first = per?.find((x) => x !== null) ?? null;
  if (per === null || first === null) return null;
  return per.every((x) => x === null || near(x, first, trace.tolerance)) ? first : null;
}

/** The number that all compared tokens of each segment share; null as a whole when some segment has different ones. */
export function segmentScalars(trace: Trace): (number | null)[] | null {
  const out: (number | null)[] = [];
  for (const { positions, logged } of trace.segments) {
    let first: number | null = null;
    for (const t of positions) {
      const x = logged[t] ?? Number.NaN;
      if (!Number.isFinite(x)) continue;
      if (first === null) first = x;
      else if (!near(x, first, trace.tolerance)) return null;
    }
    out.push(first);
  }
  return out.every((x) => x === null) ? null : out;
}

function near(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) <= tolerance * (1e-6 + 2 * Math.abs(b));
}

/** Members of a group with something logged, whose every rollout has a reward and one number; null otherwise. */
export function membersOf(traces: readonly Trace[]): Member[] | null {
  const members: Member[] = [];
  for (const trace of traces) {
    if (trace.tokens === 0) continue;
    const logged = scalarOf(trace);
    const { reward } = trace.input;
    if (logged === null || reward === null || !Number.isFinite(reward)) return null;
    members.push({ trace, reward, logged });
  }
  return members.length > 0 ? members : null;
}

/** A reading and how far the log is from it, as a share of the numbers. */
interface Match {
  readonly reading: GroupReading;
  readonly off: number;
}

/** What storing a number once rounds off, doubled: nothing fits better than that. */
const rounding: Readonly<Record<Trace['precision'], number>> = { fp32: 1e-6, bf16: 2 ** -8, fp16: 2 ** -11 };

/**
 * What reproduces the numbers of a whole group of two or more when no baseline over its members does. `rest` are rewards of
 * members without logged tokens, which count in the baseline all the same; `unrewarded` are members without a reward.
 */
export function readGroup(
  members: readonly Member[],
  rest: readonly number[],
  unrewarded: readonly string[],
): GroupReading | null {
  const found = [
    ...countedAsZero(members, rest, unrewarded, baselines),
    ...segmentsCounted(members, rest),
    ...baselines.flatMap((baseline) => leftOut(members, rest, baseline)),
    ...baselines.flatMap((baseline) => notLogged(members, rest, baseline)),
    ...normalised(members, rest),
  ];
  // In 16 bits several readings may do: the first that rounding alone separates from the log, else the nearest.
  const floor = Math.max(...members.map(({ trace }) => rounding[trace.precision]));
  const near = found.find(({ off }) => off <= floor);
  return (near ?? found.toSorted((a, b) => a.off - b.off)[0])?.reading ?? null;
}

/**
 * The same for a group of which only one member is logged, by the baseline of the rest of the batch. One number cannot tell
 * baselines apart, so no other is tried.
 */
export function readSingle(
  member: Member,
  rest: readonly number[],
  unrewarded: readonly string[],
  baseline: BaselineName,
): GroupReading | null {
  const [first] = [...countedAsZero([member], rest, unrewarded, [baseline]), ...notLogged([member], rest, baseline)];
  return first?.reading ?? null;
}

function countedAsZero(
  members: readonly Member[],
  rest: readonly number[],
  unrewarded: readonly string[],
  tried: readonly BaselineName[],
): Match[] {
  if (unrewarded.length === 0) return [];
  const ones = members.map(() => 1);
  const zeros = unrewarded.map(() => 0);
  return tried.flatMap((baseline): Match[] => {
    const off = distance(members, score(members, ones, rest, zeros, baseline));
    return off === null ? [] : [{ reading: { kind: 'unrewarded-counted', baseline, members: unrewarded }, off }];
  });
}

function segmentsCounted(members: readonly Member[], rest: readonly number[]): Match[] {
  return baselines.flatMap((baseline) =>
    segmentCounts(members).flatMap((counts): Match[] => {
      const off = distance(members, score(members, counts, rest, [], baseline));
      const mean = weightedMean(members, counts, rest);
      return off === null ? [] : [{ reading: { kind: 'segments-counted', baseline, mean }, off }];
    }),
  );
}

/** How often each member would count, by segments and by segments with trainable tokens; only where some count twice. */
function segmentCounts(members: readonly Member[]): number[][] {
  const all = members.map(({ trace }) => trace.segments.length);
  const filled = members.map(({ trace }) => trace.segments.filter(({ positions }) => positions.length > 0).length);
  return [all, filled].filter((counts) => counts.some((count) => count > 1));
}

/** Scalars of the members when each counts `counts[i]` times and `extra` rewards count too; null where undefined. */
function score(
  members: readonly Member[],
  counts: readonly number[],
  rest: readonly number[],
  extra: readonly number[],
  baseline: BaselineName,
): number[] | null {
  const rewards = [
    ...members.flatMap(({ reward }, i) => new Array<number>(counts[i] ?? 0).fill(reward)),
    ...rest,
    ...extra,
  ];
  // A member that is left out is still scored, against the others.
  if (rewards.length === 0) return null;
  const group: Members = {
    group: '',
    rewards: Float64Array.from(rewards),
    lengths: new Float64Array(rewards.length).fill(1),
    greedy: new Float64Array(rewards.length),
  };
  const settings: BaselineSettings = {
    ...baseline,
    singleton: 'zero',
    f_norm: 1,
    norm: false,
    baseline: 0,
    gpgScale: 1,
  };
  const scored = scoreGroup(group, settings);
  const centre = rewards.reduce((sum, r) => sum + r, 0) / rewards.length;
  // Every kind here is linear in the reward: slope from a member off the mean, or none where all are equal.
  const at = rewards.findIndex((r) => Math.abs(r - centre) > 1e-12);
  const slope =
    at < 0
      ? 0
      : defined(scored.advantages[at], 'a member that was scored') / (defined(rewards[at], 'its reward') - centre);
  return members.map(({ reward }) => (reward - centre) * slope);
}

function weightedMean(members: readonly Member[], counts: readonly number[], rest: readonly number[]): number {
  let sum = rest.reduce((total, r) => total + r, 0);
  let n = rest.length;
  for (const [i, { reward }] of members.entries()) {
    sum += reward * (counts[i] ?? 0);
    n += counts[i] ?? 0;
  }
  return sum / n;
}

/** Largest relative distance of the log from these scalars; null when it is beyond the tolerance, or all of them are 0. */
function distance(members: readonly Member[], scored: readonly number[] | null): number | null {
  if (scored === null || scored.every((x) => x === 0)) return null;
  let most = 0;
  for (const [i, { logged, trace }] of members.entries()) {
    const wanted = scored[i] ?? Number.NaN;
    if (!near(logged, wanted, trace.tolerance)) return null;
    most = Math.max(most, Math.abs(logged - wanted) / (1e-6 + Math.abs(wanted)));
  }
  return most;
}

/** Members without whom the baseline fits: one, else two. */
function leftOut(members: readonly Member[], rest: readonly number[], baseline: BaselineName): Match[] {
  if (members.length < 3) return [];
  const sets: number[][] = members.map((_, i) => [i]);
  if (members.length > 3) members.forEach((_, i) => void members.forEach((__, j) => void (j > i && sets.push([i, j]))));
  return sets.flatMap((set): Match[] => {
    const counts = members.map((_, i) => (set.includes(i) ? 0 : 1));
    const off = distance(members, score(members, counts, rest, [], baseline));
    const left = set.map((i) => defined(members[i], 'a member of the set').trace.id);
    return off === null ? [] : [{ reading: { kind: 'member-left-out', baseline, left }, off }];
  });
}

/** Rewards of one to four members, not in the log, that complete the baseline: each must be a reward that occurs, 0 or 1. */
function notLogged(members: readonly Member[], rest: readonly number[], baseline: BaselineName): Match[] {
  const values = [...new Set([0, 1, ...members.map(({ reward }) => reward)])].toSorted((a, b) => a - b).slice(0, 6);
  const ones = members.map(() => 1);
  let sets: number[][] = [[]];
  for (let size = 1; size <= 4; size += 1) {
    sets = sets.flatMap((set) =>
      values.filter((v) => v >= (set.at(-1) ?? Number.NEGATIVE_INFINITY)).map((v) => [...set, v]),
    );
    const found = sets.flatMap((rewards): Match[] => {
      const off = distance(members, score(members, ones, rest, rewards, baseline));
      return off === null ? [] : [{ reading: { kind: 'member-not-logged', baseline, rewards }, off }];
    });
    // Fewest first.
    if (found.length > 0) return found;
  }
  return [];
}

const normalisers: readonly (readonly [words: string, of: (trace: Trace) => number])[] = [
  ['one over its trainable tokens', (trace) => 1 / trace.trainable],
  ['one over its segments', (trace) => 1 / trace.segments.length],
  ['one over all its tokens', (trace) => 1 / trace.segments.reduce((sum, { length }) => sum + length, 0)],
  ['one over the root of its trainable tokens', (trace) => 1 / Math.sqrt(trace.trainable)],
];

/** A baseline with a normaliser per rollout on top. */
function normalised(members: readonly Member[], rest: readonly number[]): Match[] {
  const ones = members.map(() => 1);
  return baselines.flatMap((baseline) => {
    const scored = score(members, ones, rest, [], baseline);
    return normalisers.flatMap(([words, of]): Match[] => {
      const divided = scored?.map((x, i) => x * of(defined(members[i], 'a member').trace)) ?? null;
      const off = distance(members, divided);
      return off === null ? [] : [{ reading: { kind: 'normaliser', baseline, words }, off }];
    });
  });
}

/** "grpo (ddof 1)" */
export function baselineLabel({ kind, ddof }: BaselineName): string {
  return kind === 'grpo' ? `grpo with ddof ${ddof}` : kind;
}
