// An answer in the making: what keys and buttons change before it is saved. Pure.

import type { CurrentLabel, LabelFieldName, LabelFields, Verdict } from '../../../app/contract/index.ts';

export interface Draft {
  readonly verdict: Verdict | null;
  readonly kinds: readonly string[];
  readonly fields: LabelFields;
  /** 0..1; null when nothing was said. */
  readonly confidence: number | null;
  readonly note: string;
}

export const emptyDraft: Draft = {
  verdict: null,
  kinds: [],
  fields: { attempted: null, succeeded: null, used: null, standing: null, aware: null },
  confidence: null,
  note: '',
};

/** The draft that a saved label would have come from. */
export function draftOf(label: CurrentLabel | null): Draft {
  if (label === null) return emptyDraft;
  const { verdict, kinds, fields, confidence, note } = label;
  return { verdict, kinds, fields, confidence, note };
}

/** Another verdict. Kinds are of a hack: they go when the verdict says that it is none. */
export function withVerdict(draft: Draft, verdict: Verdict): Draft {
  return { ...draft, verdict, kinds: verdict === 'clean' ? [] : draft.kinds };
}

/** A kind added or taken away. Naming a kind says "hack" where nothing, or "clean", was said. */
export function withKind(draft: Draft, kind: string): Draft {
  const taken = draft.kinds.includes(kind);
  const kinds = taken ? draft.kinds.filter((one) => one !== kind) : [...draft.kinds, kind];
  const verdict = !taken && (draft.verdict === null || draft.verdict === 'clean') ? 'hack' : draft.verdict;
  return { ...draft, kinds, verdict };
}

/** The next answer to a question: not said, yes, no, not said. */
export function withNextAnswer(draft: Draft, field: LabelFieldName): Draft {
  const now = draft.fields[field];
  return { ...draft, fields: { ...draft.fields, [field]: now === null ? true : now ? false : null } };
}

/** Steps of confidence that keys walk over. */
export const confidences: readonly number[] = [0.25, 0.5, 0.75, 1];

/** A step more or less confident. From "not said" to the middle; below the least back to it. */
export function withConfidence(draft: Draft, step: 1 | -1): Draft {
  if (draft.confidence === null) return { ...draft, confidence: step === 1 ? 0.75 : 0.5 };
  const now = draft.confidence;
  const at = confidences.findLastIndex((one) => one <= now);
  return { ...draft, confidence: confidences[Math.min(at + step, confidences.length - 1)] ?? null };
}
