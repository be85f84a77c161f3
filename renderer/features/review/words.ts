// Words and figures of queues on screen.

import type { EvidenceKind, QueueProgress, QueueRow, SamplingPlan } from '../../../app/contract/index.ts';
import { formatCount, formatDuration } from '../../ui/format.ts';

/** What each kind of evidence is, in a sentence "hidden: …". */
export const evidenceWords: Record<EvidenceKind, string> = {
  markers: 'what the rules say',
  score: 'score',
  judgement: 'judgement',
  labels: 'labels of others',
  outcome: 'reward and status',
};

/** How a queue was drawn: `60 at random`; what follows is "of" and what it was drawn from. */
export function planWords(plan: SamplingPlan): string {
  switch (plan.by) {
    case 'all':
      return 'all in order';
    case 'random':
      return `${formatCount(plan.count)} at random`;
    case 'score':
      return plan.draw === 'top' ? `${formatCount(plan.count)} most suspicious` : `${formatCount(plan.count)} by score`;
    case 'uncertainty':
      return plan.draw === 'top'
        ? `${formatCount(plan.count)} nearest to the threshold`
        : `${formatCount(plan.count)} by uncertainty`;
    case 'disagreement':
      return `${formatCount(plan.count)} most disputed`;
    case 'stratified':
      return `${formatCount(plan.count)} stratified by ${plan.strata === 'step' ? 'training step' : plan.strata}`;
  }
}

/** `12 of 60`: what the annotator decided of what is theirs to decide. */
export function mineWords({ mine }: QueueProgress): string {
  return `${formatCount(mine.done)} of ${formatCount(mine.done + mine.left)}`;
}

/** `14 min left`, or nothing while the pace is not known. */
export function leftWords({ mine }: QueueProgress): string {
  if (mine.left === 0 || mine.leftSeconds === null) return '';
  const seconds = Math.max(1, Math.round(mine.leftSeconds));
  // Minutes are enough: the rest of an estimate is noise.
  return `${formatDuration((seconds < 90 ? seconds : Math.round(seconds / 60) * 60) * 1_000)} left`;
}

/** `212 an hour`. */
export function paceWords({ mine }: QueueProgress): string {
  return mine.perHour === null ? '' : `${formatCount(mine.perHour)} an hour`;
}

/** Share of the wanted labels that are there, 0..1. */
export function shareDone({ progress }: Pick<QueueRow, 'progress'>): number {
  return progress.wanted === 0 ? 1 : progress.labels / progress.wanted;
}
