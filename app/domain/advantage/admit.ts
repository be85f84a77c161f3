// Which rollouts of a group are trained on at all, and which of them are repeated to fill it up (GLM-5).

import { z } from 'zod';
import { defineEstimator } from './define.ts';
import { prepareBatch, refusedRollout, rolloutOutput, segmentOutput } from './outputs.ts';
import { mean } from './sums.ts';
import type { EstimatorInput, EstimatorWarning, GroupPlan, RolloutInput, RolloutOutput, Verdict } from './types.ts';

const schema = z.strictObject({
  group_size: z.int().positive().nullable().default(null),
  tau: z.number().nonnegative().nullable().default(null),
  stats_over: z.enum(['padded', 'unique']).default('padded'),
});
type Params = z.output<typeof schema>;

const reasons: Readonly<Record<Exclude<Verdict, 'ok'>, string>> = {
  env_crash: 'its environment crashed',
  version_missing: 'its weight versions (or the version of the learner) are not known, so its age is not',
  stale: 'the oldest weights that sampled it are older than the limit',
  reward_missing: 'it has no reward',
  nonfinite_input: 'its reward is not a finite number',
};

/**
 * In this order: environment crash; no version list (when an age limit is set); stale when
 * `learner_version - min(weight_versions) > tau`; no reward. The order is our choice (ADVANTAGES.md 5.3).
 */
function verdictOf(rollout: RolloutInput, params: Params, learner: number | null): Verdict {
  if (rollout.status === 'env_crash') return 'env_crash';
  if (params.tau !== null) {
    const versions = rollout.weightVersions ?? [];
    if (learner === null || versions.length === 0) return 'version_missing';
    let oldest = Number.POSITIVE_INFINITY;
    for (const version of versions) oldest = Math.min(oldest, version);
    if (learner - oldest > params.tau) return 'stale';
  }
  if (rollout.reward === null) return 'reward_missing';
  return Number.isFinite(rollout.reward) ? 'ok' : 'nonfinite_input';
}

/**
 * With more than half of the group admitted its members are repeated in order, cyclically, until the group is full;
 * otherwise the group is dropped. Which ones are repeated is unpublished, hence ours. Centring is over the padded list
 * (a repeat counts again) or over the distinct members.
 */
function planOf(
  group: string,
  places: readonly number[],
  input: EstimatorInput,
  verdicts: readonly Verdict[],
  params: Params,
): GroupPlan {
  const admitted = places.filter((place) => verdicts[place] === 'ok');
  const size = params.group_size ?? places.length;
  if (2 * admitted.length <= size) return { group, members: null, centered: null };
  const members = Array.from({ length: size }, (_, k) => admitted[k % admitted.length] ?? 0);
  const rewardOf = (place: number) => input.rollouts[place]?.reward ?? 0;
  const over = params.stats_over === 'padded' ? members : [...new Set(members)];
  const centre = mean(over.map(rewardOf));
  return { group, members, centered: members.map((place) => rewardOf(place) - centre) };
}

function warningOf(place: number, verdict: Verdict, plan: GroupPlan | undefined): EstimatorWarning | null {
  if (verdict !== 'ok') return { code: 'not_admitted', message: `Not admitted: ${reasons[verdict]}.` };
  if (plan?.members === null) {
    return { code: 'not_admitted', message: `Group ${plan.group} is dropped: at most half of it was admitted.` };
  }
  const times = plan?.members?.filter((member) => member === place).length ?? 0;
  if (times > 1) {
    return {
      code: 'repeated',
      message: `Trained on ${times} times to fill up its group, with ${times} times the weight.`,
    };
  }
  if (times === 0) return { code: 'not_admitted', message: 'Not admitted: its group is full with those before it.' };
  return null;
}

export const admit = defineEstimator({
  id: 'admit',
  version: '1',
  title: 'Admission of rollouts',
  summary: 'Crashed, stale and unrewarded rollouts go out; groups more than half valid are filled up with repeats.',
  source: 'GLM-5, arXiv 2602.15763; the order of checks and the choice of repeats are ours.',
  needsValues: false,
  scope: 'group',
  output: 'diagnostic',
  column: null,
  schema,
  form: [
    {
      name: 'group_size',
      label: 'Group size',
      type: 'number',
      min: 1,
      help: 'Rollouts in a full group; empty: as many as were given.',
    },
    {
      name: 'tau',
      label: 'Age limit τ',
      type: 'number',
      min: 0,
      help: 'Largest lag in weight versions that stays; empty: no limit.',
    },
    {
      name: 'stats_over',
      label: 'Statistics over',
      type: 'choice',
      choices: ['padded', 'unique'],
      help: 'padded: repeats count again in the group mean. unique: each rollout once.',
    },
  ],
  compute(params, input) {
    const verdicts = input.rollouts.map((rollout) => verdictOf(rollout, params, input.learnerVersion ?? null));
    const groups = new Map<string, number[]>();
    for (const [place, rollout] of input.rollouts.entries()) {
      const places = groups.get(rollout.groupId);
      if (places === undefined) groups.set(rollout.groupId, [place]);
      else places.push(place);
    }
    const plan = [...groups].map(([group, places]) => planOf(group, places, input, verdicts, params));
    const planByGroup = new Map(plan.map((entry) => [entry.group, entry]));
    const rollouts = prepareBatch(input).map((entry, place): RolloutOutput => {
      if (!entry.ok) return refusedRollout(entry.id, entry.error);
      const { rollout } = entry;
      const verdict = verdicts[place] ?? 'ok';
      const ofGroup = planByGroup.get(rollout.input.groupId);
      const warning = warningOf(place, verdict, ofGroup);
      if (warning !== null) rollout.warnings.push(warning);
      const at = ofGroup?.members?.indexOf(place) ?? -1;
      const scalar = at < 0 ? null : (ofGroup?.centered?.[at] ?? null);
      const baseline = scalar === null || rollout.input.reward === null ? null : rollout.input.reward - scalar;
      const segments = rollout.segments.map((segment) => segmentOutput(segment, {}));
      return rolloutOutput(rollout, segments, { verdict, scalar, baseline });
    });
    return { rollouts, plan, batch: { groups: groups.size } };
  },
});
