// From stored columns to an estimator's input, and from its output to a run that can be stored.

import type { EstimatorRollout } from '../../db/queries/estimator-input.ts';
import type { RunColumn, RunDraft } from '../../db/queries/runs.ts';
import type { RolloutAdvantages } from '../contract/estimator.ts';
import { presetByName } from '../domain/advantage/presets.ts';
import { estimatorById, estimators } from '../domain/advantage/registry.ts';
import { summarise } from '../domain/advantage/stats.ts';
import type {
  EndStatus,
  EstimatorDefinition,
  RolloutInput,
  RolloutOutput,
  SegmentInput,
} from '../domain/advantage/types.ts';
import { Refusal } from '../shared/errors.ts';

/** The preset that an import computes for every rollout with critic values. */
export const defaultPreset = 'compactionrl-paper';

/** An estimator with its parameters, as chosen by id or by preset; parameters given beside a preset win over its own. */
export interface ChosenEstimator {
  readonly definition: EstimatorDefinition;
  readonly preset: string | null;
  readonly params: Readonly<Record<string, unknown>>;
}

/** @throws Refusal `estimator_unknown`, `preset_unknown`, `estimator_missing`. */
export function chooseEstimator(request: {
  readonly estimator?: string | undefined;
  readonly preset?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}): ChosenEstimator {
  const preset = request.preset === undefined ? undefined : presetByName(request.preset);
  if (request.preset !== undefined && preset === undefined) {
    throw new Refusal(
      'preset_unknown',
      `There is no preset "${request.preset}".`,
      'List them with: rollscope advantages --list',
    );
  }
  const id = request.estimator ?? preset?.estimator;
  if (id === undefined) {
    throw new Refusal(
      'estimator_missing',
      'Neither an estimator nor a preset was given.',
      'Give --estimator ID or --preset NAME.',
    );
  }
  const definition = estimatorById(id);
  if (definition === undefined) {
    const known = estimators.map((entry) => entry.id).join(', ');
    throw new Refusal('estimator_unknown', `There is no estimator "${id}".`, `Estimators: ${known}.`);
  }
  // A preset of another estimator gives no parameters.
  const base = preset?.estimator === id ? preset.params : {};
  return { definition, preset: preset?.estimator === id ? preset.name : null, params: { ...base, ...request.params } };
}

/** A rollout's stored columns as the estimators want them. Trainable is what the loss mask says, else what was sampled. */
export function estimatorInputOf(rollout: EstimatorRollout): RolloutInput {
  const versions = rollout.weightVersions.map(Number).filter((version) => Number.isFinite(version));
  return {
    id: rollout.uid,
    groupId: rollout.groupId === null ? `alone ${rollout.uid}` : String(rollout.groupId),
    status: endStatus(rollout),
    reward: rollout.reward,
    bootstrapValue: rollout.bootstrapValue,
    ...(versions.length === 0 ? {} : { weightVersions: versions }),
    segments: rollout.segments.map((segment): SegmentInput => {
      const { rollout: engine, train, old, ref, teacher } = segment.logprobs;
      const trainer = train ?? old;
      return {
        index: segment.index,
        kind: segment.kind,
        lossMask: segment.lossMask ?? segment.sampledMask ?? new Uint8Array(segment.tokens),
        values: segment.values,
        rewards: segment.rewards,
        advantages: segment.advantages,
        // Offline the trainer's weights are those before the first update: "policy" is the trainer's own log-prob.
        logprobs: {
          ...(trainer === undefined ? {} : { policy: trainer, train_old: trainer }),
          ...(engine === undefined ? {} : { rollout: engine, infer_old: engine }),
          ...(old === undefined && train === undefined ? {} : { old: old ?? train ?? new Float32Array() }),
          ...(ref === undefined ? {} : { ref }),
          ...(teacher === undefined ? {} : { teacher }),
        },
      };
    }),
  };
}

function endStatus(rollout: EstimatorRollout): EndStatus {
  if (rollout.statusDetail === 'env_crash') return 'env_crash';
  if (rollout.status === 'truncated') return 'truncated';
  return rollout.status === 'aborted' ? 'aborted' : 'terminated';
}

/** Whether the log says of any token whether it was trained. */
function hasMask(rollout: EstimatorRollout): boolean {
  return rollout.segments.some((segment) => segment.lossMask !== null || segment.sampledMask !== null);
}

/** A computed run, ready to be stored, and its per-token result when asked for. */
export interface Computed {
  readonly draft: RunDraft;
  readonly result: RolloutAdvantages;
}

/**
 * Runs the chosen estimator over rollouts that belong together and gives a run for each of `wanted` (uids; all when absent).
 * Refusals of single rollouts are inside their results.
 */
export function estimate(
  chosen: ChosenEstimator,
  rollouts: readonly EstimatorRollout[],
  inputsHash: string,
  options: { readonly wanted?: ReadonlySet<string>; readonly tokens?: boolean } = {},
): Computed[] {
  const { definition, params, preset } = chosen;
  const output = definition.run(params, { rollouts: rollouts.map(estimatorInputOf), nanIsMissing: true });
  return output.rollouts.flatMap((result, i): Computed[] => {
    const rollout = rollouts[i];
    if (rollout === undefined || options.wanted?.has(rollout.uid) === false) return [];
    const summary =
      maskRefusal(definition, rollout) ?? summarise(definition, result, { tokens: options.tokens === true });
    return [
      {
        result: summary,
        draft: {
          rolloutId: rollout.rolloutId,
          estimator: definition.id,
          estimatorVersion: definition.version,
          preset,
          params: output.error === null ? output.params : params,
          inputsHash,
          result: summary,
          columns: summary.error === undefined ? columnsOf(definition, rollout, result) : [],
        },
      },
    ];
  });
}

function maskRefusal(definition: EstimatorDefinition, rollout: EstimatorRollout): RolloutAdvantages | null {
  if (!definition.needsValues || hasMask(rollout)) return null;
  return {
    id: rollout.uid,
    segments: [],
    scalar: null,
    baseline: null,
    warnings: [],
    error: {
      code: 'values_missing',
      message:
        'This log has texts but no token ids, masks or critic values: estimators over tokens cannot be recomputed. ' +
        'Group estimators, which need only rewards, still can.',
    },
  };
}

function columnsOf(definition: EstimatorDefinition, rollout: EstimatorRollout, result: RolloutOutput): RunColumn[] {
  return result.segments.flatMap((segment, k): RunColumn[] => {
    const segmentId = rollout.segments[k]?.segmentId;
    if (segmentId === undefined) return [];
    const { advantages, returns } = segment.columns;
    const own = definition.column === null ? undefined : segment.columns[definition.column];
    return [
      ...(advantages === undefined ? [] : [{ segmentId, name: 'advantages' as const, data: advantages }]),
      ...(returns === undefined ? [] : [{ segmentId, name: 'returns' as const, data: returns }]),
      ...(own === undefined || own === advantages || definition.output !== 'weights'
        ? []
        : [{ segmentId, name: 'weights' as const, data: own }]),
    ];
  });
}
