// A label schema: what annotators are asked and which keys answer, as a versioned YAML file. This is what the file must look
// like after YAML parsing; domain/review/schema.ts checks what zod cannot see (clashing keys, double kinds).

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableNumber, nullableString } from './records.ts';
import { verdicts } from './vocabulary.ts';

/** The five questions about a hack that are answered yes, no or not said (null); see the taxonomy. */
export const labelFieldNames = ['attempted', 'succeeded', 'used', 'standing', 'aware'] as const;
export type LabelFieldName = (typeof labelFieldNames)[number];

/** A key as `renderer/ui/keys.ts` names it: one character (an upper-case letter means with Shift). */
const hotkey = z.string().min(1).max(12);

const schemaVerdict = z.object({ verdict: z.enum(verdicts), title: z.string().min(1), key: hotkey });
const schemaKind = z.object({
  kind: z.string().regex(/^[a-z][a-z0-9-]{1,40}$/, 'a kind is written in lower case with dashes, like test-edit'),
  title: z.string().min(1),
  /** Null for a kind that is only in the list. */
  key: hotkey.nullable().default(null),
  /** Heading under which it is listed. */
  group: z.string().default(''),
  description: z.string().default(''),
});
const schemaField = z.object({
  field: z.enum(labelFieldNames),
  title: z.string().min(1),
  question: z.string().default(''),
  key: hotkey.nullable().default(null),
});

export const labelSchema = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,60}$/i, 'an id has letters, digits, dots and dashes'),
  version: z.string().min(1).max(40),
  title: z.string().min(1),
  description: z.string().default(''),
  verdicts: z.array(schemaVerdict).min(2).max(verdicts.length),
  kinds: z.array(schemaKind).max(60).default([]),
  /** The questions shown, in this order. */
  fields: z.array(schemaField).default([]),
  /** Whether confidence and note are asked. */
  confidence: z.boolean().default(true),
  note: z.boolean().default(true),
  /** What a label with this verdict must have before it is taken. */
  required: z
    .partialRecord(z.enum(verdicts), z.array(z.enum([...labelFieldNames, 'kinds', 'confidence', 'note'])))
    .default({}),
});
export type LabelSchema = z.infer<typeof labelSchema>;

export const schemaProblem = z.object({
  /** Line in the YAML text, from 1; null where there is none to name. */
  line: nullableNumber,
  message: z.string(),
});
export type SchemaProblem = z.infer<typeof schemaProblem>;

/** A version of a schema as it is kept. Versions are never changed: another text is another version. */
export const storedSchema = z.object({
  id: z.string(),
  version: z.string(),
  title: z.string(),
  yaml: z.string(),
  schema: labelSchema,
  /** New labels and queues use this one. */
  current: z.boolean(),
  /** Null for the shipped schema that was never saved. */
  createdAt: nullableString,
  createdBy: nullableString,
});
export type StoredSchema = z.infer<typeof storedSchema>;

const yaml = z.object({ yaml: z.string().max(400_000) });
const name = z.object({ id: z.string(), version: z.string() });

export const schemasContract = {
  /** The schema in force: the workspace's current one, else the shipped one. */
  current: oc.output(storedSchema),
  /** Every version kept, newest first, the shipped one last. */
  list: oc.output(z.array(storedSchema.omit({ yaml: true, schema: true }))),
  get: oc.input(name).output(storedSchema),
  /** What is wrong with a text, line by line; `schema` is null when it does not parse at all. For the live preview. */
  check: oc.input(yaml).output(z.object({ schema: labelSchema.nullable(), problems: z.array(schemaProblem) })),
  /**
   * Keeps a text as a version and makes it the current one. Refusals: `schema-invalid` (first problem with its line, clashing
   * keys included), `schema-version-taken` (the version is there with another text).
   */
  save: oc.input(yaml).output(storedSchema),
  /** Makes a kept version the current one again. */
  use: oc.input(name).output(storedSchema),
  /** Keys that the review screen itself uses, with what they do: a schema cannot have them. */
  reservedKeys: oc.output(z.array(z.object({ key: z.string(), does: z.string() }))),
};
