// Browser tests. `browser` runs the story against the headless host; `stand-in` runs the real Electron main and preload
// against a stand-in electron module; `electron` runs the real thing wherever its binary is.
import { defineConfig } from '@playwright/test';
import { findBrowser } from './tests/browser.ts';

const browser = await findBrowser();
if (process.env.TEST_WORKER_INDEX === undefined) console.log(`Browser tests run in: ${browser.name}`);

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  timeout: 60_000,
  fullyParallel: false,
  workers: 2,
  // A browser that is closed in the middle of a reply can fail inside Playwright; a second failure is ours.
  retries: process.env.CI === undefined ? 0 : 1,
  forbidOnly: process.env.CI !== undefined,
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    launchOptions: { executablePath: browser.executablePath, args: [...browser.args] },
    trace: 'retain-on-failure',
  },
  projects: [
    { name: 'browser', testMatch: 'e2e/**/*.spec.ts' },
    { name: 'stand-in', testMatch: 'desktop/stand-in.spec.ts' },
    { name: 'electron', testMatch: 'desktop/electron.spec.ts' },
  ],
});
