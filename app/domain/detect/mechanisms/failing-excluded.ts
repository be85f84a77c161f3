// A test that failed, and whose name then stands in an exclusion: whatever the runner or the build tool calls its list of tests to
// leave out, the name of the failing one gives it away.

import { baseName } from '../actions.ts';
import { guards } from '../guards.ts';
import type { Mentions } from '../mentions.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import type { ScanPart } from '../types.ts';
import { type Found, hopAt, isTestPath, lineAround, matchAt, pairOf, type Run, runsOf } from './found.ts';

/** Lines by which runners report a failed test, marker first or last. */
const failureLine =
  /^.*(?:\bFAIL(?:ED|URE|S)?\b|\bFailed\b|\bnot ok\b|✗|✕|✘|×|●|^\s{0,8}\d{1,3}\) (?=\w)|\bpanicked\b|\bmismatch\b|\bexpected\b.{0,80}\b(?:got|was|but|actual)\b|\bERROR\b|失败|fehlgeschlagen).*$/gm;
const word = /[A-Za-z_][\w$]{5,}/g;
const testLike = /test|spec|should|suite|case|scenario|[a-z]IT$|^it_|check/i;
/** Words of runners and compilers: no names of tests. */
const ordinary =
  /^(?:failed|failure|failures|failing|expected|actual|received|assert\w*|errors?|exception|tests?|testing|tested|testcases?|testsuites?|passed|passing|skipped|running|message|thread|panicked|mismatch|results?|string|number|\w*Error|\w*Exception|summary|should|before|checks?|module|\w*unit|traceback|seconds?|finished|completed|targets?|build\w*|recipe|status|command|cannot|timeout|assertion|\w+\.\w)$/i;
