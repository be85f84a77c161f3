// Derived columns over the database: reads what a column is made from, keeps what was made, and adds the derived figures to those
// of a token. One per reader thread.

import type { ReadDb } from '../../../db/connection.ts';
import type { DrawnColumn } from '../../../db/pyramid.ts';
import { batchIds } from '../../../db/queries/batch.ts';
import { type EstimatorRollout, estimatorInputRows, inputsHash } from '../../../db/queries/estimator-input.ts';
import { siblingIds } from '../../../db/queries/rollout-detail.ts';
import { segmentPlaces } from '../../../db/queries/segments.ts';
import {
  advantageColumn,
  type Curve,
  columnsNamed,
  differenceColumn,
  named,
  runBasis,
  runRowId,
  tokenDetail,
} from '../../../db/queries/tokens.ts';
import { batchMembers } from '../../../db/queries/what-if.ts';
import type { TokenDetail } from '../../contract/rollouts.ts';
import type { WhatIfNormaliser } from '../../contract/what-if.ts';
import { Refusal } from '../../shared/errors.ts';
import {
  type Derived,
  DerivedCache,
  type DerivedColumn,
  DerivedSegment,
  derivedOf,
  pointwiseAt,
  pointwiseColumns,
  refusalFrom,
  residualParams,
  signalOf,
  weightsOf,
} from './derived-series.ts';
import { type ChosenEstimator, type Computed, chooseEstimator, estimatorInputOf, scopeOf } from './estimate.ts';

/** About eight derived columns of a million tokens. */
const keptBytes = 48 * 1024 * 1024;

/** Runs an estimator for rollouts that belong together and gives the result for those that are wanted. */
type Compute = (
  chosen: ChosenEstimator,
  ids: readonly number[],
  wanted: (row: { readonly rolloutId: number }) => boolean,
  tokens: boolean,
) => Computed[];

export class DerivedColumns {
  readonly #db: ReadDb;
  readonly #compute: Compute;
  readonly #cache = new DerivedCache(keptBytes);

  constructor(db: ReadDb, compute: Compute) {
    this.#db = db;
    this.#compute = compute;
  }

  /** The column as a curve for `series`; undefined when it is not a derived one. @throws Refusal of an estimator. */
  curve(rolloutId: number, name: string): Curve | undefined {
    const derived = derivedOf(name);
    if (derived === null) return undefined;
    const column = this.#column(rolloutId, name, derived);
    return (place, mask): DrawnColumn | null => {
      const segment = column.get(place.id);
      if (segment === undefined) return null;
      const counted = mask ?? this.#sampledMask(place.id);
      return {
        start: segment.start,
        length: segment.data.length,
        mask: counted,
        data: () => segment.data,
        pyramid: segment.pyramid(counted),
      };
    };
  }

