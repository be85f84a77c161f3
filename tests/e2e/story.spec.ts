// The whole story in a browser on the headless host.

import { expect, test } from './fixtures.ts';
import { figures, labelGamingRollout, readCompactingRollout, seeLibrary } from './story.ts';

test('the empty workspace opens the demo with one key', async ({ emptyHost, page }) => {
  await page.goto(emptyHost.url);
  await expect(page.getByText(/Open demo/i)).toBeVisible();
  await page.keyboard.press('d');
  await expect(
    page.getByRole('grid', { name: 'Rollouts' }).getByRole('row').filter({ hasText: 'tally-parenth' }),
  ).toHaveCount(4, { timeout: 30_000 });
});

test('the compacting rollout shows its segments, its summary and its curve', async ({ app }) => {
  await seeLibrary(app);
  await readCompactingRollout(app);
});

test('a label by keyboard moves the figures of the filter, undo moves them back', async ({ app }) => {
  await seeLibrary(app);
  const before = await figures(app);
  await labelGamingRollout(app);
  await expect.poll(() => figures(app)).not.toEqual(before);
  const after = await figures(app);
  // Both acts, the newer first: the rollout's label, then the marker's.
  await app.keyboard.press('u');
  await app.keyboard.press('u');
  await expect.poll(() => figures(app)).toEqual(before);
  await app.keyboard.press('Shift+U');
  await app.keyboard.press('Shift+U');
  await expect.poll(() => figures(app)).toEqual(after);
});

test('the address is kept over a reload', async ({ app }) => {
  await seeLibrary(app);
  await app.keyboard.press('Home');
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(/#\/rollout\/r-/);
  const url = app.url();
  await app.reload();
  await expect(app.getByLabel('Segments', { exact: true })).toBeVisible();
  expect(app.url()).toBe(url);
});

test('single keys are dead while a field has the focus', async ({ app }) => {
  await seeLibrary(app);
  await app.keyboard.press('/');
  await app.keyboard.type('1u2tally');
  await expect(app.getByLabel('Search rollouts and commands')).toHaveValue('1u2tally');
  await expect(app.getByText(/undo \w+ on r-/)).toHaveCount(0);
});
