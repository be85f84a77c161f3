// Agreement on where a hack is. What is not marked cannot be counted, so that no chance correction applies: F1, which is the
// same whichever of two annotators is taken as the reference.
// Source: G. Hripcsak and A. S. Rothschild, "Agreement, the F-measure, and reliability in information retrieval", J. Am. Med.
// Inform. Assoc. 12 (2005) 296-298.

import type { SpanAgreement } from '../../contract/agreement.ts';
import type { Span } from '../../contract/records.ts';
import { estimate, resample, type Statistic } from './bootstrap.ts';

/** The spans that one annotator calls a hack in one rollout. */
export interface AnnotatorSpans {
  readonly rollout: string;
  readonly annotator: string;
  readonly spans: readonly Span[];
}

/** What two annotators marked in one rollout; spans that overlap count once. Lengths are UTF-16 units. */
export interface SpanTally {
  readonly spansA: number;
  readonly spansB: number;
  /** Spans of each that touch one of the other, and spans equal in both. */
  readonly hitA: number;
  readonly hitB: number;
  readonly equal: number;
  readonly lengthA: number;
  readonly lengthB: number;
  readonly lengthShared: number;
}

const samePart = (a: Span, b: Span): boolean => a.item === b.item && a.part === b.part;
const shared = (a: Span, b: Span): number =>
  samePart(a, b) ? Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start)) : 0;

/** Spans in order, those that overlap joined, empty ones left out. */
export function joinSpans(spans: readonly Span[]): Span[] {
  const sorted = spans
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.item - b.item || a.part - b.part || a.start - b.start || a.end - b.end);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && samePart(last, span) && span.start < last.end) {
      joined[joined.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else joined.push(span);
  }
  return joined;
}

/** Compares the spans of two annotators in one rollout. */
export function tallySpans(ofA: readonly Span[], ofB: readonly Span[]): SpanTally {
  const a = joinSpans(ofA);
  const b = joinSpans(ofB);
  const length = (spans: readonly Span[]): number => spans.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    spansA: a.length,
    spansB: b.length,
    hitA: a.filter((one) => b.some((other) => shared(one, other) > 0)).length,
    hitB: b.filter((one) => a.some((other) => shared(one, other) > 0)).length,
    equal: a.filter((one) =>
      b.some((other) => samePart(one, other) && one.start === other.start && one.end === other.end),
    ).length,
    lengthA: length(a),
    lengthB: length(b),
    lengthShared: a.reduce((sum, one) => sum + b.reduce((part, other) => part + shared(one, other), 0), 0),
  };
}

function sum(tallies: readonly SpanTally[], times: ArrayLike<number>, field: keyof SpanTally): number {
  return tallies.reduce((total, tally, at) => total + tally[field] * (times[at] ?? 0), 0);
}

/** 2 × shared / (a + b); null when neither marked anything. */
function dice(a: number, b: number, both: number): number | null {
  return a + b === 0 ? null : (2 * both) / (a + b);
}

const exactF1: Statistic<SpanTally> = (tallies, times) =>
  dice(sum(tallies, times, 'spansA'), sum(tallies, times, 'spansB'), sum(tallies, times, 'equal'));

const charactersF1: Statistic<SpanTally> = (tallies, times) =>
  dice(sum(tallies, times, 'lengthA'), sum(tallies, times, 'lengthB'), sum(tallies, times, 'lengthShared'));

/** Harmonic mean of the shares of each one's spans that touch one of the other's; 0 when none do. */
const overlapF1: Statistic<SpanTally> = (tallies, times) => {
  const spansA = sum(tallies, times, 'spansA');
  const spansB = sum(tallies, times, 'spansB');
  if (spansA + spansB === 0) return null;
  if (spansA === 0 || spansB === 0) return 0;
  const recall = sum(tallies, times, 'hitA') / spansA;
  const precision = sum(tallies, times, 'hitB') / spansB;
  return recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
};

/** Agreement over rollouts, one tally each; null when no span was marked in any. Intervals resample rollouts. */
export function spanAgreement(tallies: readonly SpanTally[]): SpanAgreement | null {
  const ones = tallies.map(() => 1);
  const spansA = sum(tallies, ones, 'spansA');
  const spansB = sum(tallies, ones, 'spansB');
  if (spansA + spansB === 0) return null;
  const sample = resample(tallies, (tally) => Object.values(tally).join());
  return {
    rollouts: tallies.length,
    spansA,
    spansB,
    exact: estimate(sample, exactF1),
    overlap: estimate(sample, overlapF1),
    characters: estimate(sample, charactersF1),
  };
}
