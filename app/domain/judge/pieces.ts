// Which parts of a rollout the judge sees, and how much of each: the marked span and its chain first, then summaries in between, the
// task, the end, and what stands around; within a budget, every cut said.

import type { MarkerRow } from '../../contract/records.ts';
import type { ScanPart } from '../detect/types.ts';
import { charactersFor, estimateTokens } from './budget.ts';

/** An excerpt of one part. `chunks` are slices of the part's view text in order; what lies between them was left out. */
export interface Piece {
  readonly part: ScanPart;
  readonly chunks: readonly { readonly start: number; readonly text: string }[];
}

export interface Chosen {
  /** In the order of the rollout. */
  readonly pieces: readonly Piece[];
  /** Something was cut or left out for the budget, among what should have been shown. */
  readonly truncated: boolean;
}

type Place = Pick<MarkerRow, 'item' | 'part' | 'start' | 'end' | 'chain'>;

/** Items on either side of a marked span that are shown when there is room. */
const around = 6;
/** Characters on either side of a span that are always wanted. */
const margin = 1_200;
/** Characters of a part that is shown only for its surroundings. */
const contextCharacters = 1_600;
/** Tokens for the frame of one piece: its JSON keys and numbers. */
const pieceOverhead = 30;

interface Wish {
  readonly part: ScanPart;
  /** Spans that have to be in the excerpt; none: head and tail. */
  readonly spans: readonly { readonly start: number; readonly end: number }[];
  readonly characters: number;
  /** Left out for the budget without the judge having missed evidence. */
  readonly optional: boolean;
}

/** Chooses the excerpts for one marker. `tokens` is what all of them may cost by the estimate. */
export function choosePieces(parts: readonly ScanPart[], marker: Place, tokens: number): Chosen {
  const chosen = new Map<ScanPart, Piece>();
  let left = tokens;
  let truncated = false;
  for (const wish of wishes(parts, marker)) {
    if (chosen.has(wish.part) || wish.part.text.trim() === '') continue;
    const room = Math.min(wish.characters, charactersFor(left - pieceOverhead));
    const piece = room < 80 ? null : excerpt(wish, room);
    const cost = piece === null ? 0 : pieceOverhead + costOf(piece);
    if (piece === null || cost > left) {
      truncated ||= !wish.optional;
      continue;
    }
    if (!wish.optional && charactersOf(piece) < Math.min(wish.part.text.length, wish.characters)) truncated = true;
    chosen.set(wish.part, piece);
    left -= cost;
  }
  return { pieces: parts.flatMap((part) => chosen.get(part) ?? []), truncated };
}

function costOf({ chunks }: Piece): number {
  // JSON escapes of quotes and line breaks lengthen the text.
  return chunks.reduce((sum, { text }) => sum + estimateTokens(JSON.stringify(text)) + 12, 0);
}

function charactersOf({ chunks }: Piece): number {
  return chunks.reduce((sum, { text }) => sum + text.length, 0);
}

/** Parts in the order of their weight. The first wish for a part decides how it is cut. */
function* wishes(parts: readonly ScanPart[], marker: Place): Generator<Wish> {
  const at = (item: number, index: number): ScanPart | undefined =>
    parts.find((part) => part.item === item && part.part === index);
  const hops = [marker, ...marker.chain];
  const seen = new Set<ScanPart>();
  for (const hop of hops) {
    const part = at(hop.item, hop.part);
    if (part === undefined || seen.has(part)) continue;
    seen.add(part);
    const spans = hops.filter((one) => one.item === hop.item && one.part === hop.part);
    yield {
      part,
      spans,
      characters: spans.length * 2 * margin + spans.reduce((sum, { start, end }) => sum + end - start, 0),
      optional: false,
    };
  }
  const items = hops.map(({ item }) => item);
  const first = Math.min(...items);
  const last = Math.max(...items);
  // The answers to marked calls, and what the rest of the marked steps says.
  for (const part of parts) {
    if (items.includes(part.item)) yield { part, spans: [], characters: 2 * contextCharacters, optional: false };
  }
  const task = parts.find((part) => part.role === 'user' && part.itemKind === 'input' && !part.compactionSummary);
  if (task !== undefined) yield { part: task, spans: [], characters: 4_000, optional: false };
  // Summaries that carried the evidence from one segment to the next, and the one the marked segment began with.
  const marked = parts.find((part) => part.item === marker.item)?.segment ?? 0;
  for (const part of parts) {
    const between = part.item >= first && part.item <= last;
    const opening = part.segment === marked && part.item <= marker.item;
    if ((part.compactionSummary || part.stepKind === 'summary') && (between || opening)) {
      yield { part, spans: [], characters: 3 * contextCharacters, optional: false };
    }
  }
  const final = parts.findLast((part) => part.role === 'assistant' && part.kind === 'text' && !part.copied);
  if (final !== undefined) yield { part: final, spans: [], characters: 2 * contextCharacters, optional: true };
  for (let distance = 1; distance <= around; distance++) {
    for (const part of parts) {
      if (part.copied) continue;
      if (items.some((item) => Math.abs(part.item - item) === distance)) {
        yield { part, spans: [], characters: contextCharacters, optional: true };
      }
    }
  }
}

/** At most `room` characters: around the spans, or head and tail. */
function excerpt(wish: Wish, room: number): Piece {
  const { part, spans } = wish;
  const { text } = part;
  if (text.length <= room) return { part, chunks: [{ start: 0, text }] };
  if (spans.length === 0) {
    const head = Math.ceil(room * 0.6);
    return {
      part,
      chunks: chunksOf(text, [
        [0, head],
        [text.length - (room - head), text.length],
      ]),
    };
  }
  const covered = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const share = Math.max(0, Math.floor((room - covered) / (2 * spans.length)));
  const ranges = spans
    .map(({ start, end }): [number, number] => [
      Math.max(0, start - share),
      // A span that alone is larger than the room is cut at its end.
      Math.min(text.length, Math.min(end, start + room) + share),
    ])
    .toSorted((a, b) => a[0] - b[0]);
  return { part, chunks: chunksOf(text, ranges) };
}

/** Slices at these ranges, joined where they touch, never inside a surrogate pair. */
function chunksOf(text: string, ranges: readonly [number, number][]): Piece['chunks'] {
  const merged: [number, number][] = [];
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged.map(([start, end]) => {
    const from = isLow(text.charCodeAt(start)) ? start + 1 : start;
    const to = isLow(text.charCodeAt(end)) ? end - 1 : end;
    return { start: from, text: text.slice(from, to) };
  });
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
