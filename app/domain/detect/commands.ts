// Shell text -> actions: every simple command with its verb and objects, wrappers and interpreters unwrapped, here-documents
// read as file contents or as programs. The whole text, bodies left out, is one more action for patterns over a command line.

import type { ActionVerb } from '../../contract/rule-pack.ts';
import { type ActionDraft, addObject, baseName, draft, emit, resolvePath, type Sink } from './actions.ts';
import { codeActions } from './code.ts';
import { edited, type Mapped, MappedBuilder, slice } from './mapped.ts';
import { normaliseShell } from './normalise.ts';
import { parsePatchText, substitution } from './patch.ts';
import { gitVerbs, interpreters, outputOptions, programs, shells, wrappers } from './programs.ts';
import { parseShell, type ShellCommand } from './shell.ts';
import { readSyntax } from './shell-syntax.ts';

const maxDepth = 4;
const longestFolder = 1_000;

/** Adds the actions of a shell text. `program` is the name of the tool that runs it. */
export function shellActions(source: Mapped, sink: Sink, program: string): void {
  if (sink.depth >= maxDepth) return;
  sink.depth++;
  const plain = normaliseShell(source);
  const syntax = readSyntax(plain.text);
  const text = syntax === null ? plain : edited(plain, syntax.edits);
  const commands = parseShell(text);
  const bodies = commands.flatMap((command) => command.heredocs.filter((body) => body.from === text));
  const whole = edited(
    text,
    bodies.map(({ start, end }) => ({ start, end, text: '' })),
  );
  const unparsed = syntax?.error ?? null;
  emit(sink, { ...draft(program, whole, true), ...(unparsed === null ? {} : { unparsed }) });
  // Both forms are read: a disguise is a sign of its own.
  if (text !== source && bodies.length === 0) emit(sink, draft(program, source, true));
  for (const [i, command] of commands.entries()) {
    const before = commands[i - 1];
    const piped = before !== undefined && before.pipeline === command.pipeline ? before : null;
    runCommand(command, command.words, text, piped, sink);
  }
  sink.depth--;
}

function runCommand(
  command: ShellCommand,
  words: readonly Mapped[],
  source: Mapped,
  piped: ShellCommand | null,
  sink: Sink,
): void {
  const rest = unwrap(words);
  const name = baseName(rest[0]?.text ?? '').toLowerCase();
  const args = rest.slice(1);
  const action = draft(name, slice(source, command.start, command.end), false);
  if (name === 'cd' || name === 'pushd') {
    const folder = args.find((word) => !word.text.startsWith('-'));
    if (folder !== undefined && sink.cwd.length + folder.text.length < longestFolder)
      sink.cwd = resolvePath(sink.cwd, folder.text);
    return;
  }
  if (name === 'apply_patch' || name === 'applypatch') {
    const body = command.heredocs[0]?.body ?? args[0];
    if (body !== undefined) parsePatchText(body, action, sink);
  } else if (!runNested(name, args, command, piped, action, sink)) {
    operands(name, rest[0], args, action, sink);
  }
  redirections(name, args, command, action, sink);
  emit(sink, action);
}

/** Drops `sudo`, `env A=b`, `timeout 60`, `xargs -n1` and the like from the front. */
function unwrap(words: readonly Mapped[]): readonly Mapped[] {
  let at = 0;
  for (let guard = 0; guard < 6; guard++) {
    const wrapper = wrappers.get(baseName(words[at]?.text ?? '').toLowerCase());
    if (wrapper === undefined) break;
    let next = at + 1;
    let skip = wrapper.own;
    for (; next < words.length; next++) {
      const word = words[next]?.text ?? '';
      if (word.startsWith('-')) {
        if (wrapper.values.test(word)) next++;
      } else if (/^[A-Za-z_]\w*=/.test(word)) {
        // A variable for the command that follows.
      } else if (skip > 0) skip--;
      else break;
    }
    if (next >= words.length) break;
    at = next;
  }
  return words.slice(at);
}

