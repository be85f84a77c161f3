// A small, safe reading of markdown: blocks and inline styles whose leaves keep their offsets in the source. It never
// produces HTML, links or images; what it does not know stays text. Meant for what models write, not for documents.

/** A leaf or a styled span: source offsets of the shown text, without its marks. */
export interface Inline {
  readonly style: 'text' | 'code' | 'strong' | 'em' | 'strike';
  readonly start: number;
  readonly end: number;
}

export type Block =
  | { readonly kind: 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'heading'; readonly level: number; readonly inlines: readonly Inline[] }
  | { readonly kind: 'quote'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly ListItem[] }
  /** `info` is what stands behind the opening fence: a language, or anything a model wrote there; it is shown as well. */
  | {
      readonly kind: 'code';
      readonly info: { readonly start: number; readonly end: number };
      readonly start: number;
      readonly end: number;
    }
  | { readonly kind: 'rule' };

interface ListItem {
  readonly indent: number;
  /** The marker as written: `-`, `1.`, `[x]`. */
  readonly bullet: string;
  readonly inlines: readonly Inline[];
}

const mostCallLines = 400;

interface Line {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*/;
/** Tool calls that a model writes as tags into its text; shown verbatim, for they are commands and not prose. */
const callTag =
  /^\s{0,3}<((?:function|tool|execute|invoke|bash|shell|python|command|parameter|action|code)[\w.-]*)[^<>]*>/i;
const heading = /^ {0,3}(#{1,6})\s+/;
const listItem = /^(\s*)([-*+]|\d{1,9}[.)])\s+(\[[ xX]\]\s+)?/;
const quote = /^ {0,3}>\s?/;
const rule = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;

/** Parses text[from, to) into blocks. Offsets are those of `text`. Runs in linear time. */
export function parseMarkdown(text: string, from: number, to: number): Block[] {
  const lines = splitLines(text, from, to);
  const blocks: Block[] = [];
  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (line === undefined) break;
    const fenced = fence.exec(line.text);
    const callEnd = endOfCall(lines, index, to < text.length);
    if (fenced !== null) {
      index = readFence(lines, index, fenced, blocks);
    } else if (callEnd !== null) {
      const end = lines[callEnd]?.end ?? line.end;
      blocks.push({ kind: 'code', info: { start: line.start, end: line.start }, start: line.start, end });
      index = callEnd + 1;
    } else if (line.text.trim() === '') {
      index += 1;
    } else if (rule.test(line.text)) {
      blocks.push({ kind: 'rule' });
      index += 1;
    } else if (heading.test(line.text)) {
      const mark = heading.exec(line.text);
      const level = mark?.[1]?.length ?? 1;
      blocks.push({
        kind: 'heading',
        level,
        inlines: parseInline(text, line.start + (mark?.[0].length ?? 0), line.end),
      });
      index += 1;
    } else if (listItem.test(line.text)) {
      index = readList(text, lines, index, blocks);
    } else if (quote.test(line.text)) {
      index = readQuote(text, lines, index, blocks);
    } else {
      index = readParagraph(text, lines, index, blocks);
    }
  }
  return blocks;
}

function splitLines(text: string, from: number, to: number): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (start < to) {
    const next = text.indexOf('\n', start);
    const end = next === -1 || next >= to ? to : next;
    lines.push({ start, end, text: text.slice(start, end) });
    start = end + 1;
  }
  return lines;
}

/**
 * The line that closes the call which opens at a line; null when none opens there or it is never closed. Where the text
 * goes on behind the range (`cut`), an open call reaches to the end of the range.
 */
function endOfCall(lines: readonly Line[], first: number, cut: boolean): number | null {
  const tag = callTag.exec(lines[first]?.text ?? '')?.[1];
  if (tag === undefined) return null;
  const close = `</${tag}>`;
  const most = Math.min(lines.length, first + mostCallLines);
  for (let at = first; at < most; at += 1) if (lines[at]?.text.includes(close) === true) return at;
  return cut && most === lines.length ? lines.length - 1 : null;
}

function readFence(lines: readonly Line[], first: number, opening: RegExpExecArray, blocks: Block[]): number {
  const mark = opening[1] ?? '```';
  const character = mark[0] ?? '`';
  const open = lines[first];
  if (open === undefined) return first + 1;
  let last = first + 1;
  while (last < lines.length) {
    const text = lines[last]?.text.trim() ?? '';
    if (text.length >= mark.length && text === character.repeat(text.length)) break;
    last += 1;
  }
  const start = lines[first + 1]?.start ?? open.end;
  const end = last > first + 1 ? (lines[last - 1]?.end ?? start) : start;
  blocks.push({ kind: 'code', info: { start: open.start + opening[0].length, end: open.end }, start, end });
  return last + 1;
}

