// The baseline of a group by every convention in use: the same rewards, what each compares them with and what comes out.

import { type BaselineSettings, type Members, scoreGroup } from '../advantage/group-baselines.ts';
import { refusalOf } from '../advantage/refusal.ts';
import { allEqual } from '../advantage/sums.ts';

/** A convention: a kind of the estimator `group` with the options that trainers differ in. */
interface Convention {
  readonly id: string;
  readonly title: string;
  /** What is subtracted and divided by, in symbols: r reward, m mean, s standard deviation, l trained tokens. */
  readonly formula: string;
  readonly source: string;
}

type Settings = Pick<BaselineSettings, 'kind'> & Partial<BaselineSettings>;

const all: readonly (Convention & { readonly settings: Settings })[] = [
  {
    id: 'mean',
    title: 'mean',
    formula: 'r − m',
    source: 'GLM-4.5; Dr. GRPO',
    settings: { kind: 'center' },
  },
  {
    id: 'grpo',
    title: 'mean and std, n − 1',
    formula: '(r − m) / (s + 1e-6), s over n − 1',
    source: 'GRPO as verl, slime and TRL compute it',
    settings: { kind: 'grpo', ddof: 1 },
  },
  {
    id: 'grpo-population',
    title: 'mean and std, n',
    formula: '(r − m) / (s + 1e-6), s over n',
    source: 'GRPO, DeepSeekMath, with numpy’s default',
    settings: { kind: 'grpo', ddof: 0 },
  },
  {
    id: 'leave-one-out',
    title: 'leave one out',
    formula: 'r − mean of the others',
    source: 'RLOO',
    settings: { kind: 'rloo' },
  },
  {
    id: 'length-weighted',
    title: 'weighted by length',
    formula: 'r − Σ l r / Σ l',
    source: 'OPO',
    settings: { kind: 'opo' },
  },
  {
    id: 'best-of',
    title: 'lead of the best',
    formula: 'best: r − second best, others 0',
    source: 'pass@k training',
    settings: { kind: 'passk' },
  },
];

/** A rollout with a reward. */
export interface ScoredMember {
  readonly id: string;
  readonly reward: number;
  /** Trained tokens; only the length-weighted baseline reads them. */
  readonly length: number;
}

/** A convention over a group: by rollout id, or why it is undefined there. */
export interface ConventionResult extends Convention {
  readonly advantages: ReadonlyMap<string, number>;
  readonly baselines: ReadonlyMap<string, number>;
  readonly refusal: string | null;
}

/** Every convention over the rollouts with a known reward (one group). Formulas are those of the estimator `group`. */
export function conventionsOf(group: string, scored: readonly ScoredMember[]): ConventionResult[] {
  const members: Members = {
    group,
    rewards: Float64Array.from(scored, ({ reward }) => reward),
    lengths: Float64Array.from(scored, ({ length }) => length),
    greedy: new Float64Array(scored.length),
  };
  const defaults = { ddof: 1, eps: 1e-6, singleton: 'zero', f_norm: 1, norm: false, baseline: 0, gpgScale: 1 } as const;
  return all.map(({ settings, ...convention }): ConventionResult => {
    if (scored.length === 0) return { ...convention, ...nothing, refusal: 'No rollout of the group has a reward.' };
    try {
      const { advantages, baselines } = scoreGroup(members, { ...defaults, ...settings });
      return {
        ...convention,
        advantages: new Map(scored.map(({ id }, place) => [id, advantages[place] ?? 0])),
        baselines: new Map(scored.map(({ id }, place) => [id, baselines[place] ?? 0])),
        refusal: null,
      };
    } catch (thrown) {
      return { ...convention, ...nothing, refusal: refusalOf(thrown).message };
    }
  });
}

const nothing = { advantages: new Map<string, number>(), baselines: new Map<string, number>() };

/** Whether a group carries no signal: two or more known rewards, all the same. */
export function hasNoVariance(rewards: readonly number[]): boolean {
  return rewards.length > 1 && allEqual(rewards);
}