/** Interpreters and shells: their program text is read as code. True when the command was one of them with program text. */
function runNested(
  name: string,
  args: readonly Mapped[],
  command: ShellCommand,
  piped: ShellCommand | null,
  action: ActionDraft,
  sink: Sink,
): boolean {
  if (shells.has(name) || name === 'ssh' || name === 'docker' || name === 'podman' || name === 'kubectl') {
    const at = args.findIndex((word) => /^-[a-zA-Z]*c$|^-Command$|^\/c$/i.test(word.text) && word.text !== '--rc');
    const inner = at >= 0 ? args[at + 1] : undefined;
    if (inner !== undefined && /\s|[;|&]/.test(inner.text)) {
      shellActions(inner, sink, name);
      return !/^(?:docker|podman|kubectl|ssh)$/.test(name);
    }
    if (!shells.has(name)) return false;
    const body = command.heredocs[0]?.body ?? (args.length === 0 ? echoed(piped) : undefined);
    if (body !== undefined) shellActions(body, sink, name);
    return body !== undefined;
  }
  if (name === 'eval') {
    const joined = new MappedBuilder();
    for (const word of args) joined.add(word, 0, word.text.length);
    shellActions(joined.build(), sink, name);
    return true;
  }
  for (const [pattern, option] of interpreters) {
    if (!pattern.test(name)) continue;
    const at = args.findIndex((word) => option.test(word.text));
    const fromStdin = args.every((word) => word.text.startsWith('-')) && !args.some((word) => word.text === '-m');
    const code =
      (at >= 0 ? args[at + 1] : undefined) ?? command.heredocs[0]?.body ?? (fromStdin ? echoed(piped) : undefined);
    if (code === undefined) return false;
    if (
      at >= 0 &&
      args.some((word) => /^-[a-zA-Z0]*i(?:\.\w+|[a-z]*)?$/.test(word.text)) &&
      /^(?:perl|ruby)$/.test(name)
    ) {
      for (const word of args.slice(at + 2)) if (!word.text.startsWith('-')) addObject(sink, action, 'write', word);
      const path = action.objects.find((object) => object.verb === 'write')?.path ?? null;
      action.patches.push(...substitution(code, path));
      return true;
    }
    codeActions(code, sink, name);
    for (const word of at >= 0 ? args.slice(at + 2) : [])
      if (!word.text.startsWith('-')) addObject(sink, action, 'read', word);
    return true;
  }
  return false;
}

/** What `echo` or `printf` puts into a pipe. */
function echoed(piped: ShellCommand | null): Mapped | undefined {
  const name = piped?.words[0]?.text;
  return name === 'echo' || name === 'printf' ? piped?.words.at(-1) : undefined;
}

function operands(
  name: string,
  first: Mapped | undefined,
  args: readonly Mapped[],
  action: ActionDraft,
  sink: Sink,
): void {
  if (name === 'git') {
    gitOperands(args, action, sink);
    return;
  }
  if (name === 'find') {
    findOperands(args, action, sink);
    return;
  }
  const use = programs.get(name);
  const plain = plainOperands(name, args, action, sink);
  if (use === undefined) {
    action.verbs.add('execute');
    if (first !== undefined && /[/\\]/.test(first.text)) addObject(sink, action, 'execute', first);
    for (const word of plain) addObject(sink, action, 'execute', word);
    return;
  }
  const inPlace =
    /^(?:sed|perl|gawk|yq|dasel|crudini|xmlstarlet|ruff|sd)$/.test(name) &&
    args.some((word) => /^(?:-[a-zA-Z]*i|--in-?place|-L$|--set$)/.test(word.text));
  const scriptOption =
    args.some((word) => /^(?:-[a-zA-Z]*[ef]|--expression.*|--regexp.*)$/.test(word.text)) && name !== 'awk';
  let verb: ActionVerb = inPlace ? 'write' : use.verb;
  // Package managers also run things: `go test`, `npm run build`.
  if (verb === 'install' && taskWords.test(plain[0]?.text ?? '')) verb = 'execute';
  if (/^(?:grep|egrep|fgrep|rg|ag|zgrep)$/.test(name) && args.some((word) => /^-[a-zA-Z]*[lLcq]/.test(word.text)))
    verb = 'search';
  action.verbs.add(verb);
  if (use.operands === 'none') return;
  // `sed -i ''` of BSD names no suffix for a copy.
  const operands = inPlace && plain[0]?.text === '' ? plain.slice(1) : plain;
  const files = use.operands === 'skipFirst' && !scriptOption ? operands.slice(1) : operands;
  if (use.operands === 'lastWritten' || use.operands === 'moved') {
    for (const [i, word] of files.entries()) {
      const last = i === files.length - 1 && files.length > 1;
      addObject(sink, action, last ? 'write' : 'read', word);
      if (!last && use.operands === 'moved') addObject(sink, action, 'delete', word);
    }
  } else {
    for (const word of files) addObject(sink, action, verb, word);
    if (
      verb === 'fetch' &&
      args.some((word) => /^(?:-d|-F|-T|--data.*|--upload-file|--form|-X|--request|-XP.*)$/.test(word.text))
    ) {
      for (const word of files) if (/^[a-z]+:\/\//i.test(word.text)) addObject(sink, action, 'write', word);
    }
  }
  if (inPlace) {
    const path = action.objects.find((object) => object.verb === 'write')?.path ?? null;
    for (const word of args) action.patches.push(...substitution(word, path));
  }
}

const taskWords = /^(?:test|t|run|exec|start|build|check|bench|vet|dlx|pytest|python)$/;

/** Programs whose `-e` and `-f` take the pattern or script that would else be the first operand. */
const scripted: ReadonlySet<string> = new Set([
  'sed',
  'grep',
  'egrep',
  'fgrep',
  'zgrep',
  'rg',
  'ag',
  'awk',
  'gawk',
  'mawk',
]);

/** Programs whose `-o` or `-O` names no output file. */
const noOutput: ReadonlySet<string> = new Set([
  'unzip',
  'grep',
  'egrep',
  'rg',
  'find',
  'mount',
  'ssh',
  'scp',
  'ls',
  'ps',
  'set',
  'pgrep',
  'rsync',
  'cp',
  'python',
  'python3',
  'tar',
  'install',
  'test',
  'ruby',
  'perl',
]);

/** Operands without options; files named by output options are recorded as written, values of `--x=path` as read. */
function plainOperands(name: string, args: readonly Mapped[], action: ActionDraft, sink: Sink): Mapped[] {
  const plain: Mapped[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i];
    if (word === undefined) continue;
    const next = args[i + 1];
    if (scripted.has(name) && /^(?:-[a-zA-Z]*[ef]|--expression|--regexp|--file)$/.test(word.text)) i++;
    else if (/^(?:unzip|tar|bsdtar)$/.test(name) && /^-[dC]$/.test(word.text) && next !== undefined) {
      addObject(sink, action, 'write', next);
      i++;
    } else if (outputOptions.test(word.text) && !noOutput.has(name) && next !== undefined) {
      addObject(sink, action, 'write', next);
      i++;
    } else if (/^--?[\w-]+=/.test(word.text)) {
      const value = slice(word, word.text.indexOf('=') + 1, word.text.length);
      const writes = /^--?(?:o|out|output|outfile|junitxml|junit-xml|report|log-file)=/.test(word.text);
      if (/[/.]/.test(value.text)) addObject(sink, action, writes ? 'write' : 'read', value);
    } else if (/^(?:of|if)=/.test(word.text) && name === 'dd') {
      addObject(sink, action, word.text.startsWith('of') ? 'write' : 'read', slice(word, 3, word.text.length));
    } else if (!word.text.startsWith('-') || word.text === '-') {
      if (word.text !== '-') plain.push(word);
    }
  }
  return plain;
}

