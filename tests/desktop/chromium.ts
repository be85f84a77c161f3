// Finds a Chromium for the browser tests: one that was named, Playwright's own, the system's, or the one from npm.

import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Path of an executable, unpacked first where needed. */
async function chromiumPath(): Promise<string> {
  const named = process.env.ROLLSCOPE_CHROMIUM;
  if (named) return named;
  const found = [chromium.executablePath(), ...systemPaths].find((path) => path !== '' && existsSync(path));
  if (found) return found;
  // Makes the package unpack its own libraries and fonts; it looks at this when it is imported.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= 'nodejs22.x';
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

/** Launches it headless, with nothing that phones home. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}
