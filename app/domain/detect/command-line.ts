// Which argument of a call is a command line, where no usual name of an argument says so: `{"run_line": "make -j4 && ./t"}`.

import type { Leaf } from './leaves.ts';
import { programs, shells, wrappers } from './programs.ts';

/** An argument whose name says that it is run. */
const runKeys =
  /(?:^|[._\][])(?:cmd|command|cmdline|line|bash|sh|shell|statement|stmt|entry|exec|run)(?:$|[._A-Z])|(?:cmd|command|line|script|shell|bash|statement)(?:_?(?:text|str(?:ing)?|c|line))?$/i;
/** An argument that speaks of the run. */
/** An argument that is nothing but a command, in whatever language. */
const commandKeys =
  /^(?:cmd|command|exec|run|bash|shell|command_?line|befehl|zeile|commande|comando|orden|команда|命令|コマンド)$/i;
const asideKeys =
  /(?:^|[._])(?:desc\w*|reason|why|explan\w*|thought\w*|cwd|work\w*|dir\w*|node|host|session\w*|timeout\w*|env|name|id|title|note|comment|language|lang|user)$/i;
/** Programs of agents' everyday work that no table of operands needs. */
const others =
  /^(?:git|make|cmake|ninja|python[\d.]*|node|deno|bun|ruby|perl|php|lua|julia|Rscript|java|javac|scala|sbt|mvn|gradle|\.\/\S+|cargo|rustc|go|dotnet|swift|zig|ghc|cabal|stack|mix|elixir|gcc|g\+\+|clang|docker|podman|kubectl|helm|terraform|aws|az|gcloud|ssh|tmux|sudo|psql|mysql|redis-cli|pytest|jest|ctest|bash|sh|zsh|cd)$/;
const operator = /[|&]{1,2}\s|;\s|[<>]{1,2}\s?\S|\s--?\w|\$\(|\s[\w.~]*\/[\w.]/;

/** Whether a text reads as a command line: it begins with a known program, and an operator, an option or a path follows. */
export function readsAsCommand(text: string): boolean {
  const first = /^\s*(?:\w+=\S*\s+)*(\S+)(?=\s|$)/.exec(text)?.[1];
  if (first === undefined) return false;
  const known = programs.has(first) || shells.has(first) || wrappers.has(first) || others.test(first);
  return known && operator.test(text);
}

/**
 * The argument that a shell runs. `named`: the tool's name says that it is one, so that the name of an argument is enough; else the
 * text must read as a command line.
 */
export function commandLeaf(leaves: readonly Leaf[], named: boolean): Leaf | undefined {
  const said = leaves.filter(({ path }) => !asideKeys.test(path));
  return (
    said.find(({ value }) => readsAsCommand(value.text)) ??
    said.find(({ path, value }) => commandKeys.test(path) && operator.test(value.text)) ??
    (named ? said.find(({ path, value }) => runKeys.test(path) && value.text.length > 1) : undefined) ??
    (named ? longestOf(said.filter(({ value }) => operator.test(value.text))) : undefined)
  );
}

/** The argument that an interpreter runs, where it has no usual name: the longest that looks like program text. */
export function programLeaf(leaves: readonly Leaf[]): Leaf | undefined {
  return longestOf(leaves.filter(({ path, value }) => !asideKeys.test(path) && /[=(!]|\n/.test(value.text)));
}

function longestOf(leaves: readonly Leaf[]): Leaf | undefined {
  return leaves.toSorted((a, b) => b.value.text.length - a.value.text.length)[0];
}