function readList(text: string, lines: readonly Line[], first: number, blocks: Block[]): number {
  const items: ListItem[] = [];
  const ordered = /^\s*\d/.test(lines[first]?.text ?? '');
  let index = first;
  while (index < lines.length) {
    const line = lines[index];
    const mark = line === undefined ? null : listItem.exec(line.text);
    if (line === undefined || mark === null) break;
    const box = mark[3]?.trim();
    let inlines = parseInline(text, line.start + mark[0].length, line.end);
    index += 1;
    // Indented lines that start nothing of their own belong to the item.
    while (index < lines.length) {
      const more = lines[index];
      if (more === undefined || !/^\s{2,}\S/.test(more.text) || listItem.test(more.text) || fence.test(more.text))
        break;
      const indent = more.text.length - more.text.trimStart().length;
      inlines = [
        ...inlines,
        { style: 'text', start: more.start - 1, end: more.start },
        ...parseInline(text, more.start + indent, more.end),
      ];
      index += 1;
    }
    items.push({ indent: Math.min(6, Math.floor((mark[1]?.length ?? 0) / 2)), bullet: box ?? mark[2] ?? '-', inlines });
  }
  blocks.push({ kind: 'list', ordered, items });
  return index;
}

function readQuote(text: string, lines: readonly Line[], first: number, blocks: Block[]): number {
  const inlines: Inline[] = [];
  let index = first;
  while (index < lines.length) {
    const line = lines[index];
    const mark = line === undefined ? null : quote.exec(line.text);
    if (line === undefined || mark === null) break;
    if (index > first) inlines.push({ style: 'text', start: line.start - 1, end: line.start });
    inlines.push(...parseInline(text, line.start + mark[0].length, line.end));
    index += 1;
  }
  blocks.push({ kind: 'quote', inlines });
  return index;
}

function startsBlock(line: string): boolean {
  return [fence, callTag, heading, listItem, quote].some((start) => start.test(line));
}

function readParagraph(text: string, lines: readonly Line[], first: number, blocks: Block[]): number {
  let index = first + 1;
  while (index < lines.length) {
    const line = lines[index]?.text ?? '';
    if (line.trim() === '' || startsBlock(line)) break;
    index += 1;
  }
  const start = lines[first]?.start ?? 0;
  const end = lines[index - 1]?.end ?? start;
  blocks.push({ kind: 'paragraph', inlines: parseInline(text, start, end) });
  return index;
}

/**
 * Styles a span may have; underscores are none, for `__init__` and `__pycache__` must keep theirs. The closing mark is looked
 * for within 2,000 characters and the same paragraph.
 */
const styles: readonly { readonly mark: string; readonly style: Inline['style'] }[] = [
  { mark: '**', style: 'strong' },
  { mark: '~~', style: 'strike' },
  { mark: '*', style: 'em' },
];
const farthest = 2000;

/** Inline code, bold, emphasis and strike-through; everything else is text. Spans do not nest. */
function parseInline(text: string, from: number, to: number): Inline[] {
  const inlines: Inline[] = [];
  let plain = from;
  let at = from;
  const take = (style: Inline['style'], open: number, start: number, end: number, next: number) => {
    if (open > plain) inlines.push({ style: 'text', start: plain, end: open });
    inlines.push({ style, start, end });
    plain = next;
    at = next;
  };
  while (at < to) {
    const character = text[at];
    if (character === '\\' && at + 1 < to) {
      at += 2;
    } else if (character === '`') {
      let ticks = 1;
      while (text[at + ticks] === '`') ticks += 1;
      const close = within(text, '`'.repeat(ticks), at + ticks, to);
      if (close === -1 || close === at + ticks) at += ticks;
      else take('code', at, at + ticks, close, close + ticks);
    } else {
      const found = styles.find(({ mark }) => text.startsWith(mark, at));
      const close = found === undefined ? -1 : closing(text, found.mark, at, to);
      if (found === undefined || close === -1) at += found?.mark.length ?? 1;
      else take(found.style, at, at + found.mark.length, close, close + found.mark.length);
    }
  }
  if (to > plain) inlines.push({ style: 'text', start: plain, end: to });
  return inlines;
}

function within(text: string, mark: string, from: number, to: number): number {
  const found = text.slice(from, Math.min(to, from + farthest)).indexOf(mark);
  return found === -1 ? -1 : from + found;
}

/** What may stand before an opening mark and behind a closing one. Within words and paths a star is a star. */
const beforeMark = /[\s([{"'“‘—–:*~]/;
const behindMark = /[\s)\]}"'”’—–:;,.!?*~]/;

/** Offset of the mark that closes the one at `open`; -1 unless both touch text on their inner side and none on the outer. */
function closing(text: string, mark: string, open: number, to: number): number {
  const start = open + mark.length;
  if (start >= to || /\s/.test(text[start] ?? ' ')) return -1;
  if (!beforeMark.test(text[open - 1] ?? ' ')) return -1;
  const close = within(text, mark, start, to);
  if (close <= start || /\s/.test(text[close - 1] ?? ' ')) return -1;
  return behindMark.test(text[close + mark.length] ?? ' ') ? close : -1;
}
