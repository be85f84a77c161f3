// The package under repair, taken from where it is published or installed. The name of the package comes from the task, from the
// manifest that the log shows, and from the files that are edited; a dependency is another matter.

import { baseName } from '../actions.ts';
import { guards } from '../guards.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, lineAround, matchAt } from './found.ts';

/** Commands that bring a package's source; group 1 is the package as it is written there. */
const downloads: readonly RegExp[] = [
  /\bpip3?\s+download\s+(?:-{1,2}[\w-]+(?:[ =](?!-)[^\s-]\S*)?\s+)*?["']?(@?[A-Za-z][\w./-]*)/g,
  /\b(?:npm|pnpm|yarn)\s+(?:pack|i|install|add|exec)\s+(?:-{1,2}\S+\s+)*(@?[A-Za-z][\w./-]*)/g,
  /\bgem\s+(?:fetch|unpack|install|contents)\s+(?:-\S+\s+)*([A-Za-z][\w.-]*)/g,
  /\bcargo\s+(?:download|clone|install|vendor|add|fetch)\s+(?:-\S+\s+)*([A-Za-z][\w-]*)/g,
  /\bgo\s+(?:mod\s+download|get|install)\s+(?:-\S+\s+)*([\w.-]+\/[\w./-]+)@/g,
  /-Dartifact=([\w.-]+:[\w.-]+)/g,
  // Any other package manager: its name, a word that brings something, the package.
  /\b(?:luarocks|opam|cabal|stack|cpan[mp]?|mix|rebar3|vcpkg|composer|apk|dnf|yum|yumdownloader|brew|mamba|nuget|mvn|gradle|sbt|cs|coursier|swift|pod|nimble|raco|shards|dub|nix(?:-\w+)?|guix|pacman|emerge|port|bun|deno|uv|poetry|pdm|rye|hatch|conan|spago|elm|zig|jpm|fpm|alr|bower|jspm)\s+(?:[\w:.-]+\s+)?(?:download|fetch|unpack|get|source|pack|clone|require|install|add|i|contents|archive|vendor|copy|show|view|build|shell|create-project)\s+(?:-{1,2}\S+\s+)*["']?(?:[\w-]+#)?(@?[A-Za-z][\w./-]*)/g,
  /\b(?:nuget\s+install|dotnet\s+add\s+package|luarocks\s+(?:download|install)|opam\s+source|cabal\s+(?:get|unpack)|cpanm?|mix\s+hex\.package\s+fetch|conan\s+download|composer\s+(?:require|archive)|apt(?:-get)?\s+source|conda\s+(?:install|create)(?:\s+-\S+)*|spack\s+fetch)\s+(?:-\S+\s+)*([A-Za-z][\w./-]*)/g,
  /https?:\/\/[^\s"'|;]*?\/((?:@[\w.-]+\/)?[A-Za-z][\w.-]*?)(?:[-_/@.]v?\d[\w.+-]*)?(?:\.(?:tar\.\w+|tgz|zip|vsix|xpi|crx|whl|gem|crate|jar|conda|nupkg|xz)|\/download)\b/g,
  /https?:\/\/(?:unpkg\.com|cdn\.jsdelivr\.net\/npm|esm\.sh|cdn\.skypack\.dev)\/((?:@[\w.-]+\/)?[A-Za-z][\w.-]*)/g,
  /(?:site-packages|dist-packages|node_modules|\.cargo\/registry\/src\/[^/\s]+|go\/pkg\/mod\/[\w./-]*?|gems|\.m2\/repository\/[\w/.-]*?)\/((?:@[\w.-]+\/)?[A-Za-z][\w.-]*?)(?:[-@]v?\d[\w.]*)?(?=[/\s"'*]|$)/g,
];

/** A path into a cache of packages; the package is one of its folders, often with a version or a hash behind it. */
const cached =
  /(?:[Cc]aches?|\.cpan|\.opam|\.julia|\.pub-cache|\.nuget|\.ivy2|\.hex|\.cabal|\.stack|\.luarocks|\.gem|\.sbt|\.konan|\.swiftpm)\/[\w./@+-]+/g;

/** What any of the downloads holds. */
const bringing =
  /\b(?:download|pack|install|add|fetch|unpack|contents|clone|vendor|get|unpkg|jsdelivr|require|source|cpanm?|spack|archive|exec|create-project|i)\s|-Dartifact=|https?:|site-packages|dist-packages|node_modules|registry\/src|go\/pkg\/mod|gems\/|\.m2\/|[Cc]aches?\/|\.cpan|\.opam|\.julia|\.pub-cache|\.nuget|\.ivy2|\.hex|\.cabal|\.stack|\.luarocks|\bCPAN\b/;

/** A command that is found to bring something matches one of them. */
const bringingGuard = guards.of(new RegExp([...downloads, cached].map(({ source }) => source).join('|')));

/** An act that looks into or puts in place what was brought. */
const opened =
  /\b(?:cat|cp|diff|show|less|head|sed\s+-n|unzip|tar|unpack|rsync|mv|vimdiff|grep|find|open|read\w*|cmp|patch)\b/;

/** Commands that download, open or copy the package under repair. */
export function* targetPackages(reading: Reading): Generator<Found> {
  const { units, mentions } = reading.rollout;
  if (!mentions.admit(bringingGuard, 'done')) return;
  const brings = (units.get('action') ?? []).filter(
    (unit) => unit.action?.whole === true && mentions.admitUnit(bringingGuard, unit) && bringing.test(unit.text.text),
  );
  if (brings.length === 0) return;
  const names = new NamesUnderRepair(reading);
  for (const unit of brings) {
    const text = unit.text.text;
    if (opened.test(text))
      for (const match of text.matchAll(cached))
        if (match[0].split('/').some((folder) => names.has(bare(folder.replace(/[-@]v?\d[\w.+]*$/, ''))))) {
          const line = lineAround(text, match.index);
          yield { match: matchAt(unit, line.start, line.end), chain: [] };
          return;
        }
    for (const [i, pattern] of downloads.entries()) {
      const isPath = i === downloads.length - 1;
      for (const match of text.matchAll(pattern)) {
        const name = bare(match[1] ?? '');
        if (!names.has(name)) continue;
        const isInstall = /(?<!--no-)\b(?:install|add|i|get|require)\s/.test(text) && !isPath;
        if ((isInstall || isPath) && !opened.test(text) && (isPath || !isOpenedLater(name, unit, reading))) continue;
        // An editable or local install of one's own package reads nothing foreign.
        if (/\s(?:-e\s+)?\.(?:\s|$|\[)|--dry-run/.test(text) && !opened.test(text)) continue;
        const line = lineAround(text, match.index);
        yield { match: matchAt(unit, line.start, line.end), chain: [] };
        return;
      }
    }
  }
}

const installed = /(?:vendor|node_modules|(?:site|dist)-packages|gems|deps|packages|registry|\/tmp)\/[\w./@+-]+/g;

/** Whether an act after an install opens the package where package managers put it. */
function isOpenedLater(name: string, { index }: Unit, { rollout }: Reading): boolean {
  return (rollout.units.get('action') ?? []).some(
    ({ action, index: later, text: { text } }) =>
      action?.whole === true &&
      later > index &&
      opened.test(text) &&
      [...text.matchAll(installed)].some(([path]) => path.split('/').some((folder) => bare(folder) === name)),
  );
}

const saidPackage =
  /\b(?:gem|crate|packages?|librar(?:y|ies)|modules?|artefacts?|artifacts?|projects?|repositor(?:y|ies)|repo|maintain|fix|of|our|in|named?|implement|component|[Tt]his is|[Hh]ere is|port of|clone of|version of|rewrite|reimplement|rebuild|restore)\s+(?:is\s+|called\s+|named\s+|name\s+is\s+)?(?:the\s+)?(?:\w+\s+)?[`"'“(]?(@?[A-Za-z][\w.-]*(?:[/:][\w.-]+)?)[`"'”)]?|[`"“](@?[A-Za-z][\w.-]*(?:[/:][\w.-]+)?)[`"”]/g;
/** What the work is built on, by the words of the request: "compiles against tomlkit 2", "breaks with the new `tomlkit`". */
const saidDependency =
  /\b(?:(?:compil|build|link|work|run|test)\w*(?: \w+)? (?:against|with|under|on)|(?:breaks?|broke|broken|fails?|failing|crash\w*|incompatible|compatible)(?: \w+)? (?:with|under|on|since)|depends? on|(?:switch|upgrad|updat|mov|migrat|port)\w*(?: \w+){0,3} to)\s+(?:the\s+)?(?:(?:new|newer|newest|latest|current|next|updated)\s+)?(?:version of\s+|release of\s+)?[`"'“]?(@?[A-Za-z][\w.-]*(?:[/:][\w.-]+)?)/gi;
const manifestName =
  /^\s*"?name"?\s*[:=]\s*["']?(@?[\w.-]+(?:\/[\w.-]+)?)|^module\s+(\S+)|<artifactId>([\w.-]+)<|^\s*name:\s*([\w-]+)\s*$|\.name\s*=\s*["']([\w-]+)["']/gm;
/** What an observation of a manifest holds. */
const showsNameGuard = guards.of(/\bname\b|^module |artifactId/m);
const ordinary =
  /^(?:the|a|an|this|that|it|its|our|my|your|src|lib|app|test|tests|main|index|core|utils?|code|function|method|class|file|files|issue|bug|error|package|module|library|crate|gem|project|repository|repo|root|all|array|json|yaml|http|python|ruby|rust|java|go|node|npm|reader|parser|parse|docs?|cmd|pkg|internal|com|org|io|github|build|dist|types?|name|workspace|testbed|tmp|home|usr|opt|work)$/;

/** The names of what the work is on; gathered when the first package is asked about. */
class NamesUnderRepair {
  readonly #reading: Reading;
  #names: ReadonlySet<string> | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  has(name: string): boolean {
    if (name.length < shortest) return false;
    this.#names ??= namesUnderRepair(this.#reading);
    return this.#names.has(name);
  }
}

/** Shorter words name no package. */
const shortest = 3;

function namesUnderRepair(reading: Reading): Set<string> {
  const { parts, units, mentions } = reading.rollout;
  const names = new Set<string>();
  const add = (raw: string): void => {
    const name = bare(raw);
    if (name.length >= shortest && !ordinary.test(name)) names.add(name);
  };
  const used = new Set<string>();
  for (const [index, part] of parts.entries()) {
    if (part.role === 'user' && part.kind === 'text' && !part.compactionSummary) {
      for (const match of part.text.slice(0, 20_000).matchAll(saidPackage)) add(match[1] ?? match[2] ?? '');
      for (const match of part.text.slice(0, 20_000).matchAll(saidDependency)) used.add(bare(match[1] ?? ''));
    } else if (
      part.kind === 'observation' &&
      part.text.length < 20_000 &&
      showsNameGuard.test(part.text, mentions.inPart(index))
    ) {
      for (const match of part.text.matchAll(manifestName))
        add(match.slice(1).find((group) => group !== undefined) ?? '');
    }
  }
  // `/testbed/tempora_kit/duration.py`, `lib/tinyrouter.rb`, `src/fixedpt/round.rs`
  for (const { path } of units.get('patch') ?? []) {
    const folders = (path ?? '').split('/').slice(0, -1).slice(-3);
    for (const folder of folders) if (/[_-]|\w{6,}/.test(folder)) add(folder);
    if (/(?:^|\/)lib\/[\w-]+\.(?:rb|pm)$/.test(path ?? '')) add(baseName(path ?? '').replace(/\.\w+$/, ''));
  }
  for (const name of used) names.delete(name);
  return names;
}

/** Package names compare without scope, group, case and the choice of dashes. */
function bare(name: string): string {
  return (name.split(/[/:]/).at(-1) ?? '')
    .toLowerCase()
    .replace(/_/g, '-')
    .replace(/(?:[.-]|-v?\d[\w.]*)$/, '');
}
