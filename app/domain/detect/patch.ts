// Texts that describe a change: unified diffs, the `*** Begin Patch` form, and the substitutions of `sed`. Each becomes
// what was put in and what was taken out of a file.

import { type ActionDraft, addObject, type Sink } from './actions.ts';
import { type Mapped, MappedBuilder, slice } from './mapped.ts';
import type { Patch } from './types.ts';

const fileLine = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?|\*\*\* Move to: )(.+?)\s*$/;

/** Adds the changes of a patch text in either form; the files it names become written (or deleted) objects. */
export function parsePatchText(source: Mapped, action: ActionDraft, sink: Sink): void {
  let path: string | null = null;
  let added = new MappedBuilder();
  let removed = new MappedBuilder();
  const flush = (): void => {
    if (added.length > 0 || removed.length > 0) {
      action.patches.push({ path, added: orNull(added), removed: orNull(removed) });
    }
    added = new MappedBuilder();
    removed = new MappedBuilder();
  };
  for (const { start, end } of lines(source.text)) {
    const line = source.text.slice(start, end);
    const file = fileLine.exec(line);
    if (file?.[1] !== undefined) {
      flush();
      const at = start + line.indexOf(file[1]);
      const count = action.objects.length;
      addObject(
        sink,
        action,
        line.startsWith('*** Delete') ? 'delete' : 'write',
        slice(source, at, at + file[1].length),
      );
      path = action.objects[count]?.path ?? file[1];
    } else if (line.startsWith('---') || line.startsWith('***')) {
      // Headers of the old file and section marks hold no content.
    } else if (line.startsWith('+')) {
      added.add(source, start + 1, Math.min(end + 1, source.text.length));
    } else if (line.startsWith('-')) {
      removed.add(source, start + 1, Math.min(end + 1, source.text.length));
    }
  }
  flush();
}

/** `s/old/new/` of a sed or perl script as a change of `path`; other words give nothing. */
export function substitution(script: Mapped, path: string | null): Patch[] {
  const found: Patch[] = [];
  const text = script.text;
  for (const match of text.matchAll(/(?:^|[;\s{}\d$/,])s([/|#,!@~%])/g)) {
    const mark = match[1] ?? '/';
    const start = match.index + match[0].length;
    const middle = unescaped(text, start, mark);
    const end = unescaped(text, middle + 1, mark);
    if (middle >= text.length || end >= text.length) continue;
    const added = slice(script, middle + 1, end);
    const removed = slice(script, start, middle);
    found.push({ path, added: added.text === '' ? null : added, removed: removed.text === '' ? null : removed });
    break;
  }
  // `/re/i text`, `1i text`, `$a text`, `3c text` put lines in; `/re/d` takes them out.
  const inserted =
    /(?:^|[;\n])\s*(?:\d+|\$|\/(?:[^/\\\n]|\\.)+\/)(?:,(?:\d+|\$|\/(?:[^/\\\n]|\\.)+\/))?\s*[iac](?:\\\n?|\s)\s*(\S[^\n]*)/.exec(
      text,
    );
  if (inserted?.[1] !== undefined) {
    const start = inserted.index + inserted[0].length - inserted[1].length;
    found.push({ path, added: slice(script, start, start + inserted[1].length), removed: null });
  }
  const deleted = /(?:^|[;\n])\s*\/((?:[^/\\\n]|\\.)+)\/(?:,\S+?)?\s*I?d\s*(?:$|[;\n}])/.exec(text);
  if (deleted?.[1] !== undefined) {
    const start = deleted.index + deleted[0].indexOf('/') + 1;
    found.push({ path, added: null, removed: slice(script, start, start + deleted[1].length) });
  }
  return found;
}

function unescaped(text: string, from: number, mark: string): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === mark) return i;
  }
  return text.length;
}

function orNull(builder: MappedBuilder): Mapped | null {
  return builder.length === 0 ? null : builder.build();
}

function* lines(text: string): Generator<{ start: number; end: number }> {
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield { start, end };
    start = end + 1;
  }
}
