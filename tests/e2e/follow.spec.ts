// Following a run that is still going: rows arrive without a click, stopping keeps them.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from './fixtures.ts';

const lines = readFileSync(resolve(import.meta.dirname, '../../samples/tally/step_12.jsonl'), 'utf8')
  .trimEnd()
  .split('\n');

test('a followed log brings its new rollouts, and Stop keeps them', async ({ emptyHost, page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-follow-'));
  const log = join(folder, 'live.jsonl');
  writeFileSync(log, `${lines.slice(0, 2).join('\n')}\n`);
  await page.goto(emptyHost.url);
  await expect(page.getByText(/Open demo/i)).toBeVisible();
  await page.keyboard.press('Control+o');
  await page.getByLabel(/Paths on the machine/).fill(log);
  await page.getByRole('switch', { name: 'Follow' }).click();
  await page.getByRole('button', { name: 'Follow', exact: true }).click();
  const rows = page.getByRole('grid', { name: 'Rollouts' }).getByRole('row');
  await expect(rows).toHaveCount(3, { timeout: 30_000 });
  await expect(page.getByText('Following live.jsonl')).toBeVisible();
  // Half a line waits for its rest.
  const third = `${lines[2] ?? ''}\n`;
  appendFileSync(log, third.slice(0, 500));
  appendFileSync(log, third.slice(500));
  await expect(rows).toHaveCount(4, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Stop following live.jsonl' }).click();
  await expect(page.getByText(/Following live\.jsonl · done/)).toBeVisible();
  await expect(rows).toHaveCount(4);
  rmSync(folder, { recursive: true, force: true });
});
