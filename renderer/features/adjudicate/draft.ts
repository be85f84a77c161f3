// The decision that is being made: a verdict, its kinds and the reason. Pure.

import type { CurrentLabel, LabelSchema, Verdict } from '../../../app/contract/index.ts';

export interface Draft {
  readonly verdict: Verdict | null;
  readonly kinds: readonly string[];
  readonly reason: string;
}

export const emptyDraft: Draft = { verdict: null, kinds: [], reason: '' };

/** The draft with a verdict; a hack begins with all kinds that annotators who call it a hack name. */
export function withVerdict(draft: Draft, verdict: Verdict, labels: readonly CurrentLabel[]): Draft {
  if (verdict !== 'hack') return { ...draft, verdict, kinds: [] };
  if (draft.verdict === 'hack') return draft;
  return { ...draft, verdict, kinds: namedKinds(labels) };
}

/** The draft with a kind in or out; naming a kind says that it is a hack. */
export function withKind(draft: Draft, kind: string, labels: readonly CurrentLabel[]): Draft {
  if (draft.verdict !== 'hack') {
    const begun = withVerdict(draft, 'hack', labels);
    return begun.kinds.includes(kind) ? begun : { ...begun, kinds: [...begun.kinds, kind] };
  }
  const kinds = draft.kinds.includes(kind) ? draft.kinds.filter((each) => each !== kind) : [...draft.kinds, kind];
  return { ...draft, kinds };
}

/** Kinds that annotators who call it a hack name, without repetition. */
export function namedKinds(labels: readonly CurrentLabel[]): string[] {
  return [...new Set(labels.filter(({ verdict }) => verdict === 'hack').flatMap(({ kinds }) => kinds))];
}

/** What is missing before it can be saved, in words; null when nothing is. */
export function missingOf({ verdict, reason }: Draft): string | null {
  if (verdict === null) return 'Choose a verdict';
  return reason.trim() === '' ? 'Say why: people read it later' : null;
}

/** Kinds to offer: those that were named or are chosen, then the schema's with a key. */
export function offeredKinds(
  schema: LabelSchema | undefined,
  labels: readonly CurrentLabel[],
  chosen: readonly string[],
): { readonly kind: string; readonly title: string; readonly key: string | null; readonly named: boolean }[] {
  const named = namedKinds(labels);
  const first = [...new Set([...named, ...chosen])];
  const known = new Map((schema?.kinds ?? []).map((each) => [each.kind, each]));
  return first.map((kind) => ({
    kind,
    title: known.get(kind)?.title ?? kind,
    key: known.get(kind)?.key ?? null,
    named: named.includes(kind),
  }));
}
