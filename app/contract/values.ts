// Critic values that come in a file of their own: joining them to rollouts by rollout and segment.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableString } from './records.ts';

export const valuesFormats = ['native', 'parquet', 'npz'] as const;

/** Something of the file that was not joined, and why. */
const unjoined = z.object({ rollout: z.string(), segment: z.number(), reason: z.string() });
export type Unjoined = z.infer<typeof unjoined>;

/** What joining a file did. At most 200 entries are listed in each list; the counts are whole. */
export const valuesReport = z.object({
  /** Names the set: `{ kind: 'file', values: id }` as the critic of an estimator. */
  id: z.string(),
  /** Name of the file without its folder. */
  name: z.string(),
  format: z.enum(valuesFormats),
  rollouts: z.number(),
  segments: z.number(),
  /** Tokens with a value, over all joined segments. */
  tokens: z.number(),
  unmatched: z.object({ count: z.number(), first: z.array(unjoined) }),
  /** Where the log has values of its own and the file's equal those of the token before or after. */
  shifted: z.array(
    z.object({
      rollout: z.string(),
      segment: z.number(),
      by: z.union([z.literal(-1), z.literal(1)]),
      message: z.string(),
    }),
  ),
});
export type ValuesReport = z.infer<typeof valuesReport>;

export const valueSet = valuesReport.extend({ joinedAt: nullableString });
export type ValueSet = z.infer<typeof valueSet>;

export const valuesContract = {
  /** The joined files, newest first. Joining is a job (`kind: 'values'`). */
  list: oc.output(z.array(valueSet)),
  /** Takes a joined file out again; runs made with it stay and show as stale. */
  remove: oc.input(z.object({ id: z.string() })).output(z.object({ removed: z.boolean() })),
};
