// The packaging: electron-builder takes the configuration, and the hardening is what the security checklist asks for.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot, packageVersion, samplesFolder } from '../../../app/host/package-root.ts';

const config = parse(readFileSync(join(packageRoot(), 'electron-builder.yml'), 'utf8'));

describe('electron-builder.yml', () => {
  it('is valid for the installed electron-builder', async () => {
    const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
    const { validateConfiguration } = require('app-builder-lib/out/util/config/config');
    const noDebug = { isEnabled: false, add: () => undefined };
    await expect(validateConfiguration(structuredClone(config), noDebug)).resolves.toBeUndefined();
    await expect(validateConfiguration({ ...config, nonsense: 1 }, noDebug)).rejects.toThrow('nonsense');
  });

  it('sets every fuse to its hardened side', () => {
    expect(config.electronFuses).toEqual({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
      enableCookieEncryption: false,
      loadBrowserProcessSpecificV8Snapshot: false,
    });
    expect(config).toMatchObject({ asar: true, npmRebuild: false, publish: null });
  });

  it('packs the one native binary of the platform, and no other dependency', async () => {
    const require = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
    const { createFilter } = require('app-builder-lib/out/util/filter');
    const { Minimatch } = createRequire(require.resolve('app-builder-lib/package.json'))('minimatch');
    const patterns = config.files.map(
      (pattern: string) =>
        new Minimatch(pattern.replace(/\$\{platform\}/, 'linux').replace(/\$\{arch\}/, 'x64'), { dot: true }),
    );
    const filter = createFilter('/app', patterns);
    const packed = (path: string): boolean =>
      filter(join('/app', path), { isDirectory: () => false, isFile: () => true });
    for (const path of [
      'dist/desktop/main.js',
      'dist/node/engine-process.js',
      'dist/renderer/index.html',
      'samples/tally/step_12.jsonl',
      'package.json',
      'node_modules/better-sqlite3/lib/index.js',
      'node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ]) {
      expect(packed(path), path).toBe(true);
    }
    for (const path of [
      'node_modules/better-sqlite3/prebuilds/win32-x64.node',
      'node_modules/better-sqlite3/deps/sqlite3/sqlite3.c',
      'node_modules/react/index.js',
      'dist/renderer/assets/index.js.map',
      'tests/layers.test.ts',
    ]) {
      expect(packed(path), path).toBe(false);
    }
  });
});

describe('the package', () => {
  it('finds itself', () => {
    const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8'));
    expect(packageVersion()).toBe(version);
    expect(samplesFolder()).toBe(join(packageRoot(), 'samples'));
  });
});
