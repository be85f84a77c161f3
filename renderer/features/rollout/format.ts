// Words and figures of the Rollout screen: baselines, columns.

import type { RolloutDetail } from '../../../app/contract/index.ts';
import { formatNumber } from '../../ui/format.ts';

/** Mean and standard deviation of the group's rewards: `0.375 ± 0.48 (8)`. */
export function formatBaseline(group: RolloutDetail['group']): string {
  const known = group.siblings.filter((one) => one.reward !== null).length;
  if (group.mean === null) return '–';
  const spread = group.std === null ? '' : ` ± ${formatNumber(group.std)}`;
  return `${formatNumber(group.mean, 3)}${spread} (${known})`;
}

/** Names of token columns as people call them. */
export function columnTitle(column: string): string {
  const titles = new Map([
    ['advantages', 'logged advantage'],
    ['returns', 'logged returns'],
    ['values', 'critic values'],
    ['rewards', 'token rewards'],
    ['entropy', 'entropy'],
    ['kl', 'KL'],
    ['logprobs.rollout', 'log-probs, rollout'],
    ['logprobs.train', 'log-probs, trainer'],
    ['logprobs.old', 'log-probs, old policy'],
    ['logprobs.ref', 'log-probs, reference'],
    ['logprobs.teacher', 'log-probs, teacher'],
    ['loss_mask', 'loss mask'],
    ['ids', 'token id'],
    ['sampled_mask', 'sampled'],
  ]);
  return titles.get(column) ?? column;
}
