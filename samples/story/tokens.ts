// Tokens for the demo's texts: a small deterministic tokenizer and plausible per-token figures. No claim beyond the demo.

/** Splits text into words with their leading blank, digits, line breaks and single signs; ids by first appearance of a hash. */
export function tokenize(text: string): number[] {
  const pieces = text.match(/ ?[A-Za-z_]{1,8}|\d|\n+|\s+|[^\sA-Za-z\d]/g) ?? [];
  return pieces.map((piece) => 300 + (hash(piece) % 31_000));
}

function hash(text: string): number {
  let h = 2_166_136_261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16_777_619) >>> 0;
  return h;
}

/** A reproducible stream of numbers in [0, 1) (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Rounds to a float32 that JSON prints in full, as a trainer's tensor would. */
export const f32 = (x: number): number => Math.fround(x);

/** Critic values along a rollout: from the prior towards the outcome, with noise. `progress` is 0..1. */
export function criticValue(progress: number, reward: number, noise: number): number {
  const trend = 0.42 + (reward - 0.42) * progress ** 1.6 * 0.8;
  return f32(Math.min(0.99, Math.max(0.01, trend + (noise - 0.5) * 0.12)));
}

/** A log-prob of a sampled token: mostly near 0, now and then a surprise. */
export function sampledLogprob(a: number, b: number): number {
  return f32(-(a < 0.82 ? b * 0.35 : 0.5 + b * 2.4));
}
