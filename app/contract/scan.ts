// The rule filter: packs and what they found. A scan is a job; its result has this shape.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { markerRow, nullableString } from './records.ts';
import { rulePack } from './rule-pack.ts';

export const timedOutRule = z.object({ rule: z.string(), texts: z.number(), deadlineMs: z.number() });

export const scanReport = z.object({
  pack: z.object({ id: z.string(), version: z.string() }),
  markers: z.array(markerRow),
  rollouts: z.array(z.object({ id: z.string(), score: z.number(), marked: z.boolean(), kinds: z.array(z.string()) })),
  timedOut: z.array(timedOutRule),
  /**
   * After an edit of the pack: rollouts on which only the rules that differ were run (in `rules`), the markers of all others being
   * kept. No rollouts: every rule was run on each.
   */
  reused: z.object({ rollouts: z.number(), rules: z.array(z.string()) }),
  elapsedMs: z.number(),
});
export type ScanReport = z.infer<typeof scanReport>;

export const packInfo = z.object({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  threshold: z.number(),
  yaml: z.string(),
  current: z.boolean(),
  createdAt: nullableString,
});

export type PackInfo = z.infer<typeof packInfo>;

/** A pack that this workspace has stored. */
export const storedPackInfo = packInfo.omit({ yaml: true }).extend({ pack: z.number() });

/** A pack was put in force; all rollouts are being scanned anew by the job. */
export const packChange = z.object({ id: z.string(), version: z.string(), job: z.string(), undo: z.number() });
export type PackChange = z.infer<typeof packChange>;

export const scanContract = {
  /** The pack in force. */
  pack: oc.output(packInfo),
  /** Parses and checks a pack without running it; `problems` name the line. */
  check: oc.input(z.object({ yaml: z.string().max(2_000_000) })).output(
    z.object({
      pack: rulePack.nullable(),
      problems: z.array(z.object({ line: z.number().nullable(), message: z.string() })),
      /** Examples of rules that did not do what they should. */
      failures: z.array(z.object({ rule: z.string(), example: z.string(), expected: z.enum(['match', 'clean']) })),
    }),
  ),
  markers: oc.input(z.object({ rollout: z.string() })).output(z.array(markerRow)),
  /** Packs stored in this workspace, newest first. Before the first scan there is none: the starter pack is in force. */
  packs: oc.output(z.array(storedPackInfo)),
  packText: oc.input(z.object({ pack: z.number() })).output(z.object({ yaml: z.string() })),
  /**
   * Stores an edited pack, puts it in force and scans all rollouts. A version that is taken gets a number of its own
   * (`1.4+edit.1`). Refuses `pack-invalid` (naming the line) and `pack-unchanged`.
   */
  savePack: oc.input(z.object({ yaml: z.string().max(2_000_000) })).output(packChange),
  /** Puts a stored pack in force again and scans all rollouts. */
  restorePack: oc.input(z.object({ pack: z.number() })).output(packChange),
};
