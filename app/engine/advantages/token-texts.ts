// What the tokens of a rollout say: from the log where it has the text of each token, else by a tokenizer file, else not at all.

import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReadDb } from '../../../db/connection.ts';
import { body } from '../../../db/queries/bodies.ts';
import { axisLength, type SegmentPlace, segmentPlaces } from '../../../db/queries/segments.ts';
import { getSetting } from '../../../db/queries/settings.ts';
import { columnOf } from '../../../db/queries/tokens.ts';
import type { TokenTexts } from '../../contract/rollouts.ts';
import type { TokenizerState } from '../../contract/tokenizer.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { fieldsOf, parsedJson } from './kept-fields.ts';
import { type LoadedTokenizer, loadTokenizer, type TokenPiece, tokenizerFile } from './tokenizer.ts';

/** Setting of the workspace that holds the path; empty where none is set. */
export const tokenizerKey = 'tokenizer.path';

/** The names under which logs keep the text of every token of a segment. */
const textFields = ['token_texts', 'token_strings', 'tokens_text', 'token_strs', 'tokens_str', 'tokens'];

/** Tokens around a span that a character may reach into: UTF-8 has at most four bytes. */
const reach = 3;

let loaded: { readonly tokenizer: LoadedTokenizer; readonly mtimeMs: number } | null = null;

/** The tokenizer at a path; read again only when the file has changed. @throws Refusal as `loadTokenizer`. */
function tokenizerAt(path: string): LoadedTokenizer {
  const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
  if (loaded?.tokenizer.path !== path || loaded.mtimeMs !== mtimeMs) {
    loaded = { tokenizer: loadTokenizer(path), mtimeMs };
  }
  return loaded.tokenizer;
}

/** The state of the workspace's setting. A file that cannot be read any more is told, not thrown. */
export function tokenizerState(path: string | null): TokenizerState {
  const none = { path, model: null, vocabulary: null };
  if (path === null) return { ...none, problem: null };
  try {
    const { model, vocabulary } = tokenizerAt(path);
    return { path, model, vocabulary, problem: null };
  } catch (error) {
    return { ...none, problem: messageOf(error) };
  }
}

/** The tokenizer for a rollout: the one given, else the one set, else the one beside its log; null where there is none. */
function tokenizerFor(db: ReadDb, rolloutId: number, given: string | null): LoadedTokenizer | null {
  if (given !== null) return tokenizerAt(given);
  const set = getSetting(db, tokenizerKey) ?? '';
  const source = db.value<string>(
    'SELECT s.path FROM rollouts r JOIN sources s ON s.id = r.source_id WHERE r.id = ?',
    rolloutId,
  );
  const beside = source === undefined ? [] : [join(dirname(source), tokenizerFile), join(source, tokenizerFile)];
  for (const path of [...(set === '' ? [] : [set]), ...beside]) {
    if (!existsSync(path)) continue;
    try {
      return tokenizerAt(path);
    } catch (error) {
      // A broken file is told where it is set; the screen that draws tokens shows ids.
      if (!(error instanceof Refusal)) throw error;
    }
  }
  return null;
}

interface SegmentTexts {
  readonly source: TokenTexts['source'];
  readonly pieces: readonly TokenPiece[];
}

/** The pieces of the tokens [from, to) of a segment, characters that reach over its ends whole. */
function piecesOf(
  db: ReadDb,
  place: SegmentPlace,
  from: number,
  to: number,
  tokenizer: () => LoadedTokenizer | null,
): SegmentTexts {
  const column = columnOf(db, place.id, 'ids');
  const idAt = (token: number): number | null => column?.data[token - column.start] ?? null;
  const texts = loggedTexts(db, place);
  const span = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
  if (texts !== null) {
    const pieces = span.map((token) => ({ ...blank(idAt(token)), text: texts[token] ?? '' }));
    return { source: 'log', pieces };
  }
  const first = Math.max(column?.start ?? 0, from - reach);
  const last = Math.min(place.tokens, (column?.start ?? 0) + (column?.data.length ?? 0), to + reach);
  const decoder = column === null ? null : tokenizer();
  if (column === null || decoder === null) return { source: 'none', pieces: span.map((token) => blank(idAt(token))) };
  const ids = Array.from(column.data.subarray(first - column.start, Math.max(first, last) - column.start));
  const decoded = decoder.decode(ids);
  const pieces = span.map((token) => decoded[token - first] ?? blank(null));
  const ending = pieces.at(-1);
  // The rest of a character that begins in the span belongs to its text.
  if (ending?.goesOn === true) {
    const rest = decoded.slice(to - first).find(({ text }) => text !== '');
    pieces[pieces.length - 1] = { ...ending, text: (ending.text ?? '') + ([...(rest?.text ?? '')][0] ?? '') };
  }
  return { source: 'tokenizer', pieces };
}

function blank(id: number | null): TokenPiece {
  return { id, text: null, partial: false, goesOn: false };
}

/** The log's own text of every token of a segment, kept among its unknown fields; null where it has none. */
function loggedTexts(db: ReadDb, place: SegmentPlace): readonly string[] | null {
  const id = db.value<number | null>('SELECT extra_body FROM segments WHERE id = ?', place.id);
  if (id === null || id === undefined) return null;
  const fields = fieldsOf(parsedJson(body(db, id)));
  for (const name of textFields) {
    const texts = fields.get(name);
    if (!Array.isArray(texts) || texts.length !== place.tokens || place.tokens === 0) continue;
    const strings = texts.filter((text): text is string => typeof text === 'string');
    if (strings.length === texts.length) return strings;
  }
  return null;
}

/**
 * The texts of the tokens [start, end) of the rollout's axis; `given` is a tokenizer file to use instead of the one that is set.
 * @throws Refusal when the given file cannot be used.
 */
export function readTexts(
  db: ReadDb,
  rolloutId: number,
  start: number,
  end: number,
  given: string | null = null,
): TokenTexts {
  const places = segmentPlaces(db, rolloutId);
  const length = axisLength(places);
  const from = Math.min(start, length);
  const to = Math.max(from, Math.min(end, length));
  let found: LoadedTokenizer | null | undefined;
  const tokenizer = (): LoadedTokenizer | null => {
    found ??= tokenizerFor(db, rolloutId, given);
    return found;
  };
  const parts = places
    .filter((place) => place.axisStart < to && place.axisStart + place.tokens > from)
    .map((place) =>
      piecesOf(db, place, Math.max(0, from - place.axisStart), Math.min(place.tokens, to - place.axisStart), tokenizer),
    );
  const pieces = parts.flatMap((part) => part.pieces.map(({ goesOn: _, ...piece }) => piece));
  const source = parts.find((part) => part.source !== 'none')?.source ?? 'none';
  return {
    start: from,
    end: to,
    source,
    text: source === 'none' ? null : pieces.map(({ text }) => text ?? '').join(''),
    pieces,
  };
}
