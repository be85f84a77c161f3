// What this person chose and the app remembers: theme, shortcuts, panel sizes, columns. Kept in localStorage of the
// page's origin, parsed on the way in (a broken or older value falls back to its default, field by field).

import { z } from 'zod';
import { create } from 'zustand';

const storageKey = 'rollscope-preferences';

const panel = z.object({ size: z.number().min(0).max(4000), open: z.boolean() });
export type PanelState = z.infer<typeof panel>;

const tableLayout = z.object({
  hidden: z.array(z.string()),
  order: z.array(z.string()),
  widths: z.record(z.string(), z.number().min(20).max(2000)),
});
export type TableLayout = z.infer<typeof tableLayout>;

const preferences = z.object({
  theme: z.enum(['system', 'dark', 'light']).catch('system'),
  /** Single-letter shortcuts; Ctrl and Command combinations always work. */
  singleKeys: z.boolean().catch(true),
  /** In a review: the next item comes when a label is saved; what was hidden is shown afterwards. */
  reviewAdvance: z.boolean().catch(true),
  reviewReveal: z.boolean().catch(true),
  panels: z.record(z.string(), panel).catch({}),
  /** Layouts of tables by name; absent until something was changed. */
  tables: z.record(z.string(), tableLayout).catch({}),
  /** Last path typed into the import dialog. */
  lastPath: z.string().catch(''),
});
export type Preferences = z.infer<typeof preferences>;
export type Theme = Preferences['theme'];

const defaults: Preferences = {
  theme: 'system',
  singleKeys: true,
  reviewAdvance: true,
  reviewReveal: true,
  panels: {},
  tables: {},
  lastPath: '',
};

/** The preferences of a stored text; the defaults for what is missing or unreadable. */
export function parsePreferences(text: string | null): Preferences {
  if (text === null) return defaults;
  try {
    const parsed = preferences.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : defaults;
  } catch {
    return defaults;
  }
}

/** The store. Read with a selector, change with `setPreferences`. */
export const usePreferences = create<Preferences>(() => parsePreferences(readStorage()));

function readStorage(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    // Storage can be forbidden by the browser; the app then works with defaults.
    return null;
  }
}

/** Changes some preferences and remembers them. */
export function setPreferences(change: Partial<Preferences>): void {
  usePreferences.setState(change);
  try {
    localStorage.setItem(storageKey, JSON.stringify(usePreferences.getState()));
  } catch {
    // See readStorage: the choice then holds until the page is closed.
  }
}

function darkScheme(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)');
}

/** Whether the page is dark now. */
export function isDark(theme: Theme): boolean {
  return theme === 'dark' || (theme === 'system' && darkScheme().matches);
}

/** Keeps `data-theme` of the document equal to the preference and, for `system`, to the system. */
export function followTheme(): void {
  const apply = (): void => {
    document.documentElement.dataset.theme = isDark(usePreferences.getState().theme) ? 'dark' : 'light';
  };
  apply();
  usePreferences.subscribe(apply);
  darkScheme().addEventListener('change', apply);
}
