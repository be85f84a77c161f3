// In a reader thread: a marker with its rollout's texts and its task's contract -> the question to the judge.

import { createHash } from 'node:crypto';
import type { ReadDb } from '../../../db/connection.ts';
import { markersOf } from '../../../db/queries/markers.ts';
import { editedContract, taskOf } from '../../../db/queries/task-contracts.ts';
import type { JudgeSettings } from '../../contract/judge.ts';
import type { TaskContract } from '../../contract/task-contract.ts';
import type { ScanPart } from '../../domain/detect/types.ts';
import { buildCase, type JudgeCase, messagesOf } from '../../domain/judge/request.ts';
import { contractRead, viewParts } from '../scan/task-contracts.ts';

export interface PreparedCase {
  readonly marker: string;
  readonly asked: JudgeCase;
  /** Hash of everything that decides the answer, the random fence aside. */
  readonly requestHash: string;
}

/** The contract of a rollout's task that holds: the edited one, else what the program reads from the task's text. */
function contractInForce(db: ReadDb, rolloutId: number, parts: readonly ScanPart[]): TaskContract {
  return editedContract(db, taskOf(db, rolloutId).task) ?? contractRead(parts);
}

/** Cases of some markers of one rollout; markers that are gone are left out. */
export function prepareCases(
  db: ReadDb,
  args: {
    readonly rolloutId: number;
    readonly markers: readonly string[];
    readonly prompt: string;
    readonly settings: JudgeSettings;
  },
): PreparedCase[] {
  const { rolloutId, prompt, settings } = args;
  const parts = viewParts(db, rolloutId);
  const contract = contractInForce(db, rolloutId, parts);
  const markers = new Map(markersOf(db, rolloutId).map((marker) => [marker.id, marker]));
  return args.markers.flatMap((id) => {
    const marker = markers.get(id);
    if (marker === undefined) return [];
    const asked = buildCase({ marker, parts, contract, prompt, promptTokens: settings.promptTokens });
    const { endpoint, model, temperature, answerTokens } = settings;
    const content = JSON.stringify([endpoint, model, temperature, answerTokens, messagesOf(asked)]);
    return [{ marker: id, asked, requestHash: createHash('sha256').update(content).digest('hex') }];
  });
}
