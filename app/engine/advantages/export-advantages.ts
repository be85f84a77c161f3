// Export of stored runs: of each rollout the newest run that gave numbers, or one named run. Rows are read in a reader thread
// and written by the caller, rollout by rollout.

import { stretchColumn } from '../../../db/codec.ts';
import type { ReadDb } from '../../../db/connection.ts';
import { listRuns, type RunCurrency } from '../../../db/queries/runs.ts';
import { segmentPlaces } from '../../../db/queries/segments.ts';
import { columnOf, runRowId, runValues } from '../../../db/queries/tokens.ts';
import type { Filter } from '../../contract/filter.ts';
import { type RunFormat, type RunSegment, runWriter } from '../../ingest/run-rows.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Threads } from '../services.ts';

export interface AdvantagesExport {
  readonly format: RunFormat;
  readonly where?: Filter;
  /** A run's id, or the runs of a set by rollout (row id); the newest run of each rollout when absent. */
  readonly run?: string | ReadonlyMap<number, string>;
  /** Told after each rollout that was looked at. */
  onRollout?(progress: {
    readonly rollouts: number;
    readonly rows: number;
    readonly stale: number;
    readonly total: number;
  }): void;
  write(chunk: string | Uint8Array): Promise<void>;
}

interface Owner {
  readonly uid: string;
  readonly externalId: string;
  readonly groupName: string | null;
  readonly trainingStep: number | null;
  readonly status: string;
  readonly reward: number | null;
}

/** The rows of a rollout's run (row id of the rollout); none where it has no such run, or only refused ones. */
export function runSegments(db: ReadDb, rolloutId: number, run: string | null, now: RunCurrency): RunSegment[] {
  const chosen = listRuns(db, rolloutId, now).find(({ id, result }) =>
    run === null ? result.error === undefined && result.segments.length > 0 : id === run,
  );
  const owner = db.get<Owner>(
    `SELECT r.uid, r.external_id AS externalId, g.external_id AS groupName, r.training_step AS trainingStep, r.status, r.reward
     FROM rollouts r LEFT JOIN groups g ON g.id = r.group_id WHERE r.id = ?`,
    rolloutId,
  );
  if (chosen === undefined || owner === undefined) return [];
  const runId = runRowId(db, rolloutId, chosen.id);
  return segmentPlaces(db, rolloutId).map((place) => {
    const columns = runValues(db, runId, place.id, place.tokens);
    const mask = columnOf(db, place.id, 'loss_mask');
    const stretched = mask === null ? null : stretchColumn(mask, place.tokens);
    return {
      rollout: owner.uid,
      externalId: owner.externalId,
      group: owner.groupName,
      trainingStep: owner.trainingStep,
      status: owner.status,
      reward: owner.reward,
      segment: place.index,
      kind: place.kind,
      run: chosen.id,
      estimator: chosen.estimator,
      estimatorVersion: chosen.estimatorVersion,
      preset: chosen.preset,
      params: JSON.stringify(chosen.params),
      critic: chosen.criticLabel,
      stale: chosen.stale,
      lossMask: stretched instanceof Uint8Array ? stretched : null,
      advantages: columns.get('advantages') ?? null,
      returns: columns.get('returns') ?? null,
      weights: columns.get('weights') ?? null,
    };
  });
}

/**
 * Writes the export and gives the number of rows (segments) and of rollouts. Throws a Refusal: `run-unknown` for a run that is
 * not stored, `runs-missing` when none of the rollouts has one.
 */
export async function exportAdvantages(
  { work }: Threads,
  request: AdvantagesExport,
): Promise<{ rows: number; rollouts: number; stale: number }> {
  const ids = await work.call('filterIds', { where: request.where ?? [] });
  const writer = runWriter(request.format);
  let rows = 0;
  let rollouts = 0;
  let stale = 0;
  for (const rolloutId of ids) {
    const run = typeof request.run === 'object' ? request.run.get(rolloutId) : (request.run ?? null);
    if (run === undefined) continue;
    const segments = await work.call('runSegments', { rolloutId, run });
    if (segments.length === 0) continue;
    rows += segments.length;
    rollouts += 1;
    if (segments[0]?.stale === true) stale += 1;
    const chunk = writer.add(segments);
    request.onRollout?.({ rollouts, rows, stale, total: ids.length });
    if (chunk.length > 0) await request.write(chunk);
  }
  if (rollouts === 0) {
    throw typeof request.run !== 'string'
      ? new Refusal(
          'runs-missing',
          'None of these rollouts has recomputed advantages.',
          'Compute them first, for example: rollscope advantages --preset compactionrl-paper',
        )
      : new Refusal('run-unknown', `There is no stored run ${request.run}.`, 'List them: rollscope advantages --runs');
  }
  const last = writer.end();
  if (last.length > 0) await request.write(last);
  return { rows, rollouts, stale };
}
