// The usual segment in one backward pass: single-precision values, no token rewards, results straight at their raw tokens. The
// same sums in the same order as `gae` (recursion.ts), without the columns in between; a test holds both equal bit by bit.

import type { PreparedRollout, PreparedSegment } from './tokens.ts';

/** What a pass multiplies and adds. */
export interface Pass {
  readonly gamma: number;
  readonly lambda: number;
  /** The terminal signal, at the last trainable token. */
  readonly signal: number;
  /** F_s: every advantage times this. */
  readonly factor: number;
  /** Return targets from the scaled advantage instead of the local one. */
  readonly corrected: boolean;
}

/**
 * Whether the pass gives what the long way gives: NaN means missing, values are in single precision and as many as the mask has
 * entries, and the segment has no token rewards.
 */
function isPlain(rollout: PreparedRollout, segment: PreparedSegment, values: unknown): values is Float32Array {
  const { rewards } = segment.input;
  const unrewarded = rewards === null || rewards === undefined;
  return rollout.nanIsMissing && unrewarded && values instanceof Float32Array && values.length === segment.length;
}

const largestSingle = 3.4028234663852886e38;

/** Advantages and returns over the raw tokens of a segment, all finite; null when something in it takes a closer look. */
export function passOver(
  rollout: PreparedRollout,
  segment: PreparedSegment,
  pass: Pass,
): { readonly advantages: Float64Array; readonly returns: Float64Array } | null {
  const { positions, length } = segment;
  const { values } = segment.input;
  if (positions.length === 0 || !isPlain(rollout, segment, values)) return null;
  for (let t = 0; t < length; t += 1) {
    const x = values[t] ?? 0;
    if (x > largestSingle || x < -largestSingle) return null;
  }
  const advantages = new Float64Array(length);
  const returns = new Float64Array(length);
  const { gamma, factor, corrected } = pass;
  const decay = gamma * pass.lambda;
  let reward = pass.signal;
  let nextValue = 0;
  let running = 0;
  let spoiled = 0;
  for (let i = positions.length - 1; i >= 0; i -= 1) {
    const t = positions[i] ?? 0;
    const value = values[t] ?? 0;
    running = reward + gamma * nextValue - value + decay * running;
    // A value that is missing or not finite stays in the sum, and is NaN here.
    spoiled += running * 0;
    const scaled = running * factor;
    advantages[t] = scaled;
    returns[t] = (corrected ? scaled : running) + value;
    nextValue = value;
    reward = 0;
  }
  return spoiled === 0 ? { advantages, returns } : null;
}
