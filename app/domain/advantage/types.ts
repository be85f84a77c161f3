// What an estimator takes and gives: rollouts as plain columns in, token columns and scalars out.
//
// Columns are aligned with the segment's raw tokens. `values[t]` is the critic's value of the state before token t is
// produced; `logprobs.x[t]` is the log-probability of token t itself.

import type { EstimatorInfo, ParameterInfo, RefusalCode } from '../../contract/estimator.ts';
import type { SegmentKind } from '../../contract/vocabulary.ts';

/** One number per raw token of a segment. `null` is missing; see `EstimatorInput.nanIsMissing` for NaN. */
export type Column = ArrayLike<number | null>;

export const logprobNames = ['policy', 'rollout', 'train_old', 'infer_old', 'old', 'ref', 'teacher'] as const;
/** Whose log-probabilities: the current policy, the inference engine, the old policy on either side, and so on. */
export type LogprobName = (typeof logprobNames)[number];

/** One segment: a mask and whatever columns the trainer logged. */
export interface SegmentInput {
  /** Index of the segment in its rollout for reports; its place in `segments` when absent. */
  readonly index?: number;
  readonly kind: SegmentKind;
  /** 1 or true: sampled by the policy and inside the loss. Anything but 0, 1, true, false is refused. */
  readonly lossMask: ArrayLike<number | boolean>;
  readonly values?: Column | null;
  /** Per-token rewards in the trainer's units, without the rollout's final reward. */
  readonly rewards?: Column | null;
  /** Advantages as logged or as computed before, for estimators that work on advantages. */
  readonly advantages?: Column | null;
  readonly logprobs?: Readonly<Partial<Record<LogprobName, Column>>>;
  /** Half-open token ranges of actions judged incorrect. */
  readonly incorrectSpans?: readonly (readonly [number, number])[] | null;
}

/** How the rollout ended, as recorded; truncation is never inferred from a length. */
export type EndStatus = 'terminated' | 'truncated' | 'aborted' | 'env_crash';

export interface RolloutInput {
  readonly id: string;
  /** Rollouts of one group share a baseline. */
  readonly groupId: string;
  readonly status: EndStatus;
  /** What the trainer fed to its estimator; null is unknown, never zero. */
  readonly reward: number | null;
  /** V of the state after the last token, for trainers that bootstrap truncated rollouts. */
  readonly bootstrapValue?: number | null;
  /** Reward of the greedy answer to the same prompt (ReMax). */
  readonly greedyReward?: number | null;
  /** Versions of the weights that sampled this rollout. */
  readonly weightVersions?: readonly number[] | null;
  /** In time order. */
  readonly segments: readonly SegmentInput[];
  /** A segment of this rollout is known to be absent: estimators that look across segments refuse. */
  readonly siblingsMissing?: boolean;
}

export interface EstimatorInput {
  readonly rollouts: readonly RolloutInput[];
  /** Typed arrays cannot hold null: when true, NaN in a column means missing. When false, NaN is a non-finite number. */
  readonly nanIsMissing?: boolean;
  /** Only results that are stored are wanted: columns that merely explain them may be left out. */
  readonly resultsOnly?: boolean;
  /** Version of the weights about to be trained (admission by staleness). */
  readonly learnerVersion?: number | null;
}

/** Codes of refusals: those of the contract, and one per named log-prob or advantage column that is absent. */
export type EstimatorErrorCode = RefusalCode | `logprobs_${LogprobName}_missing` | 'advantages_missing';

/** Why there is no result. `where` narrows: rollout id, segment index, token index, column. */
export interface EstimatorError {
  readonly code: EstimatorErrorCode;
  readonly message: string;
  readonly where: readonly (string | number)[];
}

export type WarningCode =
  | 'factor_small'
  | 'returns_uncorrected'
  | 'reward_dropped'
  | 'masked_nonfinite'
  | 'siblings_missing'
  | 'zero_variance'
  | 'single_member'
  | 'members_excluded'
  | 'batch_incomplete'
  | 'whitening_skipped'
  | 'whitening_one_rollout'
  | 'untrained_summaries'
  | 'at_update_zero'
  | 'not_admitted'
  | 'repeated';

/** Something a reader of the numbers must know. `segments` lists indices of segments it is about, if any. */
export interface EstimatorWarning {
  readonly code: WarningCode;
  readonly message: string;
  readonly segments?: readonly number[];
}

