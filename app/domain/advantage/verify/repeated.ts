// Tokens that are trained twice: a copied summary or a carried-over turn that kept its loss mask in a later segment.

import type { Trace, TraceSegment } from './traces.ts';

/** A stretch of trained tokens that is a copy of trained tokens of an earlier segment. */
export interface Repeat {
  readonly segment: number;
  /** First raw token of the copy in its segment, and its length. */
  readonly token: number;
  readonly length: number;
  readonly from: { readonly segment: number; readonly token: number };
}

/** Shorter actions repeat by themselves ("ls"): they are no evidence, but they do not end the search either. */
const shortest = 8;

interface Run {
  readonly place: number;
  readonly start: number;
  readonly length: number;
}

/** Runs of neighbouring trainable tokens of a segment. */
function runsOf(segment: TraceSegment, place: number): Run[] {
  const runs: Run[] = [];
  for (const t of segment.positions) {
    const last = runs.at(-1);
    if (last !== undefined && last.start + last.length === t)
      runs[runs.length - 1] = { ...last, length: last.length + 1 };
    else runs.push({ place, start: t, length: 1 });
  }
  return runs;
}

/** FNV-1a over the ids of a run: finds candidates, which are then compared id by id. */
function hashOf(ids: Int32Array, start: number, length: number): number {
  let h = 2_166_136_261;
  for (let i = 0; i < length; i += 1) h = Math.imul(h ^ (ids[start + i] ?? 0), 16_777_619);
  return h >>> 0;
}

/** Whether the engine's log-probs show that the later run was sampled anew: a copy has none, zeros, or the same. */
function sampledAnew(trace: Trace, earlier: Run, later: Run): boolean {
  const a = trace.input.segments[earlier.place]?.logprobs?.rollout;
  const b = trace.input.segments[later.place]?.logprobs?.rollout;
  if (a === undefined || b === undefined) return false;
  let different = 0;
  for (let i = 0; i < later.length; i += 1) {
    const x = a[earlier.start + i];
    const y = b[later.start + i];
    if (typeof x !== 'number' || typeof y !== 'number' || !Number.isFinite(y) || y === 0) return false;
    if (x !== y) different += 1;
  }
  return different > 0;
}

/**
 * Trained runs whose ids are those of a trained run of an earlier segment (ADVANTAGES.md 9.4). A copy stands before
 * everything that its segment sampled itself, so the search in a segment ends at its first run that is no copy.
 */
export function repeatsOf(trace: Trace): Repeat[] {
  const seen = new Map<number, Run[]>();
  const repeats: Repeat[] = [];
  for (const [place, segment] of trace.segments.entries()) {
    const { ids } = segment;
    if (ids === null) continue;
    const runs = runsOf(segment, place);
    for (const run of runs) {
      if (run.length < shortest) continue;
      const earlier = seen.get(hashOf(ids, run.start, run.length)) ?? [];
      const original = earlier.find((one) => sameIds(trace, one, run));
      if (original === undefined || sampledAnew(trace, original, run)) break;
      repeats.push({
        segment: segment.index,
        token: run.start + segment.offset,
        length: run.length,
        from: {
          segment: trace.segments[original.place]?.index ?? original.place,
          token: original.start + (trace.segments[original.place]?.offset ?? 0),
        },
      });
    }
    for (const run of runs) {
      const hash = hashOf(ids, run.start, run.length);
      seen.set(hash, [...(seen.get(hash) ?? []), run]);
    }
  }
  return repeats;
}

function sameIds(trace: Trace, a: Run, b: Run): boolean {
  const left = trace.segments[a.place]?.ids;
  const right = trace.segments[b.place]?.ids;
  if (left === null || right === null || left === undefined || right === undefined || a.length !== b.length)
    return false;
  for (let i = 0; i < a.length; i += 1) if (left[a.start + i] !== right[b.start + i]) return false;
  return true;
}
