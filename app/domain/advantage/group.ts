// Critic-free estimators over groups: the reward of a rollout against a baseline, the same for all its trainable tokens.

import { z } from 'zod';
import { defined } from '../../shared/assert.ts';
import { defineEstimator } from './define.ts';
import { whitenField } from './forms.ts';
import { type BaselineSettings, groupKinds, type Members, type Scored, scoreGroup } from './group-baselines.ts';
import { type Computed, type Prepared, prepareBatch, refusedRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { refusalOf, refuse } from './refusal.ts';
import { finiteReward } from './rewards.ts';
import { allEqual } from './sums.ts';
import type { PreparedRollout, PreparedSegment } from './tokens.ts';
import type {
  EstimatorError,
  EstimatorInput,
  EstimatorWarning,
  RolloutInput,
  RolloutOutput,
  SegmentOutput,
} from './types.ts';
import { whitenRollouts, whitenSpec } from './whitening.ts';

const schema = z.strictObject({
  kind: z.enum(groupKinds).default('grpo'),
  unit: z.enum(['rollout', 'segment']).default('rollout'),
  missing_reward: z.enum(['refuse', 'exclude']).default('refuse'),
  ddof: z.union([z.literal(0), z.literal(1)], { error: 'must be 0 or 1' }).default(1),
  eps: z.number().nonnegative().default(1e-6),
  singleton: z.enum(['zero', 'raw']).default('zero'),
  f_norm: z.number().positive().default(1),
  norm: z.boolean().default(false),
  baseline: z.number().default(0),
  whiten: whitenSpec,
});
type Params = z.output<typeof schema>;

/** One rollout of the batch on its way: its mask, and the place of its scalar result. */
interface Entry {
  readonly place: number;
  readonly input: RolloutInput;
  readonly prepared: Prepared;
}

/** Scalars of one rollout: one per unit, that is one in all or one per segment. */
interface Scalars {
  readonly advantages: readonly number[];
  readonly baselines: readonly number[];
  readonly warnings: readonly EstimatorWarning[];
}
type Outcome = { readonly error: EstimatorError } | { readonly scalars: Scalars };

/** Kinds whose baseline does not come from the other members: a bad reward spoils only its own rollout. */
function standsAlone(params: Params): boolean {
  return params.kind === 'constant_baseline' || params.kind === 'remax';
}

/** Why a rollout cannot be a member, or null. */
function memberError(entry: Entry, params: Params): EstimatorError | null {
  const { input, prepared } = entry;
  try {
    if (input.status === 'env_crash') {
      const message = `Environment crash: rollout ${input.id} is excluded by rule, not scored as a failure.`;
      refuse('env_crash_excluded', message, [input.id]);
    }
    finiteReward(input.id, input.reward);
    if (params.kind === 'remax' && (input.greedyReward === null || input.greedyReward === undefined)) {
      const message = `The reward of the greedy answer was not logged for rollout ${input.id}; "remax" needs it as the baseline.`;
      refuse('greedy_reward_missing', message, [input.id]);
    }
    if (params.kind === 'remax' && !Number.isFinite(input.greedyReward)) {
      refuse('nonfinite_input', `Non-finite input: greedy_reward of rollout ${input.id}.`, [input.id, 'greedy_reward']);
    }
  } catch (thrown) {
    return refusalOf(thrown);
  }
  // Lengths come from the mask: without it the member cannot be weighed, and its segments cannot be counted.
  const needsMask = params.kind === 'opo' || params.unit === 'segment';
  return needsMask && !prepared.ok ? prepared.error : null;
}

/** Whether a member's error refuses its whole group: unless it is excluded by rule or by the user's choice. */
function spoilsGroup(error: EstimatorError, params: Params): boolean {
  if (standsAlone(params) || error.code === 'env_crash_excluded') return false;
  return !(error.code === 'reward_missing' && params.missing_reward === 'exclude');
}

function trainableOf(entry: Entry): number {
  return entry.prepared.ok ? entry.prepared.rollout.trainable : 0;
}

/** One row per member: its rollout, and its segment when every segment counts as a member. */
function unitsOf(entries: readonly Entry[], params: Params): { entry: Entry; length: number }[] {
  if (params.unit === 'rollout') return entries.map((entry) => ({ entry, length: trainableOf(entry) }));
  return entries.flatMap((entry) =>
    entry.prepared.ok
      ? entry.prepared.rollout.segments.map((segment) => ({ entry, length: segment.positions.length }))
      : [],
  );
}

function membersOf(group: string, units: readonly { entry: Entry; length: number }[]): Members {
  return {
    group,
    rewards: Float64Array.from(units, (unit) => unit.entry.input.reward ?? 0),
    lengths: Float64Array.from(units, (unit) => unit.length),
    greedy: Float64Array.from(units, (unit) => unit.entry.input.greedyReward ?? 0),
  };
}

function groupWarnings(members: Members, excluded: number, params: Params): EstimatorWarning[] {
  const warnings: EstimatorWarning[] = [];
  const { group, rewards } = members;
  if (excluded > 0) {
    const message = `Statistics of group ${group} are over ${rewards.length} members; ${excluded} were excluded.`;
    warnings.push({ code: 'members_excluded', message });
  }
  if (standsAlone(params) || rewards.length === 0) return warnings;
  if (rewards.length === 1) {
    const message = `Group ${group} has one member: there is nothing to compare its reward with.`;
    warnings.push({ code: 'single_member', message });
  } else if (allEqual(rewards)) {
    const message = `All ${rewards.length} rewards of group ${group} are equal: the group carries no signal.`;
    warnings.push({ code: 'zero_variance', message });
  }
  return warnings;
}

function byGroup(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const members = groups.get(entry.input.groupId);
    if (members === undefined) groups.set(entry.input.groupId, [entry]);
    else members.push(entry);
  }
  return groups;
}

