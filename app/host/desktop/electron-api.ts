// The part of Electron that the shell uses. It is passed in, never imported (main.ts is the one exception), so that the
// same code runs in tests over a stand-in.

import type * as Electron from 'electron';

export type ElectronApi = Pick<
  typeof Electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'MessageChannelMain'
  | 'protocol'
  | 'session'
  | 'shell'
  | 'utilityProcess'
>;
