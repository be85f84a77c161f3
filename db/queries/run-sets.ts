// Stored runs of all rollouts by what they were made with: the same estimator, parameters, critic and preset are a set.

import type { RunSet } from '../../app/contract/run-sets.ts';
import type { CriticStandIn } from '../../app/contract/verify.ts';
import type { ReadDb } from '../connection.ts';
import { shortHash } from '../ids.ts';
import { storedJson } from '../row.ts';
import type { RunCurrency } from './runs.ts';

interface StoredBasis {
  readonly estimator: string;
  readonly preset: string | null;
  readonly params: string;
  readonly critic: string;
}

interface StoredRun extends StoredBasis {
  readonly id: number;
  readonly uid: string;
  readonly rolloutId: number;
  readonly version: string;
  readonly criticLabel: string;
  readonly inputsHash: string;
  readonly refused: number;
  readonly createdAt: string;
}

/** The public id of the set of a run. Params and critic are the stored texts, whose keys are in order. */
function setIdOf({ estimator, preset, params, critic }: StoredBasis): string {
  return `s-${shortHash(JSON.stringify([estimator, preset, params, critic]))}`;
}

const runsSql = `
  SELECT id, uid, rollout_id AS rolloutId, estimator, estimator_version AS version, preset, params, critic,
    critic_label AS criticLabel, inputs_hash AS inputsHash, json_type(result, '$.error') IS NOT NULL AS refused,
    created_at AS createdAt
  FROM estimator_runs ORDER BY id`;

/** The sets, newest first. */
export function listRunSets(db: ReadDb, now: RunCurrency): RunSet[] {
  const sets = Map.groupBy(db.all<StoredRun>(runsSql), setIdOf);
  return [...sets]
    .flatMap(([id, runs]) => {
      const newest = runs.at(-1);
      return newest === undefined ? [] : [{ order: newest.id, set: setOf(id, newest, runs, now) }];
    })
    .toSorted((a, b) => b.order - a.order)
    .map(({ set }) => set);
}

function setOf(id: string, newest: StoredRun, runs: readonly StoredRun[], now: RunCurrency): RunSet {
  const states = runs.map((run) => staleness(run, now));
  return {
    id,
    estimator: newest.estimator,
    preset: newest.preset,
    params: storedJson<Record<string, unknown>>(newest.params),
    critic: storedJson<CriticStandIn>(newest.critic),
    // A refused run may say "none logged" where others of the set found values.
    criticLabel: (runs.findLast(({ refused }) => refused === 0) ?? newest).criticLabel,
    rollouts: runs.length,
    refused: runs.filter(({ refused }) => refused === 1).length,
    stale: states.filter(({ version, inputs }) => version || inputs).length,
    staleByVersion: states.filter(({ version }) => version).length,
    staleByInputs: states.filter(({ inputs }) => inputs).length,
    versions: [...new Set(runs.map(({ version }) => version))],
    currentVersion: now.version(newest.estimator) ?? null,
    createdAt: newest.createdAt,
  };
}

function staleness(run: StoredRun, now: RunCurrency): { readonly version: boolean; readonly inputs: boolean } {
  const { estimator } = run;
  const params = storedJson<Record<string, unknown>>(run.params);
  const critic = storedJson<CriticStandIn>(run.critic);
  return {
    version: now.version(estimator) !== run.version,
    inputs: now.inputsHash(run.rolloutId, { estimator, params, critic }) !== run.inputsHash,
  };
}

/** The runs (public ids) of a set, or those of it that no longer hold. */
export function runsOfSet(db: ReadDb, set: string, only: 'all' | 'stale', now: RunCurrency): string[] {
  return db
    .all<StoredRun>(runsSql)
    .filter((run) => setIdOf(run) === set)
    .filter((run) => {
      if (only === 'all') return true;
      const { version, inputs } = staleness(run, now);
      return version || inputs;
    })
    .map(({ uid }) => uid);
}

/** A run of a set that gave a result. */
export interface SetRun {
  /** Row ids. */
  readonly runId: number;
  readonly rolloutId: number;
  /** Public id of the run. */
  readonly run: string;
  readonly rollout: string;
  readonly externalId: string;
}

/** The runs of a set that gave numbers, by the row id of their rollout. */
export function setResults(db: ReadDb, set: string): Map<number, SetRun> {
  const rows = db.all<StoredBasis & SetRun>(
    `SELECT e.id AS runId, e.uid AS run, e.rollout_id AS rolloutId, r.uid AS rollout, r.external_id AS externalId,
       e.estimator, e.preset, e.params, e.critic
     FROM estimator_runs e JOIN rollouts r ON r.id = e.rollout_id
     WHERE json_type(e.result, '$.error') IS NULL ORDER BY e.id`,
  );
  return new Map(
    rows
      .filter((row) => setIdOf(row) === set)
      .map(({ runId, run, rolloutId, rollout, externalId }) => [
        rolloutId,
        { runId, run, rolloutId, rollout, externalId },
      ]),
  );
}

/** Names of rollouts (public ids) for a table; those that are gone are missing. */
export function rolloutNames(
  db: ReadDb,
  uids: readonly string[],
): { id: string; externalId: string; group: string | null; trainingStep: number | null }[] {
  return db.all(
    `SELECT r.uid AS id, r.external_id AS externalId, g.external_id AS "group", r.training_step AS trainingStep
     FROM rollouts r LEFT JOIN groups g ON g.id = r.group_id WHERE r.uid IN (SELECT value FROM json_each(?))`,
    JSON.stringify(uids),
  );
}
