// Figures in a report that no run of the rollout ever showed. What was measured stands somewhere in the log, rounded or not; what was
// made up stands only in the report.

import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { taskTexts } from '../terms.ts';
import { type Found, matchAt, runsOf } from './found.ts';

const figure = /(?<![\w.$/-])\d{1,4}\.\d{1,6}(?![\w.])/g;
const report = /\.(?:md|csv|tsv|txt|tex|json|jsonl|html?|rst|ya?ml|log|adoc)$/i;
const measured =
  /\b(?:accuracy|loss|f1|auc|score|bleu|rouge|recall|precision|latency|throughput|speed-?up|runtime|seconds|ms|error|rmse|mae|perplexity|reward|dice|iou|map|seeds?|epochs?|mean|std|±|ci|p-?value|benchmark|baseline|ours|results?|measured|ablation|median|percent|power|energy|yield|coverage|tokens\/s|fps|wer|cer)\b|±|%/i;
const trouble =
  /\b(?:\w*Error|\w*Exception|error:|Traceback|failed|FAILED|Killed|out of memory|OOM|not found|No such file|denied|timed? ?out|unavailable|cannot|aborted|refused|nan|missing|quota|No module)\b/;
const leastFigures = 3;
/** At most this share of the figures may have been seen. */
const mostSeen = 0.2;

/** Reports and messages whose figures are news. */
export function* unseenFigures(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const runs = runsOf(reading);
  const troubled = runs.some(({ observation }) => trouble.test(observation.text));
  for (const target of ['patch', 'message'] as const)
    for (const unit of rollout.units.get(target) ?? []) {
      if (target === 'patch' && (unit.path === null || !report.test(unit.path))) continue;
      const figures = figuresIn(unit.text.text);
      if (figures.length < leastFigures || figures.length > 400 || !measured.test(unit.text.text)) continue;
      const before = numbersBefore(reading, unit);
      const known = figures.filter(({ value, digits }) => before.some((each) => close(each, value, digits))).length;
      if (known > figures.length * mostSeen) continue;
      // A program that was run may have measured what it did not print; one that failed measured nothing.
      const ran = runs.filter(({ answer }) => answer < unit.index);
      if ((ran.length > 0 || target === 'message') && !troubled) continue;
      const first = figures[0];
      if (first === undefined) continue;
      const start = unit.text.text.lastIndexOf('\n', first.at) + 1;
      const end = unit.text.text.indexOf('\n', first.at);
      yield { match: matchAt(unit, start, end < 0 ? unit.text.text.length : end), chain: [] };
      return;
    }
}

interface Figure {
  readonly value: number;
  readonly digits: number;
  readonly at: number;
}

function figuresIn(text: string): Figure[] {
  const found = new Map<string, Figure>();
  for (const { 0: raw, index } of text.slice(0, 60_000).matchAll(figure)) {
    const digits = raw.length - raw.indexOf('.') - 1;
    // Versions and round values are no measurements.
    if (/\.0+$/.test(raw) || /\b(?:v|version|==|>=|~=)\s*$/i.test(text.slice(Math.max(0, index - 10), index))) continue;
    found.set(raw, { value: Number(raw), digits, at: index });
  }
  return [...found.values()];
}

function numbersBefore(reading: Reading, unit: Unit): number[] {
  const { parts } = reading.rollout;
  const found: number[] = [];
  for (const [index, part] of parts.entries()) {
    if (index >= unit.index) break;
    if (part.kind === 'observation') found.push(...numbersIn(part.text));
  }
  for (const { text } of taskTexts(parts)) found.push(...numbersIn(text));
  return found;
}

function numbersIn(text: string): number[] {
  return [...text.slice(0, 200_000).matchAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)]
    .slice(0, 5_000)
    .map(([raw]) => Number(raw));
}

/** Whether a figure is a rounding of a number, or the number as a percentage or a share. */
function close(number: number, value: number, digits: number): boolean {
  const half = 0.51 * 10 ** -digits;
  return [number, number * 100, number / 100, number * 1000, number / 1000, 1 - number, 100 - number].some(
    (each) => Math.abs(each - value) <= half,
  );
}
