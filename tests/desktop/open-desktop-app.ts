// Runs the desktop app in a test: the real main process code, the built preload, engine process and screens, over the
// stand-in for electron and a headless Chromium.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { startDesktop } from '../../app/host/desktop/app-main.ts';
import { packageRoot, packageVersion, rendererFolder, samplesFolder } from '../../app/host/package-root.ts';
import { createStandIn, type StandIn } from './stand-in/electron.ts';

export interface DesktopApp {
  /** The page of the first window. */
  readonly page: Page;
  readonly electron: StandIn;
  readonly workspace: string;
  /** Console errors, uncaught errors and violations of the CSP so far. */
  readonly errors: string[];
  /** Lines that the shell and the engine logged. */
  readonly log: string[];
  /** Quits as a person would and waits for the end; removes the temporary files. */
  close(): Promise<void>;
}

export interface DesktopAppOptions {
  /** The Chromium that plays Electron's. */
  readonly browser: Browser;
  readonly argv?: readonly string[];
  readonly viewport?: { width: number; height: number };
  /** Workspace file; a new temporary one otherwise. */
  readonly workspace?: string;
}

export async function openDesktopApp(options: DesktopAppOptions): Promise<DesktopApp> {
  const built = {
    preload: join(packageRoot(), 'dist', 'desktop', 'preload.cjs'),
    engine: join(packageRoot(), 'dist', 'node', 'engine-process.js'),
  };
  for (const file of Object.values(built)) {
    if (!existsSync(file)) throw new Error(`${file} is missing: run "npm run build" first.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'rollscope-desktop-'));
  const workspace = options.workspace ?? join(folder, 'test.rollscope');
  const context = await options.browser.newContext({ viewport: options.viewport ?? { width: 1280, height: 800 } });
  const errors: string[] = [];
  const log: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  context.on('weberror', (error) => errors.push(String(error.error())));

  const electron = await createStandIn({ context, userData: join(folder, 'user-data'), preload: built.preload });
  startDesktop(electron.api, {
    argv: ['--db', workspace, ...(options.argv ?? [])],
    env: {},
    cwd: folder,
    version: packageVersion(),
    ...built,
    renderer: rendererFolder(),
    samples: samplesFolder(),
    log: (line) => log.push(line),
  });
  electron.ready();
  // The shell starts on `whenReady`, which resolves before the next macrotask.
  await new Promise((resolve) => setImmediate(resolve));
  const window = electron.windows[0];
  if (!window) throw new Error('The shell opened no window.');
  return {
    page: await window.webContents.page,
    electron,
    workspace,
    errors,
    log,
    async close() {
      electron.api.app.quit();
      await electron.quit;
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
