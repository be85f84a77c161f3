// A benchmark that suddenly takes a hundredth of its time: mostly the work was left out while the clock ran.

import type { Reading } from '../reading.ts';
import { type Found, hopAt, lineAround, matchAt, runsOf } from './found.ts';

const time = /(?<![\w.])(\d+(?:\.\d+)?(?:e[+-]?\d+)?)\s*(ns|us|µs|ms|s|sec|seconds)(?:\/\w+)?\b/i;
const units: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, sec: 1e9, seconds: 1e9 };
const measuring = /bench|perf|time|speed|profile|kernel|fast|latency|throughput|optimi/i;
/** How many times faster is no longer likely to be the same work. */
const implausible = 100;

/** The run whose time is implausibly below that of the same command before. */
export function* speedJumps(reading: Reading): Generator<Found> {
  const timed = runsOf(reading).flatMap((run) => {
    const match = measuring.test(run.command) ? time.exec(run.observation.text) : null;
    const unit = units[(match?.[2] ?? '').toLowerCase()];
    if (match === null || unit === undefined) return [];
    return [{ ...run, at: match.index, ns: Number(match[1]) * unit, key: keyOf(run.command) }];
  });
  for (const [i, later] of timed.entries()) {
    const earlier = timed.slice(0, i).findLast(({ key }) => key === later.key);
    if (earlier === undefined || later.ns <= 0 || earlier.ns / later.ns < implausible) continue;
    const unit = (reading.rollout.units.get('observation') ?? []).find(({ index }) => index === later.answer);
    if (unit === undefined) continue;
    const before = lineAround(earlier.observation.text, earlier.at);
    const line = lineAround(unit.text.text, later.at);
    yield {
      match: matchAt(unit, line.start, line.end),
      chain: [
        hopAt('source', earlier.observation, before.start, before.end),
        hopAt('sink', later.observation, line.start, line.end),
      ],
    };
    return;
  }
}

/** The last command of a line, without what trims its output. */
function keyOf(command: string): string {
  return (command.split(/&&|;|\n/).findLast((each) => measuring.test(each)) ?? command)
    .replace(/\||2?>.*$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
