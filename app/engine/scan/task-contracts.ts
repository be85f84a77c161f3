// The task contract of a rollout: read from the task's own text, or as people edited it.

import type { ReadDb } from '../../../db/connection.ts';
import { scanParts } from '../../../db/queries/items.ts';
import { contractEdits, taskOf } from '../../../db/queries/task-contracts.ts';
import type { TaskContract, TaskContractState } from '../../contract/task-contract.ts';
import { readTaskContract } from '../../domain/detect/task-contract.ts';
import { taskTexts } from '../../domain/detect/terms.ts';
import type { ScanPart } from '../../domain/detect/types.ts';
import { viewOfPart } from '../../domain/text/view.ts';

/** View texts of a rollout's parts. */
export function viewParts(db: ReadDb, rolloutId: number): ScanPart[] {
  return scanParts(db, rolloutId).map((part) => ({ ...part, text: viewOfPart(part.kind, part.text) }));
}

/** What the program reads from the user's and the system's words. */
export function contractRead(parts: readonly ScanPart[]): TaskContract {
  return readTaskContract(taskTexts(parts));
}

/** The contract of a rollout's task with its history. `job` is for the one who starts one. */
export function contractState(db: ReadDb, rolloutId: number): TaskContractState {
  const { task, named, rolloutIds } = taskOf(db, rolloutId);
  const edits = contractEdits(db, task);
  const read = contractRead(viewParts(db, rolloutId));
  return { task, named, rollouts: rolloutIds.length, read, inForce: edits[0]?.contract ?? read, edits, job: null };
}
