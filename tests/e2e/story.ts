// The story that every shell must tell, told once: the browser on the headless host and the desktop app run the same steps.

import { expect, type Page } from '@playwright/test';

/** Row of the library whose rollout has this status text, task and so on; rows are named by their cells. */
export function row(page: Page, text: string | RegExp) {
  return page.getByRole('grid', { name: 'Rollouts' }).getByRole('row').filter({ hasText: text });
}

/** Opens the library and waits for its rows. */
export async function seeLibrary(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Rollouts' })).toBeVisible();
  await expect(row(page, 'tally-parenth').first()).toBeVisible();
}

/** Sorts by the number of segments, opens the rollout that compacted twice and reads its segments, summary and curve. */
export async function readCompactingRollout(page: Page): Promise<void> {
  const header = page.getByRole('columnheader', { name: 'Tokens' });
  await expect(async () => {
    await header.click();
    await expect(header).toHaveAttribute('aria-sort', 'descending', { timeout: 1_000 });
  }).toPass();
  // The compacting rollout has by far the most tokens.
  const first = page.getByRole('grid', { name: 'Rollouts' }).getByRole('row').nth(1);
  await expect(first).toContainText('6.7k');
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/rollout\/r-/);

  const segments = page.getByLabel('Segments', { exact: true }).getByRole('button');
  await expect(segments).toHaveCount(5);
  await expect(segments.nth(1)).toHaveAccessibleName(/summary/i);
  await expect(segments.nth(4)).toHaveAccessibleName(/execution/i);

  // The advantage curve has something on it.
  await expect.poll(() => inkOf(page, 0), { message: 'the advantage curve is drawn' }).toBeGreaterThan(50);

  // By keyboard to the first segment, then to the summary and what it says.
  await page.keyboard.press(']');
  await page.keyboard.press(']');
  await expect(
    page
      .getByText('Goal: parse_amount in tally/amounts.py must read parenthesised amounts as negative', { exact: false })
      .first(),
  ).toBeVisible();
  await page.keyboard.press('Escape');
  await seeLibrary(page);
}

/** Pixels of a canvas that differ from its background. */
async function inkOf(page: Page, index: number): Promise<number> {
  return page
    .locator('canvas')
    .nth(index)
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return 0;
      const context = canvas.getContext('2d');
      if (context === null || canvas.width === 0) return 0;
      const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Map<number, number>();
      for (let i = 0; i < data.length; i += 4) {
        const key = ((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0);
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      const counts = [...seen.values()].sort((a, b) => b - a);
      return counts.slice(1).reduce((sum, n) => sum + n, 0);
    });
}

/** Opens the gaming rollout, sees its marker at its span, labels it by keyboard, and undoes and redoes that. */
export async function labelGamingRollout(page: Page): Promise<void> {
  await row(page, 'test-edit').filter({ hasText: 'tally-parenth' }).click();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/rollout\/r-/);
  // The markers are listed: the keys that walk over them have something to walk over.
  await expect(page.getByText(/^rule F1|F1/).first()).toBeVisible();
  await page.keyboard.press('n');
  const mark = page.locator('mark').filter({ hasText: 'assert parse_amount(text) == expected' }).first();
  await expect(mark).toBeVisible();
  await expect(page.getByText('test-edit').first()).toBeVisible();
  await expect(page).toHaveURL(/marker=m-/);

  // On the marker: confirmed. On the rollout: hack.
  await page.keyboard.press('y');
  await expect(page.getByText(/undo hack on a marker/)).toBeVisible();
  await page.keyboard.press('Escape');
  await seeLibrary(page);
  // Back on the row it left: keys act on the selection.
  await expect(page.locator('[role="row"][aria-selected="true"]')).toContainText('test-edit');
  await page.keyboard.press('1');
  await expect(page.getByText(/undo hack on r-/)).toBeVisible();
}

/** Precision and its counts on the filter screen. */
export async function figures(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Filter', exact: true }).click();
  const figure = page.getByLabel('Figures of the pack');
  await expect(figure).toBeVisible();
  await expect(figure).toContainText(/\d+ of \d+ of marked rollouts are hacks|\d+ of \d+ .*hacks/);
  const text = (await figure.textContent()) ?? '';
  await page.getByRole('link', { name: 'Library', exact: true }).click();
  await seeLibrary(page);
  return text;
}
