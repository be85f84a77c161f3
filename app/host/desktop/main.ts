// Entry of the Electron main process: the one place that imports electron for its values, and nothing but composition.
// Electron wants schemes and sandbox switches before the first `await`: there is none here.

import { join } from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  protocol,
  session,
  shell,
  utilityProcess,
} from 'electron';
import { packageRoot, packageVersion, rendererFolder, samplesFolder } from '../package-root.ts';
import { startDesktop } from './app-main.ts';

startDesktop(
  { app, BrowserWindow, dialog, ipcMain, Menu, MessageChannelMain, protocol, session, shell, utilityProcess },
  {
    argv: process.argv.slice(app.isPackaged ? 1 : 2),
    env: process.env,
    cwd: process.cwd(),
    version: packageVersion(),
    preload: join(packageRoot(), 'dist', 'desktop', 'preload.cjs'),
    engine: join(packageRoot(), 'dist', 'node', 'engine-process.js'),
    renderer: rendererFolder(),
    samples: samplesFolder(),
    log: (line) => console.error(line),
  },
);
