// The two backward recursions everything else is built on, over compressed (trainable-only) float64 columns.

/**
 * Generalised advantage estimation (Schulman et al., arXiv 1506.02438):
 * `delta_i = r_i + gamma*v_{i+1} - v_i`, `A_i = delta_i + gamma*lambda*A_{i+1}`, with value and advantage 0 after the end.
 * All arrays have the same length.
 */
export function gae(values: Float64Array, rewards: Float64Array, gamma: number, lambda: number): Float64Array {
  const n = values.length;
  const advantages = new Float64Array(n);
  const decay = gamma * lambda;
  let nextValue = 0;
  let running = 0;
  for (let i = n - 1; i >= 0; i -= 1) {
    const value = values[i] ?? 0;
    running = (rewards[i] ?? 0) + gamma * nextValue - value + decay * running;
    advantages[i] = running;
    nextValue = value;
  }
  return advantages;
}

/** Discounted reward to go: `G_i = r_i + gamma*G_{i+1}`. */
export function rewardToGo(rewards: Float64Array, gamma: number): Float64Array {
  const out = new Float64Array(rewards.length);
  let running = 0;
  for (let i = rewards.length - 1; i >= 0; i -= 1) {
    running = (rewards[i] ?? 0) + gamma * running;
    out[i] = running;
  }
  return out;
}

/** Sum of two columns of equal length, as a new column. */
export function plus(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 1) out[i] = (a[i] ?? 0) + (b[i] ?? 0);
  return out;
}

/** A column times a number, as a new column. An infinite or NaN entry stays visible. */
export function times(a: Float64Array, factor: number): Float64Array {
  const out = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 1) out[i] = (a[i] ?? 0) * factor;
  return out;
}

/** Puts compressed numbers back at their positions among `length` raw tokens; 0 elsewhere. */
export function spread(compressed: Float64Array, positions: Int32Array, length: number): Float64Array {
  const out = new Float64Array(length);
  for (let i = 0; i < positions.length; i += 1) out[positions[i] ?? 0] = compressed[i] ?? 0;
  return out;
}
