// What is read for the intent judge and of its judgements, and the contract of a task, as methods of a reader thread.

import type { ReadDb } from '../../../db/open.ts';
import {
  type JudgeTarget,
  judgementHistory,
  judgementsOf,
  judgementsOfMarkers,
  judgeTargets,
  promptHash,
  type StoredVote,
  storedPrompts,
  votesOf,
} from '../../../db/queries/judge.ts';
import { type JudgementPage, judgementPage } from '../../../db/queries/judgement-export.ts';
import { rolloutRows } from '../../../db/queries/rollouts.ts';
import { taskOf } from '../../../db/queries/task-contracts.ts';
import type { Judgement, JudgePrompt } from '../../contract/judge.ts';
import type { TaskContractState } from '../../contract/task-contract.ts';
import { contractState } from '../scan/task-contracts.ts';
import { type PreparedCase, prepareCases } from './judge-case.ts';

/** The methods over one connection. `idOf` gives the row id of a rollout named by either of its ids. */
export function judgeReads(db: ReadDb, idOf: (name: string) => number) {
  return {
    judgePrompts(): Omit<JudgePrompt, 'current'>[] {
      return storedPrompts(db);
    },
    judgeTargets(args: Parameters<typeof judgeTargets>[1]): JudgeTarget[] {
      return judgeTargets(db, args);
    },
    judgeCases(args: Parameters<typeof prepareCases>[1]): PreparedCase[] {
      return prepareCases(db, args);
    },
    judgeVotes(args: { readonly requestHash: string }): StoredVote[] {
      return votesOf(db, args.requestHash);
    },
    /** Judgements are stale against the text of the prompt in force. */
    judgementsOf(args: { readonly rollout: string; readonly prompt: string }): Judgement[] {
      return judgementsOf(db, args.rollout, promptHash(args.prompt));
    },
    judgementsOfMarkers(args: { readonly markers: readonly string[]; readonly prompt: string }): Judgement[] {
      return judgementsOfMarkers(db, args.markers, promptHash(args.prompt));
    },
    judgementHistory(args: { readonly marker: string; readonly prompt: string }): Judgement[] {
      return judgementHistory(db, args.marker, promptHash(args.prompt));
    },
    judgementPage(args: Parameters<typeof judgementPage>[1]): JudgementPage {
      return judgementPage(db, args);
    },
    taskContract(args: { readonly rollout: string }): TaskContractState {
      return contractState(db, idOf(args.rollout));
    },
    /** The task of a rollout, with the public ids of its rollouts. */
    taskRollouts(args: { readonly rollout: string }): { task: string; rollouts: string[] } {
      const { task, rolloutIds } = taskOf(db, idOf(args.rollout));
      return { task, rollouts: rolloutRows(db, rolloutIds).map(({ id }) => id) };
    },
  };
}
