// What a person selected, as a span of one part's view text. Runs say their offset (`data-at`, see OffsetsContext), the part its
// item and index (`data-part`).

import type { Span } from '../../app/contract/index.ts';

/** A selected span with its words. */
export interface SelectedSpan extends Span {
  readonly quote: string;
}

/** The span selected within `root`; null without a selection, or one that spreads over several parts. */
export function selectedSpan(root: Element, selection: Selection | null): SelectedSpan | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const range = selection.getRangeAt(0);
  const part = partOf(range.commonAncestorContainer);
  if (part === null || !root.contains(part)) return null;
  const [item, index] = (part.getAttribute('data-part') ?? '').split(':').map(Number);
  if (item === undefined || index === undefined) return null;
  const runs = [...part.querySelectorAll('[data-at]')].filter((run) => range.intersectsNode(run));
  const first = runs[0];
  const last = runs.at(-1);
  if (first === undefined || last === undefined) return null;
  const start = offsetIn(first, range.startContainer, range.startOffset, 0);
  const end = offsetIn(last, range.endContainer, range.endOffset, (last.textContent ?? '').length);
  const quote = selection.toString();
  return end > start && quote.trim() !== '' ? { item, part: index, start, end, quote } : null;
}

function partOf(node: Node): Element | null {
  const element = node instanceof Element ? node : node.parentElement;
  return element?.closest('[data-part]') ?? null;
}

/** Offset in the part's text of a border of the range; `otherwise` within the run when the border lies outside of it. */
function offsetIn(run: Element, container: Node, offset: number, otherwise: number): number {
  const at = Number(run.getAttribute('data-at'));
  // A hidden character is shown by a word that is not in the text: the run is one character then.
  if (run.querySelector('.hidden-char') !== null) return at + (otherwise === 0 ? 0 : 1);
  if (!run.contains(container)) return at + otherwise;
  if (container.nodeType === Node.TEXT_NODE) return at + offset;
  return at + (offset === 0 ? 0 : otherwise);
}

/** Whose text the keyboard starts to select: the marked words in view, else the beginning of the item. */
function startingPoint(root: Element, item: number): Text | null {
  const row = root.querySelector(`[data-item="${item}"]`);
  const place = row?.querySelector('.mark-marker-current[data-at]') ?? row?.querySelector('[data-at]') ?? null;
  const text = place === null ? null : document.createTreeWalker(place, NodeFilter.SHOW_TEXT).nextNode();
  return text instanceof Text ? text : null;
}

/** Begins or extends the selection from the keyboard, by a word or a line. */
export function extendSelection(
  root: Element,
  item: number,
  direction: 'forward' | 'backward',
  by: 'word' | 'line',
): void {
  const selection = window.getSelection();
  if (selection === null) return;
  if (selection.isCollapsed || partOf(selection.anchorNode ?? root) === null) {
    const text = startingPoint(root, item);
    if (text === null) return;
    selection.collapse(text, 0);
  }
  selection.modify('extend', direction, by);
}
