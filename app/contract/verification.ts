// Verify my trainer over a whole dump: what the job `verify` found, summed up for one screen, and one rollout of it in full.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';
import { diagnosisCodes, rolloutVerification } from './verify.ts';

/** What the dump as a whole is. `partly` is clean as far as it could be compared; `silent` has nothing that could be compared. */
export const dumpVerdicts = ['clean', 'differs', 'partly', 'refused', 'silent'] as const;

/** How often a diagnosis was made, and what it says of the rollout of which it is surest. */
export const diagnosisCount = z.object({
  code: z.enum(diagnosisCodes),
  title: z.string(),
  rollouts: z.number(),
  /** Rollouts whose diagnosis is another, but that this one would explain as well. */
  alternative: z.number(),
  /** Mean over those rollouts, 0..1. */
  confidence: z.number(),
  sentence: z.string(),
});
export type DiagnosisCount = z.infer<typeof diagnosisCount>;

/** One setting over the dump. Fits with the same words and presets count as one. */
export const fitCount = z.object({
  label: z.string(),
  presets: z.array(z.string()),
  /** Rollouts that it reproduces token by token, and those of whose nearest fits it is one. */
  reproduces: z.number(),
  near: z.number(),
  /** Tokens that agree, as a share of those compared where it is near. */
  agreeing: z.number(),
  /** Largest relative difference where it is near. */
  worst: nullableNumber,
});
export type FitCount = z.infer<typeof fitCount>;

export const verifiedRow = z.object({
  id: z.string(),
  /** Null when the rollout is no longer in the workspace. */
  externalId: nullableString,
  group: nullableString,
  trainingStep: nullableNumber,
  status: rolloutVerification.shape.status,
  tokens: z.number(),
  code: z.enum(diagnosisCodes),
  title: z.string(),
  confidence: z.number(),
  /** The nearest fit. */
  fit: z
    .object({ label: z.string(), presets: z.array(z.string()), agreeing: z.number(), worst: nullableNumber })
    .nullable(),
  /** The differing token that is last in time: where to start looking. Segments count from 0. */
  place: z.object({ segment: z.number(), token: z.number() }).nullable(),
});
export type VerifiedRow = z.infer<typeof verifiedRow>;

export const dumpVerification = z.object({
  verdict: z.enum(dumpVerdicts),
  sentence: z.string(),
  clean: z.number(),
  found: z.number(),
  refused: z.number(),
  notLogged: z.number(),
  tokens: z.number(),
  /** Where critic values came from, in words; several where the log has them for some rollouts only. */
  critics: z.array(z.string()),
  expect: nullableString,
  /** Findings first, most frequent first; refusals and silence after them, clean last. */
  diagnoses: z.array(diagnosisCount),
  /** What was looked for as well and explains no rollout. */
  excluded: z.array(z.object({ code: z.enum(diagnosisCodes), title: z.string() })),
  /** At most twelve, the one that reproduces most first. */
  fits: z.array(fitCount),
  rows: z.array(verifiedRow),
});
export type DumpVerification = z.infer<typeof dumpVerification>;

export const verificationContract = {
  /** The sum of a verify job that is done. Refuses `job-unknown`, and `verify-unfinished` for a job without such a result. */
  overview: oc.input(z.object({ job: z.string() })).output(dumpVerification),
  /** One rollout of it. */
  rollout: oc.input(z.object({ job: z.string(), rollout: z.string() })).output(rolloutVerification),
};
