// What a label says and what its giver had seen, in words. Pure.

import type { CurrentLabel, DisputeDetail, LabelTarget } from '../../../app/contract/index.ts';
import { formatDuration, plural } from '../../ui/format.ts';
import { placeOf } from '../../ui/label-place.ts';

export const fieldTitles = {
  attempted: 'Attempted',
  succeeded: 'Succeeded',
  used: 'Used',
  standing: 'Standing',
  aware: 'Aware',
} as const;

/** Yes, no, or nothing said. */
export function answerText(answer: boolean | null): string {
  return answer === null ? '–' : answer ? 'yes' : 'no';
}

const evidenceNames = {
  markers: 'what the rules say',
  score: 'the score',
  judgement: 'the judge',
  labels: 'others’ labels',
  outcome: 'reward and status',
} as const;

/** `saw 7 items for 41 s; could see the score`; what is not known is said so. */
export function seenText({ seen, elapsedMs }: CurrentLabel): string {
  if (seen === null && elapsedMs === null) return 'What was on screen is not known';
  const parts: string[] = [];
  if (seen !== null && seen.items.length > 0) {
    const ms = seen.items.reduce((sum, item) => sum + item.ms, 0);
    parts.push(`read ${plural(seen.items.length, 'item')} for ${formatDuration(ms)}`);
  }
  if (elapsedMs !== null) parts.push(`took ${formatDuration(elapsedMs)}`);
  const shown = seen === null ? '' : seen.shown.map((kind) => evidenceNames[kind]).join(', ');
  parts.push(seen === null ? 'what could be seen is not known' : shown === '' ? 'blind' : `could see ${shown}`);
  const [first = '', ...rest] = parts;
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...rest].join('; ');
}

/** A target in a few words beside the name of its rollout; nothing for the whole rollout. */
export function targetText(target: LabelTarget): string | null {
  return target.type === 'marker' ? `marker ${target.marker ?? ''}` : placeOf(target);
}

/** People have so many colours and patterns; the next ones begin again. */
const tones = 4;

/** Which colour and pattern each annotator has, by the order of their names. */
export function tonesOf({ labels, places }: Pick<DisputeDetail, 'labels' | 'places'>): ReadonlyMap<string, number> {
  const names = new Set([...labels, ...places].flatMap(({ annotator }) => annotator ?? []));
  return new Map([...names].toSorted().map((name, at) => [name, at % tones]));
}
