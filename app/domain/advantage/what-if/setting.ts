// A setting of what-if put to work: the estimator behind it, who is left out, and the batch as it would have been.

import type { HackExclusion, WhatIfSetting } from '../../../contract/what-if.ts';
import { withCritic } from '../critic.ts';
import { presetByName } from '../presets.ts';
import { estimatorById, estimators } from '../registry.ts';
import type { EstimatorDefinition, EstimatorError, EstimatorInput, RolloutInput, SegmentInput } from '../types.ts';

/** An estimator with its parameters, or why the setting names none. */
export type ResolvedSetting =
  | {
      readonly ok: true;
      readonly definition: EstimatorDefinition;
      readonly params: Readonly<Record<string, unknown>>;
    }
  | { readonly ok: false; readonly error: EstimatorError };

/** The estimator of a setting. Parameters of its preset come first; those given beside it win. */
export function resolveSetting(setting: Pick<WhatIfSetting, 'estimator' | 'preset' | 'params'>): ResolvedSetting {
  const definition = estimatorById(setting.estimator);
  if (definition === undefined || definition.output !== 'advantages') {
    const known = estimators
      .filter(({ output }) => output === 'advantages')
      .map(({ id }) => id)
      .join(', ');
    const message = `"${setting.estimator}" gives no token advantages. Estimators that do: ${known}.`;
    return { ok: false, error: { code: 'parameter_invalid', message, where: ['estimator'] } };
  }
  const preset = setting.preset === null ? undefined : presetByName(setting.preset);
  const base = preset?.estimator === definition.id ? preset.params : {};
  return { ok: true, definition, params: { ...base, ...setting.params } };
}

/** What decides whether a rollout is left out as a hack. */
export interface HackFacts {
  readonly marked: boolean;
  readonly label: string | null;
}

/** Whether a rollout is left out of the batch: neither trained nor a member of any statistic. */
export function isLeftOut(exclusion: HackExclusion, facts: HackFacts): boolean {
  if (exclusion === 'none') return false;
  return exclusion === 'marked' ? facts.marked : facts.label === 'hack';
}

/**
 * The batch as the setting has it: hacks left out, the reward of the rollout in focus replaced, segments of some kinds
 * masked, the critic's values replaced by its stand-in. A masked kind is neither trained nor a step of the recursion, exactly
 * as if the trainer's loss mask had been 0 there. Nothing of the input is changed in place.
 */
export function applySetting(
  input: EstimatorInput,
  setting: Pick<WhatIfSetting, 'critic' | 'reward' | 'withoutHacks' | 'withoutKinds'>,
  focus: string,
  factsOf: (rollout: string) => HackFacts,
): EstimatorInput {
  const kinds = new Set(setting.withoutKinds);
  const kept = input.rollouts.filter(({ id }) => !isLeftOut(setting.withoutHacks, factsOf(id)));
  const rollouts = kept.map((rollout): RolloutInput => {
    const reward = rollout.id === focus && setting.reward !== null ? setting.reward : rollout.reward;
    if (kinds.size === 0) return reward === rollout.reward ? rollout : { ...rollout, reward };
    const segments = rollout.segments.map(
      (segment): SegmentInput =>
        kinds.has(segment.kind) ? { ...segment, lossMask: new Uint8Array(segment.lossMask.length) } : segment,
    );
    return { ...rollout, reward, segments };
  });
  return withCritic({ ...input, rollouts }, setting.critic);
}
