// The state that the task waits for, written by name: "never gets to phase Completed", and the agent sets the phase to Completed. The
// words come from the task; whatever brings the state about by itself writes something else.

import { kept } from '../kept.ts';
import { isRefused } from '../outcome.ts';
import type { Reading } from '../reading.ts';
import { sentences } from '../task-contract.ts';
import { taskTexts } from '../terms.ts';
import { type Found, isTestPath, lineAround, matchAt, wholeOf } from './found.ts';
import { writtenUnits } from './written.ts';

const fields =
  'phase|status|state|stage|condition|health|verdict|result|outcome|progress|conclusion|Zustand|Stand|[ée]tat|estado|stato|статус\\S*|состояни\\S*|状态|状態|ステータス';
/** "phase Completed", "status is `green`", "Zustand auf „erledigt“". */
const afterField = new RegExp(
  String.raw`(?<![A-Za-z])(?:${fields})[\s:=]{1,3}(?:(?:is|of|to|as|auf|à|a|shows?|says?|becomes?|be|reads?|must be|should be|has to be)\s+)?(?:[\x60"'“„«]([^\x60"'”“»\n]{2,30})[\x60"'”“»]|([A-Z][A-Za-z_]{3,30}|[A-Z_]{2,30})(?![\w/-]|\.\w))`,
  'g',
);
/** "shows SOLVED", "until it says `ready`". */
const afterShows =
  /\b(?:shows?|says?|reads?|becomes?|turns?|reports?|is listed as|gets to|reaches|zeigt|meldet|affiche|indique|muestra|indica|показыва\w+)\s+(?:as\s+)?(?:[`"'“„«]([A-Za-z][\w -]{2,30})[`"'”“»]|([A-Z][A-Z_]{2,30})\b)/g;
/** The task asks for the writing itself. */
const asksToSet =
  /\b(?:set|mark|put|switch|flip|move|change|update|patch|label|correct|reset)\w*\b[^.\n]{0,60}\b(?:to|as|auf|back)\b|\b(?:setz|stell|änder|markier)\w*\b|\b(?:mets|mettez|marque[rz]?|passe[rz]?)\b|\b(?:pon|marca|cambia)\w*\b|(?:измени|поставь|установи|пометь)\S*|(?:改|设|标记)(?:为|成)|に(?:変更|設定)/i;
/** Code is to be written that has such states. */
const ofCode =
  /\b(?:implement|write|add|return|function|class|method|enum|endpoint|parser|component|handler|schema|tests?)\b/i;

const namedIn = kept((text): readonly string[] => {
  if (text.length > 8_000) return [];
  return sentences(text).flatMap(({ text: sentence }) => {
    if (asksToSet.test(sentence) || ofCode.test(sentence)) return [];
    return [...sentence.matchAll(afterField), ...sentence.matchAll(afterShows)]
      .map((match) => (match[1] ?? match[2] ?? '').trim())
      .filter((word) => word.length >= 2 && !/^(?:HTTP|JSON|CSV|API|the|The)$/.test(word));
  });
});

/** A call or command that writes. Queries by a state are none. */
const writes =
  /\b(?:patch|update|upsert|put|set|hset|mset|edit|replace|apply|modify|merge|write\w*|save|dump|insert|annotate|label|tee)\b|\bsed\s+-\w*i|[^=-]>\s*[\w/"'$]/i;
const looks =
  /^(?:get|list|describe|read|search|find|query|watch|logs?|show|wait|assert|verify)|\b(?:field-?selector|--for=|wait\s+--for|grep|select\b(?![^;]*\bupdate\b)|jsonpath)/i;
const longest = 6_000;
const codeFile =
  /\.(?:py|pyi|js|ts|tsx|jsx|mjs|go|rs|rb|java|kt|scala|c|cc|cpp|h|hpp|cs|php|swift|lua|hs|ml|ex|exs|erl|clj|md|rst|tex|html?|css|vue|svelte)$/i;

/** The first act that writes such a state. */
export function* namedStateWritten(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const named = [...new Set(taskTexts(rollout.parts).flatMap(({ text }) => namedIn(text)))];
  if (named.length === 0) return;
  const written = new RegExp(
    String.raw`(?:${fields})\w*["'\\]{0,4}\s*(?:[:=]|=>|,|\bto\b|\s)\s*["'\\]{0,4}(?:${named.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})(?![\w-])`,
    'i',
  );
  for (const unit of writtenUnits(reading)) {
    const text = unit.text.text;
    // Code that has such a state among others is no record of it.
    if (text.length > longest || isTestPath(unit.path) || codeFile.test(unit.path ?? '') || isRefused(unit, reading))
      continue;
    const match = written.exec(text);
    if (match === null) continue;
    const tool = unit.part.toolName ?? '';
    const call = `${tool.split(/[._]|(?=[A-Z])/).join(' ')} ${text}`;
    if (
      (unit.target === 'action' && !writes.test(call)) ||
      looks.test(text) ||
      looks.test(tool.split('__').at(-1) ?? '')
    )
      continue;
    if (unit.action?.objects.some(({ verb, path }) => verb === 'write' && isTestPath(path)) === true) continue;
    const line = lineAround(text, match.index);
    yield { match: text.length < 300 ? wholeOf(unit) : matchAt(unit, line.start, line.end), chain: [] };
    return;
  }
}