/** Scores every group; the outcomes stand in the order of the batch. */
function scoreBatch(
  entries: readonly Entry[],
  params: Params,
): { outcomes: Map<number, Outcome>; zeroVariance: number } {
  const outcomes = new Map<number, Outcome>();
  const errors = entries.map((entry) => memberError(entry, params));
  const rewards = unitsOf(
    entries.filter((entry) => errors[entry.place] === null),
    params,
  ).map((unit) => unit.entry.input.reward ?? 0);
  const gpgScale = rewards.length / Math.max(1, rewards.filter((r) => r !== 0).length);
  const settings: BaselineSettings = { ...params, gpgScale };
  let zeroVariance = 0;
  for (const [group, all] of byGroup(entries)) {
    const spoiler = all.map((entry) => errors[entry.place] ?? null).find((e) => e !== null && spoilsGroup(e, params));
    const good = all.filter((entry) => errors[entry.place] === null);
    for (const entry of all) {
      const own = errors[entry.place] ?? null;
      if (own !== null) outcomes.set(entry.place, { error: own });
      else if (spoiler !== undefined && spoiler !== null)
        outcomes.set(entry.place, { error: groupRefusal(group, spoiler) });
    }
    if (good.length === 0 || (spoiler !== undefined && spoiler !== null)) continue;
    const units = unitsOf(good, params);
    const members = membersOf(group, units);
    if (members.rewards.length > 1 && allEqual(members.rewards)) zeroVariance += 1;
    const warnings = groupWarnings(members, all.length - good.length, params);
    try {
      const scored: Scored = scoreGroup(members, settings);
      for (const entry of good) outcomes.set(entry.place, { scalars: scalarsOf(entry, units, scored, warnings) });
    } catch (thrown) {
      const error = refusalOf(thrown);
      for (const entry of good) outcomes.set(entry.place, { error });
    }
  }
  return { outcomes, zeroVariance };
}

function groupRefusal(group: string, cause: EstimatorError): EstimatorError {
  const advice = cause.code === 'reward_missing' ? ' Set missing_reward to "exclude" to compute over the others.' : '';
  return { ...cause, message: `Group ${group} cannot be computed. ${cause.message}${advice}` };
}

function scalarsOf(
  entry: Entry,
  units: readonly { entry: Entry }[],
  scored: Scored,
  warnings: readonly EstimatorWarning[],
): Scalars {
  const places = units.flatMap((unit, u) => (unit.entry === entry ? [u] : []));
  return {
    advantages: places.map((u) => scored.advantages[u] ?? 0),
    baselines: places.map((u) => scored.baselines[u] ?? 0),
    warnings,
  };
}

