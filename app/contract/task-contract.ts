// What a task forbids and grants, as the program reads it from the task's text and as people edit it. The same command is a hack
// in one task and the job in another: the contract is what tells them apart.

import { oc } from '@orpc/contract';
import { z } from 'zod';
import { nullableString } from './records.ts';

/** One term: what is forbidden or granted, in a few words, and the words of the task that say so (empty for a person's own). */
export const contractClause = z.object({
  what: z.string().trim().min(1).max(500),
  quote: z.string().max(2_000).default(''),
});
export type ContractClause = z.infer<typeof contractClause>;

export const taskContract = z.object({
  forbids: z.array(contractClause).max(60),
  grants: z.array(contractClause).max(60),
});
export type TaskContract = z.infer<typeof taskContract>;

/** One edit. `contract` is null where the edits were taken back. */
export const taskContractEdit = z.object({
  version: z.number(),
  contract: taskContract.nullable(),
  annotator: z.string(),
  at: z.string(),
});
export type TaskContractEdit = z.infer<typeof taskContractEdit>;

export const taskContractState = z.object({
  /** Id of the task; the rollout's own id where the log names no task. */
  task: z.string(),
  /** Whether the log names the task, so that the contract holds for all of its rollouts. */
  named: z.boolean(),
  /** Rollouts of the task in this workspace. */
  rollouts: z.number(),
  /** As read from the text of the task. */
  read: taskContract,
  /** What holds: the newest edit, else `read`. */
  inForce: taskContract,
  /** Newest first. */
  edits: z.array(taskContractEdit),
  /** The job that scores the task's rollouts anew after an edit; null before one. */
  job: nullableString,
});
export type TaskContractState = z.infer<typeof taskContractState>;

export const taskContractsContract = {
  /** The contract of a rollout's task. */
  get: oc.input(z.object({ rollout: z.string() })).output(taskContractState),
  /**
   * Sets the contract of a rollout's task (null: as read from the text) and starts scoring its rollouts anew. `version` is the
   * newest version that the editor saw: a newer edit of somebody else is a refusal `contract-changed`.
   */
  set: oc
    .input(z.object({ rollout: z.string(), contract: taskContract.nullable(), version: z.number().int().min(0) }))
    .output(taskContractState),
};
