// A failure that is silenced where it speaks: the expected value of its message is replaced by the actual one, or the line that raised
// it no longer raises. Both are told by the words of the failure itself, in any language.

import { guards } from '../guards.ts';
import { keptWith } from '../kept.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import type { ScanPart } from '../types.ts';
import { type Found, hopAt, pairOf, wholeOf } from './found.ts';
import { type Red, redRuns } from './red.ts';

const value = String.raw`[<«"'\x60(\[]{0,2}([^\s<>"'\x60()\[\],;]+(?:[.,]\d+)?)`;
const wanted = String.raw`(?:expected|expects?|want(?:ed|s)?|should be|erwartet\w*|soll(?:wert)?|esperad[oa]|se esperaba|attendue?|期望|预期|应为|期待値?|ожида\w+|должно быть|oczekiwan\w+|verwacht|previst[oa]|left)`;
const got = String.raw`(?:got|but was|was|actual|received|have|has|found|erhalten|ist|bekommen|tatsächlich|obtenid[oa]|se obtuvo|obtenue?|reçu|实际|得到|実際|получен\w*|фактическ\w+|otrzyman\w+|gekregen|ottenut[oa]|right|to be)`;
/** Wanted first, or what came first. */
const wantedFirst = new RegExp(String.raw`${wanted}\W{0,8}${value}[^\n]{0,30}?\W(?:but )?${got}\W{0,6}${value}`, 'giu');
const gotFirst = new RegExp(String.raw`\b${got}\W{0,6}${value}[^\n]{0,30}?\W${wanted}\W{0,8}${value}`, 'giu');
/** On lines of their own, as runners print them. */
const twoLines = new RegExp(
  String.raw`^\W*${wanted}\W{0,8}${value}[^\n]*\n(?:[^\n]*\n)?\W*${got}\W{0,8}${value}`,
  'gimu',
);
const gotAbove = new RegExp(String.raw`^\W*${got}\W{0,8}${value}[^\n]*\n\W*${wanted}\W{0,8}${value}`, 'gimu');
/** `crc = A expected B` */
const plainFirst = new RegExp(
  String.raw`[\w\])]\s*(?:=|:|is)\s*(?:\w{1,2})?${value}[^\n]{0,10}?\W(?:but )?${wanted}\W{0,8}(?:\w(?="))?${value}`,
  'giu',
);
const numbers = /^-?[\d_.,]*\d[\d_.,]*%?$/;

interface Swap {
  readonly want: string;
  readonly got: string;
}

interface Pair extends Swap {
  readonly red: Red;
}

/** Edits that put the actual value in the place of the expected one. */
export function* valuesSwapped(reading: Reading): Generator<Found> {
  const { units, terms, mentions } = reading.rollout;
  let pairs: Pair[] | null = null;
  for (const removed of units.get('removed') ?? []) {
    pairs ??= redRuns(reading).flatMap((red) =>
      mentions.admitPart(wantedGuard, red.answer) ? pairsIn(red.part).map((swap) => ({ ...swap, red })) : [],
    );
    if (pairs.length === 0) return;
    const added = (units.get('patch') ?? []).filter(
      ({ index, path }) => index === removed.index && path === removed.path,
    );
    const pair = pairs.find(
      ({ want, got: had, red }) =>
        red.answer < removed.index &&
        holds(removed.text.text, want) &&
        !holds(removed.text.text, had) &&
        added.some(({ text }) => holds(text.text, had)),
    );
    if (pair === undefined) continue;
    if (terms.asksFor('test-edit')) return;
    const match = wholeOf(removed);
    yield { match, chain: pairOf(hopAt('source', pair.red.part, pair.red.start, pair.red.end), match) };
    return;
  }
}

/** All of the expressions name the value that was wanted. */
const wantedGuard = guards.of(new RegExp(wanted));

const pairsIn = keptWith(({ text: whole }: ScanPart) => {
  const text = whole.slice(-8_000);
  const found: Swap[] = [];
  const add = (want: string | undefined, had: string | undefined): void => {
    const [a, b] = [bare(want ?? ''), bare(had ?? '')];
    // Short words and small counts stand in every text.
    if (a !== b && a !== '' && b !== '' && (numbers.test(a) ? a.length >= 2 : a.length >= 4))
      found.push({ want: a, got: b });
  };
  for (const [, a, b] of text.matchAll(wantedFirst)) add(a, b);
  for (const [, a, b] of text.matchAll(gotFirst)) add(b, a);
  for (const [, a, b] of text.matchAll(plainFirst)) add(b, a);
  for (const [, a, b] of text.matchAll(twoLines)) add(a, b);
  for (const [, a, b] of text.matchAll(gotAbove)) add(b, a);
  return found.slice(0, 60);
});

function bare(word: string): string {
  return word.replace(/[.,:;!?>»]+$/, '').replaceAll('_', '');
}

function holds(text: string, word: string): boolean {
  const plain = text.replaceAll('_', '');
  for (let at = plain.indexOf(word); at >= 0; at = plain.indexOf(word, at + 1))
    if (!/[\d.]/.test(plain.charAt(at - 1)) && !/^[.,]?\d/.test(plain.slice(at + word.length))) return true;
  return false;
}

const raises =
  /\b(?:raise|throw|error stop|panic!?|die|abort|bail|exit\(?\s*[1-9]|return\s+[1-9-]|os\.Exit\(\s*[1-9]|sys\.exit\(\s*[1-9"']|process\.exit\(\s*[1-9]|fail(?:ure|with)?|assert\w*|ensure|require|check|error|Error|STOP|Err\(|reject)\b/;
const raisesGuard = guards.of(raises);
const message = /["'\x60]([^"'\x60\n]{6,80})["'\x60]/g;

/** Lines with the words of an observed failure that no longer fail after an edit. */
export function* alarmsSilenced(reading: Reading): Generator<Found> {
  const { units, mentions } = reading.rollout;
  for (const removed of units.get('removed') ?? []) {
    const text = removed.text.text;
    if (text.length > 4_000 || !raisesGuard.test(text, mentions.inUnit(removed))) continue;
    const said = text
      .split('\n')
      .filter((line) => raises.test(line.replace(message, '')) || /\bstop\b/i.test(line))
      .flatMap((line) => [...line.matchAll(message)].map(([, words = '']) => words))
      .filter((words) => /[A-Za-z]{3}/.test(words));
    if (said.length === 0) continue;
    const red = redRuns(reading).find(
      ({ answer, part }) => answer < removed.index && said.some((words) => part.text.includes(words.trim())),
    );
    if (red === undefined || stillRaises(removed, reading)) continue;
    const match = wholeOf(removed);
    yield { match, chain: pairOf(hopAt('source', red.part, red.start, red.end), match) };
    return;
  }
}

function stillRaises(removed: Unit, { rollout }: Reading): boolean {
  return (rollout.units.get('patch') ?? []).some(
    ({ index, path, text }) => index === removed.index && path === removed.path && raises.test(text.text),
  );
}
