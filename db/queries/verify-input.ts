// What the log has beside the estimators' input for comparing with a trainer: token ids, and what was kept of unknown fields.

import type { TokenArray } from '../../app/contract/ingest.ts';
import { stretchColumn } from '../codec.ts';
import type { ReadDb } from '../connection.ts';
import { body } from './bodies.ts';
import { segmentPlaces } from './segments.ts';
import { columnOf } from './tokens.ts';

/** Fields of the log that the importer kept as they were, as JSON text; null where there are none. */
export interface KeptFields {
  readonly rollout: string | null;
  readonly segments: readonly (string | null)[];
}

/** Token ids of every segment in order; null where the log has none for all of its tokens. */
export function segmentIds(db: ReadDb, rolloutId: number): (TokenArray | null)[] {
  return segmentPlaces(db, rolloutId).map((place) => {
    const column = columnOf(db, place.id, 'ids');
    return column === null || column.data.length !== place.tokens ? null : stretchColumn(column, place.tokens);
  });
}

/** The kept fields of a rollout and of its segments in order. */
export function keptFields(db: ReadDb, rolloutId: number): KeptFields {
  const text = (id: number | null | undefined): string | null =>
    id === null || id === undefined ? null : body(db, id);
  return {
    rollout: text(db.value<number | null>('SELECT extra_body FROM rollouts WHERE id = ?', rolloutId)),
    segments: db
      .column<number | null>('SELECT extra_body FROM segments WHERE rollout_id = ? ORDER BY idx', rolloutId)
      .map(text),
  };
}
