// rollscope import --watch as a person runs it: lines on stderr as files grow, Ctrl-C ends it with one report.

import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { chatLine, linesOf, nativeLine } from '../../fixtures/growing-logs.ts';

const main = resolve(import.meta.dirname, '../../../app/host/cli/main.ts');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollscope-watch-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('says what comes, and prints one document when it is stopped', async () => {
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  writeFileSync(join(logs, 'a.jsonl'), linesOf(nativeLine, 0, 2));
  const child = spawn(
    process.execPath,
    [main, 'import', '--watch', logs, '--json', '--db', join(folder, 'w.rollscope')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const waiting: { text: string; done(): void }[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    for (const wait of waiting) if (err.includes(wait.text)) wait.done();
  });
  const said = (text: string): Promise<void> =>
    new Promise((done) => (err.includes(text) ? done() : waiting.push({ text, done })));
  const ended = new Promise<number | null>((done) => child.on('close', done));

  await said('Following 1 file');
  expect(out).toBe('');
  appendFileSync(join(logs, 'a.jsonl'), linesOf(nativeLine, 2, 5));
  await said('+3 rollouts');
  writeFileSync(join(logs, 'b.jsonl'), linesOf(chatLine, 0, 4));
  await said('b.jsonl');
  child.kill('SIGINT');
  expect(await ended, err).toBe(0);
  const report = JSON.parse(out);
  expect(report.totals).toMatchObject({ files: 2, rollouts: 9 });
  expect(report.files[0]).toMatchObject({ status: 'appended', growth: { newRollouts: 3, rereadBytes: 0 } });
  expect(report.files[1]).toMatchObject({ status: 'imported', rollouts: 4 });
}, 120_000);
