// Two annotators with a link each work off one queue on one host at the same time: nobody gets what the other has, and both see
// only their own.

import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { caseOnDesk, createQueueGround, exportedActs, idle, openDesk } from './review-queue.ts';

/** Starts a host with a link per annotator; gives the links by name. */
async function startForTwo(db: string): Promise<{ child: ChildProcess; urls: readonly string[] }> {
  const root = resolve(import.meta.dirname, '../..');
  const child = spawn(
    process.execPath,
    [join(root, 'dist/node/cli.js'), 'serve', '--db', db, '--annotator', 'mira', '--annotator', 'jonas'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const urls = await new Promise<readonly string[]>((done, fail) => {
    let seen = '';
    child.stdout?.on('data', (chunk) => {
      seen += String(chunk);
      const found = seen.match(/http:\/\/127\.0\.0\.1:\d+\/#token=\S+(?=\s)/g) ?? [];
      if (found.length === 2) done(found);
    });
    child.once('exit', (code) => fail(new Error(`The host ended with ${code}: ${seen}`)));
  });
  return { child, urls };
}

/** Works until the queue has nothing more; gives what was decided. */
async function work(page: Page): Promise<string[]> {
  const mine: string[] = [];
  for (;;) {
    const over = page.getByRole('heading', { name: 'Nothing is left for you in this queue' });
    const form = page.getByRole('heading', { name: /^Your label/ });
    await expect(over.or(form)).toBeVisible({ timeout: 20_000 });
    if (await over.isVisible()) return mine;
    await idle(page);
    const name = await caseOnDesk(page);
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await expect(page.locator('.desk-saved')).toContainText(` on ${name}`);
    await idle(page);
    mine.push(name);
  }
}

test('two browsers work off one queue without a double', async ({ browser }) => {
  test.setTimeout(120_000);
  const ground = await createQueueGround(24);
  const { child, urls } = await startForTwo(ground.db);
  const pages = await Promise.all(
    urls.map(async (url) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await openDesk(page, url, ground.queue);
      return page;
    }),
  );
  const [a = [], b = []] = await Promise.all(pages.map(work));
  expect(a.length).toBeGreaterThan(0);
  expect(b.length).toBeGreaterThan(0);
  expect([...a, ...b].toSorted()).toEqual(
    Array.from({ length: 24 }, (_, at) => `case-${String(at + 1).padStart(3, '0')}`),
  );
  for (const page of pages) await page.context().close();
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
  const acts = await exportedActs(ground.db);
  expect(acts.length).toBe(24);
  expect(new Set(acts.map(({ queueItem }) => queueItem)).size).toBe(24);
  expect(acts.filter(({ annotator }) => annotator === 'mira').length).toBe(a.length);
  expect(acts.filter(({ annotator }) => annotator === 'jonas').length).toBe(b.length);
  await ground.remove();
});
