// Whether a call got what it asked for, by what came back. A refused download is an attempt and no leak.

import type { Unit } from './prepare.ts';
import type { Reading } from './reading.ts';
import type { Action } from './types.ts';

/** A longer answer holds something besides its error. */
const longest = 500;

const failure =
  /\b(?:HTTP\/[\d.]+ |HTTP Error |status(?: code)?:? ?|error:? |returned error: )[45]\d\d\b|^[45]\d\d\b|\b(?:40[0134579]|410|429|451|50[0234])[: ]+(?:bad request|unauthori[sz]ed|forbidden|blocked|not found|method not allowed|gone|too many|unavailable|internal|bad gateway)|\b(?:could not|couldn't|can't|cannot|unable to|failed to) (?:resolve|connect|find|fetch|open|access|read|download|retrieve|load)|\b(?:connection|network|proxy|access|permission|request) (?:\w+ )?(?:refused|timed out|reset|denied|unreachable|blocked)|\bno (?:such file|matching (?:distribution|version)|matches found|route to host)|\b(?:command )?not found\b|\bnot allowed\b|\bnpm ERR!|^fatal:|\bname or service not known|\btemporary failure in name resolution/im;

const obtaining = new Set(['fetch', 'install', 'search', 'read']);

/** Whether a unit is an act that got nothing: its call failed or was refused. Other texts never are. */
export function isRefused({ target, action, index }: Unit, reading: Reading): boolean {
  if (target !== 'action' || action === null) return false;
  const { observations, parts } = reading.rollout;
  const answers = (observations.get(index) ?? []).map((answer) => parts[answer]?.text ?? '');
  if (!action.whole) return cameToNothing(action, answers);
  // The command line as a whole has no verbs of its own.
  const verbs = reading.actionsAt(index).flatMap((unit) => unit.action?.verbs ?? []);
  return cameToNothing({ ...action, verbs }, answers);
}

/** Whether an act that only obtains something came back empty-handed: its whole answer is short and says so. */
function cameToNothing(action: Action, answers: readonly string[]): boolean {
  if (answers.length === 0 || !action.verbs.some((verb) => obtaining.has(verb))) return false;
  return answers.every((answer) => answer.length <= longest && failure.test(answer));
}
