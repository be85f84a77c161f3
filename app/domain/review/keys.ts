// The keys of the review screen itself. A label schema cannot have them: a key means one thing.

/** Key and what it does; the screen's actions use the same keys (a test compares them). */
export const reservedKeys = [
  { key: 'u', does: 'undo' },
  { key: 'U', does: 'redo' },
  { key: '?', does: 'keyboard shortcuts' },
  { key: '/', does: 'search' },
  { key: 'i', does: 'task, contract and summaries' },
  { key: 'j', does: 'next step' },
  { key: 'k', does: 'previous step' },
  { key: 'n', does: 'next place of the evidence' },
  { key: 'p', does: 'previous place of the evidence' },
  { key: 'e', does: 'note' },
  { key: 's', does: 'skip' },
  { key: 'm', does: 'raw or rendered text' },
  { key: 'r', does: 'the rest of the rollout' },
  { key: 'l', does: 'the last decisions' },
  { key: '[', does: 'previous segment' },
  { key: ']', does: 'next segment' },
  { key: '0', does: 'clear the selection' },
  { key: '+', does: 'more confident' },
  { key: '=', does: 'more confident' },
  { key: '-', does: 'less confident' },
  { key: '<', does: 'back to the last decision' },
  { key: '>', does: 'on to the item in hand' },
  { key: 'Enter', does: 'save and go on' },
  { key: 'Escape', does: 'back' },
  { key: 'Tab', does: 'next control' },
  { key: ' ', does: 'scroll' },
  { key: 'Backspace', does: 'nothing: a stray one must not answer' },
] as const;

/** What the app itself does with a key; null for a free one. Chords belong to the app altogether. */
export function reservedFor(key: string): string | null {
  const found = reservedKeys.find((each) => each.key === key);
  if (found !== undefined) return found.does;
  return [...key].length === 1 ? null : 'a key of the app';
}
