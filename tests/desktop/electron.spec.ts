// The packaged truth, as far as Playwright can drive it: the built app in a real Electron. It runs wherever there is a
// binary and a display, and says so where there is none.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { _electron, type ElectronApplication, expect, test } from '@playwright/test';
import { packageRoot } from '../../app/host/package-root.ts';

/** Path of the Electron executable, or why the suite cannot run. Looking never downloads one. */
function findElectron(): { binary: string } | { missing: string } {
  const folder = dirname(createRequire(join(packageRoot(), 'package.json')).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : 'electron';
  const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
  if (!existsSync(binary)) {
    return { missing: 'no Electron binary (npx install-electron, or ELECTRON_OVERRIDE_DIST_PATH)' };
  }
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return { missing: 'no display (xvfb-run -a npm test)' };
  }
  return { binary };
}

const electron = findElectron();
const missing = 'missing' in electron ? electron.missing : '';
if (missing !== '')
  console.log(`SKIPPED: tests in a real Electron: ${missing}. The stand-in suite ran the same shell.`);

test.describe('in a real Electron', () => {
  test.skip(missing !== '', missing);

  let app: ElectronApplication;
  let folder = '';
  test.beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rollscope-electron-'));
    app = await _electron.launch({
      executablePath: 'binary' in electron ? electron.binary : '',
      // As root there is no sandbox to be had: then it is not covered by this run.
      args: [
        packageRoot(),
        '--db',
        join(folder, 'test.rollscope'),
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') },
    });
  });
  test.afterEach(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the screens load from app:// and reach the engine', async () => {
    const errors: string[] = [];
    const page = await app.firstWindow();
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await expect(page.getByText('Open demo')).toBeVisible({ timeout: 20_000 });
    expect(await page.evaluate(() => window.location.origin)).toBe('app://rollscope');
    const bridge = await page.evaluate(() => Object.keys(Reflect.get(window, 'rollscopeDesktop') ?? {}).sort());
    expect(bridge).toEqual(['nonce', 'pathOf', 'pickFiles', 'platform']);
    expect(await page.evaluate(() => ['require', 'process', 'module'].filter((name) => name in window))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('a page cannot leave or open a window', async () => {
    const page = await app.firstWindow();
    await expect(page.getByText('Open demo')).toBeVisible({ timeout: 20_000 });
    await page.evaluate(() => {
      window.location.href = 'https://example.org/';
    });
    await page.evaluate(() => void window.open('http://example.org/'));
    await page.waitForTimeout(500);
    expect(page.url()).toMatch(/^app:\/\/rollscope\//);
    expect(app.windows()).toHaveLength(1);
  });

  test('the demo runs through the engine process', async () => {
    const page = await app.firstWindow();
    await page.getByText('Open demo').click();
    await expect(page.getByRole('row').nth(3)).toBeVisible({ timeout: 60_000 });
  });
});
