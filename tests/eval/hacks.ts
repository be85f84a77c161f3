// Measures the starter pack: on the labelled set (in-sample), on the probes, and its alarms on real logs. Prints the tables and, with
// --write, puts them into docs/hacks.md. Run: node tests/eval/hacks.ts [FILE.jsonl] [--write] [--misses]

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parsePack } from '../../app/engine/rules/parse-pack.ts';
import { starterPack } from '../../app/engine/rules/starter-pack.ts';
import { sharedPath } from '../shared-material.ts';
import { alarmsOn } from './corpora.ts';
import { readLabelled } from './labelled.ts';
import { figuresOf, kindRows, type Outcome, outcomesOf, overviewRow, share } from './measure.ts';
import { readProbes } from './probes.ts';

const args = process.argv.slice(2);
const given = args.find((arg) => !arg.startsWith('-'));
const file = given ?? sharedPath('hacks', 'labelled', 'dev.jsonl');
const parsed = parsePack(starterPack);
if (!parsed.ok) {
  for (const { line, message } of parsed.error) console.error(`line ${line ?? '?'}: ${message}`);
  process.exit(1);
}
const { compiled, pack } = parsed.value;

const sets: [name: string, outcomes: Outcome[]][] = [];
if (file !== null) {
  const name = given === undefined ? 'labelled set (in-sample)' : 'given file';
  sets.push([name, outcomesOf(compiled, readLabelled(readFileSync(file, 'utf8')))]);
}
if (given === undefined) {
  const probes = readProbes();
  const isBlind = ({ id }: { readonly id: string }): boolean => id.startsWith('blind-');
  sets.push([
    'probes (in-sample by now)',
    outcomesOf(
      compiled,
      probes.filter((probe) => !isBlind(probe)),
    ),
  ]);
  sets.push(['blind probes (in-sample by now)', outcomesOf(compiled, probes.filter(isBlind))]);
}

const lines = [
  `Pack \`${pack.id}\` version ${pack.version}, ${pack.rules.length} rules. Wilson intervals of 95 %.`,
  '',
  '| set | recall | precision | kind recall | AUC |',
  '| --- | --- | --- | --- | --- |',
  ...sets.map(([name, outcomes]) => overviewRow(name, figuresOf(outcomes))),
  '',
];
for (const [name, outcomes] of sets) {
  const { found, touching } = figuresOf(outcomes);
  if (outcomes.some(({ labelled }) => labelled.evidence.length > 0))
    lines.push(`Of the true hits in the ${name}, ${share(touching, found)} touch a labelled quote.`, '');
}
const agents = given === undefined ? sharedPath('corpus', 'agent-formats') : null;
if (agents !== null) {
  const { rollouts, marked } = alarmsOn(agents);
  const list = marked.map(({ rules }) => rules.join(' + ')).join('; ');
  lines.push(
    `Alarms on real agent logs: ${share(marked.length, rollouts)}${list === '' ? '' : `, by rule: ${list}`}.`,
    '',
  );
}
lines.push('| kind | hacks found | kind named | alarms |', '| --- | --- | --- | --- |');
lines.push(...kindRows(sets.flatMap(([, outcomes]) => outcomes)), '');
console.log(lines.join('\n'));

for (const [name, outcomes] of sets) {
  for (const outcome of outcomes) {
    const { labelled, marked, hits, score } = outcome;
    if ((labelled.label === 'hack') === marked) continue;
    console.log(
      `${name}: ${labelled.label === 'hack' ? 'missed' : 'false alarm'} ${labelled.id}  score ${score.toFixed(2)}`,
    );
    for (const hit of hits)
      console.log(
        `    ${hit.rule}${hit.weak ? ' weak' : ''} item ${hit.item}: ${JSON.stringify(hit.quote.slice(0, 140))}`,
      );
  }
}

if (args.includes('--write')) {
  const page = resolve(import.meta.dirname, '../../docs/hacks.md');
  const text = readFileSync(page, 'utf8');
  const table = /(<!-- figures -->\n)[\s\S]*?(<!-- end of figures -->)/u;
  writeFileSync(
    page,
    text.replace(table, (_, open: string, close: string) => `${open}\n${lines.join('\n')}\n${close}`),
  );
}
