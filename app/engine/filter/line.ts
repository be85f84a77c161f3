// One line that a training loop writes to the filter: an action of a rollout that is going on, or a whole rollout.

import { z } from 'zod';
import type { Json } from '../../contract/ingest.ts';
import { taskContract } from '../../contract/task-contract.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';

const json = z.custom<Json>(() => true);
const content = z.union([z.string(), z.array(json)]);

/** The fields of a line about one rollout by name. Fields that are not listed are ignored. */
const streamed = z.object({
  op: z.enum(['begin', 'end']).optional(),
  rollout: z.union([z.string().min(1).max(1_000), z.number().transform(String)]),
  /** Calls with the same step, one after the other, belong to one turn of the model. */
  step: z.number().int().nullish(),
  tool: z.string().nullish(),
  name: z.string().nullish(),
  arguments: z.union([z.record(z.string(), json), z.array(json), z.string()]).nullish(),
  command: z.union([z.string(), z.array(z.string())]).nullish(),
  text: content.nullish(),
  observation: content.nullish(),
  call_id: z.string().nullish(),
  task: z.string().nullish(),
  summary: z.string().nullish(),
  message: z.record(z.string(), json).nullish(),
  messages: z.array(z.record(z.string(), json)).nullish(),
  contract: taskContract.nullish(),
  reward: z.number().nullish(),
});
export type StreamedLine = z.output<typeof streamed>;

/** What the caller named the line by; it comes back with the verdict as it is. */
export type LineId = string | number | null;

export type FilterLine =
  | { readonly kind: 'streamed'; readonly id: LineId; readonly line: StreamedLine }
  /** A record of a log format, to be read as an import would. */
  | { readonly kind: 'whole'; readonly id: LineId; readonly text: string; readonly value: object };

/**
 * Reads a line.
 * @throws Refusal `line-invalid` saying what is wrong with it; `idIn` may still know its id.
 */
export function parseLine(text: string): FilterLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal('line-invalid', `not JSON: ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null)
    throw new Refusal('line-invalid', `a JSON object is wanted, not ${value === null ? 'null' : `a ${typeof value}`}`);
  const id = idOf('id' in value ? value.id : undefined);
  const isRecord = 'format' in value && typeof value.format === 'string' && /^rollscope-rollout\//u.test(value.format);
  if (isRecord || !('rollout' in value)) return { kind: 'whole', id, text, value };
  const parsed = streamed.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Refusal(
      'line-invalid',
      `${issue?.path.map(String).join('.') || 'line'}: ${issue?.message ?? 'not valid'}`,
    );
  }
  return { kind: 'streamed', id, line: parsed.data };
}

function idOf(value: unknown): LineId {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

/** The id that a line seems to have although it cannot be read: the first one in its beginning; null where there is none. */
export function idIn(text: string): LineId {
  const match = /"id"\s*:\s*("(?:[^"\\]|\\.){0,500}"|-?\d{1,15}(?![\d.eE]))/u.exec(text.slice(0, 4_096));
  if (match?.[1] === undefined) return null;
  try {
    return idOf(JSON.parse(match[1]));
  } catch {
    return null;
  }
}
