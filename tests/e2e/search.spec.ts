// The search field over the texts of all steps: hits by rollout with the match marked, the scope said and widened by a key,
// Enter goes to the hit.

import { expect, test } from './fixtures.ts';
import { row, seeLibrary } from './story.ts';

test('a text is found in the steps and Enter opens the rollout there', async ({ app }) => {
  await seeLibrary(app);
  await app.keyboard.press('/');
  await app.keyboard.type('ASSERT parse_amount(text) ==');
  const list = app.getByRole('listbox', { name: 'Results' });
  const hits = list.getByRole('option').filter({ hasText: /step \d+ · / });
  await expect(hits.first()).toBeVisible();
  await expect(hits.first().locator('mark')).toHaveText('assert parse_amount(text) ==');
  const status = app.locator('.omni-status').getByRole('status');
  await expect(status).toHaveText(/\d+ places in \d+ rollouts of the whole workspace/);
  // Up from the first choice stays; down to the first hit.
  const options = await list.getByRole('option').allTextContents();
  const first = options.findIndex((text) => /step \d+ · /.test(text));
  for (let i = 0; i < first; i++) await app.keyboard.press('ArrowDown');
  await expect(hits.first()).toHaveAttribute('aria-selected', 'true');
  await app.keyboard.press('Enter');
  await expect(app).toHaveURL(/#\/rollout\/r-[0-9a-f]{12}\?.*find=ASSERT/);
  await expect(app).toHaveURL(/item=\d+/);
  await expect(app.locator('mark.mark-find-current').filter({ hasText: 'assert parse_amount(text) ==' })).toBeVisible();
  await expect(app.getByLabel('Find in rollout')).toHaveValue('ASSERT parse_amount(text) ==');
});

test('the scope is said, and one key changes it', async ({ app, host }) => {
  await app.goto(`${host.url.replace(/#.*/, '')}#/library?where=${encodeURIComponent('reward = 0')}`);
  await expect(row(app, 'tally-parenth').first()).toBeVisible();
  await app.keyboard.press('/');
  await app.keyboard.type('parse_amount');
  const status = app.locator('.omni-status').getByRole('status');
  await expect(status).toHaveText(/in 4 rollouts of the whole workspace/);
  await app.keyboard.press('Control+Enter');
  await expect(status).toHaveText(/in 1 rollout of the filtered list \(\d+ rollouts?\)/);
  await app.getByRole('button', { name: 'Whole workspace' }).click();
  await expect(status).toHaveText(/of the whole workspace/);
  await expect(app.getByLabel('Search rollouts and commands')).toBeFocused();
});

test('what is in no text is said to be nowhere, and commands stay', async ({ app }) => {
  await seeLibrary(app);
  await app.keyboard.press('/');
  await app.keyboard.type('settings');
  await expect(app.getByRole('option', { name: /Go to Settings/ })).toBeVisible();
  await app.getByLabel('Search rollouts and commands').fill('nothing-says-this');
  await expect(app.locator('.omni-status').getByRole('status')).toHaveText('In no text of the whole workspace');
});
