// Reading a rollout's columns at its trainable tokens: masks, missing and non-finite numbers, masked rewards.

import { missingColumnMessage, placeOf, refuse } from './refusal.ts';
import type {
  Column,
  EstimatorErrorCode,
  EstimatorInput,
  EstimatorWarning,
  LogprobName,
  RolloutInput,
  SegmentInput,
} from './types.ts';

/** A rollout whose masks were read. `warnings` collects what readers find on the way. */
export interface PreparedRollout {
  readonly input: RolloutInput;
  readonly nanIsMissing: boolean;
  readonly segments: readonly PreparedSegment[];
  /** N: trainable tokens of all segments. */
  readonly trainable: number;
  /** Place of the last segment with a trainable token; -1 when there is none. */
  readonly last: number;
  readonly warnings: EstimatorWarning[];
}

export interface PreparedSegment {
  readonly input: SegmentInput;
  readonly index: number;
  /** T_s: raw tokens. */
  readonly length: number;
  /** P_s: positions with mask 1. */
  readonly positions: Int32Array;
}

/** Reads the masks of a rollout. Refuses a mask that is not binary (`mask_not_binary`). */
export function prepareRollout(rollout: RolloutInput, batch: EstimatorInput): PreparedRollout {
  const segments: PreparedSegment[] = [];
  let trainable = 0;
  let last = -1;
  for (const [place, segment] of rollout.segments.entries()) {
    const index = segment.index ?? place;
    const positions = trainablePositions(segment.lossMask, rollout.id, index);
    if (positions.length > 0) last = place;
    trainable += positions.length;
    segments.push({ input: segment, index, length: segment.lossMask.length, positions });
  }
  return { input: rollout, nanIsMissing: batch.nanIsMissing ?? false, segments, trainable, last, warnings: [] };
}

/** Positions with mask 1, ascending. A mask is never rounded: anything but 0, 1, true, false is refused. */
function trainablePositions(
  mask: ArrayLike<number | boolean>,
  rollout: string,
  segment: number,
): Int32Array<ArrayBuffer> {
  if (mask instanceof Uint8Array) {
    const plain = positionsOfBytes(mask);
    if (plain !== null) return plain;
  }
  let count = 0;
  for (let t = 0; t < mask.length; t += 1) {
    const m = mask[t];
    if (m === 1 || m === true) count += 1;
    else if (m !== 0 && m !== false) {
      const message = `The loss mask is ${String(m)} at ${placeOf(rollout, segment, t)}; it must be 0 or 1 at every token.`;
      refuse('mask_not_binary', message, [rollout, segment, t]);
    }
  }
  const positions = new Int32Array(count);
  let i = 0;
  for (let t = 0; t < mask.length; t += 1) {
    const m = mask[t];
    if (m === 1 || m === true) {
      positions[i] = t;
      i += 1;
    }
  }
  return positions;
}

/** The positions of a mask of bytes, or null when one of them is neither 0 nor 1. */
function positionsOfBytes(mask: Uint8Array): Int32Array<ArrayBuffer> | null {
  const words = wordsOf(mask);
  let count = 0;
  let odd = 0;
  for (let w = 0; w < words.length; w += 1) {
    const word = words[w] ?? 0;
    odd |= word & 0xfefefefe;
    // The product's highest byte is the sum of the four bytes.
    count += Math.imul(word, 0x01010101) >>> 24;
  }
  const rest = words.length * 4;
  for (let t = rest; t < mask.length; t += 1) {
    const m = mask[t] ?? 0;
    odd |= m & 0xfe;
    count += m;
  }
  if (odd !== 0) return null;
  const positions = new Int32Array(count);
  let i = 0;
  for (let t = 0; t < mask.length && i < count; t += 1) {
    // Masks come in runs: four tokens at a time wherever they are alike.
    const word = (t & 3) === 0 && t < rest ? (words[t >> 2] ?? 0) : -1;
    if (word === 0) t += 3;
    else if (word === 0x01010101) {
      positions[i] = t;
      positions[i + 1] = t + 1;
      positions[i + 2] = t + 2;
      positions[i + 3] = t + 3;
      i += 4;
      t += 3;
    } else if (mask[t] === 1) {
      positions[i] = t;
      i += 1;
    }
  }
  return positions;
}

/** As many whole words of four bytes as there are; none where the bytes do not lie on words. */
function wordsOf(mask: Uint8Array): Int32Array {
  const aligned = mask.byteOffset % 4 === 0;
  return new Int32Array(
    aligned ? mask.buffer : new ArrayBuffer(0),
    aligned ? mask.byteOffset : 0,
    aligned ? mask.length >> 2 : 0,
  );
}

/**
 * A column at the trainable tokens of a segment. Refuses with `code` when the column or a trainable entry is missing,
 * `length_mismatch` when its length is not the mask's, `nonfinite_input` for NaN or an infinity at a trainable token.
 * Non-finite numbers at masked tokens are ignored with a warning.
 */
