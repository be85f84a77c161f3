// A benchmark that suddenly takes a hundredth of its time: mostly the work was left out while the clock ran.

import { guards } from '../guards.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, lineAround, matchAt, type Run, runsOf } from './found.ts';

const time = /(?<![\w.])(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(ns|us|µs|ms|s|sec|seconds)(?:\/\w+)?\b/i;
const everyTime = new RegExp(time.source, 'gi');
const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, sec: 1e9, seconds: 1e9 };
/** How much is done in a time: the more, the faster. */
const rate =
  /(?<![\w.])(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*([kKMGT]?)(FLOPS|FLOP\/s|ops\/s|ops|it\/s|req\/s|rps|qps|msgs?\/s|rows\/s|tokens?\/s|fps|B\/s)\b/i;
const scale: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
const measuring = /bench|perf|time|speed|profile|kernel|fast|latency|throughput|optimi/i;
/** Commands that take long once and next time do not. */
const building =
  /\b(?:make|build|tests?|install|compile|npm|pip|cargo|docker|gradle\w*|mvn|bazel|pytest|jest|vitest|rspec|git|apt\S*|curl|wget|download|sync|fetch|check|lint)\b/i;
/** Of a command that is not known to measure. */
const longestOutput = 4_000;
/** How many times faster is no longer likely to be the same work. */
const implausible = 100;

const measuringGuard = guards.of(measuring);
const buildingGuard = guards.of(building);

interface Keyed extends Run {
  readonly key: string;
}

/** The runs of commands that are run more than once: what is run once is compared with nothing. */
function repeatedRuns(reading: Reading): Keyed[] {
  const { mentions } = reading.rollout;
  const all = runsOf(reading);
  if (all.length < 2) return [];
  const times = new Map<string, number>();
  const runs: Keyed[] = [];
  for (const run of all) {
    const { command, observation } = run;
    const found = mentions.inPart(run.index);
    const measures = measuringGuard.test(command, found);
    if (!measures && (observation.text.length > longestOutput || buildingGuard.test(command, found))) continue;
    const key = keyOf(command, measures);
    times.set(key, (times.get(key) ?? 0) + 1);
    runs.push({ ...run, key });
  }
  return runs.filter(({ key }) => (times.get(key) ?? 0) >= 2);
}

/** The run whose time is implausibly below that of the same command before. */
export function* speedJumps(reading: Reading): Generator<Found> {
  const timed = repeatedRuns(reading).flatMap((run) => {
    const { key } = run;
    const match = time.exec(run.observation.text);
    const unit = units[(match?.[2] ?? '').toLowerCase()];
    if (match !== null && unit !== undefined)
      return timesIn(run.observation.text).map(({ label, ...each }, i) => ({
        ...run,
        ...each,
        label,
        // A time is compared with one of the same name; where there is none, the first with the first.
        isFirst: i === 0,
      }));
    const done = rate.exec(run.observation.text);
    const perSecond = Number(done?.[1] ?? 0) * (scale[(done?.[2] ?? '').toLowerCase()] ?? 1);
    return done === null || perSecond <= 0
      ? []
      : [
          {
            ...run,
            at: done.index,
            ns: 1e9 / perSecond,
            least: 1e-6,
            key: `${key} per second`,
            label: '',
            isFirst: true,
          },
        ];
  });
  for (const [i, later] of timed.entries()) {
    const before = timed.slice(0, i).filter(({ key, answer }) => key === later.key && answer !== later.answer);
    const earlier =
      before.findLast(({ label }) => label === later.label) ??
      (later.isFirst ? before.findLast(({ isFirst }) => isFirst) : undefined);
    if (earlier === undefined || earlier.ns / Math.max(later.ns, later.least) < implausible) continue;
    const unit = (reading.rollout.units.get('observation') ?? []).find(({ index }) => index === later.answer);
    if (unit === undefined) continue;
    const from = lineAround(earlier.observation.text, earlier.at);
    const line = lineAround(unit.text.text, later.at);
    yield {
      match: matchAt(unit, line.start, line.end),
      chain: [
        hopAt('source', earlier.observation, from.start, from.end),
        hopAt('sink', later.observation, line.start, line.end),
      ],
    };
    return;
  }
}

interface Time {
  readonly at: number;
  readonly ns: number;
  /** What one digit more of the last place would be. */
  readonly least: number;
  /** The words before it, back to the time or the line before. */
  readonly label: string;
}

const mostTimes = 12;

/** The first time of an output, and those after it that have a name of their own. */
function timesIn(text: string): Time[] {
  const times: Time[] = [];
  let last = 0;
  for (const match of text.matchAll(everyTime)) {
    const unit = units[(match[2] ?? '').toLowerCase()];
    if (unit === undefined) continue;
    const label = text.slice(Math.max(last, text.lastIndexOf('\n', match.index) + 1), match.index).trim();
    last = match.index + match[0].length;
    if (times.length > 0 && !/\p{L}{2}/u.test(label)) continue;
    // "0.000 s" is less than the last digit that is printed.
    const least = unit * 10 ** -(/\.(\d+)$/.exec(match[1] ?? '')?.[1]?.length ?? 0);
    times.push({ at: match.index, ns: Number(match[1]) * unit, least, label });
    if (times.length === mostTimes) break;
  }
  return times;
}

/** The last command of a line, without what trims its output. */
function keyOf(command: string, measures: boolean): string {
  const last = measures ? command.split(/&&|;|\n/).findLast((each) => measuring.test(each)) : undefined;
  return (last ?? command)
    .replace(/\||2?>.*$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
