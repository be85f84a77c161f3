// Whether a desktop window can be opened on this machine: an Electron binary, a built app, a display. Looking never
// downloads anything.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { packageRoot } from '../package-root.ts';

export type DesktopSupport =
  | { readonly available: true; readonly binary: string; readonly args: readonly string[] }
  | { readonly available: false; readonly reason: string };

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** User id; undefined on Windows. */
  readonly uid: number | undefined;
}

/** How to start the desktop app here, or in one sentence why not. */
export function desktopSupport(machine: Machine): DesktopSupport {
  const binary = electronBinary(machine.env);
  if (binary === null) return { available: false, reason: 'no Electron binary is installed here' };
  if (!existsSync(join(packageRoot(), 'dist', 'desktop', 'main.js'))) {
    return { available: false, reason: 'the desktop app is not built (npm run build)' };
  }
  if (machine.platform === 'linux' && !machine.env.DISPLAY && !machine.env.WAYLAND_DISPLAY) {
    return { available: false, reason: 'there is no display here' };
  }
  if (machine.platform === 'linux' && machine.uid === 0) {
    return { available: false, reason: "Electron's sandbox does not run as root" };
  }
  return { available: true, binary, args: [packageRoot()] };
}

/** Path of the Electron executable that npm's electron package brought, or the one that the environment names. */
function electronBinary(env: Readonly<Record<string, string | undefined>>): string | null {
  try {
    const folder = dirname(createRequire(join(packageRoot(), 'package.json')).resolve('electron/package.json'));
    const pathFile = join(folder, 'path.txt');
    const name = existsSync(pathFile) ? readFileSync(pathFile, 'utf8').trim() : 'electron';
    const binary = join(env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'), name);
    return existsSync(binary) ? binary : null;
  } catch {
    return null;
  }
}
