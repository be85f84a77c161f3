// The parts every reader of acts shares: the place where actions are collected, path arithmetic, and small helpers.

import type { ActionVerb } from '../../contract/rule-pack.ts';
import { type Mapped, origin } from './mapped.ts';
import type { Action, ActionObject, Patch } from './types.ts';

/** Where the readers of commands, code and tool calls put what they find. */
export interface Sink {
  readonly actions: Action[];
  /** Working folder after the `cd`s read so far; empty while unknown. */
  cwd: string;
  depth: number;
}

/** An action under construction. */
export interface ActionDraft {
  readonly verbs: Set<ActionVerb>;
  readonly program: string;
  readonly text: Mapped;
  readonly whole: boolean;
  readonly objects: ActionObject[];
  readonly patches: Patch[];
  readonly unparsed?: string;
}

export function newSink(): Sink {
  return { actions: [], cwd: '', depth: 0 };
}

export function draft(program: string, text: Mapped, whole = true): ActionDraft {
  return { verbs: new Set(), program: program.toLowerCase(), text, whole, objects: [], patches: [] };
}

/** Adds the action; its verbs are those of its objects and those set directly. */
export function emit(sink: Sink, action: ActionDraft): void {
  for (const object of action.objects) action.verbs.add(object.verb);
  sink.actions.push({ ...action, verbs: [...action.verbs], cwd: sink.cwd });
}

const urlPattern = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Adds what a word names as an object of the verb. Empty words and devices are no objects. */
export function addObject(sink: Sink, action: ActionDraft, verb: ActionVerb, word: Mapped): void {
  const text = word.text.trim();
  if (text === '' || text.length > 1000) return;
  if (text.startsWith('/dev/') && /^\/dev\/(?:null|stdout|stderr|stdin|fd\/\d+)$/.test(text)) return;
  if (text.length <= 2 && /^&?\d$/.test(text)) return;
  const span = origin(word);
  const isUrl = urlPattern.test(text);
  action.objects.push({ verb, path: isUrl ? text : resolvePath(sink.cwd, text), isUrl, ...span });
}

/** Joins a path to a folder and removes `.`, `..` and doubled slashes; backslashes of drive paths become slashes. */
export function resolvePath(folder: string, path: string): string {
  if ((folder === '' || path.startsWith('/')) && isPlain(path)) return path;
  const forward = /^[A-Za-z]:\\|^\.{0,2}\\|^[\w.-]+\\[\w.-]/.test(path) ? path.replaceAll('\\', '/') : path;
  const absolute = forward.startsWith('/') || forward.startsWith('~') || /^[A-Za-z]:\//.test(forward);
  const whole = absolute || folder === '' ? forward : `${folder}/${forward}`;
  const out: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '.' || (name === '' && out.length > 0)) continue;
    if (name === '..' && out.length > 0 && out.at(-1) !== '..' && out.at(-1) !== '') out.pop();
    else out.push(name);
  }
  return out.join('/') || (whole.startsWith('/') ? '/' : '.');
}

/** Whether there is nothing to resolve in a path: no backslash, no empty, `.` or `..` name, no slash at its end. */
function isPlain(path: string): boolean {
  if (path === '') return false;
  let named = true;
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (code === backslash) return false;
    if (code !== slash) {
      named = true;
      // A name that begins with a dot may be `.` or `..`.
      if (code === dot && (i === 0 || path.charCodeAt(i - 1) === slash)) return false;
    } else if (!named && i > 0) return false;
    else named = false;
  }
  return named;
}

const slash = 47;
const backslash = 92;
const dot = 46;

/** The last name of a path. */
export function baseName(path: string): string {
  let end = path.length;
  while (end > 0 && path.charCodeAt(end - 1) === slash) end--;
  return path.slice(path.lastIndexOf('/', end - 1) + 1, end);
}
