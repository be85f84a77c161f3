// People's verdicts: an append-only ledger of acts. A label is on disk before the call returns.

import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { currentLabel, labelAct, labelTarget, nullableString } from './records.ts';
import { verdicts } from './vocabulary.ts';

export const labelInput = z.object({
  target: labelTarget,
  verdict: z.enum(verdicts),
  kinds: z.array(z.string()).max(26).default([]),
  note: z.string().max(10_000).default(''),
  confidence: z.number().min(0).max(1).nullable().default(null),
});
export type LabelInput = z.infer<typeof labelInput>;

/** What `u` and `U` would do next for this annotator, in words for the status bar. */
export const undoState = z.object({ undo: nullableString, redo: nullableString, savedAt: nullableString });
export type UndoState = z.infer<typeof undoState>;

export const labelResult = z.object({ act: labelAct.nullable(), undo: undoState });

export const labelsContract = {
  label: oc.input(labelInput).output(labelResult),
  /** Undoes the annotator's newest act in force; `act` is null when there is nothing to undo. */
  undo: oc.output(labelResult),
  redo: oc.output(labelResult),
  state: oc.output(undoState),
  /** Labels in force on a rollout and everything in it. */
  of: oc.input(z.object({ rollout: z.string() })).output(z.array(currentLabel)),
  /** Newest acts first. */
  history: oc
    .input(z.object({ rollout: z.string().optional(), limit: z.number().int().min(1).max(500).default(50) }))
    .output(z.array(labelAct)),
  /** Fires after every act or import of labels, so that open screens refresh. */
  changes: oc.output(eventIterator(z.object({ rollout: z.string().nullable(), at: z.string() }))),
};