  /** All that is known about a token, with what is derived from it and, where there is a run, from that. */
  token(rolloutId: number, axis: number, run: string | undefined): TokenDetail {
    const source = run === 'logged' ? undefined : run;
    const detail = tokenDetail(this.#db, rolloutId, axis, source);
    if (!detail.trainable) return detail;
    const known = new Set(detail.values.flatMap(({ name, value }) => (value === null ? [] : [name])));
    const more = pointwiseAt(estimatorInputOf(oneToken(detail)), known);
    const names = [
      ...(source !== undefined && known.has('advantages') && known.has('run.advantages') ? [`diff:${source}`] : []),
      ...(known.has('values') || source !== undefined ? [`td:${source ?? ''}`] : []),
      'weight:token_mean',
      ...(source !== undefined ? [`signal:${source}`] : known.has('advantages') ? ['signal:logged'] : []),
    ];
    for (const name of names) {
      const value = this.#valueAt(rolloutId, name, detail);
      if (value !== null) more.push({ name, value });
    }
    return { ...detail, values: [...detail.values, ...more.map(({ name, value }) => named(name, value))] };
  }

  /** One figure of a derived column; null where there is none or the estimator refuses. */
  #valueAt(rolloutId: number, name: string, { segment, index }: TokenDetail): number | null {
    const derived = derivedOf(name);
    const place = segmentPlaces(this.#db, rolloutId).find((one) => one.index === segment);
    if (derived === null || place === undefined) return null;
    try {
      const column = this.#column(rolloutId, name, derived).get(place.id);
      const value = column?.data[index - column.start];
      return value === undefined || Number.isNaN(value) ? null : value;
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  }

  #sampledMask(segmentId: number) {
    return columnsNamed(this.#db, segmentId, ['sampled_mask'])[0] ?? null;
  }

  #column(rolloutId: number, name: string, derived: Derived): DerivedColumn {
    const ids = this.#basis(rolloutId, derived);
    const key = `${rolloutId} ${name} ${inputsHash(this.#db, ids)}`;
    return this.#cache.get(key, () => this.#make(rolloutId, derived, ids));
  }

  /** The rollouts that a column depends on. */
  #basis(rolloutId: number, derived: Derived): number[] {
    return derived.kind === 'weight' || derived.kind === 'signal' ? batchIds(this.#db, rolloutId) : [rolloutId];
  }

  #make(rolloutId: number, derived: Derived, ids: readonly number[]): DerivedColumn {
    switch (derived.kind) {
      case 'td':
        return this.#residuals(rolloutId, derived.run);
      case 'difference':
        return this.#differences(rolloutId, derived.run);
      case 'weight':
        return this.#weights(rolloutId, derived.normaliser, ids);
      case 'signal':
        return this.#signal(rolloutId, derived.run, ids);
      case 'pointwise': {
        const [row] = estimatorInputRows(this.#db, [rolloutId]);
        if (row === undefined) return new Map();
        const columns = pointwiseColumns(derived.column, estimatorInputOf(row));
        return new Map(
          row.segments.flatMap(({ segmentId }, s) => {
            const data = columns[s];
            return data === undefined ? [] : [[segmentId, new DerivedSegment(data)]];
          }),
        );
      }
    }
  }

  #residuals(rolloutId: number, run: string | null): DerivedColumn {
    const basis = run === null ? null : runBasis(this.#db, runRowId(this.#db, rolloutId, run));
    const chosen = chooseEstimator({
      estimator: 'gae_local',
      params: residualParams(basis ?? { estimator: '', params: {} }),
      ...(basis === null ? {} : { critic: basis.critic }),
    });
    const ids = scopeOf(chosen) === 'rollout' ? [rolloutId] : siblingIds(this.#db, rolloutId);
    const [computed] = this.#compute(chosen, ids, (row) => row.rolloutId === rolloutId, false);
    if (computed?.result.error !== undefined) throw refusalFrom(computed.result.error);
    const columns = computed?.draft.columns.filter(({ name }) => name === 'advantages') ?? [];
    return new Map(columns.map(({ segmentId, data }) => [segmentId, new DerivedSegment(Float32Array.from(data))]));
  }

  #differences(rolloutId: number, run: string): DerivedColumn {
    const runId = runRowId(this.#db, rolloutId, run);
    return new Map(
      segmentPlaces(this.#db, rolloutId).flatMap(({ id }) => {
        const data = differenceColumn(this.#db, runId, id);
        return data === null ? [] : [[id, new DerivedSegment(data)]];
      }),
    );
  }

  #segmentWeights(rolloutId: number, normaliser: WhatIfNormaliser, ids: readonly number[]): readonly number[] {
    const members = batchMembers(this.#db, ids);
    const counts = members.map(({ segments }) => segments.map(({ trainable }) => trainable));
    const at = members.findIndex((member) => member.rolloutId === rolloutId);
    return weightsOf(normaliser, counts, at);
  }

  #weights(rolloutId: number, normaliser: WhatIfNormaliser, ids: readonly number[]): DerivedColumn {
    const weights = this.#segmentWeights(rolloutId, normaliser, ids);
    return new Map(
      segmentPlaces(this.#db, rolloutId).map(({ id, tokens }, s) => [
        id,
        new DerivedSegment(new Float32Array(tokens).fill(weights[s] ?? 0)),
      ]),
    );
  }

  #signal(rolloutId: number, run: string | null, ids: readonly number[]): DerivedColumn {
    const runId = run === null ? null : runRowId(this.#db, rolloutId, run);
    const weights = this.#segmentWeights(rolloutId, 'token_mean', ids);
    return new Map(
      segmentPlaces(this.#db, rolloutId).flatMap(({ id }, s) => {
        const column = advantageColumn(this.#db, runId, id);
        return column === null
          ? []
          : [[id, new DerivedSegment(signalOf(weights[s] ?? 0, column.data), column.start)] as const];
      }),
    );
  }
}

/** A token's log-probabilities as a rollout of one token, so that estimators can be asked about it alone. */
function oneToken({ values }: TokenDetail): EstimatorRollout {
  const column = (name: string): Float64Array | undefined => {
    const value = values.find((one) => one.name === name)?.value ?? null;
    return value === null ? undefined : Float64Array.of(value);
  };
  const logprobs = Object.fromEntries(
    (['rollout', 'train', 'old', 'ref', 'teacher'] as const).flatMap((name) => {
      const data = column(`logprobs.${name}`);
      return data === undefined ? [] : [[name, data] as const];
    }),
  );
  return {
    rolloutId: 0,
    uid: 'token',
    groupId: null,
    status: 'completed',
    statusDetail: null,
    reward: null,
    rewardDetail: null,
    bootstrapValue: null,
    excludedFromLoss: false,
    trainingStep: null,
    weightVersions: [],
    alertKinds: [],
    segments: [
      {
        segmentId: 0,
        index: 0,
        kind: 'execution',
        tokens: 1,
        lossMask: Uint8Array.of(1),
        sampledMask: null,
        values: null,
        rewards: null,
        advantages: null,
        returns: null,
        logprobs,
      },
    ],
  };
}
