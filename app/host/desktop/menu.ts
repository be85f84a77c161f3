// The native menu: what an operating system expects of an app. Everything else is in the app's own palette.

import type { MenuItemConstructorOptions } from 'electron';
import type { ElectronApi } from './electron-api.ts';

export interface MenuActions {
  newWindow(): void;
  importFiles(): void;
}

function menuTemplate(
  actions: MenuActions,
  platform: NodeJS.Platform,
  developerTools: boolean,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { type: 'separator' },
    { role: 'togglefullscreen' },
  ];
  if (developerTools) view.push({ type: 'separator' }, { role: 'toggleDevTools' });
  return [
    ...(mac ? [{ role: 'appMenu' } as const] : []),
    {
      label: '&File',
      submenu: [
        { label: 'Import…', accelerator: 'CmdOrCtrl+O', click: () => actions.importFiles() },
        { label: 'New window', accelerator: 'CmdOrCtrl+Shift+N', click: () => actions.newWindow() },
        { type: 'separator' },
        mac ? { role: 'close' } : { role: 'quit' },
      ],
    },
    { role: 'editMenu' },
    { label: '&View', submenu: view },
    { role: 'windowMenu' },
    ...(mac ? [] : [{ label: '&Help', submenu: [{ role: 'about' } as const] }]),
  ];
}

export function installMenu(electron: ElectronApi, actions: MenuActions, developerTools: boolean): void {
  electron.Menu.setApplicationMenu(
    electron.Menu.buildFromTemplate(menuTemplate(actions, process.platform, developerTools)),
  );
}
