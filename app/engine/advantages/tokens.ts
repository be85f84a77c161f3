// Token columns of a rollout as plain arrays, for the command line and for export.

import { stretchColumn } from '../../../db/codec.ts';
import type { ReadDb } from '../../../db/connection.ts';
import { segmentPlaces } from '../../../db/queries/segments.ts';
import { columnsOf, runRowId, runValues } from '../../../db/queries/tokens.ts';
import { readTexts } from './token-texts.ts';

export interface SegmentTokens {
  readonly index: number;
  /** Token ids; null where the log has none. */
  readonly ids: readonly number[] | null;
  /** 1 for trainable tokens; null where the log has no mask. */
  readonly lossMask: readonly number[] | null;
  /** Every other column by name, one value per token from the segment's first; null for what is not known. */
  readonly columns: Readonly<Record<string, readonly (number | null)[]>>;
  /** What each token adds to the text; absent unless texts are wanted, null where there are none. */
  readonly texts?: readonly (string | null)[] | null;
}

/** Texts of the tokens: from the log or the workspace's tokenizer, or by a tokenizer file. */
export interface TextChoice {
  readonly tokenizer: string | null;
}

/**
 * Token columns of every segment; with `run` also that run's columns, as `run.advantages` and so on; with `texts` also what the
 * tokens say.
 */
export function readTokens(
  db: ReadDb,
  rolloutId: number,
  run: string | undefined,
  texts: TextChoice | undefined,
): SegmentTokens[] {
  const runId = run === undefined ? null : runRowId(db, rolloutId, run);
  return segmentPlaces(db, rolloutId).map((place) => {
    const columns: Record<string, (number | null)[]> = {};
    let ids: number[] | null = null;
    let lossMask: number[] | null = null;
    for (const column of columnsOf(db, place.id)) {
      const values = Array.from(stretchColumn(column, place.tokens));
      if (column.name === 'ids') ids = values;
      else if (column.name === 'loss_mask') lossMask = values;
      else columns[column.name] = values.map(known);
    }
    if (runId !== null) {
      for (const [name, data] of runValues(db, runId, place.id, place.tokens))
        columns[`run.${name}`] = Array.from(data, known);
    }
    const tokens = { index: place.index, ids, lossMask, columns };
    if (texts === undefined) return tokens;
    const { source, pieces } = readTexts(
      db,
      rolloutId,
      place.axisStart,
      place.axisStart + place.tokens,
      texts.tokenizer,
    );
    return { ...tokens, texts: source === 'none' ? null : pieces.map(({ text }) => text) };
  });
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
