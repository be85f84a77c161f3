// What the log says of one rollout, made ready for comparing: columns cut to what the trainer saw, the logged advantages,
// the precision they were kept in.

import type { LambdaSpec } from '../lambda.ts';
import { type PreparedRollout, prepareRollout } from '../tokens.ts';
import type { Column, EstimatorInput, RolloutInput, SegmentInput } from '../types.ts';

/** What a log has of a segment besides the estimators' input. */
export interface LoggedSegment {
  readonly advantages?: Column | null;
  readonly returns?: Column | null;
  /** Token ids, for finding tokens that are trained twice. */
  readonly ids?: ArrayLike<number> | null;
}

/** What a log has of a rollout besides the estimators' input. Segments as in the input, in the same order. */
export interface LoggedRollout {
  readonly segments: readonly LoggedSegment[];
  /** Rank or shard that computed this rollout; null or absent where the log does not say. */
  readonly shard?: string | null;
  /** Discount and lambda as the producer's configuration names them. */
  readonly gamma?: number | null;
  readonly lambda?: LambdaSpec | null;
}

export interface TraceSegment {
  readonly index: number;
  readonly kind: SegmentInput['kind'];
  /** Raw tokens cut off in front: a prompt of which nothing is logged. */
  readonly offset: number;
  /** Raw tokens after the cut. */
  readonly length: number;
  readonly mask: Uint8Array;
  /** Positions with mask 1, ascending. */
  readonly positions: Int32Array;
  /** V before each token; NaN where it is not known, null where no value is known. */
  readonly values: Float64Array | null;
  /** Token rewards, 0 where there are none; empty when the segment has none at all. */
  readonly rewards: Float64Array;
  /** What is compared, per raw token; NaN where it is not known. */
  readonly logged: Float64Array;
  readonly returns: Float64Array | null;
  readonly ids: Int32Array | null;
}

export type Precision = 'fp32' | 'bf16' | 'fp16';

/** One rollout of the log. Traces stand in the order of their ids, whatever the order of the batch. */
export interface Trace {
  readonly id: string;
  readonly group: string;
  /** Place in the batch as given. */
  readonly place: number;
  readonly input: RolloutInput;
  readonly segments: readonly TraceSegment[];
  /** N: trainable tokens. */
  readonly trainable: number;
  /** Logged numbers at trainable tokens. */
  readonly tokens: number;
  readonly compared: 'advantages' | 'returns' | null;
  /** All logged numbers that are not 0 are at masked tokens. */
  readonly onlyMasked: boolean;
  readonly precision: Precision;
  readonly tolerance: number;
  readonly shard: string | null;
  readonly gamma: number | null;
  readonly lambda: LambdaSpec | null;
}

/**
 * Largest relative difference of pipelines that compute the same thing (ADVANTAGES.md 9.2): float32 recursions drift to
 * about 1e-5 of the segment's size, 16-bit storage rounds to 2^-9 and 2^-11.
 */
const tolerances: Readonly<Record<Precision, number>> = { fp32: 2e-5, bf16: 1e-2, fp16: 2e-3 };

/** A mask or column that cannot be read is a refusal, thrown as in any estimator. */
export function readTrace(
  rollout: RolloutInput,
  logged: LoggedRollout | undefined,
  place: number,
  batch: EstimatorInput,
): Trace {
  const prepared = prepareRollout(rollout, batch);
  const cut = prepared.segments.map((_, s) => readSegment(prepared, s, logged?.segments[s]));
  const compared = whatIsLogged(cut);
  const segments = cut.map(({ advantages, ...segment }) => ({
    ...segment,
    logged: compared === 'returns' ? fromReturns(segment) : (advantages ?? missing(segment.length)),
  }));
  let tokens = 0;
  for (const { positions, logged: column } of segments) {
    for (const t of positions) if (Number.isFinite(column[t])) tokens += 1;
  }
  const inside = segments.some(({ positions, logged: column }) => positions.some((t) => (column[t] ?? 0) !== 0));
  const anywhere = segments.some(({ logged: column }) => column.some((x) => Number.isFinite(x) && x !== 0));
  return {
    id: rollout.id,
    group: rollout.groupId,
    place,
    input: { ...rollout, segments: segments.map((segment, s) => inputOf(rollout.segments[s], segment)) },
    segments,
    trainable: prepared.trainable,
    tokens,
    compared: tokens === 0 ? null : compared,
    onlyMasked: anywhere && !inside,
    precision: 'fp32',
    tolerance: tolerances.fp32,
    shard: logged?.shard ?? null,
    gamma: logged?.gamma ?? null,
    lambda: logged?.lambda ?? null,
  };
}

interface CutSegment extends Omit<TraceSegment, 'logged'> {
  readonly advantages: Float64Array | null;
}

function missing(length: number): Float64Array {
  return new Float64Array(length).fill(Number.NaN);
}

