// Kinds and note of a verdict before and after it is given. Until a person has a label on the target they are a draft, with
// the marker's own kind as the suggestion; afterwards a change is another act in the ledger.

import { create } from 'zustand';
import type { CurrentLabel, MarkerRow, Verdict } from '../../../app/contract/index.ts';
import { useLabelling } from '../../data/labels.ts';
import { labelsOn, targetOf } from './labels.ts';
import { useScreen } from './screen-context.ts';
import { contentOf, type VerdictContent, verdictInput } from './verdict-input.ts';

/** Drafts by target (`rollout` or `rollout/marker`), kept while the app runs, so that moving on loses nothing typed. */
const useDrafts = create<{ readonly byTarget: ReadonlyMap<string, Partial<VerdictContent>> }>(() => ({
  byTarget: new Map(),
}));

function keyOf(rollout: string, marker: MarkerRow | null): string {
  return marker === null ? rollout : `${rollout}/${marker.id}`;
}

function setDraft(key: string, change: Partial<VerdictContent> | null): void {
  const byTarget = new Map(useDrafts.getState().byTarget);
  if (change === null) byTarget.delete(key);
  else byTarget.set(key, { ...byTarget.get(key), ...change });
  useDrafts.setState({ byTarget });
}

/** Gives verdicts with the draft of their target; the draft is dropped when the label is on disk. */
export function useGiveVerdict(
  rollout: string,
  labels: readonly CurrentLabel[],
  annotator: string,
): (verdict: Verdict, marker: MarkerRow | null) => void {
  const { label } = useLabelling();
  return (verdict, marker) => {
    const key = keyOf(rollout, marker);
    const draft = useDrafts.getState().byTarget.get(key);
    const own = labelsOn(labels, targetOf(rollout, marker)).find((one) => one.annotator === annotator) ?? null;
    void label(verdictInput(rollout, marker, verdict, contentOf(draft, own, marker))).then((result) => {
      if (result !== null) setDraft(key, null);
    });
  };
}

/** Kinds and note of the current target, and how to change them. */
export function useVerdictDraft(marker: MarkerRow | null): {
  readonly kinds: readonly string[];
  readonly note: string;
  readonly setKinds: (kinds: readonly string[]) => void;
  readonly setNote: (note: string) => void;
  /** Saves a changed note where there is a label to save it with. */
  readonly save: () => void;
} {
  const { id, detail, annotator } = useScreen();
  const key = keyOf(id, marker);
  const draft = useDrafts((state) => state.byTarget.get(key));
  const own = labelsOn(detail.labels, targetOf(id, marker)).find((one) => one.annotator === annotator) ?? null;
  const give = useGiveVerdict(id, detail.labels, annotator);
  const { kinds, note } = contentOf(draft, own, marker);
  return {
    kinds,
    note,
    setKinds(next) {
      setDraft(key, { kinds: next });
      if (own !== null && own.verdict !== 'clean') give(own.verdict, marker);
    },
    setNote: (next) => setDraft(key, { note: next }),
    save() {
      if (own !== null && draft?.note !== undefined && draft.note !== own.note) give(own.verdict, marker);
    },
  };
}
