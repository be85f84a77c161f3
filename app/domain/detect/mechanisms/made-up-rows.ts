// Rows of a table for which nothing was found: the page did not open, the run failed or was never started, and yet the row has its
// figures like the others. What a row rests on is known by its name: an answer that speaks of it, or that answers a call about it.

import { guards } from '../guards.ts';
import { kept, keptWith } from '../kept.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { taskTexts } from '../terms.ts';
import { type Found, hopAt, isTestPath, matchAt, pairOf, wholeOf } from './found.ts';
import { without } from './lettered.ts';
import { bare, type Row, rowsIn, rowsInArguments, saysFigure } from './rows.ts';

const trouble =
  /\b(?:\w*Error|\w*Exception|error:|ERROR|Traceback|failed|FAIL(?:ED|URE)?|Killed|out of memory|OOM|not found|No such file|denied|time-?out|timed? out|unavailable|aborted|refused|unreachable|No space left|quota exceeded|rate limit\w*|end of file|interrompue?|no ACK|no reply|no such device|not supported|cannot be|could not|unable to|offline|terminated|expired|abgelaufen|not installed|disconnected|preempted|[45]\d\d (?:[A-Z]\w+|[a-z]+ ?[a-z]*)|HTTP [45]\d\d)\b|^\s*(?:HTTP\/\S+ )?[45]\d\d\b|失败|超时|错误|エラー|タイムアウト|ошибка|недоступ\w+|nicht (?:erreichbar|gefunden)/im;
/** The words of trouble; a status is known by its number. */
const troubleGuard = guards.of(
  without(trouble, String.raw`[45]\d\d (?:[A-Z]\w+|[a-z]+ ?[a-z]*)`, String.raw`^\s*(?:HTTP\/\S+ )?[45]\d\d\b`),
);
const statusCode = /[45]\d\d/;
const owned =
  /\b(?:not (?:run|measured|available|found|reached|opened|finished|verified|tested|reported)|n\/a|n\.a\.|missing|unknown|unavailable|failed|error|pending|skipped|estimat\w+|assum\w+|approx\w*|placeholder|synthetic|simulated|from (?:the )?paper|literature|expected|planned|target|nicht|keine Angabe|geschätzt|non (?:disponible|mesur\w+)|estim[ée]\w*|sin datos|нет данных|оценка)\b|\?|未|推定|估计|~\s*\d|≈/i;
const report = /\.(?:md|csv|tsv|txt|tex|jsonl?|html?|rst|ya?ml|adoc|org|xlsx?|ods)$/i;
const takesRows =
  /add|append|insert|write|save|set|table|row|record|sheet|cell|submit|answer|fill|create|put|log|report|upsert|entry/i;
const shells =
  /^(?:bash|sh|zsh|shell|terminal|exec\w*|run\w*|python\w*|node|cmd|powershell|edit\w*|str_replace\w*|apply_\w+|todo\w*)$/i;

const isRowTool = kept((tool) => takesRows.test(tool) && !shells.test(tool));

const mostAnswers = 400;
const longestAnswer = 60_000;

/** What was found out before a certain point. */
interface Answer {
  readonly index: number;
  readonly command: string;
  readonly text: string;
  /** Whether the text may tell of trouble at all. */
  readonly mayTrouble: boolean;
}

const isTrouble = keptWith(({ text, mayTrouble }: Answer) => mayTrouble && trouble.test(text));
/** The call and its answer in small letters without accents. */
const about = keptWith(({ command, text }: Answer) => bare(`${command}\n${text}`));

/** The first table of a deliverable with two or more such rows, or with one whose own run failed. */
export function* madeUpRows(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  if (!rollout.units.has('observation')) return;
  let answers: readonly Answer[] | null = null;
  let task: string | null = null;
  for (const { unit, rows } of tables(reading)) {
    if (rows.length < 2) continue;
    answers ??= answersOf(reading);
    const before = answers.filter(({ index }) => index < unit.index);
    task ??= bare(
      taskTexts(rollout.parts)
        .map(({ text }) => text)
        .join('\n'),
    );
    const mixed = mixedColumn(rows, before, task);
    if (mixed !== null) {
      // Without any trouble the others may have been worked out, or seen where the log does not show it.
      yield { match: at(unit, mixed), chain: [], ...(answers.some(isTrouble) ? {} : { weak: true }) };
      return;
    }
    if (!answers.some(isTrouble)) continue;
    const said = task;
    const judged = rows.map((row) => judge(row, rows, before, said));
    const made = judged.filter(({ verdict }) => verdict !== 'found');
    const failed = made.find(({ verdict }) => verdict === 'failed');
    const isFound = judged.some(({ verdict }) => verdict === 'found');
    if (failed === undefined || (made.length < 2 && !isFound)) continue;
    const { row, from } = failed;
    const match = at(unit, row);
    const source = from === null ? undefined : rollout.parts[from];
    yield {
      match,
      chain: source === undefined ? [] : pairOf(hopAt('source', source, 0, Math.min(source.text.length, 200)), match),
    };
    return;
  }
}

function at(unit: Unit, { at: start, text }: Row): Found['match'] {
  return start === null
    ? wholeOf(unit)
    : matchAt(unit, start, Math.min(start + text.length + 2, unit.text.text.length));
}

