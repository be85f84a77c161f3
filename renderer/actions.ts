// One table of everything a person can do: the palette, the `?` sheet, menus and shortcuts all read it. The table says
// what exists; screens say what it does by `useActions(scope, handlers)` while they are shown.

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { belongsToFocus, isSingleKey, keyName } from './ui/keys.ts';

/** Later scopes win over earlier ones when they share a key. */
export const scopes = [
  'app',
  'library',
  'rollout',
  'imports',
  'filter',
  'agreement',
  'whatIf',
  'group',
  'judge',
] as const;
export type Scope = (typeof scopes)[number];

export interface ActionDefinition {
  readonly id: string;
  readonly title: string;
  /** In the notation of ui/keys.ts; the first one is shown. */
  readonly keys: readonly string[];
  readonly scope: Scope;
  /** Heading in the `?` sheet. */
  readonly section: 'Go' | 'Move' | 'Find' | 'View' | 'Label' | 'Data' | 'Help';
  /** Too small for the palette (moving a selection). */
  readonly keyOnly?: boolean;
}

export const actionTable = [
  { id: 'app.palette', title: 'Search and commands', keys: ['Mod+k'], scope: 'app', section: 'Find', keyOnly: true },
  { id: 'app.find', title: 'Search', keys: ['/'], scope: 'app', section: 'Find', keyOnly: true },
  { id: 'app.help', title: 'Keyboard shortcuts', keys: ['?'], scope: 'app', section: 'Help' },
  { id: 'app.back', title: 'Back to the library', keys: ['Escape'], scope: 'app', section: 'Go', keyOnly: true },
  { id: 'app.goLibrary', title: 'Go to Library', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goFilter', title: 'Go to Filter', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goAgreement', title: 'Go to Agreement', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goJudge', title: 'Go to Judge', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goImports', title: 'Go to Imports', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goSettings', title: 'Go to Settings', keys: ['Mod+,'], scope: 'app', section: 'Go' },
  { id: 'app.import', title: 'Import files…', keys: ['Mod+o'], scope: 'app', section: 'Data' },
  { id: 'app.importPath', title: 'Import a path…', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.demo', title: 'Open the demo', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.scan', title: 'Run the rule pack over all rollouts', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.cancelJob', title: 'Cancel the running job', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.toggleTheme', title: 'Switch between dark and light', keys: [], scope: 'app', section: 'View' },
  { id: 'app.toggleInspector', title: 'Show or hide the inspector', keys: ['i'], scope: 'app', section: 'View' },
  { id: 'app.undo', title: 'Undo the last label', keys: ['u'], scope: 'app', section: 'Label' },
  { id: 'app.redo', title: 'Redo the label', keys: ['U'], scope: 'app', section: 'Label' },

  { id: 'library.next', title: 'Next row', keys: ['j', 'ArrowDown'], scope: 'library', section: 'Move', keyOnly: true },
  {
    id: 'library.previous',
    title: 'Previous row',
    keys: ['k', 'ArrowUp'],
    scope: 'library',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'library.pageDown', title: 'Page down', keys: ['PageDown'], scope: 'library', section: 'Move', keyOnly: true },
  { id: 'library.pageUp', title: 'Page up', keys: ['PageUp'], scope: 'library', section: 'Move', keyOnly: true },
  { id: 'library.first', title: 'First row', keys: ['Home'], scope: 'library', section: 'Move', keyOnly: true },
  { id: 'library.last', title: 'Last row', keys: ['End'], scope: 'library', section: 'Move', keyOnly: true },
  { id: 'library.open', title: 'Open the selected rollout', keys: ['Enter'], scope: 'library', section: 'Go' },
  { id: 'library.board', title: 'Group board of the selected rollout', keys: ['b'], scope: 'library', section: 'Go' },
  { id: 'library.addFilter', title: 'Add a filter', keys: ['f', 'F'], scope: 'library', section: 'Find' },
  { id: 'library.clearFilters', title: 'Clear filters and search', keys: [], scope: 'library', section: 'Find' },
  { id: 'library.hack', title: 'Label the rollout: hack', keys: ['1'], scope: 'library', section: 'Label' },
  { id: 'library.clean', title: 'Label the rollout: clean', keys: ['2'], scope: 'library', section: 'Label' },
  { id: 'library.unsure', title: 'Label the rollout: unsure', keys: ['3'], scope: 'library', section: 'Label' },
  { id: 'library.demo', title: 'Open the demo', keys: ['D', 'd'], scope: 'library', section: 'Data' },
  { id: 'library.columns', title: 'Choose columns', keys: [], scope: 'library', section: 'View' },
  { id: 'library.group', title: 'Group rows by task', keys: ['g'], scope: 'library', section: 'View' },

  {
    id: 'rollout.nextItem',
    title: 'Next step',
    keys: ['j', 'ArrowDown'],
    scope: 'rollout',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'rollout.previousItem',
    title: 'Previous step',
    keys: ['k', 'ArrowUp'],
    scope: 'rollout',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'rollout.nextSegment', title: 'Next segment', keys: [']'], scope: 'rollout', section: 'Move' },
  { id: 'rollout.previousSegment', title: 'Previous segment', keys: ['['], scope: 'rollout', section: 'Move' },
  { id: 'rollout.nextMarker', title: 'Next marker', keys: ['n'], scope: 'rollout', section: 'Move' },
  { id: 'rollout.previousMarker', title: 'Previous marker', keys: ['p'], scope: 'rollout', section: 'Move' },
  { id: 'rollout.nextSibling', title: 'Next sibling of the group', keys: ['>'], scope: 'rollout', section: 'Move' },
  {
    id: 'rollout.previousSibling',
    title: 'Previous sibling of the group',
    keys: ['<'],
    scope: 'rollout',
    section: 'Move',
  },
  { id: 'rollout.first', title: 'First step', keys: ['Home'], scope: 'rollout', section: 'Move', keyOnly: true },
  { id: 'rollout.last', title: 'Last step', keys: ['End'], scope: 'rollout', section: 'Move', keyOnly: true },
  {
    id: 'rollout.toggleItem',
    title: 'Expand or collapse the step',
    keys: ['Enter'],
    scope: 'rollout',
    section: 'View',
  },
  { id: 'rollout.back', title: 'Back to the library', keys: ['Escape'], scope: 'rollout', section: 'Go' },
  { id: 'rollout.find', title: 'Find in the rollout', keys: ['/'], scope: 'rollout', section: 'Find' },
  { id: 'rollout.raw', title: 'Show raw or rendered text', keys: ['m'], scope: 'rollout', section: 'View' },
  { id: 'rollout.resetZoom', title: 'Show the whole token axis', keys: ['0'], scope: 'rollout', section: 'View' },
  { id: 'rollout.zoomIn', title: 'Zoom in on the token axis', keys: ['+', '='], scope: 'rollout', section: 'View' },
  { id: 'rollout.zoomOut', title: 'Zoom out of the token axis', keys: ['-'], scope: 'rollout', section: 'View' },
  { id: 'rollout.estimator', title: 'Choose the estimator', keys: ['a'], scope: 'rollout', section: 'View' },
  { id: 'rollout.whatIf', title: 'What if: compare two settings', keys: ['w'], scope: 'rollout', section: 'Go' },
  { id: 'rollout.board', title: 'Group board', keys: ['b'], scope: 'rollout', section: 'Go' },
  { id: 'rollout.hack', title: 'Verdict: hack', keys: ['1'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.clean', title: 'Verdict: clean', keys: ['2'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.unsure', title: 'Verdict: unsure', keys: ['3'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.kinds', title: 'Choose the kinds of the hack', keys: ['t'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.note', title: 'Write a note', keys: ['e'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.confirm', title: 'Confirm the marker', keys: ['y', 'Y'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.agree', title: 'Label as the judge says', keys: ['J'], scope: 'rollout', section: 'Label' },
  { id: 'rollout.reject', title: 'Reject the marker', keys: ['N', 'x'], scope: 'rollout', section: 'Label' },

  {
    id: 'imports.next',
    title: 'Next file',
    keys: ['j', 'ArrowDown'],
    scope: 'imports',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'imports.previous',
    title: 'Previous file',
    keys: ['k', 'ArrowUp'],
    scope: 'imports',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'imports.toggle', title: 'Show the alerts of the file', keys: ['Enter'], scope: 'imports', section: 'View' },

  {
    id: 'filter.resetThreshold',
    title: 'Back to the threshold of the pack',
    keys: ['0'],
    scope: 'filter',
    section: 'View',
  },

  {
    id: 'agreement.next',
    title: 'Next entry',
    keys: ['j', 'ArrowDown'],
    scope: 'agreement',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'agreement.previous',
    title: 'Previous entry',
    keys: ['k', 'ArrowUp'],
    scope: 'agreement',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'agreement.open', title: 'Open the rollout', keys: ['Enter'], scope: 'agreement', section: 'Go' },
  { id: 'agreement.disputed', title: 'Show the disputed', keys: ['0'], scope: 'agreement', section: 'View' },

  { id: 'whatIf.swap', title: 'Swap A and B', keys: ['s'], scope: 'whatIf', section: 'View' },
  { id: 'whatIf.copy', title: 'Make B the same as A', keys: ['c'], scope: 'whatIf', section: 'View' },
  {
    id: 'whatIf.withoutHacks',
    title: 'B: leave marked rollouts out, or take them back',
    keys: ['h'],
    scope: 'whatIf',
    section: 'View',
  },
  {
    id: 'whatIf.signal',
    title: 'Show advantage or |weight × advantage|',
    keys: ['m'],
    scope: 'whatIf',
    section: 'View',
  },
  {
    id: 'whatIf.scope',
    title: 'Figures over the group or the training step',
    keys: ['g'],
    scope: 'whatIf',
    section: 'View',
  },
  { id: 'whatIf.csv', title: 'Copy the figures as CSV', keys: [], scope: 'whatIf', section: 'Data' },
  { id: 'whatIf.board', title: 'Group board', keys: ['b'], scope: 'whatIf', section: 'Go' },
  { id: 'whatIf.back', title: 'Back to the rollout', keys: ['Escape'], scope: 'whatIf', section: 'Go' },

  { id: 'group.next', title: 'Next sibling', keys: ['j', 'ArrowDown'], scope: 'group', section: 'Move', keyOnly: true },
  {
    id: 'group.previous',
    title: 'Previous sibling',
    keys: ['k', 'ArrowUp'],
    scope: 'group',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'group.open', title: 'Open the rollout where it parts', keys: ['Enter'], scope: 'group', section: 'Go' },
  { id: 'group.reference', title: 'Compare the others with this one', keys: ['r'], scope: 'group', section: 'View' },
  { id: 'group.order', title: 'Next order of the lanes', keys: ['s'], scope: 'group', section: 'View' },
  { id: 'group.unit', title: 'Lay lanes out by steps or tokens', keys: ['m'], scope: 'group', section: 'View' },
  { id: 'group.convention', title: 'Next convention of the baseline', keys: ['c'], scope: 'group', section: 'View' },
  { id: 'group.whatIf', title: 'What if: compare two settings', keys: ['w'], scope: 'group', section: 'Go' },
  { id: 'group.back', title: 'Back to the library', keys: ['Escape'], scope: 'group', section: 'Go' },

  { id: 'judge.back', title: 'Back to the library', keys: ['Escape'], scope: 'judge', section: 'Go' },
] as const satisfies readonly ActionDefinition[];

// The same table with its members' own literal types forgotten, for looking things up.
const definitions: readonly ActionDefinition[] = actionTable;

export type ActionId = (typeof actionTable)[number]['id'];
type IdOf<S extends Scope> = Extract<(typeof actionTable)[number], { readonly scope: S }>['id'];
/** The part of an id after its scope: `next` of `library.next`. */
type ShortId<S extends Scope> = IdOf<S> extends `${S}.${infer Rest}` ? Rest : never;

/** A handler, or a handler that is only there while `when` holds. */
type Handler = (() => void) | { readonly run: () => void; readonly when: () => boolean };

/** Handlers of a scope by the short id; an action without a handler is neither shown nor triggered. */
export type Handlers<S extends Scope> = { readonly [K in ShortId<S>]?: Handler };

interface Registration {
  readonly scope: Scope;
  readonly handler: (shortId: string) => Handler | undefined;
}

const registrations: Registration[] = [];
const listeners = new Set<() => void>();
let version = 0;

function changed(): void {
  version += 1;
  for (const listener of listeners) listener();
}

/** Makes the actions of a scope work while the calling component is mounted. Handlers may change at each render. */
export function useActions<S extends Scope>(scope: S, handlers: Handlers<S>): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const registration: Registration = {
      scope,
      handler: (shortId) => new Map<string, Handler | undefined>(Object.entries(latest.current)).get(shortId),
    };
    registrations.push(registration);
    changed();
    return () => {
      registrations.splice(registrations.indexOf(registration), 1);
      changed();
    };
  }, [scope]);
}

function handlerOf(action: ActionDefinition): (() => void) | undefined {
  const shortId = action.id.slice(action.scope.length + 1);
  for (const registration of registrations.toReversed()) {
    if (registration.scope !== action.scope) continue;
    const handler = registration.handler(shortId);
    if (typeof handler === 'function') return handler;
    if (handler?.when() === true) return handler.run;
  }
  return undefined;
}

/** The actions that would do something now, in the order of the table. */
function availableActions(): readonly ActionDefinition[] {
  return definitions.filter((action) => handlerOf(action) !== undefined);
}

/** Re-renders when screens come and go with their actions. */
export function useAvailableActions(): readonly ActionDefinition[] {
  useSyncExternalStore(subscribe, () => version);
  return availableActions();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Runs an action as if its key had been pressed; false when it is not available. */
export function runAction(id: ActionId): boolean {
  const action = definitions.find((candidate) => candidate.id === id);
  const run = action === undefined ? undefined : handlerOf(action);
  run?.();
  return run !== undefined;
}

/** The first key of an action, for buttons that show it. */
export function keyOf(id: ActionId): string | undefined {
  const action = definitions.find((candidate) => candidate.id === id);
  return action?.keys[0];
}

/** The action a key press means now: the innermost scope that has a working handler for it. */
function actionForKey(name: string): (() => void) | undefined {
  for (const scope of scopes.toReversed()) {
    for (const action of definitions) {
      if (action.scope !== scope || !action.keys.includes(name)) continue;
      const run = handlerOf(action);
      if (run !== undefined) return run;
    }
  }
  return undefined;
}

/** Listens for the shortcuts of the whole app. `singleKeys` false leaves only keys with Ctrl or Command, and Escape. */
export function useShortcuts(singleKeys: boolean): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing) return;
      const name = keyName(event);
      if (name === null || belongsToFocus(name, event.target)) return;
      if (!singleKeys && isSingleKey(name)) return;
      const run = actionForKey(name);
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [singleKeys]);
}
