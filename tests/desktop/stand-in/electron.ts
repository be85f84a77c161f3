// A stand-in for the electron module: enough of it to run the real main process, preload and engine process of the app
// over a Chromium that Playwright drives. It keeps Electron's order of events and its refusals where the app relies on
// them; tests read what the shell registered from `StandIn`.

import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { BrowserContext, Page, Request as PageRequest, Route } from '@playwright/test';
import type { MenuItemConstructorOptions } from 'electron';
import type { ElectronApi } from '../../../app/host/desktop/electron-api.ts';
import { bindingName, type FromPage, pageScript } from './page-script.ts';
import { MessageChannelStandIn } from './ports.ts';
import { toApp } from './urls.ts';
import { UtilityProcessStandIn } from './utility-process.ts';
import { type WindowHost, WindowStandIn } from './window.ts';

type Handler = (event: unknown, ...args: unknown[]) => unknown;

export interface StandIn {
  /** To be passed to the shell. */
  readonly api: ElectronApi;
  readonly app: EventEmitter;
  readonly windows: WindowStandIn[];
  readonly schemes: { scheme: string; privileges?: Record<string, unknown> }[];
  readonly processes: UtilityProcessStandIn[];
  /** Addresses outside the app that a page asked for, and that were cut off. */
  readonly cutOff: string[];
  /** Addresses handed to the system's browser. */
  readonly opened: string[];
  readonly errorBoxes: { title: string; content: string }[];
  readonly messageBoxes: { message: string; detail?: string }[];
  /** What dialogs answer. */
  readonly answers: { filePaths: string[]; button: number };
  readonly session: {
    permissionRequest?: (
      contents: unknown,
      permission: string,
      answer: (ok: boolean) => void,
      details: { requestingUrl: string },
    ) => void;
    permissionCheck?: (contents: unknown, permission: string, origin: string) => boolean;
  };
  menu: MenuItemConstructorOptions[] | undefined;
  /** Sends an IPC message as a given frame would; for senders that must be refused. */
  ipc(channel: string, event: unknown, ...args: unknown[]): unknown;
  /** Tells the app that the system is ready. */
  ready(): void;
  /** Resolves when the app has quit. */
  readonly quit: Promise<void>;
}

export interface StandInOptions {
  readonly context: BrowserContext;
  /** Folder that `app.getPath('userData')` gives. */
  readonly userData: string;
  readonly preload: string;
}

/** The page a request belongs to; null for a new window that has no frame yet. */
function pageOf(request: PageRequest): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

