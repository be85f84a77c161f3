// Edits of what tasks forbid and grant: appended, the newest of a task in force.

import type { TaskContract, TaskContractEdit } from '../../app/contract/task-contract.ts';
import { Refusal } from '../../app/shared/errors.ts';
import type { ReadDb, WriteDb } from '../connection.ts';
import { storedJson } from '../row.ts';

interface StoredEdit {
  readonly version: number;
  readonly contract: string | null;
  readonly annotator: string;
  readonly at: string;
}

function contractIn(text: string | null): TaskContract | null {
  return text === null ? null : storedJson<TaskContract>(text);
}

/** The edits of a task, newest first. */
export function contractEdits(db: ReadDb, task: string): TaskContractEdit[] {
  return db
    .all<StoredEdit>(
      'SELECT version, contract, annotator, at FROM task_contracts WHERE task = ? ORDER BY version DESC',
      task,
    )
    .map((edit) => ({ ...edit, contract: contractIn(edit.contract) }));
}

/** The edited contract in force of a task; null where none is, or where the edits were taken back. */
export function editedContract(db: ReadDb, task: string | null): TaskContract | null {
  if (task === null) return null;
  const text = db.value<string | null>(
    'SELECT contract FROM task_contracts WHERE task = ? ORDER BY version DESC LIMIT 1',
    task,
  );
  return contractIn(text ?? null);
}

/**
 * Appends an edit. `seen` is the newest version that its author knew (0 for none).
 * @throws Refusal `contract-changed` when somebody else was faster.
 */
export function editContract(
  db: WriteDb,
  edit: {
    readonly task: string;
    readonly contract: TaskContract | null;
    readonly annotator: string;
    readonly seen: number;
  },
): void {
  db.transaction(() => {
    const newest = db.value<number>('SELECT MAX(version) FROM task_contracts WHERE task = ?', edit.task) ?? 0;
    if (newest !== edit.seen) {
      throw new Refusal(
        'contract-changed',
        `The contract of ${edit.task} was changed meanwhile (version ${newest}).`,
        'Look at the newer version, then edit that.',
      );
    }
    db.run(
      'INSERT INTO task_contracts (task, version, contract, annotator, at) VALUES (?, ?, ?, ?, ?)',
      edit.task,
      newest + 1,
      edit.contract === null ? null : JSON.stringify(edit.contract),
      edit.annotator,
      new Date().toISOString(),
    );
  });
}

/** How many edits the workspace holds. */
export function contractEditCount(db: ReadDb): number {
  return db.value<number>('SELECT COUNT(*) FROM task_contracts') ?? 0;
}

/**
 * What contracts call the task of a rollout: its own public id where the log names none; null where it has none yet, before its
 * source is in force. @throws Refusal `rollout-unknown`.
 */
export function taskNameOf(db: ReadDb, rolloutId: number): string | null {
  const row = db.get<{ name: string | null }>(
    "SELECT coalesce(nullif(task, ''), uid) AS name FROM rollouts WHERE id = ?",
    rolloutId,
  );
  if (row === undefined) throw new Refusal('rollout-unknown', 'The rollout is gone.', 'Import its log again.');
  return row.name;
}

/** The task of a rollout (its own public id where the log names none) and the row ids of the task's rollouts. */
export function taskOf(db: ReadDb, rolloutId: number): { task: string; named: boolean; rolloutIds: number[] } {
  const row = db.get<{ task: string | null; uid: string }>('SELECT task, uid FROM rollouts WHERE id = ?', rolloutId);
  if (row === undefined) throw new Refusal('rollout-unknown', 'The rollout is gone.', 'Import its log again.');
  if (row.task === null || row.task === '') return { task: row.uid, named: false, rolloutIds: [rolloutId] };
  const rolloutIds = db.column<number>(
    'SELECT id FROM rollouts WHERE task = ? AND uid IS NOT NULL ORDER BY id',
    row.task,
  );
  return { task: row.task, named: true, rolloutIds };
}
