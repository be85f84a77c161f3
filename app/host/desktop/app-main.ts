// The desktop shell: windows, menu, dialogs, the app:// scheme and the engine's process. No SQL and no parsing happens
// here. Electron comes in as an argument.

import { dirname, join, resolve } from 'node:path';
import type { BrowserWindow, IpcMainEvent, IpcMainInvokeEvent } from 'electron';
import type { GivenLimits } from '../../contract/index.ts';
import { workspacePath } from '../workspace-path.ts';
import { openState, type StateFile } from './desktop-state.ts';
import type { ElectronApi } from './electron-api.ts';
import { type EngineLink, launchEngine } from './engine-link.ts';
import { installMenu } from './menu.ts';
import { channels, isNonce, isTrustedSender, parseArguments, splitPaths } from './policy.ts';
import { registerScheme, serveScheme } from './protocol.ts';
import { selfTest } from './self-test.ts';
import { createWindow, guardContents, guardSession } from './window.ts';

export interface DesktopOptions {
  /** Arguments of the app itself, without the executable and the script. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  /** File of the preload script. */
  readonly preload: string;
  /** File of the engine's process. */
  readonly engine: string;
  /** Folder of the built screens; null when they were not built. */
  readonly renderer: string | null;
  readonly samples: string;
  readonly log: (line: string) => void;
}

/** An engine that ends this often within a minute is not started again. */
const maxCrashes = 3;

/**
 * Starts the app. Everything that Electron wants before `ready` runs before this function returns.
 * It gives nothing back: the app lives until its last window is closed.
 */
