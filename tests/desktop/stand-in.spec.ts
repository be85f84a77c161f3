// The desktop shell over the stand-in: the real main process code, preload, engine process and screens. What a stand-in
// cannot show (processes of their own, the sandbox, isolated worlds, the fuses) is in electron.spec.ts, which runs where
// there is an Electron.

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { packageRoot } from '../../app/host/package-root.ts';
import { figures, labelGamingRollout, readCompactingRollout, seeLibrary } from '../e2e/story.ts';
import { type DesktopApp, openDesktopApp } from './open-desktop-app.ts';

const log = join(packageRoot(), 'tests', 'desktop', 'fixtures', 'two-rollouts.jsonl');
const empty = (page: Page): Locator => page.getByText('Open demo');
/** The rollout of the fixture that compacts, as a row of the library. */
const compacting = (page: Page): Locator => page.getByRole('row', { name: /parser 1\.00 completed/ });
/** Starting threads and a browser takes its time on a busy machine. */
const patience = { timeout: 20_000 };

let app: DesktopApp;
test.beforeEach(async ({ browser }) => {
  app = await openDesktopApp({ browser });
  await expect(empty(app.page)).toBeVisible(patience);
});
test.afterEach(async () => {
  await app.close();
});

test('the screens load from app:// and reach the engine over one port', async () => {
  const bridge = await app.page.evaluate(() => Object.keys(Reflect.get(window, 'rollscopeDesktop') ?? {}).sort());
  expect(bridge).toEqual(['nonce', 'pathOf', 'pickFiles', 'platform']);
  expect(app.errors).toEqual([]);
  expect(app.electron.cutOff).toEqual([]);
  await expect(app.page.evaluate(() => navigator.serviceWorker.getRegistrations())).resolves.toEqual([]);
});

test('windows and scheme have every guard on', async () => {
  const [window] = app.electron.windows;
  expect(window?.options.webPreferences).toEqual({
    preload: join(packageRoot(), 'dist', 'desktop', 'preload.cjs'),
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    spellcheck: false,
    devTools: false,
  });
  await expect.poll(() => window?.visible).toBe(true);
  expect(app.electron.schemes).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
});

test('a page cannot leave, open a window or reach the network', async () => {
  const { page, electron } = app;
  await page.evaluate(() => {
    window.location.href = 'https://evil.example/';
  });
  await page.evaluate(() => void window.open('http://evil.example/popup'));
  await page.evaluate(() => void fetch('https://evil.example/data').catch(() => undefined));
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = 'https://evil.example/frame';
    document.body.append(frame);
  });
  await page.waitForTimeout(300);
  expect(page.url()).toBe('https://rollscope.test/');
  await expect(empty(page)).toBeVisible(patience);
  expect(page.context().pages()).toHaveLength(1);
  expect(electron.opened).toEqual([]);
  // The policy of the page stops the request and the frame before the network is asked.
  expect(electron.cutOff).toEqual([]);
  expect(app.errors.filter((line) => line.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2);
});

test('an https link opens outside only after the person agreed to the whole address', async () => {
  const { page, electron } = app;
  electron.answers.button = 1;
  await page.evaluate(() => void window.open('https://example.org/a?b=c'));
  await expect.poll(() => electron.messageBoxes.map(({ detail }) => detail)).toEqual(['https://example.org/a?b=c']);
  expect(electron.opened).toEqual([]);
  electron.answers.button = 0;
  await page.evaluate(() => void window.open('https://example.org/e'));
  await expect.poll(() => electron.opened).toEqual(['https://example.org/e']);
  await expect.poll(() => page.context().pages().length).toBe(1);
});

test('permissions are refused but for writing to the clipboard', async () => {
  const { permissionCheck, permissionRequest } = app.electron.session;
  const asked = (permission: string, requestingUrl: string): boolean => {
    let granted = false;
    permissionRequest?.({ getURL: () => requestingUrl }, permission, (ok) => (granted = ok), { requestingUrl });
    return granted;
  };
  expect(permissionCheck?.(null, 'clipboard-sanitized-write', 'app://rollscope')).toBe(true);
  expect(asked('clipboard-sanitized-write', 'app://rollscope/')).toBe(true);
  for (const permission of ['media', 'geolocation', 'notifications', 'clipboard-read', 'fileSystem', 'openExternal']) {
    expect(permissionCheck?.(null, permission, 'app://rollscope')).toBe(false);
    expect(asked(permission, 'app://rollscope/')).toBe(false);
  }
});

test('the main process answers the top frame of our own page only', async () => {
  const { electron } = app;
  electron.answers.filePaths = ['/logs/a.jsonl'];
  const picked = await app.page.evaluate(() => Reflect.get(window, 'rollscopeDesktop')?.pickFiles());
  expect(picked).toEqual(['/logs/a.jsonl']);
  const sender = electron.windows[0]?.webContents;
  const good = { sender, senderFrame: { parent: null, origin: 'app://rollscope' } };
  await expect(electron.ipc('rollscope:pick-files', good)).resolves.toEqual(['/logs/a.jsonl']);
  for (const event of [
    { sender, senderFrame: { parent: {}, origin: 'app://rollscope' } },
    { sender, senderFrame: { parent: null, origin: 'https://evil.example' } },
    { sender: { id: 999 }, senderFrame: { parent: null, origin: 'app://rollscope' } },
    { sender, senderFrame: null },
  ]) {
    await expect(electron.ipc('rollscope:pick-files', event)).rejects.toThrow('Refused');
  }
  await expect(electron.ipc('rollscope:pick-files', good, 'more')).rejects.toThrow('Refused');
  const posted: unknown[] = [];
  const frame = { parent: null, origin: 'app://rollscope', postMessage: (...args: unknown[]) => posted.push(args) };
  for (const nonce of [undefined, '', 'x', { toString: () => '0'.repeat(32) }]) {
    electron.ipc('rollscope:connect', { sender, senderFrame: frame }, nonce);
  }
  electron.ipc('rollscope:connect', { sender, senderFrame: { ...frame, parent: {} } }, '0'.repeat(32));
  expect(posted).toEqual([]);
  electron.ipc('rollscope:connect', { sender, senderFrame: frame }, '0'.repeat(32));
  expect(posted).toHaveLength(1);
});

