// A cell of a notebook: program text, a file that it writes, or lines for the shell.

import { addObject, draft, emit, type Sink } from './actions.ts';
import { codeActions } from './code.ts';
import { shellActions } from './commands.ts';
import { type Mapped, mapped, slice } from './mapped.ts';

const fileCell = /^\s*%%(?:writefile|file)[ \t]+(?:(?:-a|--append)[ \t]+)?["']?([^\s"']+)["']?[^\n]*\n/;
const shellCell = /^\s*%%(?:bash|sh|cmd|pwsh|script[ \t]+\S+)[^\n]*\n/;
const shellLine = /^[ \t]*(?:\w+[ \t]*=[ \t]*)?!(?!=)((?:[^\n\\]|\\[\s\S])+)/gm;

/** Adds the actions of a cell; a text without the marks of a notebook is program text. */
export function cellActions(source: Mapped, sink: Sink, program: string): void {
  const { text } = source;
  const file = fileCell.exec(text);
  if (file?.[1] !== undefined) {
    const action = draft(program, mapped(''));
    const at = file[0].lastIndexOf(file[1]);
    addObject(sink, action, 'write', slice(source, at, at + file[1].length));
    action.patches.push({
      path: action.objects[0]?.path ?? null,
      added: slice(source, file[0].length, text.length),
      removed: null,
    });
    emit(sink, action);
    return;
  }
  const shell = shellCell.exec(text);
  if (shell !== null) {
    shellActions(slice(source, shell[0].length, text.length), sink, program);
    return;
  }
  const lines = [...text.matchAll(shellLine)];
  const rest = text.replace(shellLine, '').trim();
  if (lines.length === 0 || rest !== '') codeActions(source, sink, program);
  for (const line of lines) {
    const end = line.index + line[0].length;
    shellActions(slice(source, end - (line[1] ?? '').length, end), sink, program);
  }
}
