// What a log's kept fields add to an estimator's input: the greedy reward, the learner's version, actions judged incorrect,
// and whether a segment of the rollout is missing. Trainers name these differently; the names read here are listed once.

import type { KeptFields } from '../../../db/queries/verify-input.ts';
import { fieldsOf, parsedJson } from './kept-fields.ts';

type Spans = readonly (readonly [number, number])[];

export interface RolloutExtras {
  readonly greedyReward: number | null;
  readonly learnerVersion: number | null;
  readonly siblingsMissing: boolean;
  /** Per segment, half-open token ranges; null where the log has none. */
  readonly incorrectSpans: readonly (Spans | null)[];
}

type Fields = ReadonlyMap<string, unknown>;

/** The objects of a record in which trainers put such fields. */
function placesOf(fields: Fields): Fields[] {
  const metadata = fieldsOf(fields.get('metadata'));
  const trains = [fields, metadata].map((place) => fieldsOf(place.get('train_metadata')));
  return [fields, metadata, ...trains, fieldsOf(fields.get('reward')), fieldsOf(fields.get('train'))];
}

function numberIn(places: readonly Fields[], names: readonly string[]): number | null {
  for (const place of places) {
    for (const name of names) {
      const value = place.get(name);
      if (typeof value === 'number' && Number.isFinite(value)) return value;
      if (typeof value === 'string' && /^\d+$/u.test(value)) return Number(value);
    }
  }
  return null;
}

function spansIn(places: readonly Fields[]): Spans | null {
  for (const place of places) {
    const value = place.get('incorrect_spans');
    if (!Array.isArray(value)) continue;
    const spans = value.flatMap((span: unknown): [number, number][] => {
      if (!Array.isArray(span) || span.length !== 2) return [];
      const [start, end]: unknown[] = span;
      return typeof start === 'number' && typeof end === 'number' ? [[start, end]] : [];
    });
    if (spans.length > 0) return spans;
  }
  return null;
}

/**
 * Whether the segments' own numbers leave one out: positions that are not consecutive from 0 or 1, or a last segment after
 * which trained tokens are announced. Segments without a number say nothing.
 */
function hasGap(segments: readonly (readonly Fields[])[]): boolean {
  const indices = segments.map((places) => numberIn(places, ['segment_index', 'compaction_index']));
  const known = indices.filter((index) => index !== null);
  if (known.length > 0 && known.length === indices.length) {
    const least = Math.min(...known);
    if (least > 1 || new Set(known).size !== known.length || Math.max(...known) - least + 1 !== known.length)
      return true;
  }
  const announced = numberIn(segments.at(-1) ?? [], ['future_optimized_tokens', 'tokens_after']);
  return announced !== null && announced > 0;
}

/** Reads the kept fields of a rollout and of its segments, in their order. Anything of another shape counts as absent. */
export function extrasOf(kept: KeptFields): RolloutExtras {
  const own = placesOf(fieldsOf(parsedJson(kept.rollout)));
  const segments = kept.segments.map((text) => placesOf(fieldsOf(parsedJson(text))));
  return {
    greedyReward: numberIn(own, ['greedy_reward', 'greedy']),
    learnerVersion: numberIn(own, ['learner_version', 'trainer_version']),
    siblingsMissing: hasGap(segments),
    incorrectSpans: segments.map(spansIn),
  };
}
