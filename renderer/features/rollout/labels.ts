// Whose label is on what: pure look-ups over the labels in force.

import type { CurrentLabel, LabelTarget, MarkerRow } from '../../../app/contract/index.ts';
import { placeOf } from '../../ui/label-place.ts';

/** The target of a verdict on a marker or on the whole rollout. */
export function targetOf(rollout: string, marker: MarkerRow | null): LabelTarget {
  return marker === null ? { type: 'rollout', rollout } : { type: 'marker', rollout, marker: marker.id };
}

/** Labels in force on the target, newest first; at most one of each annotator. */
export function labelsOn(labels: readonly CurrentLabel[], target: LabelTarget): CurrentLabel[] {
  return labels
    .filter((label) => label.target.type === target.type && label.target.marker === target.marker)
    .toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Whether annotators differ in their verdict. */
export function isDisputed(labels: readonly CurrentLabel[]): boolean {
  return new Set(labels.map((label) => label.verdict)).size > 1;
}

/** What a label is on, in words: `the rollout`, `marker G3`, `segment 2`, `step 14`. */
export function describeTarget(target: LabelTarget, markers: readonly MarkerRow[]): string {
  if (target.type === 'marker') {
    const marker = markers.find((one) => one.id === target.marker);
    return marker === undefined ? 'a marker of an older pack' : `marker ${marker.rule}`;
  }
  return placeOf(target) ?? 'the rollout';
}
