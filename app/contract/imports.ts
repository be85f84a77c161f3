// Files that were imported and what became of them. The import itself is a job.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { importedFile, nullableString, segmentCounts } from './records.ts';

/** The result of an import job, and of `rollscope import --json`. */
export const importReport = z.object({
  files: z.array(importedFile),
  totals: z.object({
    files: z.number(),
    rollouts: z.number(),
    segments: segmentCounts,
    steps: z.number(),
    tokens: z.number(),
    trainableTokens: z.number(),
    alerts: z.number(),
    refused: z.number(),
    failed: z.number(),
  }),
  elapsedMs: z.number(),
});
export type ImportReport = z.infer<typeof importReport>;

export const sourceRow = importedFile.extend({ id: z.number(), importedAt: nullableString });
export type SourceRow = z.infer<typeof sourceRow>;

export const formatInfo = z.object({ id: z.string(), title: z.string() });

export const importsContract = {
  list: oc.output(z.array(sourceRow)),
  formats: oc.output(z.array(formatInfo)),
};
