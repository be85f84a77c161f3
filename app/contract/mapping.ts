// Which column of a file of token records plays which role, for files whose names nobody agreed on. The same object is a
// mapping file (YAML or JSON), the form of the mapping dialog and what is saved in the workspace.

import { z } from 'zod';

interface RoleInfo {
  readonly title: string;
  /** What a value must be: a list of whole numbers, a list of numbers, one number, a text or id, messages. */
  readonly takes: 'ids' | 'numbers' | 'number' | 'id' | 'text' | 'messages';
  readonly group: 'tokens' | 'per token' | 'rollout' | 'texts';
}

/** The roles in the order of the dialog. Names with a dot are token columns of that name. */
export const mappingRoles = {
  token_ids: { title: 'Token ids, prompt and response', takes: 'ids', group: 'tokens' },
  prompt_ids: { title: 'Token ids of the prompt', takes: 'ids', group: 'tokens' },
  response_ids: { title: 'Token ids of the response', takes: 'ids', group: 'tokens' },
  attention_mask: { title: 'Attention mask (1 = no padding)', takes: 'numbers', group: 'tokens' },
  length: { title: 'Tokens without padding', takes: 'number', group: 'tokens' },
  cu_seqlens: { title: 'Ends of packed sequences', takes: 'numbers', group: 'tokens' },
  prompt_length: { title: 'Tokens of the prompt', takes: 'number', group: 'tokens' },
  response_length: { title: 'Tokens of the response', takes: 'number', group: 'tokens' },
  loss_mask: { title: 'Loss mask (1 = trained)', takes: 'numbers', group: 'per token' },
  'logprobs.rollout': { title: 'Log-probs of the rollout policy', takes: 'numbers', group: 'per token' },
  'logprobs.train': { title: 'Log-probs of the trainer', takes: 'numbers', group: 'per token' },
  'logprobs.old': { title: 'Log-probs of the old policy', takes: 'numbers', group: 'per token' },
  'logprobs.ref': { title: 'Log-probs of the reference', takes: 'numbers', group: 'per token' },
  values: { title: 'Values of the critic', takes: 'numbers', group: 'per token' },
  rewards: { title: 'Rewards per token', takes: 'numbers', group: 'per token' },
  advantages: { title: 'Logged advantages', takes: 'numbers', group: 'per token' },
  returns: { title: 'Logged returns', takes: 'numbers', group: 'per token' },
  kl: { title: 'KL per token', takes: 'numbers', group: 'per token' },
  entropy: { title: 'Entropy per token', takes: 'numbers', group: 'per token' },
  rollout: { title: 'Rollout id', takes: 'id', group: 'rollout' },
  sample: { title: 'Id of the row', takes: 'id', group: 'rollout' },
  segment: { title: 'Number of the segment', takes: 'number', group: 'rollout' },
  segment_kind: { title: 'Kind of the segment', takes: 'id', group: 'rollout' },
  group: { title: 'Group id', takes: 'id', group: 'rollout' },
  task: { title: 'Task', takes: 'id', group: 'rollout' },
  training_step: { title: 'Training step', takes: 'number', group: 'rollout' },
  run: { title: 'Run', takes: 'id', group: 'rollout' },
  model: { title: 'Model', takes: 'id', group: 'rollout' },
  attempt: { title: 'Attempt', takes: 'number', group: 'rollout' },
  split: { title: 'Split', takes: 'id', group: 'rollout' },
  status: { title: 'Status', takes: 'id', group: 'rollout' },
  reward: { title: 'Reward of the rollout', takes: 'number', group: 'rollout' },
  prompt: { title: 'Prompt as text', takes: 'text', group: 'texts' },
  response: { title: 'Response as text', takes: 'text', group: 'texts' },
  messages: { title: 'Messages', takes: 'messages', group: 'texts' },
} as const satisfies Record<string, RoleInfo>;

export type MappingRole = keyof typeof mappingRoles;

// Boundary: Object.keys gives string[] by its type; these are the keys of the table above.
export const mappingRoleNames = Object.keys(mappingRoles) as readonly MappingRole[];

const column = z.string().min(1).max(500);

/** A mapping. Columns that it does not name are kept with the record and not interpreted. */
export const columnMapping = z
  .strictObject({
    version: z.literal(1).default(1),
    name: z.string().trim().min(1).max(80).optional(),
    columns: z.partialRecord(z.enum(mappingRoleNames), column),
  })
  .refine(({ columns }) => columns.token_ids !== undefined || columns.response_ids !== undefined, {
    error: 'A mapping needs a column for token_ids or response_ids.',
    path: ['columns'],
  });
export type ColumnMapping = z.infer<typeof columnMapping>;

/** A column of a file with what stands in it. */
export const fileColumn = z.object({
  name: z.string(),
  /** What its values are, in words: `list of whole numbers`, `text`, `float32 [8, 512]`. */
  type: z.string(),
  /** The first values, cut. */
  samples: z.array(z.string()),
});
export type FileColumn = z.infer<typeof fileColumn>;