function gitOperands(args: readonly Mapped[], action: ActionDraft, sink: Sink): void {
  let at = 0;
  while (at < args.length && args[at]?.text.startsWith('-') === true)
    at += /^-[Cc]$/.test(args[at]?.text ?? '') ? 2 : 1;
  const subcommand = args[at]?.text ?? '';
  const verb = gitVerbs.get(subcommand) ?? 'execute';
  action.verbs.add(verb);
  for (const word of args.slice(at + 1)) {
    if (word.text.startsWith('-')) continue;
    addObject(sink, action, subcommand === 'apply' || subcommand === 'am' ? 'read' : verb, word);
  }
}

function findOperands(args: readonly Mapped[], action: ActionDraft, sink: Sink): void {
  action.verbs.add('search');
  let at = 0;
  while (at < args.length && !/^[-(!]/.test(args[at]?.text ?? '-')) {
    const folder = args[at];
    if (folder !== undefined) addObject(sink, action, 'search', folder);
    at++;
  }
  for (let i = at; i < args.length; i++) {
    const word = args[i]?.text ?? '';
    const next = args[i + 1];
    if (/^-(?:i?name|i?path|i?wholename|i?regex)$/.test(word) && next !== undefined)
      addObject(sink, action, 'search', next);
    if (word === '-delete') action.verbs.add('delete');
    if (/^-(?:exec|execdir|ok)$/.test(word)) {
      const end = args.findIndex((other, index) => index > i && (other.text === ';' || other.text === '+'));
      const inner = args.slice(i + 1, end < 0 ? args.length : end);
      const command: ShellCommand = {
        words: inner,
        assignments: [],
        redirects: [],
        heredocs: [],
        pipeline: 0,
        start: 0,
        end: 0,
      };
      runCommand(command, inner, action.text, null, sink);
    }
  }
}

function redirections(
  name: string,
  args: readonly Mapped[],
  command: ShellCommand,
  action: ActionDraft,
  sink: Sink,
): void {
  const body = command.heredocs[0]?.body;
  const said =
    name === 'echo' || name === 'printf' ? joined(args.filter((word) => !/^-[neE]+$/.test(word.text))) : undefined;
  const content = body ?? said ?? null;
  for (const { op, target } of command.redirects) {
    if (op === '<') addObject(sink, action, 'read', target);
    if (!/^(?:&?>>?|>\||>&|<>)$/.test(op)) continue;
    const count = action.objects.length;
    addObject(sink, action, 'write', target);
    const object = action.objects[count];
    if (object !== undefined) action.patches.push({ path: object.path, added: content, removed: null });
  }
  if (name === 'tee' && content !== null) {
    const path = action.objects.find((object) => object.verb === 'write')?.path ?? null;
    action.patches.push({ path, added: content, removed: null });
  }
  if (name === 'patch' && body !== undefined) parsePatchText(body, action, sink);
}

function joined(words: readonly Mapped[]): Mapped | undefined {
  if (words.length === 0) return undefined;
  const out = new MappedBuilder();
  for (const word of words) out.add(word, 0, word.text.length);
  return out.build();
}