export function readTrainable(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  column: Column | null | undefined,
  name: string,
  code: EstimatorErrorCode,
): Float64Array {
  const { positions } = segment;
  const source = requireColumn(rollout, segment, column, name, code);
  const plain = rollout.nanIsMissing && source instanceof Float32Array ? gathered(source, positions) : null;
  if (plain !== null) return plain;
  const out = new Float64Array(positions.length);
  let i = 0;
  let strange = 0;
  for (let t = 0; t < source.length; t += 1) {
    const x = source[t];
    if (i < positions.length && positions[i] === t) {
      out[i] = finite(rollout, segment, x, t, name, code);
      i += 1;
    } else if (typeof x === 'number' && !Number.isFinite(x) && !(rollout.nanIsMissing && Number.isNaN(x))) strange += 1;
  }
  if (strange > 0) warnMasked(rollout, segment, name, strange);
  return out;
}

/**
 * The usual column, single precision with NaN for missing, in two plain loops; null when anything in it takes a closer look:
 * a trainable token without a finite number, or an infinity anywhere.
 */
function gathered(source: Float32Array, positions: Int32Array): Float64Array | null {
  const out = new Float64Array(positions.length);
  let spoiled = 0;
  for (let i = 0; i < positions.length; i += 1) {
    const x = source[positions[i] ?? 0] ?? 0;
    out[i] = x;
    spoiled += x * 0;
  }
  if (spoiled !== 0) return null;
  let infinite = 0;
  for (let t = 0; t < source.length; t += 1) {
    const x = source[t] ?? 0;
    if (x > largestSingle || x < -largestSingle) infinite += 1;
  }
  return infinite === 0 ? out : null;
}

/** The largest finite number of single precision. */
const largestSingle = 3.4028234663852886e38;

/** A column at every raw token, for trainers that treat observations as transitions. The same refusals everywhere. */
export function readEvery(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  column: Column | null | undefined,
  name: string,
  code: EstimatorErrorCode,
): Float64Array {
  const source = requireColumn(rollout, segment, column, name, code);
  const out = new Float64Array(source.length);
  for (let t = 0; t < source.length; t += 1) out[t] = finite(rollout, segment, source[t], t, name, code);
  return out;
}

/** Log-probabilities at the trainable tokens; refuses `logprobs_<name>_missing` unless another code is given. */
export function readLogprobs(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  name: LogprobName,
  code: EstimatorErrorCode = `logprobs_${name}_missing`,
): Float64Array {
  return readTrainable(rollout, segment, segment.input.logprobs?.[name], `logprobs_${name}`, code);
}

/** Advantages given with the input, at the trainable tokens; refuses `advantages_missing`. */
export function readAdvantages(rollout: PreparedRollout, segment: PreparedSegment): Float64Array {
  return readTrainable(rollout, segment, segment.input.advantages, 'advantages', 'advantages_missing');
}

function requireColumn(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  column: Column | null | undefined,
  name: string,
  code: EstimatorErrorCode,
): Column {
  const { id } = rollout.input;
  if (column === null || column === undefined) {
    return refuse(code, missingColumnMessage(code, name, placeOf(id, segment.index)), [id, segment.index]);
  }
  checkLength(rollout, segment, column, name);
  return column;
}

/** Refuses a column that is not as long as the mask. */
export function checkLength(rollout: PreparedRollout, segment: PreparedSegment, column: Column, name: string): void {
  if (column.length === segment.length) return;
  const { id } = rollout.input;
  const message =
    `"${name}" has ${column.length} entries but the loss mask has ${segment.length} in ` +
    `${placeOf(id, segment.index)}. Both must cover the same tokens.`;
  refuse('length_mismatch', message, [id, segment.index, name]);
}

function finite(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  x: number | null | undefined,
  token: number,
  name: string,
  code: EstimatorErrorCode,
): number {
  if (typeof x === 'number' && Number.isFinite(x)) return x;
  const { id } = rollout.input;
  if (x === null || x === undefined || (rollout.nanIsMissing && Number.isNaN(x))) {
    const place = placeOf(id, segment.index, token);
    return refuse(code, missingColumnMessage(code, name, place), [id, segment.index, token]);
  }
  return refuseNonfinite(id, segment.index, token, name, x);
}

/** Refuses a NaN or an infinity that would enter the result. */
export function refuseNonfinite(rollout: string, segment: number, token: number, name: string, x: number): never {
  const message = `Non-finite input at segment ${segment} token ${token} of rollout ${rollout}: "${name}" is ${String(x)}.`;
  return refuse('nonfinite_input', message, [rollout, segment, token, name]);
}

function warnMasked(rollout: PreparedRollout, segment: PreparedSegment, name: string, count: number): void {
  rollout.warnings.push({
    code: 'masked_nonfinite',
    message: `${count} non-finite "${name}" at masked tokens of segment ${segment.index} were ignored.`,
    segments: [segment.index],
  });
}
