// Keyboard: names of keys, matching, and when a key press is a command at all. No React, no table of commands here.
//
// A key is written as it is printed: `j`, `U` (shift and u), `?`, `[`, `Enter`, `Escape`, `ArrowDown`, `Shift+Enter`,
// `Mod+k` (Ctrl, or Command on a Mac).

const named = new Set(['Enter', 'Escape', 'Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown', 'Space']);

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'getModifierState'>;

/** The name of a key press, in the notation above; null for what is never a command (bare modifiers, AltGr text). */
export function keyName(event: KeyPress): string | null {
  if (['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'Dead', 'Unidentified', 'Process'].includes(event.key))
    return null;
  if (event.altKey) return null;
  const mod = event.ctrlKey || event.metaKey ? 'Mod+' : '';
  const key = event.key === ' ' ? 'Space' : event.key;
  if (key.length > 1) return `${mod}${event.shiftKey ? 'Shift+' : ''}${key}`;
  if (mod !== '') return `${mod}${event.shiftKey ? 'Shift+' : ''}${key.toLowerCase()}`;
  // Caps Lock must not turn undo into redo: with it on, the shift key decides and not the case of the letter.
  if (!event.getModifierState('CapsLock')) return key;
  return event.shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/** Whether a key is a command without a modifier, which a person may want to switch off (WCAG 2.1.4). */
export function isSingleKey(name: string): boolean {
  return !name.includes('Mod+') && name.replace('Shift+', '').length === 1;
}

const editable =
  'input, textarea, select, [contenteditable=""], [contenteditable="true"], [role="textbox"], [role="combobox"]';
const notTyped = 'input:is([type="checkbox"], [type="radio"], [type="button"], [type="submit"], [type="range"])';
/** Things that own their keys while they are open. */
const owners = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-own-keys]';
const activated =
  'button, a[href], summary, [role="button"], [role="tab"], [role="checkbox"], [role="switch"], [role="menuitem"]';
const adjusted =
  '[role="slider"], [role="separator"], input[type="range"], input[type="radio"], [role="tab"], [role="radio"]';

/** Whether the focus is in a field that takes text. */
function isEditable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(editable) !== null && target.closest(notTyped) === null;
}

/** Whether a press of `name` on `target` belongs to the focused element and must not be a command. */
export function belongsToFocus(name: string, target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(owners) !== null) return !name.startsWith('Mod+');
  if (isEditable(target)) return !name.startsWith('Mod+') || /^Mod\+(Shift\+)?[azxcv]$/.test(name);
  if (name === 'Enter' || name === 'Space') return target.closest(activated) !== null;
  if (name.startsWith('Arrow') || name === 'Home' || name === 'End') return target.closest(adjusted) !== null;
  return false;
}

const symbols: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  Enter: 'Enter',
  Space: 'Space',
};

/** Whether this machine's people say Command for Mod. */
const onMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A key as it is shown to people: `Ctrl K`, `⌘K`, `Esc`. */
export function keyLabel(name: string, mac: boolean = onMac): string {
  const parts = name.split(/\+(?=.)/);
  const last = parts.at(-1) ?? '';
  const shown = symbols[last] ?? (named.has(last) ? last : parts.length > 1 ? last.toUpperCase() : last);
  const mods = parts.slice(0, -1).map((mod) => (mod === 'Mod' ? (mac ? '⌘' : 'Ctrl ') : mac ? '⇧' : 'Shift '));
  return `${mods.join('')}${shown}`;
}
