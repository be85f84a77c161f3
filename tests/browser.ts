// Which browser the browser tests run in: an installed Playwright browser, else a Chromium or Chrome of the system, else
// the headless shell that the npm package @sparticuz/chromium carries (it needs no library of the system).

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

/** Flags without which Chromium fails as root or reaches for the network. */
const commonArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const systemNames = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];

export interface TestBrowser {
  /** What a person reads in the test output. */
  readonly name: string;
  readonly executablePath: string;
  readonly args: readonly string[];
}

/**
 * Finds the browser; unpacks the packaged one when there is no other, or when ROLLSCOPE_BROWSER=packaged asks for it (to see
 * what a bare machine sees). Throws with what to install when there is none.
 */
export async function findBrowser(): Promise<TestBrowser> {
  return (process.env.ROLLSCOPE_BROWSER === 'packaged' ? null : installedBrowser()) ?? packagedBrowser();
}

function installedBrowser(): TestBrowser | null {
  const own = chromium.executablePath();
  if (own !== '' && existsSync(own)) return { name: 'Playwright Chromium', executablePath: own, args: commonArgs };
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of systemNames) {
      const path = join(folder, name);
      if (folder !== '' && existsSync(path))
        return { name: `system browser ${path}`, executablePath: path, args: commonArgs };
    }
  }
  return null;
}

async function packagedBrowser(): Promise<TestBrowser> {
  // Makes the package unpack its own NSS libraries and fonts and point LD_LIBRARY_PATH at them; read at import.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  if (!existsSync(executablePath)) {
    throw new Error('No browser for the browser tests: install chromium, or run `npx playwright install chromium`.');
  }
  // Not the package's own flags: its --single-process ends with the first page.
  return { name: 'packaged headless Chromium', executablePath, args: commonArgs };
}
