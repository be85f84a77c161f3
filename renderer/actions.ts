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
  'adjudicate',
  'schemas',
  'whatIf',
  'group',
  'judge',
  'advantages',
  'queues',
  'review',
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
  { id: 'app.goImports', title: 'Go to Imports', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goAdvantages', title: 'Go to Advantages: verify my trainer', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goFilter', title: 'Go to Filter', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goJudge', title: 'Go to Judge', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goReview', title: 'Go to Review', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goAgreement', title: 'Go to Agreement', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goAdjudicate', title: 'Go to Adjudicate', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goSchemas', title: 'Go to Label schema', keys: [], scope: 'app', section: 'Go' },
  { id: 'app.goSettings', title: 'Go to Settings', keys: ['Mod+,'], scope: 'app', section: 'Go' },
  { id: 'app.import', title: 'Import files…', keys: ['Mod+o'], scope: 'app', section: 'Data' },
  { id: 'app.importPath', title: 'Import a path…', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.demo', title: 'Open the demo', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.scan', title: 'Run the rule pack over all rollouts', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.cancelJob', title: 'Cancel the running job', keys: [], scope: 'app', section: 'Data' },
  { id: 'app.toggleTheme', title: 'Switch between dark and light', keys: [], scope: 'app', section: 'View' },
  { id: 'app.toggleInspector', title: 'Show or hide the inspector', keys: ['i'], scope: 'app', section: 'View' },
  { id: 'app.annotator', title: 'Switch the annotator…', keys: [], scope: 'app', section: 'Label' },
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
  { id: 'rollout.nextHop', title: 'Next hop of the evidence chain', keys: ['l'], scope: 'rollout', section: 'Move' },
  {
    id: 'rollout.previousHop',
    title: 'Previous hop of the evidence chain',
    keys: ['h'],
    scope: 'rollout',
    section: 'Move',
  },
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
  { id: 'rollout.column', title: 'Choose the column of the strip', keys: ['c'], scope: 'rollout', section: 'View' },
  {
    id: 'rollout.compareColumn',
    title: 'Compare with a second column',
    keys: ['C'],
    scope: 'rollout',
    section: 'View',
  },
  { id: 'rollout.curve', title: 'The strip as colours or a curve', keys: ['v'], scope: 'rollout', section: 'View' },
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
    id: 'filter.nextView',
    title: 'Figures, hack rate, pack: the next one',
    keys: ['v'],
    scope: 'filter',
    section: 'View',
  },
  { id: 'filter.savePack', title: 'Put the edited pack in force', keys: ['Mod+s'], scope: 'filter', section: 'Data' },
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

  { id: 'agreement.export', title: 'Export labels…', keys: [], scope: 'agreement', section: 'Data' },
  { id: 'agreement.takeIn', title: 'Take labels in…', keys: [], scope: 'agreement', section: 'Data' },

  // Keys of this scope are among those that a label schema cannot have: verdicts and kinds have the schema's own.
  {
    id: 'adjudicate.next',
    title: 'Next dispute',
    keys: ['j', 'ArrowDown'],
    scope: 'adjudicate',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'adjudicate.previous',
    title: 'Previous dispute',
    keys: ['k', 'ArrowUp'],
    scope: 'adjudicate',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'adjudicate.nextPlace', title: 'Next place', keys: ['n'], scope: 'adjudicate', section: 'Move' },
  { id: 'adjudicate.previousPlace', title: 'Previous place', keys: ['p'], scope: 'adjudicate', section: 'Move' },
  { id: 'adjudicate.reason', title: 'Write the reason', keys: ['e'], scope: 'adjudicate', section: 'Label' },
  { id: 'adjudicate.save', title: 'Save the decision', keys: ['Enter'], scope: 'adjudicate', section: 'Label' },
  { id: 'adjudicate.clear', title: 'Clear the answers', keys: ['0'], scope: 'adjudicate', section: 'Label' },
  { id: 'adjudicate.undo', title: 'Undo the last decision', keys: ['u'], scope: 'adjudicate', section: 'Label' },
  { id: 'adjudicate.redo', title: 'Redo the decision', keys: ['U'], scope: 'adjudicate', section: 'Label' },
  { id: 'adjudicate.rollout', title: 'Open the rollout', keys: ['r'], scope: 'adjudicate', section: 'Go' },
  { id: 'adjudicate.all', title: 'Show the decided as well', keys: ['l'], scope: 'adjudicate', section: 'View' },
  { id: 'adjudicate.back', title: 'Back to Agreement', keys: ['Escape'], scope: 'adjudicate', section: 'Go' },

  { id: 'schemas.save', title: 'Save the label schema', keys: ['Mod+s'], scope: 'schemas', section: 'Data' },
  { id: 'schemas.use', title: 'Put the version in force', keys: [], scope: 'schemas', section: 'Data' },
  { id: 'schemas.compare', title: 'Compare with another version', keys: ['c'], scope: 'schemas', section: 'View' },
  { id: 'schemas.edit', title: 'Edit the text', keys: ['e'], scope: 'schemas', section: 'Go' },
  {
    id: 'schemas.next',
    title: 'Older version',
    keys: ['j', 'ArrowDown'],
    scope: 'schemas',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'schemas.previous',
    title: 'Newer version',
    keys: ['k', 'ArrowUp'],
    scope: 'schemas',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'schemas.back', title: 'Back to Agreement', keys: ['Escape'], scope: 'schemas', section: 'Go' },

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

  {
    id: 'advantages.next',
    title: 'Next row',
    keys: ['j', 'ArrowDown'],
    scope: 'advantages',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'advantages.previous',
    title: 'Previous row',
    keys: ['k', 'ArrowUp'],
    scope: 'advantages',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'advantages.pageDown',
    title: 'Page down',
    keys: ['PageDown'],
    scope: 'advantages',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'advantages.pageUp', title: 'Page up', keys: ['PageUp'], scope: 'advantages', section: 'Move', keyOnly: true },
  { id: 'advantages.first', title: 'First row', keys: ['Home'], scope: 'advantages', section: 'Move', keyOnly: true },
  { id: 'advantages.last', title: 'Last row', keys: ['End'], scope: 'advantages', section: 'Move', keyOnly: true },
  {
    id: 'advantages.open',
    title: 'Open the rollout where it parts',
    keys: ['Enter'],
    scope: 'advantages',
    section: 'Go',
  },
  { id: 'advantages.run', title: 'Compare with the trainer', keys: ['c'], scope: 'advantages', section: 'Data' },
  { id: 'advantages.where', title: 'Choose which rollouts', keys: ['f'], scope: 'advantages', section: 'Find' },
  { id: 'advantages.all', title: 'Show every diagnosis', keys: ['0'], scope: 'advantages', section: 'View' },
  { id: 'advantages.order', title: 'Next order of the rows', keys: ['s'], scope: 'advantages', section: 'View' },
  { id: 'advantages.tab', title: 'Verify, or stored runs', keys: ['t'], scope: 'advantages', section: 'View' },
  { id: 'advantages.command', title: 'Copy the command for CI', keys: ['y'], scope: 'advantages', section: 'Data' },
  { id: 'advantages.export', title: 'Export advantages…', keys: ['e'], scope: 'advantages', section: 'Data' },
  { id: 'advantages.back', title: 'Back to the library', keys: ['Escape'], scope: 'advantages', section: 'Go' },

  { id: 'judge.back', title: 'Back to the library', keys: ['Escape'], scope: 'judge', section: 'Go' },

  { id: 'queues.next', title: 'Next queue', keys: ['j', 'ArrowDown'], scope: 'queues', section: 'Move', keyOnly: true },
  {
    id: 'queues.previous',
    title: 'Previous queue',
    keys: ['k', 'ArrowUp'],
    scope: 'queues',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'queues.open', title: 'Review the queue', keys: ['Enter'], scope: 'queues', section: 'Go' },
  { id: 'queues.create', title: 'New queue…', keys: ['c'], scope: 'queues', section: 'Data' },
  { id: 'queues.back', title: 'Back to the library', keys: ['Escape'], scope: 'queues', section: 'Go' },

  // The keys of this scope are those of domain/review/keys.ts, which a label schema cannot have.
  { id: 'review.save', title: 'Save and go on', keys: ['Enter', 'Mod+Enter'], scope: 'review', section: 'Label' },
  { id: 'review.skip', title: 'Skip: it comes back after the others', keys: ['s'], scope: 'review', section: 'Label' },
  { id: 'review.undo', title: 'Undo the last decision', keys: ['u'], scope: 'review', section: 'Label' },
  { id: 'review.redo', title: 'Redo the decision', keys: ['U'], scope: 'review', section: 'Label' },
  { id: 'review.note', title: 'Write a note', keys: ['e'], scope: 'review', section: 'Label' },
  { id: 'review.surer', title: 'More confident', keys: ['+', '='], scope: 'review', section: 'Label' },
  { id: 'review.lessSure', title: 'Less confident', keys: ['-'], scope: 'review', section: 'Label' },
  { id: 'review.clear', title: 'Clear the selection, or the answers', keys: ['0'], scope: 'review', section: 'Label' },
  { id: 'review.rest', title: 'Evidence, or the whole rollout', keys: ['r'], scope: 'review', section: 'View' },
  { id: 'review.about', title: 'Task, contract and summaries', keys: ['i'], scope: 'review', section: 'View' },
  { id: 'review.raw', title: 'Show raw or rendered text', keys: ['m'], scope: 'review', section: 'View' },
  { id: 'review.unfold', title: 'Unfold the step', keys: ['ArrowRight'], scope: 'review', section: 'View' },
  { id: 'review.fold', title: 'Fold the step', keys: ['ArrowLeft'], scope: 'review', section: 'View' },
  {
    id: 'review.nextStep',
    title: 'Next step',
    keys: ['j', 'ArrowDown'],
    scope: 'review',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'review.previousStep',
    title: 'Previous step',
    keys: ['k', 'ArrowUp'],
    scope: 'review',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'review.pageDown',
    title: 'Scroll down',
    keys: ['PageDown'],
    scope: 'review',
    section: 'Move',
    keyOnly: true,
  },
  {
    id: 'review.pageUp',
    title: 'Scroll up',
    keys: ['PageUp'],
    scope: 'review',
    section: 'Move',
    keyOnly: true,
  },
  { id: 'review.nextMarker', title: 'Next place of the evidence', keys: ['n'], scope: 'review', section: 'Move' },
  {
    id: 'review.previousMarker',
    title: 'Previous place of the evidence',
    keys: ['p'],
    scope: 'review',
    section: 'Move',
  },
  { id: 'review.nextSegment', title: 'Next segment', keys: [']'], scope: 'review', section: 'Move' },
  { id: 'review.previousSegment', title: 'Previous segment', keys: ['['], scope: 'review', section: 'Move' },
  {
    id: 'review.wordMore',
    title: 'Select text: a word more',
    keys: ['Shift+ArrowRight'],
    scope: 'review',
    section: 'Label',
    keyOnly: true,
  },
  {
    id: 'review.wordLess',
    title: 'Select text: a word less',
    keys: ['Shift+ArrowLeft'],
    scope: 'review',
    section: 'Label',
    keyOnly: true,
  },
  {
    id: 'review.lineMore',
    title: 'Select text: a line more',
    keys: ['Shift+ArrowDown'],
    scope: 'review',
    section: 'Label',
    keyOnly: true,
  },
  {
    id: 'review.lineLess',
    title: 'Select text: a line less',
    keys: ['Shift+ArrowUp'],
    scope: 'review',
    section: 'Label',
    keyOnly: true,
  },
  { id: 'review.last', title: 'The last decisions', keys: ['l'], scope: 'review', section: 'Go' },
  { id: 'review.previousItem', title: 'Back to the last decision', keys: ['<'], scope: 'review', section: 'Go' },
  { id: 'review.nextItem', title: 'On to the item in hand', keys: ['>'], scope: 'review', section: 'Go' },
  { id: 'review.back', title: 'Back', keys: ['Escape'], scope: 'review', section: 'Go' },
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

/** A key that no table can list because data define it (a label schema). */
export interface KeyedAction {
  readonly key: string;
  readonly title: string;
  readonly run: () => void;
}

let keyed: { readonly scope: Scope; readonly actions: readonly KeyedAction[] } | null = null;

/** Makes such keys work in a scope while the calling component is mounted. A key held down acts once. */
export function useKeyedActions(scope: Scope, actions: readonly KeyedAction[]): void {
  useEffect(() => {
    const mine = { scope, actions };
    keyed = mine;
    changed();
    return () => {
      if (keyed !== mine) return;
      keyed = null;
      changed();
    };
  }, [scope, actions]);
}

/** The keys that data define now, for the `?` sheet. */
export function useKeyed(): typeof keyed {
  return useSyncExternalStore(subscribe, () => keyed);
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

/** The actions of what is on screen, also those that need something selected first, in the order of the table. */
export function useActionsHere(): readonly ActionDefinition[] {
  useSyncExternalStore(subscribe, () => version);
  return definitions.filter(({ id, scope }) =>
    registrations.some((one) => one.scope === scope && one.handler(id.slice(scope.length + 1)) !== undefined),
  );
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
function actionForKey(name: string, held: boolean): (() => void) | undefined {
  for (const scope of scopes.toReversed()) {
    const own = keyed?.scope === scope ? keyed.actions.find((action) => action.key === name) : undefined;
    if (own !== undefined) return held ? () => undefined : own.run;
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
      const run = actionForKey(name, event.repeat);
      if (run === undefined) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [singleKeys]);
}
