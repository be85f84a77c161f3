// Text that was taken out of or rewritten from a view text and still knows, for every character, where it came from. A rule
// may match the decoded form of a command; its marker must point at the characters on the screen.

/** The characters from `at` to the next piece come from [from, to) of the view text; `exact` when one by one. */
interface Piece {
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly exact: boolean;
}

export interface Mapped {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

export interface Edit {
  /** Span in the text that is edited. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A text that stands in the view text as it is, from `offset` on. */
export function mapped(text: string, offset = 0): Mapped {
  return { text, pieces: text === '' ? [] : [{ at: 0, from: offset, to: offset + text.length, exact: true }] };
}

/** Collects text piece by piece; neighbouring exact pieces are merged. */
export class MappedBuilder {
  #text = '';
  #pieces: Piece[] = [];

  get length(): number {
    return this.#text.length;
  }

  /** Appends characters [start, end) of another mapped text. */
  add(source: Mapped, start: number, end: number): void {
    if (end <= start) return;
    for (let i = pieceIndex(source, start); i < source.pieces.length; i++) {
      const piece = source.pieces[i];
      if (piece === undefined || piece.at >= end) break;
      const next = source.pieces[i + 1]?.at ?? source.text.length;
      const left = Math.max(start, piece.at);
      const right = Math.min(end, next);
      if (piece.exact) this.#push(piece.from + left - piece.at, piece.from + right - piece.at, true);
      else this.#push(piece.from, piece.to, false);
      this.#text += source.text.slice(left, right);
    }
  }

  /** Appends text that replaces [from, to) of the view text. */
  replace(text: string, from: number, to: number): void {
    if (text === '') return;
    this.#push(from, to, false);
    this.#text += text;
  }

  build(): Mapped {
    return { text: this.#text, pieces: this.#pieces };
  }

  #push(from: number, to: number, exact: boolean): void {
    const last = this.#pieces.at(-1);
    if (last?.exact === true && exact && last.to === from) {
      this.#pieces[this.#pieces.length - 1] = { ...last, to };
      return;
    }
    this.#pieces.push({ at: this.#text.length, from, to, exact });
  }
}

/** Characters [start, end) of a mapped text. */
export function slice(source: Mapped, start: number, end: number): Mapped {
  if (start <= 0 && end >= source.text.length) return source;
  const builder = new MappedBuilder();
  builder.add(source, Math.max(0, start), Math.min(source.text.length, end));
  return builder.build();
}

/** The span of the view text that characters [start, end) come from. An empty text has no origin: [0, 0). */
export function origin(source: Mapped, start = 0, end = source.text.length): { start: number; end: number } {
  if (source.pieces.length === 0) return { start: 0, end: 0 };
  const last = Math.max(start, end - 1);
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (let i = pieceIndex(source, start); i < source.pieces.length; i++) {
    const piece = source.pieces[i];
    if (piece === undefined || (piece.at > last && i > 0)) break;
    const next = source.pieces[i + 1]?.at ?? source.text.length;
    const left = Math.max(start, piece.at);
    const right = Math.min(end, next);
    from = Math.min(from, piece.exact ? piece.from + left - piece.at : piece.from);
    to = Math.max(to, piece.exact ? piece.from + Math.max(left, right) - piece.at : piece.to);
  }
  return Number.isFinite(from) ? { start: from, end: Math.max(from, to) } : { start: 0, end: 0 };
}

/** Applies edits, which must not overlap; each inserted text maps to what it replaces. */
export function edited(source: Mapped, edits: readonly Edit[]): Mapped {
  if (edits.length === 0) return source;
  const builder = new MappedBuilder();
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    builder.add(source, at, edit.start);
    const from = origin(source, edit.start, edit.end);
    builder.replace(edit.text, from.start, from.end);
    at = edit.end;
  }
  builder.add(source, at, source.text.length);
  return builder.build();
}

/** Index of the piece that holds character `at`, by bisection. */
function pieceIndex(source: Mapped, at: number): number {
  let low = 0;
  let high = source.pieces.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((source.pieces[middle]?.at ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}
