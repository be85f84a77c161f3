// Measures the rule engine against JSON.parse over the same logs: the starter pack over the labelled set (dense in commands,
// nearly half of it hacks), over real agent logs, and over a trainer's log with its token columns. `npm run bench -- --scan`
// `cold` is the first pass over a set; the other figures are means of later ones, in which no text is the same string object.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
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
import { makeNative } from './make-native.ts';

/** A set of logs: the JSON texts as they stand in the files, and the rollouts that the importer makes of them. */
interface LogSet {
  readonly name: string;
  readonly texts: readonly string[];
  readonly rollouts: readonly ScanRollout[];
}

const warmUp = 4;
const nativeMegabytes = 8;

function labelledSet(path: string): LogSet {
  const text = readFileSync(path, 'utf8');
  return {
    name: 'labelled set',
    texts: text.split('\n').filter((line) => line.trim() !== ''),
    rollouts: readLabelled(text).map(rolloutOf),
  };
}

/** All logs of a format in a folder. */
async function logSet(name: string, folder: string, formatId: string): Promise<LogSet> {
  const format = formatById(formatId);
  if (format === null) throw new Error(`no format ${formatId}`);
  const texts: string[] = [];
  const rollouts: ScanRollout[] = [];
  for (const file of readdirSync(folder).toSorted()) {
    if (!/\.jsonl?$/.test(file)) continue;
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    texts.push(...(file.endsWith('.jsonl') ? text.split('\n').filter((line) => line.trim() !== '') : [text]));
    const read = await readFiles(format, { main: memoryFile(path, text, 1 << 20), parts: [] });
    for (const { rollout, segments } of read.rollouts) rollouts.push({ id: rollout.key, parts: partsOf(segments) });
  }
  return { name, texts, rollouts };
}

async function nativeSet(folder: string): Promise<LogSet> {
  const own = join(folder, 'scan');
  await mkdir(own, { recursive: true });
  await makeNative(join(own, 'native.jsonl'), nativeMegabytes * 1e6);
  return logSet('native log with token columns', own, 'native');
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

/** New texts for every pass: what is kept with a string, or from a task that was read before, must not help. */
function renewed(rollouts: readonly ScanRollout[], pass: number): ScanRollout[] {
  return rollouts.map(({ id, parts }) => ({
    id,
    parts: structuredClone(parts).map((part) =>
      part.role === 'user' || part.role === 'system' ? { ...part, text: `${part.text}\nPass ${pass}.` } : part,
    ),
  }));
}

function measure({ name, texts, rollouts }: LogSet, pack: CompiledPack, rounds: number): void {
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6;
  const scanned = rollouts.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.text.length, 0) / 1e6;
  let [json, prepare, whole, cold] = [0, 0, 0, 0];
  for (let round = 0; round < rounds + warmUp; round++) {
    const fresh = renewed(rollouts, round);
    const scan = timed(() => {
      for (const rollout of fresh) scanRollout(pack, rollout);
    });
    if (round === 0) cold = scan;
    const again = renewed(rollouts, -1 - round);
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

/**
 * Prints the time of a scan with the starter pack as a multiple of JSON.parse, for each set of logs. `folder` takes the log that
 * is made; the sets of the reference material are left out, and said so, where it is absent.
 */
export async function benchScan(folder: string, rounds: number): Promise<void> {
  const parsed = parsePack(starterPack);
  if (!parsed.ok) throw new Error(parsed.error.map(({ line, message }) => `${line}: ${message}`).join('\n'));
  const { compiled } = parsed.value;
  measure(await nativeSet(folder), compiled, rounds);
  for (const id of ['claude-code', 'chat']) {
    const logs = sharedPath('corpus', 'agent-formats', id);
    if (logs === null) console.log(`${id} corpus: skipped, set ROLLSCOPE_SHARED to the reference material`);
    else measure(await logSet(`${id} corpus`, logs, id), compiled, rounds);
  }
  const labelled = sharedPath('hacks', 'labelled', 'dev.jsonl');
  if (labelled === null) console.log('labelled set: skipped, set ROLLSCOPE_SHARED to the reference material');
  else measure(labelledSet(labelled), compiled, rounds);
}
