// Makes the demo's files from the texts in story/. Run: node samples/generate.ts [FOLDER]. Deterministic.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atifMain, atifSummary } from './story/atif.ts';
import { nativeRollouts } from './story/build-native.ts';
import { chatRows } from './story/chat.ts';
import { claudeCodeLines } from './story/claude-code.ts';
import { labelLines } from './story/labels.ts';

import { slimeRolloutDump, slimeTrainDump } from './story/slime.ts';

const folder = process.argv[2] ?? import.meta.dirname;

function write(name: string, data: string | Uint8Array): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
}

const jsonl = (rows: readonly unknown[]): string => `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`;

write('tally/step_12.jsonl', jsonl(nativeRollouts()));
write('claude-code/settings-toggle.jsonl', jsonl(claudeCodeLines()));
write('atif/trial/trajectory.json', `${JSON.stringify(atifMain(), null, 2)}\n`);
write('atif/trial/trajectory.summarization-1-summary.json', `${JSON.stringify(atifSummary(), null, 2)}\n`);
write('chat/lookups.jsonl', jsonl(chatRows()));
write('slime/rollout_data/3.pt', slimeRolloutDump());
write('slime/train_data/3.pt', slimeTrainDump());
write('labels.jsonl', jsonl(labelLines()));