/** Names of the token columns that estimators give. */
export type TokenColumn =
  | 'advantages'
  | 'returns'
  | 'weights'
  | 'local_advantages'
  | 'stitched_advantages'
  | 'unwhitened'
  | 'ratio'
  | 'mismatch'
  | 'pop'
  | 'keep'
  | 'weight'
  | 'objective'
  | 'grad_coeff'
  | 'grad_coeff_stopgrad'
  | 'grad_coeff_literal'
  | 'kl'
  | 'loss_mask';

/** Token columns by name. Every column is as long as the segment; masked tokens are 0, never NaN. */
export type TokenColumns = Readonly<Partial<Record<TokenColumn, Float64Array>>>;

/** The result for one segment. A null number does not apply to the estimator. */
export interface SegmentOutput {
  readonly index: number;
  readonly kind: SegmentKind;
  /** Raw tokens. */
  readonly length: number;
  /** Positions of the trainable tokens, ascending. */
  readonly positions: Int32Array;
  readonly columns: TokenColumns;
  /** F_s of the cross-trajectory estimator, and its natural logarithm, which survives where F_s underflows. */
  readonly factor: number | null;
  readonly logFactor: number | null;
  readonly lambda: number | null;
  /** N_{>s}: trainable tokens of later segments. */
  readonly tokensAfter: number | null;
  /** Scalar advantage and baseline where each segment counts as a member of its group. */
  readonly scalar: number | null;
  readonly baseline: number | null;
  /** Loss weight of one trainable token. */
  readonly tokenWeight: number | null;
  /** Share of the batch's loss weight or signal. */
  readonly share: number | null;
}

/** Largest and mean |cross - stitched| over trainable tokens, and how many signs differ. */
export interface GapNumbers {
  readonly maxAbs: number;
  readonly meanAbs: number;
  readonly signFlips: number;
  /** Trainable tokens compared. */
  readonly tokens: number;
}

/** Trainable tokens of a rejection mask: all of them, and those rejected on either side. */
export interface RejectionCounts {
  readonly tokens: number;
  readonly low: number;
  readonly high: number;
}

export type Verdict = 'ok' | 'env_crash' | 'version_missing' | 'stale' | 'reward_missing' | 'nonfinite_input';

/** The result for one rollout; with `error`, `segments` is empty. */
export interface RolloutOutput {
  readonly id: string;
  readonly segments: readonly SegmentOutput[];
  readonly scalar: number | null;
  readonly baseline: number | null;
  readonly share: number | null;
  readonly gap: GapNumbers | null;
  readonly rejected: RejectionCounts | null;
  readonly verdict: Verdict | null;
  readonly warnings: readonly EstimatorWarning[];
  readonly error: EstimatorError | null;
  /** Every number of the columns is known to be finite, so that nobody needs to look. */
  readonly finite?: boolean;
}

/** What becomes of a group at admission: rollout indices to train on with repeats, or null when the group is dropped. */
export interface GroupPlan {
  readonly group: string;
  readonly members: readonly number[] | null;
  /** Centred reward of each entry of `members`. */
  readonly centered: readonly number[] | null;
}

/** Numbers over the whole batch; null where they do not apply. */
export interface BatchNumbers {
  /** Sum of all loss weights, or of all |weight * advantage|. */
  readonly total: number | null;
  readonly gap: GapNumbers | null;
  readonly rejected: RejectionCounts | null;
  /** Groups, and groups whose members all have the same reward. */
  readonly groups: number | null;
  readonly zeroVarianceGroups: number | null;
}

export interface EstimatorOutput {
  readonly estimator: string;
  readonly version: string;
  /** The parameters after validation, defaults filled in; empty when they were refused. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly rollouts: readonly RolloutOutput[];
  readonly batch: BatchNumbers;
  readonly plan: readonly GroupPlan[] | null;
  /** The whole batch was refused; every rollout carries the same error. */
  readonly error: EstimatorError | null;
  /** The refusal is about a parameter that this estimator does not have. */
  readonly unknownParameter?: boolean;
}

export type Scope = EstimatorInfo['scope'];

/** A registry entry. `run` never throws for bad data or bad parameters: the refusal is in the output. */
export interface EstimatorDefinition extends Omit<EstimatorInfo, 'parameters'> {
  readonly parameters: readonly ParameterInfo[];
  /** The token column that is the estimator's result, for statistics and drawing; null where the result is per rollout. */
  readonly column: TokenColumn | null;
  /** How much must be in the input for these parameters: whitening, for example, needs the batch. */
  scopeWith(params: Readonly<Record<string, unknown>>): Scope;
  run(params: unknown, input: EstimatorInput): EstimatorOutput;
}