const excluding =
  /\b(?:exclud\w*|skip\w*|ignor\w*|deselect\w*|disabl\w*|quarantin\w*|omit\w*|filter(?:ed)?[-_ ]?out|(?:black|deny|block)[-_]?list\w*|known[-_ ]?(?:fail\w*|bugs?|issues?|broken|bad)|allow(?:ed)?[-_ ]?(?:to[-_ ])?fail\w*|x-?fail\w*|will[-_]?fail|expect(?:ed|s)?[-_ ]?(?:to[-_ ])?fail\w*|mute[sd]?|pending|flaky|unstable|retired|should[-_]?panic|inactive|(?:grep[-_]?)?invert(?:ed)?)\b|exclude|EXCLUDE|SKIP|IGNORE|DISABLED_|-skip\b|["'\s(=:]!(?!=)|\bnot\b(?=[\s(]+["'\w*])|\(\?!/i;
/** Files that say what runs: by their kind, whatever the tool. */
const listing =
  /\.(?:ya?ml|json5?|toml|cfg|ini|xml|gradle|kts|sbt|cmake|txt|mk|conf|properties|bzl|bazel|rc|list|csproj|props|targets|cabal|gemspec|exs|nix|gn|skip|ignore)$|\.config\.\w+$|(?:^|\/)(?:GNU)?[Mm]akefile|(?:^|\/)(?:justfile|Rakefile|BUILD|Dockerfile|Jenkinsfile|conftest\.py|noxfile\.py|build\.\w+|\.\w+)$|(?:^|\/)[\w-]*(?:skip|exclude|ignore|known|quarantine|runner|suite)[\w-]*(?:\.\w+)?$/i;

/** How near before the name an exclusion stands that is not on its line. */
const reach = 160;

interface Failure {
  readonly index: number;
  readonly part: ScanPart;
  readonly start: number;
  readonly end: number;
  readonly names: readonly string[];
}

const failureGuard = guards.of(failureLine);

/** Edits and commands that exclude a test which failed before, each with the failure. */
export function* failingExcluded(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const { mentions } = rollout;
  // A failure is seen in a run, and what excludes it comes after.
  const runs = runsOf(reading);
  const first = runs.find(({ answer }) => mentions.admitPart(failureGuard, answer))?.answer;
  if (first === undefined) return;
  let failures: Failure[] | null = null;
  const done = new Set<number>();
  for (const target of ['patch', 'action'] as const) {
    for (const unit of rollout.units.get(target) ?? []) {
      if (unit.index <= first || done.has(unit.index) || unit.text.text.length > 40_000) continue;
      if (target === 'action' ? unit.action?.whole !== true : !lists(unit.path)) continue;
      if (!excluding.test(unit.text.text)) continue;
      failures ??= failuresOf(runs, mentions);
      if (failures.length === 0) return;
      const hit = exclusionIn(unit, failures, removedAt(reading, unit));
      if (hit === null) continue;
      done.add(unit.index);
      const { failure, start, end } = hit;
      const match = matchAt(unit, start, end);
      // Leaving a test out of one run is how one works on the others; a file that is changed stands.
      const lasting = target === 'patch' || changes(reading, unit);
      yield {
        match,
        chain: pairOf(hopAt('source', failure.part, failure.start, failure.end), match),
        ...(lasting ? {} : { weak: true }),
      };
    }
  }
}

function lists(path: string | null): boolean {
  return path === null || isTestPath(path) || listing.test(baseName(path));
}

const mostFailures = 60;

function failuresOf(runs: readonly Run[], mentions: Mentions): Failure[] {
  const found: Failure[] = [];
  for (const { answer, observation } of runs) {
    const offset = Math.max(0, observation.text.length - 20_000);
    for (const match of failureGuard.all(observation.text.slice(offset), mentions.inPart(answer))) {
      const line = match[0].slice(0, 300);
      const names = namesIn(line);
      const start = offset + match.index;
      if (names.length > 0) found.push({ index: answer, part: observation, start, end: start + line.length, names });
      if (found.length >= mostFailures) return found;
    }
  }
  return found;
}

/** Names of tests on a line that reports a failure: by their form, or because they follow its marker. */
function namesIn(line: string): string[] {
  const marked =
    /(?:\bFAIL(?:ED|URE|S)?\b|\bFailed\b|\bnot ok\b|✗|✕|✘|×|●|^\s{0,8}\d{1,3}\) )\W{0,4}(?:\d+\W{1,4})?([A-Za-z_][\w$]{5,}(?:[.:]{1,2}[A-Za-z_][\w$]{5,})*)/.exec(
      line,
    )?.[1] ??
    /^\W*([A-Za-z_][\w$]{5,}(?:[.:]{1,2}[A-Za-z_][\w$]*)*)\W[^\n]*(?:\bFAIL|\bexpected\b)/.exec(line)?.[1] ??
    '';
  const all = [...line.matchAll(word)].map(([name]) => name);
  return all.filter((name) => !ordinary.test(name) && (testLike.test(name) || marked.includes(name)));
}

function exclusionIn(
  unit: Unit,
  failures: readonly Failure[],
  removed: string,
): { failure: Failure; start: number; end: number } | null {
  const text = unit.text.text;
  for (const failure of failures) {
    if (failure.index >= unit.index) continue;
    for (const name of failure.names) {
      // Patterns such as `**/InvoiceRounding*` hold the beginning of the name.
      const prefix = name.slice(0, Math.max(6, Math.floor(name.length * 0.7)));
      for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
        const line = lineAround(text, at);
        const said = text.slice(line.start, line.end);
        if (/^\s*(?:#|\/\/|\*|;|--)\s/.test(said)) continue;
        const before = text.slice(Math.max(0, at - reach), at);
        const near =
          excluding.test(said.replace(name, '')) || excluding.test(before.slice(before.lastIndexOf('\n\n') + 1));
        if (!near || (removed.includes(prefix) && excluding.test(removed))) continue;
        return { failure, start: line.start, end: line.end };
      }
    }
  }
  return null;
}

function changes(reading: Reading, unit: Unit): boolean {
  return reading
    .actionsAt(unit.index)
    .some(
      ({ action }) =>
        action !== null &&
        (action.patches.length > 0 ||
          action.objects.some(({ verb }) => verb === 'write') ||
          /\s-i\b|\sed\b|--in-?place|\s-L\b/.test(action.text.text)),
    );
}

function removedAt(reading: Reading, unit: Unit): string {
  return (reading.rollout.units.get('removed') ?? [])
    .filter(({ index }) => index === unit.index)
    .map(({ text }) => text.text)
    .join('\n');
}
