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
};