export function startDesktop(electron: ElectronApi, options: DesktopOptions): void {
  const { app } = electron;
  const given = parseArguments(options.argv);
  const developerTools = !app.isPackaged || given.developerTools;

  app.setName('Rollscope');
  app.enableSandbox();
  registerScheme(electron);
  if (!given.selfTest && !app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  app.on('web-contents-created', (_event, contents) => guardContents(electron, contents));

  const paths = given.paths.map((path) => resolve(options.cwd, path));
  const named = given.db ?? splitPaths(paths).workspace;
  const shell = createShell(
    electron,
    options,
    { dbPath: workspacePath(named, options.env), limits: given.limits },
    developerTools,
  );
  app.on('second-instance', (_event, argv, cwd) => {
    shell.show();
    shell.open(parseArguments(argv.slice(app.isPackaged ? 1 : 2)).paths.map((path) => resolve(cwd, path)));
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    shell.open([path]);
  });
  app.on('activate', () => shell.show());
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('before-quit', (event) => {
    if (shell.closed()) return;
    event.preventDefault();
    void shell.close().then(() => app.quit());
  });
  app.on('child-process-gone', (_event, details) => {
    options.log(`A helper process ended (${details.type}, ${details.reason}, code ${details.exitCode}).`);
  });
  void app.whenReady().then(async () => {
    shell.start();
    shell.open(splitPaths(paths).logs);
    if (given.selfTest) app.exit(await selfTest(electron, shell, options));
  });
}

export interface Shell {
  /** Makes the session safe, starts the engine, opens the first window. After `ready`. */
  start(): void;
  /** Brings a window to the front, or opens one. */
  show(): void;
  /** Opens the workspace among the paths, if there is one, and imports the rest. */
  open(paths: readonly string[]): void;
  /** The engine that runs now. */
  engine(): EngineLink | undefined;
  windows(): readonly BrowserWindow[];
  /** Ends the engine after it put everything on disk. */
  close(): Promise<void>;
  closed(): boolean;
}

function createShell(
  electron: ElectronApi,
  options: DesktopOptions,
  first: { readonly dbPath: string; readonly limits: GivenLimits },
  developerTools: boolean,
): Shell {
  const windows = new Map<number, BrowserWindow>();
  const waitingPaths: string[] = [];
  const crashes: number[] = [];
  let { dbPath } = first;
  let engine: EngineLink | undefined;
  let state: StateFile | undefined;
  let closing: Promise<void> | undefined;
  let closed = false;

  const startEngine = (): void => {
    engine = launchEngine(
      electron,
      { module: options.engine, dbPath, limits: first.limits, version: options.version, samples: options.samples },
      {
        log: options.log,
        failed: (failure) => {
          electron.dialog.showErrorBox(
            'The workspace cannot be opened',
            [failure.message, failure.hint].filter((line) => line !== null).join('\n\n'),
          );
          electron.app.quit();
        },
        gone: engineGone,
      },
    );
  };

  const engineGone = (exitCode: number): void => {
    const now = Date.now();
    crashes.push(now);
    const recent = crashes.filter((at) => now - at < 60_000).length;
    options.log(`The engine's process ended with code ${exitCode}.`);
    if (recent >= maxCrashes) {
      engine = undefined;
      electron.dialog.showErrorBox(
        'Rollscope stopped',
        `The engine ended ${recent} times within a minute (last exit code ${exitCode}). Labels that were shown as saved are on disk, in ${dbPath}.`,
      );
      electron.app.quit();
      return;
    }
    startEngine();
    // A page gets its port when it loads; the one it holds leads to the process that is gone.
    for (const window of windows.values()) window.webContents.reload();
  };

  const openWindow = (): void => {
    state ??= openState(join(electron.app.getPath('userData'), 'desktop.json'));
    const window = createWindow(electron, { preload: options.preload, developerTools, state, log: options.log });
    const { id } = window.webContents;
    windows.set(id, window);
    window.on('closed', () => windows.delete(id));
    window.webContents.on('render-process-gone', (_event, details) => {
      options.log(`A window's process ended (${details.reason}).`);
      if (details.reason !== 'clean-exit') window.webContents.reload();
    });
  };

  const trusted = (event: IpcMainEvent | IpcMainInvokeEvent): boolean => {
    const frame = event.senderFrame;
    return (
      frame !== null &&
      isTrustedSender(
        { webContents: event.sender.id, isTopFrame: frame.parent === null, origin: frame.origin },
        new Set(windows.keys()),
      )
    );
  };

  const pickFiles = async (window: BrowserWindow | undefined): Promise<string[]> => {
    const folder = state?.current.lastFolder;
    const question = {
      title: 'Import rollout logs',
      buttonLabel: 'Import',
      properties: ['openFile' as const, 'multiSelections' as const],
      ...(folder ? { defaultPath: folder } : {}),
    };
    const answer = await (window
      ? electron.dialog.showOpenDialog(window, question)
      : electron.dialog.showOpenDialog(question));
    const first = answer.filePaths[0];
    if (first !== undefined) state?.update({ lastFolder: dirname(first) });
    return answer.canceled ? [] : answer.filePaths;
  };

  const importPaths = (paths: readonly string[]): void => {
    if (paths.length === 0) return;
    if (engine) engine.importPaths(paths);
    else waitingPaths.push(...paths);
  };

  const openWorkspace = async (path: string): Promise<void> => {
    if (path === dbPath) return;
    dbPath = path;
    // Before `start` there is nothing to replace.
    if (!engine) return;
    await engine.close();
    startEngine();
    for (const window of windows.values()) window.webContents.reload();
  };

  const open = (paths: readonly string[]): void => {
    const { workspace, logs } = splitPaths(paths);
    const opened = workspace === undefined ? Promise.resolve() : openWorkspace(workspace);
    void opened.then(() => importPaths(logs));
  };

  const listen = (): void => {
    electron.ipcMain.on(channels.connect, (event, ...payload: unknown[]) => {
      const nonce = payload.length === 1 ? payload[0] : undefined;
      if (!trusted(event) || !isNonce(nonce) || !engine) return;
      const { port1, port2 } = new electron.MessageChannelMain();
      engine.connect(port1);
      event.senderFrame?.postMessage(channels.port, nonce, [port2]);
    });
    electron.ipcMain.handle(channels.pickFiles, async (event, ...payload: unknown[]) => {
      if (!trusted(event) || payload.length > 0) throw new Error('Refused.');
      return pickFiles(windows.get(event.sender.id));
    });
  };

  return {
    start() {
      guardSession(electron, developerTools);
      serveScheme(electron, { renderer: options.renderer, body: async (id) => (await engine?.body(id)) ?? null });
      listen();
      startEngine();
      importPaths(waitingPaths.splice(0));
      installMenu(
        electron,
        { newWindow: openWindow, importFiles: () => void pickFiles(undefined).then(importPaths) },
        developerTools,
      );
      openWindow();
    },
    show() {
      const window = windows.values().next().value;
      if (!window) {
        if (electron.app.isReady() && !closed) openWindow();
        return;
      }
      if (window.isMinimized()) window.restore();
      window.focus();
    },
    open,
    engine: () => engine,
    windows: () => [...windows.values()],
    close() {
      closing ??= (engine?.close() ?? Promise.resolve()).then(() => {
        closed = true;
      });
      return closing;
    },
    closed: () => closed,
  };
}
