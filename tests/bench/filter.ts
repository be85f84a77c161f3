// How long `rollscope filter` takes for an action: one line is written, its verdict awaited, then the next. Rollouts are those of the
// labelled set action by action where the reference material is there, and made ones of hundreds of steps. Also its throughput
// when lines are not awaited. Run: node tests/bench/filter.ts [LONGEST]

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { starterPack } from '../../app/engine/rules/starter-pack.ts';
import { actionLines, chatRecord, madeRollout } from '../fixtures/filter-lines.ts';
import { sharedPath } from '../shared-material.ts';

const main = resolve(import.meta.dirname, '../../app/host/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'rollscope-filter-'));
const pack = join(folder, 'pack.yaml');
writeFileSync(pack, starterPack);
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const longest = Number(process.argv[2] ?? 400);

interface Figures {
  readonly lines: number;
  readonly milliseconds: readonly number[];
}

/** Writes each line after the answer to the one before; the first `warmUp` answers are not counted. */
async function latencies(lines: readonly string[], warmUp: number): Promise<Figures> {
  await using filter = startFilter();
  const milliseconds: number[] = [];
  for (const [i, line] of lines.entries()) {
    const start = performance.now();
    await filter.ask(line);
    if (i >= warmUp) milliseconds.push(performance.now() - start);
  }
  return { lines: lines.length, milliseconds };
}

/** Milliseconds for all lines, written as fast as the process takes them. */
async function throughput(lines: readonly string[]): Promise<number> {
  await using filter = startFilter();
  await filter.ask(lines[0] ?? '');
  const start = performance.now();
  await Promise.all(lines.map((line) => filter.ask(line)));
  return performance.now() - start;
}

function startFilter() {
  const child = spawn(process.execPath, [main, 'filter', '--pack', pack], { stdio: ['pipe', 'pipe', 'ignore'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  /** Set while the pipe is full; all that write wait for the same moment. */
  let draining: Promise<unknown> | null = null;
  return {
    async ask(line: string): Promise<void> {
      if (!child.stdin.write(`${line}\n`)) {
        draining ??= once(child.stdin, 'drain').finally(() => {
          draining = null;
        });
        await draining;
      }
      const { done } = await answers.next();
      if (done === true) throw new Error('the filter ended');
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

function report(name: string, { lines, milliseconds }: Figures): void {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(2)} ms`;
  console.log(
    `${name.padEnd(48)} ${String(lines).padStart(6)} lines   median ${at(0.5)}   p95 ${at(0.95)}   p99 ${at(0.99)}   worst ${at(1)}`,
  );
}

const path = sharedPath('hacks', 'labelled', 'dev.jsonl');
if (path === null) console.log('labelled set: SKIPPED, the reference material is not here (ROLLSCOPE_SHARED)');
else {
  const records = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(chatRecord);
  const lines = records.flatMap((record) => actionLines(record));
  // Every action twice: the first round compiles the patterns, as the first minute of a run would.
  const twice = [...lines, ...records.flatMap((record) => actionLines({ ...record, id: `again-${record.id}` }))];
  report('labelled set, action by action', await latencies(twice, lines.length));
  const took = await throughput(lines);
  console.log(`${'labelled set, not awaited'.padEnd(48)} ${(lines.length / (took / 1e3)).toFixed(0)} actions a second`);
}
for (const steps of [50, 200, longest]) {
  const records = Array.from({ length: steps > 200 ? 2 : 6 }, (_, i) => madeRollout(`made-${steps}-${i}`, i, steps));
  const size = records.reduce((sum, record) => sum + JSON.stringify(record).length, 0) / records.length;
  const lines = records.flatMap((record) => actionLines(record));
  report(
    `made, ${steps} steps, ${(size / 1e3).toFixed(0)} kB each`,
    await latencies(lines, Math.floor(lines.length / records.length)),
  );
}
