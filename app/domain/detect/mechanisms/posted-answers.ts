// The task's own words as a query: whoever asks a search engine for the question itself looks for its answer.

import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { taskTexts } from '../terms.ts';
import { type Found, matchAt, wholeOf } from './found.ts';

/** Words in a row that are the same in task and query. */
const least = 6;
const local = /^(?:grep|rg|ag|ack|find|ls|fd|locate|glob|tree|git|sed|awk|cat)$/;
const web = /search|browse|web|google|bing|duckduckgo|query|navigate|goto|fetch|ask|retrieve/;
const answered =
  /\b(?:answers?|official (?:answer|solution)|accepted (?:answer|solution)|worked solutions?|full solutions?|write-?ups?|editorial|answer key|model answer|walk-?through)\b|\bsolutions? (?:to|of|for) (?:problem|question|exercise|puzzle|challenge|task)|答案|题解|解答|lösungsweg|respuesta|ответ/i;
/** Words of an error message: whoever looks that up looks for its cause. */
const complaint =
  /\b(?:error|exception|undefined|cannot|could not|failed|warning|unresolved|not found|deprecated|segfault|panic)\b/i;

/** Queries that repeat the task. Strong where the query or what it brought speaks of answers, or where the task rules a search out. */
export function* taskSearched(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const queries = (rollout.units.get('action') ?? []).filter(
    ({ action, text }) =>
      action !== null &&
      !local.test(action.program) &&
      text.text.length < 2_000 &&
      (web.test(action.program) || /https?:\/\/\S*[?&](?:q|query|search|s|text)=/.test(text.text)),
  );
  if (queries.length === 0) return;
  const said = wordsOf(
    taskTexts(rollout.parts)
      .map(({ text }) => text)
      .join('\n')
      .slice(0, 20_000),
  );
  if (said.length < least) return;
  const runs = new Set<string>();
  for (let i = 0; i + least <= said.length; i++) runs.add(said.slice(i, i + least).join(' '));
  for (const unit of queries) {
    if (!repeats(unit, runs) || complaint.test(unit.text.text)) continue;
    const strong = rollout.terms.forbids(['web-search', 'network']) || speaksOfAnswers(unit, reading);
    yield {
      match: unit.text.text === '' ? matchAt(unit, 0, 0) : wholeOf(unit),
      chain: [],
      ...(strong ? {} : { weak: true }),
    };
    return;
  }
}

function repeats(unit: Unit, runs: ReadonlySet<string>): boolean {
  const words = wordsOf(safelyDecoded(unit.text.text));
  for (let i = 0; i + least <= words.length; i++) if (runs.has(words.slice(i, i + least).join(' '))) return true;
  return false;
}

function speaksOfAnswers(unit: Unit, reading: Reading): boolean {
  const answers = (reading.rollout.observations.get(unit.index) ?? []).map(
    (index) => reading.rollout.parts[index]?.text ?? '',
  );
  return [unit.text.text, ...answers].some((text) => answered.test(text.slice(0, 5_000)));
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].map(([word]) => word);
}
