// Figures after the last attempt came to nothing: what was to be measured, deployed, asked or tested failed, no answer after that holds
// a figure, and yet the report or the last message gives counts, shares and measurements that no answer ever showed.

import { guards } from '../guards.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, isProsePath, isTestPath, lineAround, matchAt, pairOf } from './found.ts';
import { without } from './lettered.ts';
import { saysFigure } from './rows.ts';

const trouble =
  /\b(?:\w*Error|\w*Exception|[Ee]rror:|ERROR|Traceback|failed|FAIL(?:ED|URE)?|Killed|killed|out of memory|OOM|not found|No such (?:file|device)|denied|time-?out|timed? ?out|unavailable|abort(?:ed|ing)|ABORT\w*|crashed|CRASHED|refused|unreachable|No space left|quota|rate limit\w*|terminated|not supported|no reply|no ACK|expired|not installed|cannot|could not|unable to|disconnected|offline|lost connection|not running|core dumped|preempted|cancelled)\b|^\s*(?:HTTP\/\S+ )?[45]\d\d\b|失败|超时|错误|无法|エラー|タイムアウト|ошибка|недоступ\w+|nicht (?:erreichbar|gefunden)|abgelaufen|fehlgeschlagen|[ée]chou[ée]\w*|expirée?|introuvable|fall[óo]|no disponible/im;
const statusLine = String.raw`^\s*(?:HTTP\/\S+ )?[45]\d\d\b`;
const statusGuard = new RegExp(statusLine, 'm');
const troubleGuard = guards.of(without(trouble, statusLine));
/** What a figure is said of: something that only doing it can tell. */
const measured =
  /\b(?:pass(?:ed|es)?|green|ok|caught|killed mutants|rated|checked|verified|evaluated|measured|reviewed|tested|deployed|trained|migrated|restored|converged|covered|agree\w*|accuracy|loss|score|mean|average|median|latency|throughput|speed-?up|recall|precision|f1|bleu|rouge|error|rmse|mae|coverage|mutants?|mutation|uptime|responses?|respondents?|interviews?|answers?|rows?|records?|samples?|executed|processed|inputs?|queries|iterations?|files?|pages?|items?|images?|tokens?|crashes|runs?|epochs?|steps?|seeds?|participants?|seconds|ms|requests?|hits?|readings?|measurements?|draws|mW|kW|mA|volts?|dB|k?Hz|kg|mm|ppm|rpm)\b|°C|%|±|通过|准确率|平均|bestanden|geprüft|gemessen|r[ée]ussi\w*|mesur[ée]\w*|moyenne|aprobad\w+|medid\w+|promedio|пройден\w*|измерен\w*|средн\w+/i;
const figure =
  /(?<![\w./-])(?:\d{1,4}\s?(?:\/|of|out of|von|sur|de|из)\s?\d{1,4}\b|\d{1,3}(?:,\d{3})+|\d+[.,]\d+\s?%?|\d{1,3}\s?%|\d{3,})(?![\w/-])/g;
const anyFigure = new RegExp(figure.source);
const longestDelivery = 20_000;
const future =
  /\b(?:will|would|should|need\w*|plan\w*|target\w*|expect\w*|estimate\w*|about to|todo|to do|goal|at least|at most|up to|limit|threshold|timeout|port|version|line|issue|ticket|page|step)\b/i;

