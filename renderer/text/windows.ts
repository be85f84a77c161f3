// Which parts of a long text are shown while it is collapsed: its head, and a little around every mark, so that no marker
// hides behind "show more".

import type { Mark } from './runs.ts';

export interface Cap {
  readonly lines: number;
  readonly chars: number;
}

export interface TextWindow {
  readonly start: number;
  readonly end: number;
}

/** Most marks that get a window of their own; the text can be expanded for the rest. */
const mostMarkWindows = 24;
const aroundChars = 160;

/**
 * The shown windows of a text under a cap, in order and merged where they touch. One window over everything when the text
 * is within the cap.
 */
export function collapsedWindows(text: string, cap: Cap, marks: readonly Mark[]): TextWindow[] {
  const head = headEnd(text, cap);
  if (head >= text.length) return [{ start: 0, end: text.length }];
  const windows: TextWindow[] = [{ start: 0, end: head }];
  const beyond = marks.filter((mark) => mark.end > head && mark.start < text.length).sort((a, b) => a.start - b.start);
  const current = beyond.filter((mark) => mark.current);
  const chosen = [...current, ...beyond.filter((mark) => !mark.current)].slice(0, mostMarkWindows);
  for (const mark of chosen.sort((a, b) => a.start - b.start)) {
    const window = { start: lineStart(text, mark.start), end: lineEnd(text, Math.min(mark.end, text.length)) };
    const previous = windows.at(-1);
    if (previous !== undefined && window.start <= previous.end + 1) {
      windows[windows.length - 1] = { start: previous.start, end: Math.max(previous.end, window.end) };
    } else {
      windows.push(window);
    }
  }
  return windows;
}

/** Offset at which the head of a capped text ends; the text's length when all of it is within the cap. */
export function headEnd(text: string, cap: Cap): number {
  let at = -1;
  for (let line = 0; line < cap.lines; line += 1) {
    const next = text.indexOf('\n', at + 1);
    if (next === -1) {
      at = text.length;
      break;
    }
    at = next;
  }
  // A few characters over the cap are shown rather than hidden behind a button that is longer than they are.
  const byLines = text.length - at <= 80 && !text.slice(at + 1).includes('\n') ? text.length : at;
  if (byLines <= cap.chars + 80) return byLines;
  const space = text.lastIndexOf(' ', cap.chars);
  return wholeCharacter(text, space > cap.chars - 60 ? space : cap.chars);
}

function lineStart(text: string, offset: number): number {
  const line = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  return wholeCharacter(text, Math.max(line, offset - aroundChars));
}

function lineEnd(text: string, offset: number): number {
  const line = text.indexOf('\n', offset);
  return wholeCharacter(text, Math.min(line === -1 ? text.length : line, offset + aroundChars));
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code >= 0xdc00 && code <= 0xdfff ? offset - 1 : offset;
}

/** Start offsets of lines for a virtual view; a line longer than `longest` is cut into several. */
export function lineOffsets(text: string, longest: number): number[] {
  const starts: number[] = [];
  let at = 0;
  for (;;) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next + 1;
    for (let start = at; start < end || start === at; start = wholeCharacter(text, start + longest)) {
      starts.push(start);
      if (start + longest >= end) break;
    }
    if (next === -1) return starts;
    at = end;
    if (at === text.length) return starts;
  }
}
