// Terminal output to styled pieces that keep their offsets in the source. Colours come as names, mapped to theme classes
// by the caller; the escape sequences themselves are left out of the pieces.

import Anser from 'anser';

/** A piece of output: source offsets of its text, without the escape sequence before it. */
export interface AnsiPiece {
  readonly start: number;
  readonly end: number;
  /** Class names: `ansi-red`, `ansi-bg-blue`, `ansi-bold`... Empty for plain text. */
  readonly classes: string;
  /** Exact colours where the output asks for 256 or true colours. */
  readonly colour: string | null;
  readonly background: string | null;
}

const escapeCharacter = '\u001b';
// An operating-system command (window titles, hyperlinks) or a two-character escape: no text, no style.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding escape sequences is the purpose
const otherEscape = /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[()][0-9A-B]|[=>78cDEHMNOZ])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding escape sequences is the purpose
const csi = /\u001b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]/y;
const rgb = /^\d{1,3}, ?\d{1,3}, ?\d{1,3}$/;

/** Whether a text holds escape sequences at all. */
export function hasAnsi(text: string): boolean {
  return text.includes(escapeCharacter);
}

/** Cuts text[from, to) into styled pieces. Sequences it does not know stay in the text, where they are shown as ␛. */
export function ansiPieces(text: string, from: number, to: number): AnsiPiece[] {
  const terminal = new Anser();
  const pieces: AnsiPiece[] = [];
  let style: Omit<AnsiPiece, 'start' | 'end'> = plain;
  let at = from;
  while (at < to) {
    const next = text.indexOf(escapeCharacter, at);
    const stop = next === -1 || next >= to ? to : next;
    if (stop > at) pieces.push({ start: at, end: stop, ...style });
    if (stop === to) break;
    const sequence = match(csi, text, stop);
    if (sequence !== null && stop + sequence.length <= to) {
      // One character of text behind the sequence makes the parser report the style in force after it.
      if (sequence.endsWith('m')) style = styleOf(terminal, `${sequence.slice(2)}x`) ?? style;
      at = stop + sequence.length;
      continue;
    }
    const other = match(otherEscape, text, stop);
    if (other !== null && stop + other.length <= to) {
      at = stop + other.length;
      continue;
    }
    pieces.push({ start: stop, end: stop + 1, ...style });
    at = stop + 1;
  }
  return pieces;
}

const plain = { classes: '', colour: null, background: null };

function match(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function styleOf(terminal: Anser, chunk: string): Omit<AnsiPiece, 'start' | 'end'> | null {
  const entry = terminal.processChunkJson(chunk, { json: true, use_classes: true }, true);
  const classes: string[] = entry.decorations.map((decoration) => `ansi-${decoration}`);
  let colour: string | null = null;
  let background: string | null = null;
  if (entry.fg) {
    if (entry.fg === 'ansi-truecolor') colour = trueColour(entry.fg_truecolor);
    else classes.push(entry.fg);
  }
  if (entry.bg) {
    if (entry.bg === 'ansi-truecolor') background = trueColour(entry.bg_truecolor);
    else classes.push(entry.bg.replace('ansi-', 'ansi-bg-'));
  }
  return { classes: classes.join(' '), colour, background };
}

function trueColour(value: string): string | null {
  return rgb.test(value) ? `rgb(${value})` : null;
}
