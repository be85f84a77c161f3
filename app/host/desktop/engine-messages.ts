// What the main process and the engine's process say to each other besides the contract (which pages speak over their own
// ports). Both sides parse what they get.

import { z } from 'zod';
import { limitNames } from '../../contract/index.ts';

export const toEngine = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('start'),
    dbPath: z.string(),
    limits: z.partialRecord(z.enum(limitNames), z.number()),
    version: z.string(),
    samples: z.string(),
  }),
  /** Comes with one port: a window wants to speak the contract. */
  z.object({ kind: z.literal('connect') }),
  z.object({ kind: z.literal('body'), request: z.number(), id: z.number() }),
  /** Paths from the command line, a menu or the system. */
  z.object({ kind: z.literal('import'), paths: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal('close') }),
]);
export type ToEngine = z.infer<typeof toEngine>;

export const fromEngine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), workspace: z.string() }),
  z.object({ kind: z.literal('failed'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
  z.object({ kind: z.literal('body'), request: z.number(), text: z.string().nullable() }),
  z.object({ kind: z.literal('log'), line: z.string() }),
  /** Everything is on disk; the process may be ended. */
  z.object({ kind: z.literal('closed') }),
]);
export type FromEngine = z.infer<typeof fromEngine>;