/** Reads one segment, without the tokens at either end of which nothing is logged and nothing trained. */
function readSegment(rollout: PreparedRollout, s: number, logged: LoggedSegment | undefined): CutSegment {
  const segment = rollout.segments[s];
  const input = segment?.input;
  const length = segment?.length ?? 0;
  const raw = segment?.positions ?? new Int32Array(0);
  const values = numbers(input?.values, length);
  const advantages = numbers(logged?.advantages ?? input?.advantages, length);
  const returns = numbers(logged?.returns, length);
  const rewards = numbers(input?.rewards, length);
  const known = (t: number): boolean =>
    Number.isFinite(values?.[t]) || Number.isFinite(advantages?.[t]) || Number.isFinite(returns?.[t]);
  let start = 0;
  let end = length;
  const first = raw[0] ?? length;
  const last = raw[raw.length - 1] ?? -1;
  while (start < first && start < end && !known(start)) start += 1;
  while (end - 1 > last && end > start && !known(end - 1)) end -= 1;
  const mask = new Uint8Array(end - start);
  const positions = raw.map((t) => t - start);
  for (const t of positions) mask[t] = 1;
  const cut = (column: Float64Array | null): Float64Array | null => column?.subarray(start, end) ?? null;
  return {
    index: segment?.index ?? s,
    kind: input?.kind ?? 'other',
    offset: start,
    length: end - start,
    mask,
    positions,
    values: cut(values),
    rewards: (cut(rewards) ?? new Float64Array(0)).map((x) => (Number.isFinite(x) ? x : 0)),
    advantages: cut(advantages),
    returns: cut(returns),
    ids: logged?.ids?.length === length ? Int32Array.from(logged.ids).subarray(start, end) : null,
  };
}

/** A column as numbers, NaN for what is missing; null when nothing is there or its length is not the segment's. */
function numbers(column: Column | null | undefined, length: number): Float64Array | null {
  if (column === null || column === undefined || column.length !== length) return null;
  const out = new Float64Array(length);
  let some = false;
  for (let t = 0; t < length; t += 1) {
    const x = column[t] ?? Number.NaN;
    out[t] = x;
    if (Number.isFinite(x)) some = true;
  }
  return some ? out : null;
}

function whatIsLogged(segments: readonly CutSegment[]): 'advantages' | 'returns' | null {
  const trained = segments.filter(({ positions }) => positions.length > 0);
  if (trained.some(({ advantages }) => advantages !== null)) return 'advantages';
  return trained.some(({ returns }) => returns !== null) ? 'returns' : null;
}

/** Advantages behind logged return targets: R − V where there is a critic, else R itself (reward to go). */
function fromReturns(segment: Pick<CutSegment, 'returns' | 'values' | 'length'>): Float64Array {
  const { returns, values } = segment;
  if (returns === null) return missing(segment.length);
  return values === null ? returns : returns.map((r, t) => r - (values[t] ?? Number.NaN));
}

/** The estimators' input with the same cut. */
function inputOf(input: SegmentInput | undefined, segment: TraceSegment): SegmentInput {
  const { offset, length, mask, values, rewards, logged, index, kind } = segment;
  const logprobs = Object.entries(input?.logprobs ?? {}).map(([name, column]) => [
    name,
    Array.prototype.slice.call(column, offset, offset + length),
  ]);
  return {
    index,
    kind,
    lossMask: mask,
    values,
    rewards: rewards.some((r) => r !== 0) ? rewards : null,
    advantages: logged,
    logprobs: Object.fromEntries(logprobs),
  };
}

const bits = new DataView(new ArrayBuffer(4));

/** Traces with the precision of their batch: one trainer writes one format, and few numbers alone do not show which. */
export function withPrecision(traces: readonly Trace[]): Trace[] {
  const columns = traces.flatMap(({ segments, compared }) =>
    segments.map(({ returns, logged }) => (compared === 'returns' ? (returns ?? logged) : logged)),
  );
  const precision = precisionOf(columns);
  return traces.map((trace) => ({ ...trace, precision, tolerance: tolerances[precision] }));
}

/**
 * The narrowest format that holds every number as it is. Numbers such as 0.5 fit everywhere, so one of them must also use the
 * last bits of that format's significand (8 bits in bfloat16, 11 in float16).
 */
function precisionOf(columns: readonly Float64Array[]): Precision {
  let bf16 = true;
  let fp16 = true;
  let usesBf16 = false;
  let usesFp16 = false;
  for (const column of columns) {
    for (const x of column) {
      if (!Number.isFinite(x) || x === 0) continue;
      bits.setFloat32(0, x);
      const word = bits.getUint32(0);
      if (Math.fround(x) !== x) return 'fp32';
      if ((word & 0xffff) !== 0) bf16 = false;
      if ((word & 0x1fff) !== 0) fp16 = false;
      if (!bf16 && !fp16) return 'fp32';
      if ((word & 0x30000) !== 0) usesBf16 = true;
      if ((word & 0xe000) !== 0) usesFp16 = true;
    }
  }
  if (bf16 && usesBf16) return 'bf16';
  return fp16 && usesFp16 ? 'fp16' : 'fp32';
}
