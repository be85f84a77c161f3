// One rollout under two settings: tokens whose sign changes, and how much of the update it is on either side.

import type { SegmentKind } from '../../../contract/vocabulary.ts';
import { NeumaierSum } from '../sums.ts';
import type { RolloutOutput, SegmentOutput } from '../types.ts';

/** One side of a comparison: an estimator's result, null where the rollout is left out, and the weight of a token by segment. */
export interface Side {
  readonly output: RolloutOutput | null;
  readonly weights: readonly number[];
}

/** The figures of one segment. A side that is left out or refused counts as zeros. */
export interface SegmentMove {
  readonly index: number;
  readonly kind: SegmentKind;
  /** Tokens trained under either setting. */
  readonly tokens: number;
  readonly flips: number;
  readonly lost: number;
  readonly gained: number;
  /** Sums of the advantage, and tokens trained, on either side. */
  readonly sumA: number;
  readonly sumB: number;
  readonly trainedA: number;
  readonly trainedB: number;
  /** Sums of |weight × advantage|. */
  readonly signalA: number;
  readonly signalB: number;
}

const noPlaces = new Int32Array(0);

function segmentOf(side: Side, place: number): SegmentOutput | undefined {
  return side.output === null || side.output.error !== null ? undefined : side.output.segments[place];
}

/** Compares the segments of a rollout; both sides must be of the same rollout. Empty where neither side has a result. */
export function compareRollout(a: Side, b: Side): SegmentMove[] {
  const count = Math.max(a.output?.segments.length ?? 0, b.output?.segments.length ?? 0);
  const moves: SegmentMove[] = [];
  for (let place = 0; place < count; place += 1) {
    const left = segmentOf(a, place);
    const right = segmentOf(b, place);
    const either = left ?? right;
    if (either !== undefined) {
      moves.push(compareSegment(either, left, right, a.weights[place] ?? 0, b.weights[place] ?? 0));
    }
  }
  return moves;
}

function compareSegment(
  either: SegmentOutput,
  left: SegmentOutput | undefined,
  right: SegmentOutput | undefined,
  weightA: number,
  weightB: number,
): SegmentMove {
  const columnA = left?.columns.advantages;
  const columnB = right?.columns.advantages;
  const placesA = left?.positions ?? noPlaces;
  const placesB = right?.positions ?? noPlaces;
  const [sumA, sumB, absA, absB] = [new NeumaierSum(), new NeumaierSum(), new NeumaierSum(), new NeumaierSum()];
  let [tokens, flips, lost, gained] = [0, 0, 0, 0];
  // Both lists of positions ascend: one walk over their union.
  let i = 0;
  let j = 0;
  while (i < placesA.length || j < placesB.length) {
    const p = placesA[i] ?? Number.POSITIVE_INFINITY;
    const q = placesB[j] ?? Number.POSITIVE_INFINITY;
    const t = Math.min(p, q);
    const x = p === t ? (columnA?.[t] ?? 0) : 0;
    const y = q === t ? (columnB?.[t] ?? 0) : 0;
    if (p === t) i += 1;
    if (q === t) j += 1;
    tokens += 1;
    if ((x > 0 && y < 0) || (x < 0 && y > 0)) flips += 1;
    else if (x !== 0 && y === 0) lost += 1;
    else if (x === 0 && y !== 0) gained += 1;
    sumA.add(x);
    sumB.add(y);
    absA.add(Math.abs(x));
    absB.add(Math.abs(y));
  }
  return {
    index: either.index,
    kind: either.kind,
    tokens,
    flips,
    lost,
    gained,
    sumA: sumA.value,
    sumB: sumB.value,
    trainedA: placesA.length,
    trainedB: placesB.length,
    signalA: absA.value * weightA,
    signalB: absB.value * weightB,
  };
}
