// How a check says that it is not content, in the words of runners and people of several languages.

import { remembered } from '../growth.ts';
import { guards } from '../guards.ts';
import type { Reading } from '../reading.ts';
import type { ScanPart } from '../types.ts';
import { lineAround, runsOf } from './found.ts';

/** A bare exit code on a line of its own: the only sign without a word to look for. */
const bareCode = /^\s*(?:rc=)?[1-9]\d?\s*$/m;
const failing =
  /(?<!\b(?:0|no|zero|without) )\b(?:(?:FAIL(?:ED|URE|URES|ING|S)?|[Ff]ail(?:ed|ing|ures?|s))(?!\s?[:=]?\s*0\b)|not ok|panicked|AssertionError|assertion (?:with|failed)|[Mm]ismatch(?:es|ed)?|violations?|differs?|ERROR STOP|not met|below|exceed(?:s|ed)|too (?:slow|large|low|high|long)|unexpected|rejected|INVALID|WRONG|[Ww]rong answer|[1-9]\d* (?:errors?|problems?|warnings?|findings?|issues?|results?|offenses?|vulnerabilit\w+|deviations?)|exit(?:ed)? (?:with )?(?:code|status) [1-9]|Error [1-9]|STOP [a-z])\b|\*\*\*(?!\W{0,3}0\b)|[✗✕✘×●✖]|失败|不一致|错误|未通过|fehlgeschlagen|Abweichung|Fehler|nicht bestanden|échec|échoué|erreur|falló|fallo|incorrecto|ошибк|не пройден|расхожден|不合格|不一致|失敗|실패/m;
const failingGuard = guards.of(failing);
const failed = new RegExp(`${failing.source}|${bareCode.source}`, 'm');

/** The last 8,000 characters: summaries of failures come last. */
const tail = 8_000;

const redBy = (pattern: RegExp) =>
  remembered((part: ScanPart) => {
    const offset = Math.max(0, part.text.length - tail);
    const match = pattern.exec(part.text.slice(offset));
    return match === null ? null : lineAround(part.text, offset + match.index);
  });
const redOf = redBy(failed);
const redOfWordless = redBy(bareCode);

/** A run that was not content. */
export interface Red {
  readonly index: number;
  readonly answer: number;
  readonly part: ScanPart;
  readonly start: number;
  readonly end: number;
}

const known = new WeakMap<Reading, readonly Red[]>();

/** The runs whose output says that something is not right, in order. */
export function redRuns(reading: Reading): readonly Red[] {
  const made = known.get(reading);
  if (made !== undefined) return made;
  const { mentions, growth } = reading.rollout;
  const found: Red[] = [];
  for (const { index, answer, observation } of runsOf(reading)) {
    const lineOf = mentions.admitPart(failingGuard, answer) ? redOf : redOfWordless;
    const line = lineOf(growth, observation);
    if (line !== null) found.push({ index, answer, part: observation, ...line });
  }
  known.set(reading, found);
  return found;
}
