// Windows: made with every guard on, and kept inside the policy for as long as they live.

import type { BrowserWindow, WebContents } from 'electron';
import { messageOf } from '../../shared/errors.ts';
import type { StateFile } from './desktop-state.ts';
import type { ElectronApi } from './electron-api.ts';
import { externalUrl, mayNavigate, mayRequest, maySave, mayUse, startUrl } from './policy.ts';

export interface WindowOptions {
  readonly preload: string;
  readonly developerTools: boolean;
  readonly state: StateFile;
  readonly log: (line: string) => void;
}

/** Guards that hold for the whole session: permissions, devices, and requests to anywhere but ourselves. */
export function guardSession(electron: ElectronApi, developerTools: boolean): void {
  const { defaultSession } = electron.session;
  defaultSession.setPermissionRequestHandler((contents, permission, answer, details) => {
    answer(mayUse(permission, details.requestingUrl || contents.getURL()));
  });
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => mayUse(permission, origin));
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  defaultSession.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !mayRequest(details.url, developerTools) });
  });
  // What a screen wrote itself may be saved, at a place that the person chooses; nothing is fetched from elsewhere.
  defaultSession.on('will-download', (event, item) => {
    if (!maySave(item.getURL())) event.preventDefault();
  });
}

/** Guards of one WebContents, whoever made it: it goes nowhere, opens nothing and embeds nothing. */
export function guardContents(electron: ElectronApi, contents: WebContents): void {
  const stayHere = (event: { preventDefault(): void; url: string }): void => {
    if (!mayNavigate(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stayHere);
  contents.on('will-redirect', stayHere);
  contents.on('will-frame-navigate', stayHere);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    const address = externalUrl(url);
    if (address !== null) void offerToOpen(electron, address);
    return { action: 'deny' };
  });
}

/** Opens an https address in the system's browser once the person saw all of it and agreed. */
async function offerToOpen(electron: ElectronApi, address: string): Promise<void> {
  const { response } = await electron.dialog.showMessageBox({
    type: 'question',
    title: 'Open a link',
    message: 'Open this address in your browser?',
    detail: address,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  if (response === 0) await electron.shell.openExternal(address);
}

/** Makes a window on the start page. It shows itself when there is something to see. */
export function createWindow(electron: ElectronApi, options: WindowOptions): BrowserWindow {
  const { bounds, maximised } = options.state.current;
  const window = new electron.BrowserWindow({
    width: 1440,
    height: 900,
    ...(bounds ?? {}),
    minWidth: 900,
    minHeight: 560,
    show: false,
    title: 'Rollscope',
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false,
      devTools: options.developerTools,
    },
  });
  if (maximised) window.maximize();
  window.once('ready-to-show', () => window.show());
  window.on('close', () => {
    options.state.update({ bounds: window.getNormalBounds(), maximised: window.isMaximized() });
  });
  // It fails when the window is closed before it has loaded, and when the screens are missing: the page then says so.
  window.loadURL(startUrl).catch((error: unknown) => options.log(`A window did not load: ${messageOf(error)}`));
  return window;
}
