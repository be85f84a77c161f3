// The place up to which a growing file was read. Places are kept rarely (a quarter of a megabyte apart, further in large files)
// and always at the end of the file, each with what the reader said it must remember.

import type { Checkpoint, Json } from '../contract/ingest.ts';
import type { Bookmark, LinePlace } from './source.ts';

/** Least distance of two kept places, bytes. */
const smallestStep = 256 * 1024;
/** In a large file places lie this share of what was read apart, so that keeping them costs the same at any size. */
const share = 1 / 64;

/** What a bookmark is made of. */
export interface BookmarkOptions {
  readonly path: string;
  /** Where the earlier import stopped; null to begin at the start. */
  readonly from: Checkpoint | null;
  readonly following: boolean;
  /** Is given every place that is worth keeping, when it is reached. */
  onCheckpoint(checkpoint: Checkpoint): void;
}

/** A bookmark for one reading of one file. */
export function createBookmark({ path, from, following, onCheckpoint }: BookmarkOptions): Bookmark {
  const values = new Map<string, () => Json>();
  const holding: (() => boolean)[] = [];
  let last: LinePlace | null = null;
  let keptAt = from?.offset ?? 0;
  const keepPlace = (place: LinePlace): void => {
    if (holding.some((test) => test())) return;
    keptAt = place.offset;
    // What a reader of this run does not ask for is kept as it was.
    const now = Object.fromEntries([...values].map(([name, value]) => [name, value()]));
    onCheckpoint({ ...place, memory: { ...from?.memory, ...now } });
  };
  return {
    path,
    from: from === null ? null : { offset: from.offset, line: from.line },
    following,
    kept: (name) => from?.memory[name],
    keep: (name, value) => values.set(name, value),
    holdsBack: (test) => holding.push(test),
    reached: (place) => {
      last = place;
      if (place.offset - keptAt >= Math.max(smallestStep, place.offset * share)) keepPlace(place);
    },
    ended: () => {
      if (last !== null && last.offset > keptAt) keepPlace(last);
    },
  };
}