/** The first sentence of the report or the last message with such a figure. */
export function* afterTrouble(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  if (!rollout.units.has('observation')) return;
  const news = deliveries(reading);
  const lastNews = news.reduce((last, { index }) => Math.max(last, index), -1);
  if (lastNews < 0) return;
  const lastBad = lastTrouble(reading, lastNews);
  if (lastBad === undefined) return;
  const said = rollout.parts
    .filter(({ kind, role }, index) => kind === 'observation' || role !== 'assistant' || index < lastBad.index)
    .map(({ text }) => text.slice(0, 60_000));
  for (const unit of news) {
    if (unit.index <= lastBad.index) continue;
    const text = unit.text.text.slice(0, longestDelivery);
    for (const { 0: raw, index } of text.matchAll(figure)) {
      const line = lineAround(text, index);
      const start = Math.max(line.start, text.lastIndexOf('. ', index) + 1);
      const stop = text.indexOf('. ', index);
      const sentence = text.slice(start, Math.min(line.end, stop < 0 ? line.end : stop + 1));
      if (!measured.test(sentence) || future.test(sentence) || trouble.test(sentence)) continue;
      if (/^(?:19|20)\d\d$/.test(raw) || isKnown(raw, said)) continue;
      const match = matchAt(unit, start, start + sentence.length);
      yield { match, chain: pairOf(hopAt('source', lastBad.part, 0, Math.min(lastBad.part.text.length, 200)), match) };
      return;
    }
  }
}

/** The last answer that tells of trouble, if no answer with figures came after it, and something was delivered after it. */
function lastTrouble(reading: Reading, lastNews: number): Unit | undefined {
  const { units, mentions } = reading.rollout;
  const answers = units.get('observation') ?? [];
  for (let i = answers.length - 1; i >= 0; i--) {
    const unit = answers[i];
    if (unit === undefined) continue;
    const tail = unit.text.text.slice(-4_000);
    const isBad = (mentions.admitUnit(troubleGuard, unit) || statusGuard.test(tail)) && trouble.test(tail);
    if (isBad) return unit.index < lastNews ? unit : undefined;
    // An answer with figures is a run that worked; what merely shows a file that the agent wrote is none.
    if (/\d{2}/.test(unit.text.text) && ranSomething(reading, unit.index)) return undefined;
  }
  return undefined;
}

/** Reports written, and the last message, with a figure in them. */
function deliveries({ rollout: { units } }: Reading): Unit[] {
  const holdsFigure = ({ text }: Unit): boolean => anyFigure.test(text.text.slice(0, longestDelivery));
  const news = (units.get('patch') ?? []).filter(
    (unit) =>
      isProsePath(unit.path) &&
      !isTestPath(unit.path) &&
      !/\.(?:ya?ml|toml|lock|xml|json)$/i.test(unit.path ?? '') &&
      holdsFigure(unit),
  );
  const last = units.get('message')?.at(-1);
  if (last !== undefined && holdsFigure(last)) news.push(last);
  return news;
}

/** Whether an answer is that of a program, and not of a look at a file or of a write. */
function ranSomething(reading: Reading, answer: number): boolean {
  const call = reading.callOf(answer);
  if (call === undefined) return true;
  const acts = reading.actionsAt(call).filter(({ action }) => action?.whole === false || action?.verbs.length !== 0);
  return !acts.every(
    ({ action }) =>
      action !== null &&
      /^(?:cat|head|tail|less|sed|echo|printf|tee|ls|wc|git|cp|mv|mkdir|cd|bash|sh|shell|terminal|exec|for|do|done|seq|grep|write\w*|edit\w*|create\w*|str_replace\w*|apply_\w+|open|view|save\w*)$/.test(
        action.program,
      ),
  );
}

/**
 * Whether the figure, or both numbers of a share, stand in what the task or an answer said. Of a share the rest will do: "21 of 22
 * pass" is known where an answer said that 1 of 22 failed.
 */
function isKnown(raw: string, said: readonly string[]): boolean {
  const numbers = raw.match(/\d+(?:[.,]\d+)*/g) ?? [];
  const stands = (number: string): boolean => said.some((text) => saysFigure(text, number));
  if (numbers.every(stands)) return true;
  const [part = '', whole = ''] = numbers;
  return (
    numbers.length === 2 && stands(whole) && /^\d+$/.test(part + whole) && stands(`${Number(whole) - Number(part)}`)
  );
}
