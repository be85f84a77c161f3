// Long work. A job has a life of its own: it does not die with the window that started it.

import { eventIterator, oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';
import { criticStandIn } from './verify.ts';

export const jobRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('import'), paths: z.array(z.string()).min(1).max(10_000), format: z.string().optional() }),
  /** Imports the bundled samples and runs the whole main job on them. */
  z.object({ kind: z.literal('demo') }),
  z.object({ kind: z.literal('scan'), rollouts: z.array(z.string()).optional(), packYaml: z.string().optional() }),
  z.object({
    kind: z.literal('advantages'),
    rollouts: z.array(z.string()).optional(),
    estimator: z.string().optional(),
    preset: z.string().optional(),
    params: z.record(z.string(), z.unknown()).default({}),
  }),
  /** Compares logged advantages with recomputed ones (result: VerifyReport). */
  z.object({
    kind: z.literal('verify'),
    rollouts: z.array(z.string()).optional(),
    critic: criticStandIn.default({ kind: 'logged' }),
    expect: z.string().optional(),
  }),
]);
export type JobRequest = z.infer<typeof jobRequest>;

export const jobState = z.object({
  id: z.string(),
  kind: z.enum(['import', 'demo', 'scan', 'advantages', 'verify']),
  title: z.string(),
  status: z.enum(['queued', 'running', 'done', 'failed', 'cancelled']),
  phase: z.string(),
  /** Progress in `unit`; total is null while unknown. */
  done: z.number(),
  total: nullableNumber,
  unit: z.enum(['bytes', 'rollouts', 'files']),
  /** Units per second, and seconds left, both over the last seconds. */
  rate: nullableNumber,
  etaSeconds: nullableNumber,
  rows: z.number(),
  alerts: z.number(),
  startedAt: nullableString,
  endedAt: nullableString,
  error: z.object({ code: z.string(), message: z.string(), hint: nullableString }).nullable(),
  /** What the job gives when it is done; its shape depends on the kind (import: ImportReport). */
  result: z.unknown().nullable(),
});
export type JobState = z.infer<typeof jobState>;

export const jobsContract = {
  start: oc.input(jobRequest).output(z.object({ id: z.string() })),
  /** The state now and at every change, at most 10 times a second; ends with the job. */
  watch: oc.input(z.object({ id: z.string() })).output(eventIterator(jobState)),
  /** All jobs of this process and their changes; never ends. */
  watchAll: oc.output(eventIterator(z.array(jobState))),
  list: oc.output(z.array(jobState)),
  cancel: oc.input(z.object({ id: z.string() })).output(z.object({ cancelled: z.boolean() })),
};
