// One rollout under a setting, laid on its token axis: what the strips of the what-if screen draw. Runs in the screen's worker.

import type { WhatIfMember, WhatIfSetting } from '../../../contract/what-if.ts';
import type { EstimatorInput, RolloutInput, SegmentInput } from '../types.ts';
import { applySetting, isLeftOut, resolveSetting } from './setting.ts';
import { weightsFromCounts } from './weights.ts';

/** A rollout's tokens under one setting; the arrays are as long as the rollout's axis. */
export interface Layer {
  /** Advantage of each token; 0 where it is not trained. */
  readonly advantages: Float64Array;
  /** Loss weight of each token; 0 where it is not trained. */
  readonly weights: Float64Array;
  /** 1 where the token is trained under this setting. */
  readonly trained: Uint8Array;
  /** The scalar advantage and baseline of the group family; null for others. */
  readonly scalar: number | null;
  readonly baseline: number | null;
  /** Why there is nothing to draw: left out by the setting, or a refusal of the estimator. */
  readonly refusal: string | null;
  readonly warnings: readonly string[];
}

/** What a layer is computed from: the whole batch in counts, and the columns of those rollouts that were fetched. */
export interface LayerInput {
  readonly focus: string;
  readonly members: readonly WhatIfMember[];
  readonly columns: ReadonlyMap<string, RolloutInput>;
}

/**
 * What an estimator needs of the rollouts around the one in focus: nothing, their rewards (and counts), or their token
 * columns (whitening over the batch).
 */
export function neighboursNeeded(setting: WhatIfSetting): 'none' | 'counts' | 'columns' {
  const resolved = resolveSetting(setting);
  if (!resolved.ok) return 'none';
  const { definition, params } = resolved;
  const scope = definition.scopeWith(params);
  if (scope === 'rollout') return 'none';
  const whitened = params.whiten !== undefined && params.whiten !== null && params.whiten !== 'none';
  return definition.id === 'group' && !whitened ? 'counts' : 'columns';
}

/** The rollout in focus under a setting. Never throws for bad data or parameters: the refusal is in the layer. */
export function layerOf(input: LayerInput, setting: WhatIfSetting): Layer {
  const { focus, members, columns } = input;
  const own = columns.get(focus);
  const member = members.find(({ id }) => id === focus);
  if (own === undefined || member === undefined) return empty(0, 'The rollout is no longer in the workspace.');
  const length = own.segments.reduce((sum, { lossMask }) => sum + lossMask.length, 0);
  if (isLeftOut(setting.withoutHacks, member)) {
    return empty(length, 'Left out by this setting: it trains on none of its tokens.');
  }
  const resolved = resolveSetting(setting);
  if (!resolved.ok) return empty(length, resolved.error.message);
  const need = neighboursNeeded(setting);
  const warnings: string[] = [];
  if (member.segments.every(({ trainable }) => trainable === 0)) {
    warnings.push('This log has no loss mask for the rollout: there are no token advantages, only baselines.');
  }
  const absent = need === 'columns' ? members.filter(({ id }) => !columns.has(id)).length : 0;
  if (absent > 0) {
    warnings.push(
      `Statistics of the batch are over ${members.length - absent} of ${members.length} rollouts: the training step is too large for this view. The table below is over all.`,
    );
  }
  const batch: EstimatorInput = {
    nanIsMissing: true,
    rollouts: members.flatMap((one): RolloutInput[] => {
      if (one.id === focus) return [own];
      if (need === 'columns') {
        const known = columns.get(one.id);
        return known === undefined ? [] : [known];
      }
      // A stand-in for the critic may be the mean of the group, so rewards of siblings are always there.
      return need === 'counts' || one.group === member.group ? [shadowOf(one)] : [];
    }),
  };
  const facts = new Map(members.map((one) => [one.id, one]));
  const applied = applySetting(batch, setting, focus, (id) => facts.get(id) ?? { marked: false, label: null });
  const output = resolved.definition.run(resolved.params, applied);
  const result = output.rollouts.find(({ id }) => id === focus);
  if (result === undefined) return empty(length, 'The estimator gave no result for this rollout.');
  if (result.error !== null) return empty(length, result.error.message);
  const weights = focusWeights(members, setting, focus);
  const layer = empty(length, null);
  let start = 0;
  for (const [s, segment] of result.segments.entries()) {
    const column = segment.columns.advantages;
    if (column !== undefined) layer.advantages.set(column, start);
    const weight = weights[s] ?? 0;
    for (const t of segment.positions) {
      layer.trained[start + t] = 1;
      layer.weights[start + t] = weight;
    }
    start += segment.length;
  }
  return {
    ...layer,
    scalar: result.scalar,
    baseline: result.baseline,
    warnings: [...warnings, ...result.warnings.map(({ message }) => message)],
  };
}

/** Loss weights of the segments of the rollout in focus, over the batch as the setting has it. */
function focusWeights(members: readonly WhatIfMember[], setting: WhatIfSetting, focus: string): readonly number[] {
  const kinds = new Set(setting.withoutKinds);
  const kept = members.filter((member) => !isLeftOut(setting.withoutHacks, member));
  const weights = weightsFromCounts(
    setting.normaliser,
    kept.map(({ segments }) => segments.map(({ kind, trainable }) => (kinds.has(kind) ? 0 : trainable))),
  );
  return weights[kept.findIndex(({ id }) => id === focus)] ?? [];
}

const shadows = new WeakMap<WhatIfMember, RolloutInput>();

/** A rollout of which only its reward and its counts are known: as many trained tokens, no columns. */
function shadowOf(member: WhatIfMember): RolloutInput {
  const known = shadows.get(member);
  if (known !== undefined) return known;
  const shadow: RolloutInput = {
    id: member.id,
    groupId: member.group,
    status: member.status,
    reward: member.reward,
    segments: member.segments.map(
      ({ index, kind, trainable }): SegmentInput => ({ index, kind, lossMask: new Uint8Array(trainable).fill(1) }),
    ),
  };
  shadows.set(member, shadow);
  return shadow;
}

function empty(length: number, refusal: string | null): Layer {
  return {
    advantages: new Float64Array(length),
    weights: new Float64Array(length),
    trained: new Uint8Array(length),
    scalar: null,
    baseline: null,
    refusal,
    warnings: [],
  };
}
