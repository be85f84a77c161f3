// One running search on a reader thread: slices of a few milliseconds over the candidate bodies, by id. The index decides which
// bodies are read; the pattern alone decides what is found, so answers and their order do not depend on the index.

import type { ReadDb } from '../../../db/open.ts';
import { body } from '../../../db/queries/bodies.ts';
import { countRollouts, queryRolloutIds } from '../../../db/queries/rollouts.ts';
import { type BodyPlace, bodyPlaces, candidateBodies, indexState, isArguments } from '../../../db/queries/search.ts';
import { type SegmentPlace, segmentPlaces } from '../../../db/queries/segments.ts';
import type { SearchHit, SearchRequest, SearchUpdate } from '../../contract/search.ts';
import { literalPattern, type Occurrences, occurrences, queryTrigrams, snippetAt } from '../../domain/text/literal.ts';
import { viewOfArguments } from '../../domain/text/view.ts';
import { folding } from './search-text.ts';

/** Candidates asked of the index at once. */
const candidatesAtOnce = 256;
/** Rollouts whose segments are remembered. */
const placesKept = 256;

export class SearchSession {
  readonly #db: ReadDb;
  readonly #request: SearchRequest;
  readonly #pattern: RegExp;
  readonly #trigrams: readonly string[] | null;
  /** Row ids of the rollouts in scope; null for all. */
  readonly #scope: ReadonlySet<number> | null;
  readonly #scopeSize: SearchUpdate['scope'];
  readonly #upTo: number;
  readonly #segments = new Map<number, ReadonlyMap<number, SegmentPlace>>();
  /** Parts found by rollout, and how many of them are listed. */
  readonly #found = new Map<number, { places: number; listed: number }>();
  #after = 0;
  #places = 0;
  #occurrences = 0;
  #listed = 0;
  /** Found since the last slice. */
  #hits: SearchHit[] = [];
  #changed = new Map<number, string>();

  /** @throws Refusal of the filter, such as `filter-value`. */
  constructor(db: ReadDb, request: SearchRequest) {
    this.#db = db;
    this.#request = request;
    this.#pattern = literalPattern(request.query);
    this.#trigrams = queryTrigrams(request.query);
    const { where, search } = request;
    const all = countRollouts(db);
    const scope = where.length === 0 && search.trim() === '' ? null : new Set(queryRolloutIds(db, { where, search }));
    this.#scope = scope;
    this.#scopeSize = { rollouts: scope?.size ?? all, all };
    this.#upTo = scope?.size === 0 ? 0 : indexState(db, folding).total;
  }

  /** Looks on for about so many milliseconds. One snapshot per slice: the write-ahead log is never held for longer. */
  next(milliseconds: number): SearchUpdate {
    return this.#db.snapshot(() => {
      const until = performance.now() + milliseconds;
      let finished = false;
      // At least one body, so that every slice gets on.
      do {
        const candidates = candidateBodies(this.#db, {
          trigrams: this.#trigrams,
          folding,
          after: this.#after,
          upTo: this.#upTo,
          count: candidatesAtOnce,
        });
        for (const id of candidates) {
          this.#look(id);
          this.#after = id;
          if (performance.now() >= until) break;
        }
        const last = candidates.at(-1);
        finished = candidates.length < candidatesAtOnce && (last === undefined || this.#after === last);
      } while (!finished && performance.now() < until);
      return this.#update(finished);
    });
  }

  #update(finished: boolean): SearchUpdate {
    const hits = this.#hits;
    const rollouts = [...this.#changed].map(([id, rollout]) => ({ rollout, places: this.#found.get(id)?.places ?? 0 }));
    this.#hits = [];
    this.#changed = new Map();
    return {
      hits,
      rollouts,
      places: this.#places,
      occurrences: this.#occurrences,
      rolloutCount: this.#found.size,
      listed: this.#listed,
      scope: this.#scopeSize,
      done: finished ? this.#upTo : this.#after,
      total: this.#upTo,
      finished,
    };
  }

  #look(id: number): void {
    const raw = body(this.#db, id);
    if (raw === null) return;
    // Where a text stands as arguments its view is what people see and what spans count in.
    const view = /^\s*[[{]/.test(raw) && isArguments(this.#db, id) ? viewOfArguments(raw) : raw;
    const inRaw = occurrences(raw, this.#pattern);
    const inView = view === raw ? inRaw : occurrences(view, this.#pattern);
    if (inRaw === null && inView === null) return;
    let listedIn = -1;
    for (const place of bodyPlaces(this.#db, id)) {
      if (this.#scope !== null && !this.#scope.has(place.rolloutId)) continue;
      const asArguments = place.partKind === 'tool_call';
      const found = asArguments ? inView : inRaw;
      if (found === null) continue;
      // Places come rollout by rollout, the first one of each first.
      const list = !this.#request.distinct || place.rolloutId !== listedIn;
      if (this.#count(place, found, asArguments ? view : raw, list)) listedIn = place.rolloutId;
    }
  }

  /** Counts a place, and lists it when that is wanted and within the limits; true when it was listed. */
  #count(place: BodyPlace, found: Occurrences, text: string, list: boolean): boolean {
    this.#places += 1;
    this.#occurrences += found.count;
    const known = this.#found.get(place.rolloutId) ?? { places: 0, listed: 0 };
    known.places += 1;
    this.#found.set(place.rolloutId, known);
    if (known.listed > 0) this.#changed.set(place.rolloutId, place.rollout);
    const { limit, perRollout } = this.#request;
    if (!list || this.#listed >= limit || known.listed >= perRollout) return false;
    const segment = this.#segmentsOf(place.rolloutId).get(place.segmentId);
    if (segment === undefined) return false;
    known.listed += 1;
    this.#listed += 1;
    this.#changed.set(place.rolloutId, place.rollout);
    const { rollout, externalId, task, itemKind, role, part, partKind, name } = place;
    this.#hits.push({
      rollout,
      externalId,
      task,
      segment: segment.index,
      item: segment.firstItem + place.itemIdx,
      step: place.step === null ? null : segment.stepsBefore + place.step,
      itemKind,
      role,
      copied: place.copied === 1,
      part,
      partKind,
      name,
      ...found,
      snippet: { ...snippetAt(text, found.start, found.end) },
    });
    return true;
  }

  #segmentsOf(rolloutId: number): ReadonlyMap<number, SegmentPlace> {
    const known = this.#segments.get(rolloutId);
    if (known !== undefined) return known;
    if (this.#segments.size >= placesKept) this.#segments.clear();
    const made = new Map(segmentPlaces(this.#db, rolloutId).map((place) => [place.id, place]));
    this.#segments.set(rolloutId, made);
    return made;
  }
}