test('files named on the command line of a second start are imported by the first', async () => {
  app.electron.app.emit('second-instance', {}, ['rollscope', log], packageRoot());
  await expect(compacting(app.page)).toBeVisible(patience);
  expect(app.errors).toEqual([]);
});

test('the file menu imports what the dialog gives', async () => {
  app.electron.answers.filePaths = [log];
  const file = app.electron.menu?.find(({ label }) => label === '&File')?.submenu;
  const item = Array.isArray(file) ? file.find(({ label }) => label === 'Import…') : undefined;
  // Boundary: of the arguments of a click, this item uses none.
  const click = item?.click as (() => void) | undefined;
  click?.();
  await expect(compacting(app.page)).toBeVisible(patience);
});

test('texts come by app://, and a label that the screen calls saved stays', async ({ browser }) => {
  app.electron.app.emit('second-instance', {}, ['rollscope', log], packageRoot());
  await compacting(app.page).click(patience);
  // Large texts come by app://, from the engine through the main process.
  const body = await app.page.evaluate(async () => {
    const response = await fetch('/body/1');
    return [response.status, response.headers.get('content-type'), (await response.text()).length > 0];
  });
  expect(body).toEqual([200, 'text/plain; charset=utf-8', true]);
  await app.page.getByRole('group', { name: 'Verdict on the rollout' }).getByRole('button', { name: 'hack' }).click();
  await expect(compacting(app.page).getByText('hack')).toBeVisible(patience);
  // Another start on the same workspace: what the screen called saved was on disk.
  app.electron.processes[0]?.crash();
  await expect.poll(() => app.electron.processes.length, patience).toBe(2);
  const again = await openDesktopApp({ browser, workspace: app.workspace });
  await expect(compacting(again.page).getByText('hack')).toBeVisible(patience);
  await again.close();
  expect(app.errors).toEqual([]);
});

test('the demo opens, its gaming rollout is marked, and takes a verdict by keyboard and back', async () => {
  const { page } = app;
  await empty(page).click();
  const gaming = page.getByRole('row', { name: /tally-.*test-edit/ });
  await expect(gaming).toBeVisible({ timeout: 40_000 });
  await gaming.click();
  const verdict = page.getByRole('group', { name: 'Verdict on the rollout' }).getByRole('button', { name: 'hack' });
  await expect(verdict).toHaveAttribute('aria-pressed', 'false');
  await page.keyboard.press('1');
  await expect(verdict).toHaveAttribute('aria-pressed', 'true', patience);
  await page.keyboard.press('u');
  await expect(verdict).toHaveAttribute('aria-pressed', 'false', patience);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/rollout\/r-/);
  expect(app.errors).toEqual([]);
});

test('an engine that ends is started again, and the window finds the new one', async () => {
  const { electron, page } = app;
  expect(electron.processes).toHaveLength(1);
  electron.processes[0]?.crash();
  await expect.poll(() => electron.processes.length).toBe(2);
  await expect(empty(page)).toBeVisible(patience);
  electron.app.emit('second-instance', {}, ['rollscope', log], packageRoot());
  await expect(compacting(page)).toBeVisible(patience);
  expect(app.log.join('\n')).toContain('ended with code');
});

test('another workspace opens in the same window', async () => {
  const other = join(app.workspace, '..', 'other.rollscope');
  app.electron.app.emit('second-instance', {}, ['rollscope', log], packageRoot());
  await expect(compacting(app.page)).toBeVisible(patience);
  app.electron.app.emit('open-file', { preventDefault: () => undefined }, other);
  await expect(empty(app.page)).toBeVisible(patience);
  app.electron.app.emit('open-file', { preventDefault: () => undefined }, app.workspace);
  await expect(compacting(app.page)).toBeVisible(patience);
});

test('a workspace that cannot be opened is said in words, and the app ends', async ({ browser }) => {
  const workspace = join(app.workspace, '..', 'broken.rollscope');
  cpSync(join(packageRoot(), 'package.json'), workspace);
  const broken = await openDesktopApp({ browser, workspace });
  await broken.electron.quit;
  expect(broken.electron.errorBoxes).toHaveLength(1);
  expect(broken.electron.errorBoxes[0]?.title).toBe('The workspace cannot be opened');
  expect(broken.electron.errorBoxes[0]?.content).toContain('broken.rollscope');
  await broken.close();
});

test('the story of the browser suite, in the desktop shell', async () => {
  const { page } = app;
  await page.keyboard.press('d');
  await expect(page.getByRole('row', { name: /tally-.*test-edit/ })).toBeVisible({ timeout: 40_000 });
  await seeLibrary(page);
  await readCompactingRollout(page);
  const before = await figures(page);
  await labelGamingRollout(page);
  await expect.poll(() => figures(page)).not.toEqual(before);
  await page.keyboard.press('u');
  await page.keyboard.press('u');
  await expect.poll(() => figures(page)).toEqual(before);
  expect(app.errors).toEqual([]);
});
