// The fields of a new queue as they are typed, and the queue that they ask for. Pure.

import { type EvidenceKind, type QueueInput, queueInput, type SamplingPlan } from '../../../app/contract/index.ts';
import { parseFilter } from '../../../app/domain/filter/filter.ts';

export type PlanName = SamplingPlan['by'];

export interface QueueDraft {
  readonly name: string;
  readonly target: 'rollout' | 'marker';
  readonly where: string;
  readonly by: PlanName;
  readonly count: string;
  readonly draw: 'top' | 'weighted';
  readonly strata: 'task' | 'kind' | 'score' | 'step';
  readonly allocation: 'equal' | 'proportional';
  readonly perItem: string;
  readonly repeats: string;
  readonly hidden: readonly EvidenceKind[];
  readonly seed: string;
}

/** A draft that starts from a filter. */
export function newDraft(where: string): QueueDraft {
  return {
    name: '',
    target: 'rollout',
    where,
    by: 'random',
    count: '50',
    draw: 'top',
    strata: 'score',
    allocation: 'equal',
    perItem: '1',
    repeats: '0',
    hidden: ['markers', 'score', 'judgement', 'labels'],
    seed: '1',
  };
}

/** The queue, or what is wrong in words for a person. */
export function queueOf(draft: QueueDraft): { readonly queue: QueueInput } | { readonly problem: string } {
  const parsed = parseFilter(draft.where);
  if (!parsed.ok) return { problem: `Filter: ${parsed.error.message}` };
  const result = queueInput.safeParse({
    name: draft.name,
    target: draft.target,
    where: parsed.value.where,
    plan: planOf(draft),
    perItem: Number(draft.perItem),
    repeats: Number(draft.repeats),
    hidden: [...draft.hidden],
    seed: Number(draft.seed),
  });
  if (result.success) return { queue: result.data };
  const [issue] = result.error.issues;
  const field = String(issue?.path.at(-1) ?? '');
  return {
    problem: field === 'name' ? 'Give the queue a name.' : `${titles.get(field) ?? field}: ${issue?.message ?? ''}`,
  };
}

const titles = new Map([
  ['count', 'How many'],
  ['perItem', 'Annotators per item'],
  ['repeats', 'Come twice'],
  ['seed', 'Seed'],
]);

function planOf({ by, count: typed, draw, strata, allocation }: QueueDraft): object {
  const count = Number(typed);
  switch (by) {
    case 'all':
      return { by };
    case 'score':
    case 'uncertainty':
      return { by, count, draw };
    case 'random':
    case 'disagreement':
      return { by, count };
    case 'stratified':
      return { by, count, strata, allocation };
  }
}
