// The tokenizer file that turns token ids into text: one per workspace, remembered by its path.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';

/** The tokenizer file of the workspace. */
export const tokenizerState = z.object({
  /** Path of a tokenizer.json; null where none is set. A file of that name beside a log is used for that log by itself. */
  path: nullableString,
  /** Its model, such as BPE, and entries of its vocabulary; null where it could not be read. */
  model: nullableString,
  vocabulary: nullableNumber,
  /** Why it could not be read. */
  problem: nullableString,
});
export type TokenizerState = z.infer<typeof tokenizerState>;

export const tokenizerContract = {
  get: oc.output(tokenizerState),
  /** Sets the file after reading it; null takes the setting away. Refuses `tokenizer-unreadable`, `tokenizer-invalid`. */
  set: oc.input(z.object({ path: z.string().min(1).max(4096).nullable() })).output(tokenizerState),
};
