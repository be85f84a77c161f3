// Measures the starter pack on a labelled set: precision, recall and F1 over rollouts and by kind, spans against the labelled
// quotes, and the rollouts on which pack and label disagree. Run: node tests/eval/hacks.ts [FILE.jsonl] [--misses]
// Only `messages` are fed to the rules; the label fields are used for counting alone.

import { readFileSync } from 'node:fs';
import { scanRollout } from '../../app/domain/detect/scan.ts';
import { scoreRollout } from '../../app/domain/detect/score.ts';
import type { RuleHit } from '../../app/domain/detect/types.ts';
import { f1, wilson } from '../../app/domain/tuning/statistics.ts';
import { parsePack } from '../../app/engine/rules/parse-pack.ts';
import { starterPack } from '../../app/engine/rules/starter-pack.ts';
import { sharedPath } from '../shared-material.ts';
import { type LabelledRollout, readLabelled, rolloutOf } from './labelled.ts';

const file = process.argv.slice(2).find((arg) => !arg.startsWith('-')) ?? sharedPath('hacks', 'labelled', 'dev.jsonl');
if (file === null) {
  console.error('No labelled set: give a JSONL file, or set ROLLSCOPE_SHARED to the reference material.');
  process.exit(1);
}
const parsed = parsePack(starterPack);
if (!parsed.ok) {
  for (const { line, message } of parsed.error) console.error(`line ${line ?? '?'}: ${message}`);
  process.exit(1);
}
const { compiled, pack } = parsed.value;

interface Outcome {
  readonly labelled: LabelledRollout;
  readonly hits: readonly RuleHit[];
  readonly marked: boolean;
  readonly score: number;
  readonly kinds: readonly string[];
}

const started = performance.now();
const outcomes: Outcome[] = readLabelled(readFileSync(file, 'utf8')).map((labelled) => {
  const hits = scanRollout(compiled, rolloutOf(labelled));
  const { marked, score, kinds } = scoreRollout(hits, pack.threshold);
  return { labelled, hits, marked, score, kinds };
});
const elapsed = performance.now() - started;

const judged = outcomes.filter(({ labelled }) => labelled.label !== 'ambiguous');
const hacks = judged.filter(({ labelled }) => labelled.label === 'hack');
const clean = judged.filter(({ labelled }) => labelled.label === 'clean');
const truePositives = hacks.filter(({ marked }) => marked);
const falsePositives = clean.filter(({ marked }) => marked);
const percent = (hits: number, of: number): string => {
  const { value, low, high } = wilson(hits, of);
  const text = (x: number | null): string => (x === null ? '-' : x.toFixed(3));
  return `${text(value)} [${text(low)}, ${text(high)}] (${hits}/${of})`;
};
const precision = wilson(truePositives.length, truePositives.length + falsePositives.length).value;
const recall = wilson(truePositives.length, hacks.length).value;
console.log(
  `pack ${pack.id} ${pack.version}, ${pack.rules.length} rules, ${judged.length} rollouts, ${elapsed.toFixed(0)} ms`,
);
console.log(`precision ${percent(truePositives.length, truePositives.length + falsePositives.length)}`);
console.log(`recall    ${percent(truePositives.length, hacks.length)}`);
console.log(`F1        ${f1(precision, recall)?.toFixed(3) ?? '-'}`);
console.log(`AUC       ${auc().toFixed(3)}`);
const overlapping = truePositives.filter(({ labelled, hits }) =>
  hits.some((hit) => labelled.evidence.some((quote) => touches(hit, quote))),
);
console.log(`evidence  ${percent(overlapping.length, truePositives.length)} of true hits touch a labelled quote`);

console.log('\nkind                       rollouts  marked  kind named  false positives');
for (const kind of [...new Set(hacks.flatMap(({ labelled }) => labelled.kinds))].toSorted()) {
  const of = hacks.filter(({ labelled }) => labelled.kinds.includes(kind));
  const named = of.filter(({ hits }) => hits.some((hit) => hit.kind === kind)).length;
  const wrong = falsePositives.filter(({ kinds }) => kinds.includes(kind)).length;
  const counts = [of.length, of.filter(({ marked }) => marked).length, named, wrong].map((n) => String(n).padStart(8));
  console.log(`${kind.padEnd(26)}${counts.join('  ')}`);
}
console.log(`kind recall ${percent(...kindRecall())}`);

console.log('\nfalse positives');
for (const outcome of falsePositives) print(outcome);
console.log('\nmisses');
for (const outcome of hacks) if (!outcome.marked) print(outcome);

function print({ labelled, hits, score }: Outcome): void {
  console.log(`${labelled.id}  score ${score.toFixed(2)}  [${labelled.kinds.join(', ')}]`);
  for (const hit of hits) {
    console.log(
      `    ${hit.rule.padEnd(4)}${hit.weak ? ' weak' : ''} item ${hit.item}: ${JSON.stringify(hit.quote.slice(0, 140))}`,
    );
  }
}

function kindRecall(): [number, number] {
  let named = 0;
  let of = 0;
  for (const { labelled, hits } of hacks) {
    for (const kind of labelled.kinds) {
      of++;
      if (hits.some((hit) => hit.kind === kind)) named++;
    }
  }
  return [named, of];
}

/** Probability that a random hack scores above a random clean rollout; ties count half. */
function auc(): number {
  let wins = 0;
  for (const a of hacks) for (const b of clean) wins += a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0;
  return wins / Math.max(1, hacks.length * clean.length);
}

function touches(hit: RuleHit, evidence: { item: number; quote: string }): boolean {
  const places = [{ item: hit.item, quote: hit.quote }, ...hit.chain];
  return places.some(
    ({ item, quote }) =>
      item === evidence.item &&
      (quote.includes(evidence.quote) || evidence.quote.includes(quote) || shareLine(quote, evidence.quote)),
  );
}

function shareLine(a: string, b: string): boolean {
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length >= 6);
  return lines(a).some((line) => lines(b).some((other) => line.includes(other) || other.includes(line)));
}
