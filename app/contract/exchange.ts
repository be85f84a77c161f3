// Labels in and out of a workspace: the ledger as a file, and what somebody who worked apart brings along.

import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';

/** The whole ledger as JSON lines or as a table, or one line per labelled rollout with its messages. */
export const labelFiles = ['jsonl', 'csv', 'labelled'] as const;
export type LabelFile = (typeof labelFiles)[number];

/** A stretch of the file, or at the end what it amounts to. */
export const exportedPiece = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('done'),
    /** Acts, for `labelled` rollouts, or judgements. */
    rows: z.number(),
    /** Credentials that were masked in them. */
    masked: z.number(),
    bytes: z.number(),
    /** Of the whole file in UTF-8, in hexadecimal. */
    sha256: z.string(),
  }),
]);
export type ExportedPiece = z.infer<typeof exportedPiece>;

/** Most reasons that a report lists; `skipped` counts all. */
export const maxSkipReasons = 100;

/** What was taken in from a file. */
export const takenIn = z.object({
  /** A workspace (labels, schemas, profiles, queues), or a file of labels. */
  what: z.enum(['workspace', 'labels']),
  path: z.string(),
  /** Acts that are new here, and those that were here already. */
  imported: z.number(),
  duplicates: z.number(),
  skipped: z.number(),
  reasons: z.array(z.object({ place: z.string(), reason: z.string() })).max(maxSkipReasons),
  schemas: z.number(),
  queues: z.number(),
  /** Labelled rollouts that are not in this workspace: their labels wait for them. */
  absent: z.number(),
  /** Targets on which annotators differ now and nobody has decided. */
  open: z.number(),
});
export type TakenIn = z.infer<typeof takenIn>;

/** A file on the machine where Rollscope runs. */
export const takeInInput = z.object({ path: z.string().min(1).max(4_096) });

export const exchangeContract = {
  /** The file piece by piece; the pieces joined are the file. */
  exportLabels: oc.input(z.object({ as: z.enum(labelFiles) })).output(eventIterator(exportedPiece)),
  /**
   * Takes in another workspace's review, or a file of labels (JSON lines or CSV, also compressed with gzip), recognised by
   * content and name. Any number of times, in any order. Refusals: `file-unreadable`, and those of opening a workspace.
   */
  takeIn: oc.input(takeInInput).output(takenIn),
};