export async function createStandIn(options: StandInOptions): Promise<StandIn> {
  const { context } = options;
  const app = new EventEmitter();
  const ready = Promise.withResolvers<void>();
  const quit = Promise.withResolvers<void>();
  let isReady = false;
  const windows: WindowStandIn[] = [];
  const listeners = new EventEmitter();
  const handlers = new Map<string, Handler>();
  let serve: ((request: Request) => Promise<Response> | Response) | undefined;
  let filter: ((details: { url: string }, answer: (reply: { cancel: boolean }) => void) => void) | undefined;

  const standIn: Omit<StandIn, 'api'> = {
    app,
    windows,
    schemes: [],
    processes: [],
    cutOff: [],
    opened: [],
    errorBoxes: [],
    messageBoxes: [],
    answers: { filePaths: [], button: 0 },
    session: {},
    menu: undefined,
    ipc: (channel, event, ...args) =>
      handlers.get(channel)?.(event, ...args) ?? listeners.emit(channel, event, ...args),
    ready() {
      isReady = true;
      ready.resolve();
      app.emit('ready');
    },
    quit: quit.promise,
  };
  const host: WindowHost = {
    context,
    created(window) {
      windows.push(window);
      app.emit('web-contents-created', {}, window.webContents);
    },
    closed(window) {
      windows.splice(windows.indexOf(window), 1);
      if (windows.length === 0) app.emit('window-all-closed');
    },
  };

  const appApi = Object.assign(app, {
    isPackaged: true,
    setName: () => undefined,
    enableSandbox() {
      if (isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
    },
    requestSingleInstanceLock: () => true,
    getPath: () => options.userData,
    isReady: () => isReady,
    whenReady: () => ready.promise,
    quit() {
      let prevented = false;
      app.emit('before-quit', { preventDefault: () => (prevented = true) });
      if (!prevented) quit.resolve();
    },
    exit: () => quit.resolve(),
  });

  const parts = {
    app: appApi,
    BrowserWindow: class extends WindowStandIn {
      constructor(given: Record<string, unknown>) {
        super(given, host);
      }
    },
    MessageChannelMain: MessageChannelStandIn,
    Menu: {
      buildFromTemplate: (template: MenuItemConstructorOptions[]) => template,
      setApplicationMenu: (template: MenuItemConstructorOptions[]) => {
        standIn.menu = template;
      },
    },
    dialog: {
      showErrorBox: (title: string, content: string) => standIn.errorBoxes.push({ title, content }),
      async showMessageBox(question: { message: string; detail?: string }) {
        standIn.messageBoxes.push(question);
        return { response: standIn.answers.button };
      },
      async showOpenDialog() {
        return { canceled: standIn.answers.filePaths.length === 0, filePaths: standIn.answers.filePaths };
      },
    },
    ipcMain: {
      on: (channel: string, listener: Handler) => listeners.on(channel, listener),
      handle: (channel: string, handler: Handler) => handlers.set(channel, handler),
    },
    protocol: {
      registerSchemesAsPrivileged(schemes: StandIn['schemes']) {
        if (isReady) throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
        if (standIn.schemes.length > 0) throw new Error('protocol.registerSchemesAsPrivileged was called twice');
        standIn.schemes.push(...schemes);
      },
      handle(_scheme: string, handler: (request: Request) => Promise<Response> | Response) {
        if (!isReady) throw new Error('protocol.handle should be called after app is ready');
        serve = handler;
      },
    },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (handler: NonNullable<StandIn['session']['permissionRequest']>) => {
          standIn.session.permissionRequest = handler;
        },
        setPermissionCheckHandler: (handler: NonNullable<StandIn['session']['permissionCheck']>) => {
          standIn.session.permissionCheck = handler;
        },
        setDevicePermissionHandler: () => undefined,
        setDisplayMediaRequestHandler: () => undefined,
        webRequest: {
          onBeforeRequest: (listener: NonNullable<typeof filter>) => {
            filter = listener;
          },
        },
        on: () => undefined,
      },
    },
    shell: { openExternal: async (url: string) => standIn.opened.push(url) },
    utilityProcess: {
      fork(module: string) {
        if (!isReady) throw new Error('utilityProcess cannot be created before app is ready.');
        const child = new UtilityProcessStandIn(module);
        child.on('worker-error', (error: unknown) => console.error('engine process:', error));
        standIn.processes.push(child);
        return child;
      },
    },
  };

  await context.exposeBinding(bindingName, ({ frame, page }, message: FromPage) => {
    const window = windows.find((each) => each.webContents === contentsOf(page));
    if (!window) return undefined;
    const { webContents } = window;
    if (message.kind === 'port') return webContents.receive(message);
    const event = { sender: webContents, senderFrame: webContents.frameOf(frame), ports: [] };
    if (message.kind === 'invoke') return handlers.get(message.channel)?.(event, ...message.args);
    listeners.emit(message.channel, event, ...message.args);
    return undefined;
  });
  await context.addInitScript(pageScript(readFileSync(options.preload, 'utf8')));
  await context.route('**/*', async (route, request) => {
    try {
      await answer(route, request);
    } catch (error) {
      // The app may quit while a page still loads: there is nobody left to answer.
      if (pageOf(request)?.isClosed() === false) throw error;
    }
  });

  // Electron makes no window that its handler denied; Chromium made this one already.
  context.on('page', async (page) => {
    if ((await page.opener()) !== null) await page.close();
  });

  const pages = new Map<unknown, WindowStandIn['webContents']>();
  const contentsOf = (page: unknown): WindowStandIn['webContents'] | undefined => pages.get(page);
  app.on('web-contents-created', (_event, contents: WindowStandIn['webContents']) => {
    void contents.page.then((page) => pages.set(page, contents));
  });

  /** The network of the stand-in: the shell's guards first, then its protocol handler. */
  const answer = async (route: Route, request: PageRequest): Promise<void> => {
    const url = toApp(request.url());
    const page = pageOf(request);
    const contents = contentsOf(page);
    if (!contents) {
      // A page that no BrowserWindow made: a window.open or a link to a new window. It is closed below.
      const opener = contentsOf(await page?.opener()) ?? windows[0]?.webContents;
      if (opener?.openHandler?.({ url }).action !== 'deny') standIn.cutOff.push(url);
      return route.abort();
    }
    if (request.isNavigationRequest()) {
      const top = request.frame().parentFrame() === null;
      const asked = top && contents.expected;
      if (top) contents.expected = false;
      let prevented = false;
      const event = { url, preventDefault: () => (prevented = true) };
      if (!asked) contents.emit(top ? 'will-navigate' : 'will-frame-navigate', event);
      // Anything but 'aborted' would put Chromium's error page in place of the page.
      if (top && !prevented) contents.closePorts();
      if (prevented) return route.abort('aborted');
    }
    let cancelled = false;
    filter?.({ url }, (reply) => {
      cancelled = reply.cancel;
    });
    if (cancelled || !url.startsWith('app://')) {
      standIn.cutOff.push(url);
      return route.abort();
    }
    const response = await serve?.(new Request(url, { method: request.method(), headers: await request.allHeaders() }));
    if (!response) return route.abort();
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  };

  // Boundary: the stand-in has what the shell uses of these types, not all of Electron.
  return Object.assign(standIn, { api: parts as unknown as ElectronApi });
}
