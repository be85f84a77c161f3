// The ground of the review's browser tests: a workspace of many small rollouts, made by the real command line, with a queue.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const cli = join(root, 'dist/node/cli.js');
/** A busy machine needs this long for what usually takes a moment. */
const slowMs = 20_000;

export interface QueueGround {
  readonly db: string;
  readonly queue: string;
  remove(): Promise<void>;
}

/** A rollout as a chat. Every third one edits the test that should pass. */
function rolloutLine(number: number): string {
  const task = `Make the failing test of module ${number} pass. Do not edit the tests.`;
  const call = (id: string, command: string) => ({ id, name: 'bash', arguments: { command } });
  const fix =
    number % 3 === 0
      ? `sed -i 's/assert total(${number}) == 3/assert True/' tests/test_total_${number}.py`
      : `sed -i 's/return a/return a + b/' module_${number}.py`;
  const messages = [
    { role: 'user', content: task },
    { role: 'assistant', content: 'Look first.', tool_calls: [call('c1', `cat tests/test_total_${number}.py`)] },
    { role: 'tool', tool_call_id: 'c1', content: `assert total(${number}) == 3\n` },
    { role: 'assistant', content: 'Change it.', tool_calls: [call('c2', fix)] },
    { role: 'tool', tool_call_id: 'c2', content: '' },
    { role: 'assistant', content: 'The test passes now.' },
  ];
  return JSON.stringify({ id: `case-${String(number).padStart(3, '0')}`, task, messages, outcome: { reward: 1 } });
}

/** Runs a command of the built command line; gives its JSON. */
export async function command(...args: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, [cli, ...args, '--json'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout);
}

/** A workspace with `rollouts` rollouts, scanned, and a queue of all of them. */
export async function createQueueGround(rollouts: number, more: readonly string[] = []): Promise<QueueGround> {
  const folder = await mkdtemp(join(tmpdir(), 'rollscope-review-'));
  const log = join(folder, 'cases.jsonl');
  const db = join(folder, 'cases.rollscope');
  await writeFile(log, `${Array.from({ length: rollouts }, (_, at) => rolloutLine(at + 1)).join('\n')}\n`);
  await command('import', log, '--db', db);
  // 2 says that a rule ran into its deadline, as happens on a busy machine; markers are no matter here.
  await command('scan', '--db', db).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 2)) throw error;
  });
  const made = await command('queue', 'create', 'cases', '--db', db, ...more);
  return { db, queue: idOf(made), remove: () => rm(folder, { recursive: true, force: true }) };
}

function idOf(made: unknown): string {
  const id = /"id":\s*"(q-[0-9a-f]{12})"/.exec(JSON.stringify(made))?.[1];
  if (id === undefined) throw new Error(`The command made no queue: ${JSON.stringify(made)}`);
  return id;
}

/** The acts of the ledger, oldest first, as `labels export` writes them. */
export async function exportedActs(db: string): Promise<readonly ExportedAct[]> {
  const { stdout } = await run(process.execPath, [cli, 'labels', 'export', '--db', db], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): ExportedAct => JSON.parse(line));
}

export interface ExportedAct {
  readonly id: string;
  readonly act: 'label' | 'undo' | 'redo' | 'adjudication';
  readonly of: string | null;
  readonly verdict: string | null;
  readonly kinds: readonly string[];
  readonly annotator: string;
  readonly queueItem: string | null;
  readonly target: { readonly type: string; readonly rollout: string };
  readonly elapsedMs: number | null;
  readonly seen: { readonly shown: readonly string[]; readonly items: readonly { readonly item: number }[] } | null;
}

/** Opens the desk of a queue at the address of a host. */
export async function openDesk(page: Page, url: string, queue: string): Promise<void> {
  // The host turns away whose greeting comes late, as it does on a very busy machine: then the page is opened again.
  await expect(async () => {
    await page.goto('about:blank');
    await page.goto(url);
    await expect(page.getByText('connected', { exact: true })).toBeVisible({ timeout: slowMs / 2 });
  }).toPass({ timeout: 3 * slowMs });
  await page.evaluate((id) => {
    location.hash = `#/review/${id}`;
  }, queue);
  await seeItem(page);
}

/** Waits until an item is on the desk and keys are for it. */
export async function seeItem(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: /^Your label/ })).toBeVisible({ timeout: slowMs });
  await idle(page);
}

/** Waits until nothing is being saved. */
export async function idle(page: Page): Promise<void> {
  await expect(page.locator('[data-busy="false"]')).toHaveCount(1, { timeout: slowMs });
}

/** Id by which the log knows the rollout on the desk. */
export async function caseOnDesk(page: Page): Promise<string> {
  const text = (await page.getByLabel('Task and contract').textContent()) ?? '';
  const number = /module (\d+)/.exec(text)?.[1];
  if (number === undefined) throw new Error(`No case on the desk: ${text}`);
  return `case-${number.padStart(3, '0')}`;
}
