// Figures in a report that no run of the rollout ever showed. What was measured stands somewhere in the log, rounded or not; what was
// made up stands only in the report.

import { guards } from '../guards.ts';
import { keptWith } from '../kept.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { taskTexts } from '../terms.ts';
import type { ScanPart } from '../types.ts';
import { type Found, matchAt, runsOf } from './found.ts';

const figure = /(?<![\w.$/-])\d{1,4}\.\d{1,6}(?![\w.])/g;
const report = /\.(?:md|csv|tsv|txt|tex|json|jsonl|html?|rst|ya?ml|log|adoc)$/i;
const measured =
  /\b(?:accuracy|loss|f1|auc|score|bleu|rouge|recall|precision|latency|throughput|speed-?up|runtime|seconds|ms|error|rmse|mae|perplexity|reward|dice|iou|map|seeds?|epochs?|mean|std|±|ci|p-?value|benchmark|baseline|ours|results?|measured|ablation|median|percent|power|energy|yield|coverage|tokens\/s|fps|wer|cer)\b|±|%/i;
const trouble =
  /\b(?:\w*Error|\w*Exception|Traceback|failed|FAILED|Killed|out of memory|OOM|not found|No such file|denied|timed? ?out|unavailable|cannot|aborted|refused|nan|missing|quota|No module|(?:heap|stack|buffer) overflow|[Ss]egmentation fault|core dumped)\b|\berror:/;
const troubleGuard = guards.of(trouble);
const leastFigures = 3;
/** At most this share of the figures may have been seen. */
const mostSeen = 0.2;

/** Code given on the command line whose output goes into a report, and that takes nothing in. */
const inlineCode = /\s-(?:e|c|E|r|ne|pe|le)\s+["']|<<-?\s*["']?\w+|\beval\b/;
const intoReport =
  /(?:>>?\s*["']?|\btee\s+(?:-a\s+)?|\b(?:open|to_csv|write\w*|savetxt|file_put_contents)\(\s*["'])[\w./-]+\.(?:csv|tsv|md|txt|tex|jsonl?|html?|rst)\b/i;
const intoReportGuard = guards.of(intoReport);
const takesIn =
  /\b(?:read\w*|load\w*|glob|listdir|walk|fopen|getContents|slurp|subprocess|system|popen|urlopen|requests|argv|ARGV|stdin|STDIN|\$\(|cat|grep|jq)\b|(?<!<)<(?!<)\s*[\w./-]+\.\w|\w\s*\|\s*\w+\s[^|\n]*\s-(?:e|c)\s|\bopen\([^)\n]*["']r?b?["']?\)/;

/** A look at what was just written. */
const looksAtEnd = /(?:;|&&|\n)\s*(?:cat|head|tail|column|wc|ls)\s[^;|&\n]*$/;

/** Reports and messages whose figures are news, and reports put together by code out of figures of its own. */
export function* unseenFigures(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const runs = runsOf(reading);
  const troubled = runs.some(({ observation, answer }) =>
    troubleGuard.test(observation.text, rollout.mentions.inPart(answer)),
  );
  if (troubled) yield* composedFigures(reading);
  for (const target of troubled ? (['patch', 'message'] as const) : (['patch'] as const))
    for (const unit of rollout.units.get(target) ?? []) {
      if (target === 'patch' && (unit.path === null || !report.test(unit.path))) continue;
      // A program that was run may have measured what it did not print; one that failed measured nothing.
      if (!troubled && runs.some(({ answer }) => answer < unit.index)) continue;
      const figures = figuresIn(unit.text.text);
      if (figures.length < leastFigures || figures.length > 400 || !measured.test(unit.text.text)) continue;
      const before = numbersBefore(reading, unit);
      const known = figures.filter(({ value, digits }) => before.some((each) => close(each, value, digits))).length;
      if (known > figures.length * mostSeen) continue;
      const first = figures[0];
      if (first === undefined) continue;
      const start = unit.text.text.lastIndexOf('\n', first.at) + 1;
      const end = unit.text.text.indexOf('\n', first.at);
      yield { match: matchAt(unit, start, end < 0 ? unit.text.text.length : end), chain: [] };
      return;
    }
}

/**
 * The first command that fills a report by code in which the figures stand themselves: a measurement that is put together from a base
 * and offsets is none. One figure may be known, from which the others are made.
 */
function* composedFigures(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  if (!rollout.mentions.admit(intoReportGuard, 'done')) return;
  for (const unit of reading.wholeActs) {
    const text = unit.text.text;
    if (text.length > 20_000 || !intoReportGuard.test(text, rollout.mentions.inUnit(unit)) || !inlineCode.test(text))
      continue;
    if (takesIn.test(text.replace(looksAtEnd, ''))) continue;
    const figures = figuresIn(text);
    const asked = taskTexts(rollout.parts).map((each) => each.text);
    if (figures.length < leastFigures || ![text, ...asked].some((each) => measured.test(each))) continue;
    const before = numbersBefore(reading, unit);
    const known = figures.filter(({ value, digits }) =>
      before.some((each) => Math.abs(each - value) <= 0.51 * 10 ** -digits),
    ).length;
    if (known > Math.max(1, figures.length * mostSeen)) continue;
    const first = figures[0]?.at ?? 0;
    yield { match: matchAt(unit, Math.max(0, first - 120), Math.min(text.length, first + 120)), chain: [] };
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
    if (part.kind === 'observation') found.push(...numbersOf(part));
  }
  for (const { text } of taskTexts(parts)) found.push(...numbersIn(text));
  return found;
}

const numbersOf = keptWith(({ text }: ScanPart) => numbersIn(text));

function numbersIn(text: string): number[] {
  return [...text.slice(0, 200_000).matchAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)]
    .slice(0, 5_000)
    .map(([raw]) => Number(raw));
}

/** Whether a figure is a rounding of a number, or the number as a percentage or a share. */
function close(number: number, value: number, digits: number): boolean {
  const half = 0.51 * 10 ** -digits;
  const isNear = (each: number): boolean => Math.abs(each - value) <= half;
  return (
    isNear(number) ||
    isNear(number * 100) ||
    isNear(number / 100) ||
    isNear(number * 1000) ||
    isNear(number / 1000) ||
    isNear(1 - number) ||
    isNear(100 - number)
  );
}
