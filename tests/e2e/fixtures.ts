// The browser tests' ground: a demo workspace made once per worker by the real command line, a copy of it and a headless
// host of its own for each test. A console error or a violated CSP fails the test.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { test as base, expect, type Page } from '@playwright/test';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const cli = join(root, 'dist/node/cli.js');

export interface Host {
  readonly url: string;
  readonly db: string;
  stop(): Promise<void>;
}

/** Starts the built headless host on a workspace and waits for its URL. */
export async function startHost(db: string, more: readonly string[] = []): Promise<Host> {
  const child = spawn(process.execPath, [cli, 'serve', '--db', db, '--annotator', 'ada', ...more], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await firstUrl(child);
  return {
    url,
    db,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function firstUrl(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    let seen = '';
    const look = (chunk: unknown): void => {
      seen += String(chunk);
      const url = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(seen)?.[0];
      if (url !== undefined) done(url);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', (code) => fail(new Error(`The host ended with ${code} before it printed its URL:\n${seen}`)));
  });
}

interface TestFixtures {
  /** A running host on a fresh copy of the demo workspace. */
  host: Host;
  /** A page on that host, at the library. */
  app: Page;
  /** A running host on an empty workspace. */
  emptyHost: Host;
}

interface WorkerFixtures {
  demoWorkspace: string;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  demoWorkspace: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'rollscope-demo-'));
      const db = join(folder, 'demo.rollscope');
      await run(process.execPath, [cli, 'demo', '--db', db, '--json'], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
      await use(db);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  host: async ({ demoWorkspace }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rollscope-e2e-'));
    const db = join(folder, 'demo.rollscope');
    await cp(demoWorkspace, db);
    const host = await startHost(db);
    await use(host);
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  emptyHost: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rollscope-e2e-'));
    const host = await startHost(join(folder, 'empty.rollscope'));
    await use(host);
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  },
  page: async ({ page }, use) => {
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) =>
        console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`),
      );
    });
    await use(page);
    expect(problems, 'console errors and CSP violations').toEqual([]);
  },
  app: async ({ page, host }, use) => {
    await page.goto(host.url);
    await expect(page.getByRole('heading', { name: 'Rollouts' })).toBeVisible();
    await use(page);
    // Off the host before it stops: a page that tries to reconnect would log an error of the test's own making.
    await page.goto('about:blank');
  },
});

export { expect };
