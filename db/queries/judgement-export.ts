// Judgements as they are taken out of a workspace: every one ever made, in the order in which they were.

import type { ExportedJudgement, Judgement } from '../../app/contract/judge.ts';
import type { ReadDb } from '../connection.ts';
import { storedJson } from '../row.ts';
import { promptHash } from './judge.ts';

interface StoredRow {
  readonly rowId: number;
  readonly id: string;
  readonly promptHash: string;
  readonly requestHash: string;
  readonly inForce: number;
  readonly detail: string;
  readonly at: string;
}

/** A page of judgements, and the `after` of the next page; null behind the last one. */
export interface JudgementPage {
  readonly judgements: ExportedJudgement[];
  readonly next: number | null;
}

/**
 * At most `count` judgements after the row `after`, oldest first: of all markers, or of these rollouts (row ids). `prompt` is the
 * text of the prompt in force, by which they are stale or not.
 */
export function judgementPage(
  db: ReadDb,
  select: {
    readonly after: number;
    readonly count: number;
    readonly prompt: string;
    readonly rolloutIds?: readonly number[] | undefined;
  },
): JudgementPage {
  const { after, count, prompt, rolloutIds } = select;
  const current = promptHash(prompt);
  const rows = db.all<StoredRow>(
    `WITH given (after, rollouts) AS (VALUES (?, ?))
     SELECT j.id AS rowId, j.uid AS id, j.prompt_hash AS promptHash, j.request_hash AS requestHash, j.detail, j.at,
       j.id = (SELECT MAX(n.id) FROM judgements n WHERE n.marker_uid = j.marker_uid) AS inForce
     FROM given g CROSS JOIN judgements j
     WHERE j.id > g.after AND (g.rollouts IS NULL OR j.rollout_uid IN (
       SELECT r.uid FROM rollouts r WHERE r.id IN (SELECT value FROM json_each(g.rollouts))))
     ORDER BY j.id LIMIT ?`,
    after,
    rolloutIds === undefined ? null : JSON.stringify(rolloutIds),
    count,
  );
  return {
    judgements: rows.map(({ id, promptHash: hash, requestHash, inForce, detail, at }) => ({
      ...storedJson<Omit<Judgement, 'id' | 'stale' | 'at'>>(detail),
      id,
      stale: hash !== current,
      at,
      promptHash: hash,
      requestHash,
      inForce: inForce === 1,
    })),
    next: rows.length < count ? null : (rows.at(-1)?.rowId ?? null),
  };
}
