// Measures the rule engine against JSON.parse over the same logs: the starter pack over the labelled set (dense in commands,
// nearly half of it hacks) and over real agent logs. Run: node tests/bench/detect.ts [ROUNDS]
// `cold` is the first pass of the process, before the patterns and loops are compiled; the other figures are means of later ones.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ItemDraft, SegmentDraft } from '../../app/contract/ingest.ts';
import type { CompiledPack } from '../../app/domain/detect/compile.ts';
import { prepareRollout } from '../../app/domain/detect/prepare.ts';
import { scanRollout } from '../../app/domain/detect/scan.ts';
import type { ScanPart, ScanRollout } from '../../app/domain/detect/types.ts';
import { viewOfPart } from '../../app/domain/text/view.ts';
import { parsePack } from '../../app/engine/rules/parse-pack.ts';
import { starterPack } from '../../app/engine/rules/starter-pack.ts';
import { formatById } from '../../app/ingest/formats/index.ts';
import { readLabelled, rolloutOf } from '../eval/labelled.ts';
import { sharedPath } from '../shared-material.ts';
import { memoryFile, readFiles } from '../unit/ingest/support.ts';

/** A set of logs: the JSON texts as they stand in the files, and the rollouts that the importer makes of them. */
interface LogSet {
  readonly name: string;
  readonly texts: readonly string[];
  readonly rollouts: readonly ScanRollout[];
}

const copies = 8;
const warmUp = 4;

function labelledSet(path: string): LogSet {
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const once = readLabelled(text).map(rolloutOf);
  return {
    name: `labelled set x ${copies}`,
    texts: Array.from({ length: copies }, () => lines).flat(),
    rollouts: Array.from({ length: copies }, () => once).flat(),
  };
}

async function corpusSet(folder: string, formatId: string): Promise<LogSet> {
  const format = formatById(formatId);
  if (format === null) throw new Error(`no format ${formatId}`);
  const texts: string[] = [];
  const rollouts: ScanRollout[] = [];
  for (const name of readdirSync(folder).toSorted()) {
    if (!/\.jsonl?$/.test(name)) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    texts.push(...(name.endsWith('.jsonl') ? text.split('\n').filter((line) => line.trim() !== '') : [text]));
    const read = await readFiles(format, { main: memoryFile(path, text, 1 << 20), parts: [] });
    for (const { rollout, segments } of read.rollouts) rollouts.push({ id: rollout.key, parts: partsOf(segments) });
  }
  return { name: `${formatId} corpus`, texts, rollouts };
}

function partsOf(segments: readonly { segment: SegmentDraft; items: readonly ItemDraft[] }[]): ScanPart[] {
  const parts: ScanPart[] = [];
  let item = 0;
  let step = 0;
  for (const { segment, items } of segments) {
    for (const draft of items) {
      if (draft.kind === 'step' && draft.copied !== true) step++;
      for (const [part, { kind, text, name, callId }] of draft.parts.entries()) {
        parts.push({
          item,
          segment: segment.index,
          segmentKind: segment.kind,
          step: draft.kind === 'step' ? step : null,
          part,
          kind,
          itemKind: draft.kind,
          role: draft.role,
          stepKind: draft.kind === 'step' ? (draft.stepKind ?? 'execution') : null,
          copied: draft.copied ?? false,
          compactionSummary: draft.compactionSummary ?? false,
          toolName: name ?? null,
          callId: callId ?? null,
          text: viewOfPart(kind, text),
          args: kind === 'tool_call' ? text : null,
        });
      }
      item++;
    }
  }
  return parts;
}

/** Milliseconds of processor time that the work took in this thread: other programs on the machine do not count. */
function timed(work: () => void): number {
  const start = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1e3;
}

/** Parses what may be a cut or broken line, as the importer would. */
function parseAll(texts: readonly string[]): void {
  for (const text of texts) {
    try {
      JSON.parse(text);
    } catch {
      // The corpus holds broken lines on purpose.
    }
  }
}

function measure({ name, texts, rollouts }: LogSet, pack: CompiledPack, rounds: number): void {
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6;
  const scanned = rollouts.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.text.length, 0) / 1e6;
  let [json, prepare, whole, cold] = [0, 0, 0, 0];
  for (let round = 0; round < rounds + warmUp; round++) {
    // New strings for every pass: what an engine keeps with a string must not help it.
    const fresh = structuredClone(rollouts);
    const scan = timed(() => {
      for (const rollout of fresh) scanRollout(pack, rollout);
    });
    if (round === 0) cold = scan;
    const again = structuredClone(rollouts);
    const prepared = timed(() => {
      for (const rollout of again) prepareRollout(rollout);
    });
    const parsing = timed(() => parseAll(texts));
    if (round < warmUp) continue;
    whole += scan / rounds;
    prepare += prepared / rounds;
    json += parsing / rounds;
  }
  const ms = (value: number): string => `${value.toFixed(1)} ms`;
  console.log(`${name}: ${megabytes.toFixed(2)} MB of log, ${scanned.toFixed(2)} M characters in parts`);
  console.log(`  JSON.parse ${ms(json)}   prepare ${ms(prepare)}   rules ${ms(whole - prepare)}   cold ${ms(cold)}`);
  console.log(
    `  scan ${ms(whole)}, ${((megabytes / whole) * 1e3).toFixed(0)} MB/s, ratio ${(whole / json).toFixed(2)}`,
  );
}

const parsed = parsePack(starterPack);
if (!parsed.ok) throw new Error(parsed.error.map(({ line, message }) => `${line}: ${message}`).join('\n'));
const rounds = Number(process.argv[2] ?? 12);
const labelled = sharedPath('hacks', 'labelled', 'dev.jsonl');
const claude = sharedPath('corpus', 'agent-formats', 'claude-code');
const chat = sharedPath('corpus', 'agent-formats', 'chat');
if (labelled === null && claude === null && chat === null)
  console.log('Nothing to measure: set ROLLSCOPE_SHARED to the reference material.');
if (claude !== null) measure(await corpusSet(claude, 'claude-code'), parsed.value.compiled, rounds);
if (chat !== null) measure(await corpusSet(chat, 'chat'), parsed.value.compiled, rounds);
if (labelled !== null) measure(labelledSet(labelled), parsed.value.compiled, rounds);