function broadcast(segment: PreparedSegment, scalar: number, baseline: number): SegmentOutput {
  const advantages = new Float64Array(segment.length);
  for (const t of segment.positions) advantages[t] = scalar;
  return segmentOutput(segment, { advantages }, { scalar, baseline });
}

function rolloutResult(rollout: PreparedRollout, scalars: Scalars, params: Params): RolloutOutput {
  rollout.warnings.push(...scalars.warnings);
  const shared = params.unit === 'rollout';
  const segments = rollout.segments.map((segment, s) => {
    const unit = shared ? 0 : s;
    return broadcast(segment, scalars.advantages[unit] ?? 0, scalars.baselines[unit] ?? 0);
  });
  if (!shared) return rolloutOutput(rollout, segments);
  return rolloutOutput(rollout, segments, {
    scalar: scalars.advantages[0] ?? null,
    baseline: scalars.baselines[0] ?? null,
  });
}

/** Scores the groups of a batch and broadcasts each scalar to the trainable tokens of its rollout (or segment). */
function computeGroups(params: Params, input: EstimatorInput): Computed {
  const prepared = prepareBatch(input);
  const entries = input.rollouts.flatMap((rollout, place): Entry[] => {
    const mask = prepared[place];
    return mask === undefined ? [] : [{ place, input: rollout, prepared: mask }];
  });
  const { outcomes, zeroVariance } = scoreBatch(entries, params);
  const rollouts = entries.map((entry): RolloutOutput => {
    const outcome = defined(outcomes.get(entry.place), 'the outcome of a member of a group');
    if (!entry.prepared.ok) return refusedRollout(entry.input.id, entry.prepared.error);
    if ('error' in outcome) return refusedRollout(entry.input.id, outcome.error);
    return rolloutResult(entry.prepared.rollout, outcome.scalars, params);
  });
  const batch = { groups: byGroup(entries).size, zeroVarianceGroups: zeroVariance };
  if (params.whiten === null) return { rollouts, batch };
  return { rollouts: whitenRollouts(rollouts, params.whiten, 'advantages', 'unwhitened'), batch };
}

export const groupEstimator = defineEstimator({
  id: 'group',
  version: '1',
  title: 'Group baseline (GRPO family)',
  summary: 'The reward of a rollout against its group, the same for all its trainable tokens.',
  source: 'GLM-4.5 (center), DeepSeekMath (GRPO), Dr. GRPO, RLOO, OPO, GPG, pass@k, REINFORCE, ReMax.',
  needsValues: false,
  scope: 'group',
  output: 'advantages',
  column: 'advantages',
  schema,
  form: [
    {
      name: 'kind',
      label: 'Baseline',
      type: 'choice',
      choices: [...groupKinds],
      help: 'What the reward is compared with.',
    },
    {
      name: 'unit',
      label: 'Member of a group',
      type: 'choice',
      choices: ['rollout', 'segment'],
      help: 'rollout: its reward counts once. segment: every segment counts, which repeats a known trainer bug.',
    },
    {
      name: 'missing_reward',
      label: 'Missing rewards',
      type: 'choice',
      choices: ['refuse', 'exclude'],
      help: 'refuse: the group is not computed. exclude: the group is computed over the others.',
    },
    {
      name: 'ddof',
      label: 'ddof',
      type: 'number',
      min: 0,
      max: 1,
      help: 'grpo: 1 divides the variance by n - 1, 0 by n.',
    },
    { name: 'eps', label: 'ε', type: 'number', min: 0, help: 'Added to the standard deviation (grpo, passk).' },
    {
      name: 'singleton',
      label: 'Group of one',
      type: 'choice',
      choices: ['zero', 'raw'],
      help: 'grpo, rloo: a lone rollout gets 0, or its raw reward as verl does.',
    },
    { name: 'f_norm', label: 'f_norm', type: 'number', min: 0, help: 'gpg: divisor of the advantage.' },
    { name: 'norm', label: 'Normalise', type: 'boolean', help: 'passk: divides the lead by the standard deviation.' },
    {
      name: 'baseline',
      label: 'Baseline',
      type: 'number',
      help: 'constant_baseline: what is subtracted from the reward.',
    },
    whitenField,
  ],
  scopeWith: (params) => (params.kind === 'gpg' || params.whiten !== null ? 'batch' : 'group'),
  compute: computeGroups,
});
