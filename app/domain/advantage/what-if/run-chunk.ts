// Both settings over rollouts that belong together, from columns to figures. A batch is run chunk by chunk, so that the columns
// of a large training step need not be in memory at once: by group where estimators look no further, else in one chunk.

import type { WhatIfMember, WhatIfSetting } from '../../../contract/what-if.ts';
import type { EstimatorInput, RolloutOutput } from '../types.ts';
import { compareRollout } from './compare.ts';
import type { Moved } from './comparison.ts';
import { applySetting, isLeftOut, resolveSetting } from './setting.ts';
import { weightsFromCounts } from './weights.ts';

/** A setting with the weights it gives every segment of the batch, by rollout. */
export interface WeighedSetting {
  readonly setting: WhatIfSetting;
  readonly weights: ReadonlyMap<string, readonly number[]>;
}

/** Weighs the tokens of a whole batch under a setting, from counts. */
export function weighSetting(setting: WhatIfSetting, members: readonly WhatIfMember[]): WeighedSetting {
  const kinds = new Set(setting.withoutKinds);
  const kept = members.filter((member) => !isLeftOut(setting.withoutHacks, member));
  const weights = weightsFromCounts(
    setting.normaliser,
    kept.map(({ segments }) => segments.map(({ kind, trainable }) => (kinds.has(kind) ? 0 : trainable))),
  );
  return { setting, weights: new Map(kept.map(({ id }, place) => [id, weights[place] ?? []])) };
}

/** How the members are run: places of `members` by chunk, in order. */
export function chunksOf(members: readonly WhatIfMember[], settings: readonly WhatIfSetting[]): number[][] {
  const scopes = settings.map((setting) => {
    const resolved = resolveSetting(setting);
    return resolved.ok ? resolved.definition.scopeWith(resolved.params) : 'rollout';
  });
  if (scopes.includes('batch')) return members.length === 0 ? [] : [[...members.keys()]];
  const groups = new Map<string, number[]>();
  for (const [place, { group }] of members.entries()) {
    const of = groups.get(group);
    if (of === undefined) groups.set(group, [place]);
    else of.push(place);
  }
  return [...groups.values()];
}

/** Sentences about the numbers, by side. */
export interface Notes {
  readonly a: Set<string>;
  readonly b: Set<string>;
}

/** Runs a chunk under both settings. `input` holds the columns of exactly `members`, in their order. */
export function runChunk(
  input: EstimatorInput,
  members: readonly WhatIfMember[],
  a: WeighedSetting,
  b: WeighedSetting,
  focus: string,
  notes: Notes,
): Moved[] {
  const left = outputsOf(input, members, a.setting, focus, notes.a);
  const right = outputsOf(input, members, b.setting, focus, notes.b);
  return members.map((member): Moved => {
    const sides = [
      { output: left.get(member.id) ?? null, weights: a.weights.get(member.id) ?? [] },
      { output: right.get(member.id) ?? null, weights: b.weights.get(member.id) ?? [] },
    ] as const;
    return {
      member,
      moves: compareRollout(sides[0], sides[1]),
      whyA: whyNot(sides[0].output),
      whyB: whyNot(sides[1].output),
    };
  });
}

function whyNot(output: RolloutOutput | null): string | null {
  return output === null ? 'left out' : (output.error?.message ?? null);
}

function outputsOf(
  input: EstimatorInput,
  members: readonly WhatIfMember[],
  setting: WhatIfSetting,
  focus: string,
  notes: Set<string>,
): Map<string, RolloutOutput> {
  const resolved = resolveSetting(setting);
  if (!resolved.ok) {
    notes.add(resolved.error.message);
    return new Map();
  }
  const facts = new Map(members.map((member) => [member.id, member]));
  const applied = applySetting(input, setting, focus, (id) => facts.get(id) ?? { marked: false, label: null });
  const output = resolved.definition.run(resolved.params, applied);
  if (output.error !== null) notes.add(output.error.message);
  return new Map(output.rollouts.map((rollout) => [rollout.id, rollout]));
}