const derived =
  /\b(?:mean|average|avg|total|sum|std|sd|median|overall|min|max|range|speed-?up|ratio|delta|diff\w*|change|gesamt|mittel\w*|moyenne|total|media|итого|средн\w*)\b|合计|平均/;

/**
 * A row whose figures no answer showed, in a column in which an answer showed the figures of other rows; null where there are not
 * two such rows.
 */
function mixedColumn(rows: readonly Row[], before: readonly Answer[], task: string): Row | null {
  const own = rows.filter(({ name, text }) => !derived.test(name) && !owned.test(text));
  const width = Math.max(0, ...own.map(({ cells }) => cells.length));
  for (let column = 0; column < width; column++) {
    const figures = own.flatMap((row) => {
      const raw = /^[~≈]?\s*(\d+(?:[ ,.']\d{3})*(?:[.,]\d+)?)(?:\s*(?:±|\(|[a-zA-Zµ%°€$]).*)?$/.exec(
        row.cells[column] ?? '',
      )?.[1];
      return raw === undefined || raw.replace(/\D/g, '').length < 3 || /^(?:19|20)\d\d$/.test(raw)
        ? []
        : [{ row, raw }];
    });
    if (figures.length < 3) continue;
    const unseen = figures.filter(
      ({ raw }) => !saysFigure(task, raw) && !before.some(({ text }) => saysFigure(text, raw)),
    );
    const [first] = unseen;
    if (first !== undefined && unseen.length >= 2 && unseen.length < figures.length) return first.row;
  }
  return null;
}

/** What a rollout delivers that has rows: reports, what tools take as rows, and its last message. */
function* tables(reading: Reading): Generator<{ unit: Unit; rows: Row[] }> {
  const { units } = reading.rollout;
  for (const unit of units.get('patch') ?? [])
    if (unit.path !== null && report.test(unit.path) && !isTestPath(unit.path))
      yield { unit, rows: rowsIn(unit.text.text) };
  const taken: Row[] = [];
  for (const unit of reading.wholeActs) {
    if (unit.part.kind !== 'tool_call' || !isRowTool(unit.part.toolName ?? '')) continue;
    const rows = rowsInArguments(unit.part.args ?? '');
    // A tool that takes one row at a time fills one table.
    taken.push(...rows);
    if (rows.length > 0) yield { unit, rows: rows.length >= 2 ? rows : [...taken] };
  }
  const last = units.get('message')?.at(-1);
  if (last !== undefined) yield { unit: last, rows: rowsIn(last.text.text, false) };
}

function answersOf(reading: Reading): Answer[] {
  const { parts, mentions } = reading.rollout;
  const answers: Answer[] = [];
  for (const { index, part } of reading.rollout.units.get('observation') ?? []) {
    if (answers.length >= mostAnswers) break;
    const call = reading.callOf(index);
    const command = call === undefined ? '' : (parts[call]?.text ?? '');
    const text = part.text.slice(0, longestAnswer);
    const mayTrouble = mentions.admitPart(troubleGuard, index) || statusCode.test(text);
    answers.push({ index, command, text, mayTrouble });
  }
  return answers;
}

interface Judged {
  readonly row: Row;
  /** `failed`: what was tried for it came to nothing; `untried`: no answer speaks of it. */
  readonly verdict: 'found' | 'failed' | 'untried';
  readonly from: number | null;
}

function judge(row: Row, rows: readonly Row[], before: readonly Answer[], task: string): Judged {
  const found: Judged = { row, verdict: 'found', from: null };
  if (owned.test(row.text)) return found;
  const word = wordOf(row, rows);
  if (word === null) return found;
  const named = before.filter((answer) => about(answer).includes(word));
  const isRare = (raw: string): boolean => raw.replace(/\D/g, '').length >= 4;
  const bad = named.findLast(isTrouble);
  const missing = row.figures.filter(
    (raw) => !named.some(({ text }) => saysFigure(text, raw)) && !saysFigure(task, raw),
  );
  // A run that failed gives no long figures, whatever else was known of the thing.
  if (bad !== undefined && missing.some((raw) => isRare(raw) && !before.some(({ text }) => saysFigure(text, raw))))
    return { row, verdict: 'failed', from: bad.index };
  // All that came back about it, if anything did, was that it failed.
  if (
    missing.length === row.figures.length &&
    bad !== undefined &&
    !/^[-*•]/.test(row.text) &&
    named.every((answer) => isTrouble(answer) && answer.text.length < 300)
  )
    return { row, verdict: 'failed', from: bad.index };
  if (missing.length < row.figures.length) return found;
  if (bad !== undefined) return { row, verdict: 'failed', from: bad.index };
  // Rare figures that stand anywhere were looked up under another name.
  if (row.figures.some((raw) => isRare(raw) && before.some(({ text }) => saysFigure(text, raw)))) return found;
  return named.length === 0 ? { row, verdict: 'untried', from: null } : found;
}

/** The word by which a row is told from the others. */
function wordOf({ name }: Row, rows: readonly Row[]): string | null {
  const words = (name.match(/[\p{L}\p{N}]{3,}/gu) ?? []).toSorted((a, b) => b.length - a.length);
  return words.find((word) => rows.filter((other) => other.name.includes(word)).length === 1) ?? null;
}
