// What a verdict carries: kinds and note from what was typed, said before or suggested. Pure.

import type { CurrentLabel, LabelInput, MarkerRow, Verdict } from '../../../app/contract/index.ts';
import { targetOf } from './labels.ts';

export interface VerdictContent {
  readonly kinds: readonly string[];
  readonly note: string;
}

/** What a verdict on the target would carry: the draft, else the person's label, else the marker's kind. */
export function contentOf(
  draft: Partial<VerdictContent> | undefined,
  own: CurrentLabel | null,
  marker: MarkerRow | null,
): { kinds: readonly string[]; note: string } {
  const suggested = own?.kinds ?? (marker === null ? [] : [marker.kind]);
  return { kinds: draft?.kinds ?? suggested, note: draft?.note ?? own?.note ?? '' };
}

/** The input of a verdict. A verdict of clean has no kinds, whatever was suggested. */
export function verdictInput(
  rollout: string,
  marker: MarkerRow | null,
  verdict: Verdict,
  content: { readonly kinds: readonly string[]; readonly note: string },
): LabelInput {
  return {
    target: targetOf(rollout, marker),
    verdict,
    kinds: verdict === 'clean' ? [] : [...content.kinds],
    note: content.note,
    confidence: null,
  };
}
