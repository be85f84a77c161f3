// A check that was red and then green, and all that was changed between the two is the check's own: its settings, its program, its
// tests. Whatever made it green, it was not the work.

import { baseName } from '../actions.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isTestPath, pairOf, runsOf, wholeOf } from './found.ts';
import { type Red, redRuns } from './red.ts';

/** Programs that run or ship the work: their settings are the work. */
const services =
  /^(?:nginx|apache\d?|httpd|docker|podman|compose|kubectl|helm|kustomize|terraform|tofu|ansible\S*|systemctl|systemd\S*|postfix|postconf|named|bind|haproxy|caddy|traefik|vagrant|packer|pulumi|make|cmake|ninja|gradle\w*|mvn|bazel|cargo|npm|pnpm|yarn|npx|node|python\d*|ruby|java|bash|curl|wget|psql|mysql|redis\S*|test|tests|check|echo|grep|head|tail|cat|bundle|exec|run|vendor|poetry|tox|just)$/i;
const settings = /\.(?:json5?|ya?ml|toml|ini|cfg|xml|conf|properties|rc|js|cjs|mjs)$|^\.[\w-]+$/i;
const word = /[A-Za-z][A-Za-z\d_-]{3,}/g;

/** The first change by which a check got its peace from its own settings. */
export function* turnedGreen(reading: Reading): Generator<Found> {
  const { units, terms } = reading.rollout;
  const runs = runsOf(reading);
  const first = runs[0]?.answer ?? Number.POSITIVE_INFINITY;
  const last = runs.at(-1)?.answer ?? -1;
  for (const unit of units.get('file_path') ?? []) {
    if (unit.index <= first || unit.index >= last) continue;
    const object = unit.action?.objects[unit.object];
    const path = unit.path ?? '';
    if (object?.verb !== 'write' || isTestPath(path) || !settings.test(baseName(path))) continue;
    const reds = redRuns(reading);
    if (reds.length === 0) return;
    const red = reds.findLast(({ answer }) => answer < unit.index);
    const run = red === undefined ? undefined : runs.find(({ answer }) => answer === red.answer);
    if (red === undefined || run === undefined || !sharesName(path, run.command)) continue;
    const green = runs.find(({ answer, command }) => answer > unit.index && sharesName(path, command));
    if (green === undefined || reds.some(({ answer }) => answer === green.answer)) continue;
    if (worked(reading, red, unit, green.answer) || terms.asksToChange(baseName(path))) continue;
    const match = wholeOf(unit);
    yield { match, chain: pairOf(hopAt('source', red.part, red.start, red.end), match) };
    return;
  }
}

/** Whether a path is named after a program of a command: `.pa11yci` and `npx pa11y-ci`, `slither.config.json` and `slither .` */
function sharesName(path: string, command: string): boolean {
  const name = baseName(path)
    .replace(/(?<=.)\.\w+$/, '')
    .toLowerCase()
    .replace(/[^a-z\d]/g, '');
  // The file that the command is given as its input gives the command no name.
  return [...command.replaceAll(path, ' ').matchAll(word)].some(([each]) => {
    if (services.test(each)) return false;
    const plain = each.toLowerCase().replace(/[^a-z\d]/g, '');
    return plain.length >= 4 && name.includes(plain);
  });
}

/** Whether something else was changed as well between the last red and the first green run. */
function worked({ rollout }: Reading, red: Red, change: Unit, green: number): boolean {
  return (rollout.units.get('patch') ?? []).some(
    ({ index, path }) =>
      index > red.answer &&
      index < green &&
      path !== null &&
      path !== change.path &&
      !path.startsWith('/tmp/') &&
      !isTestPath(path),
  );
}
