// BrowserWindow and its WebContents over a Playwright page.

import { EventEmitter } from 'node:events';
import type { BrowserContext, Frame, Page } from '@playwright/test';
import { deliverName, type FromPage, type PortData, type ToPage } from './page-script.ts';
import { PortStandIn } from './ports.ts';
import { toApp, toBrowser } from './urls.ts';

/** What windows need from the rest of the stand-in. */
export interface WindowHost {
  readonly context: BrowserContext;
  created(window: WindowStandIn): void;
  closed(window: WindowStandIn): void;
}

let nextId = 1;

export class WebContentsStandIn extends EventEmitter {
  readonly id = nextId++;
  readonly page: Promise<Page>;
  openHandler: ((details: { url: string }) => { action: string }) | undefined;
  /** A navigation that the shell itself asked for: it is not asked about. */
  expected = false;
  readonly #ports = new Map<number, PortStandIn>();
  readonly #outbox: ToPage[] = [];
  #sending = false;
  #nextPort = 1;
  #nextSequence = 1;
  readonly #early = new Map<number, Extract<FromPage, { kind: 'port' }>>();

  constructor(page: Promise<Page>) {
    super();
    this.page = page;
  }

  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler;
  }

  getURL(): string {
    return 'app://rollscope/';
  }

  reload(): void {
    this.expected = true;
    void this.page.then((page) => page.reload());
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return (await this.page).evaluate(code);
  }

  /** A frame as `event.senderFrame`. */
  frameOf(frame: Frame): {
    parent: unknown;
    origin: string;
    url: string;
    postMessage: WebContentsStandIn['postToPage'];
  } {
    const url = toApp(frame.url());
    // `new URL` gives app: addresses an opaque origin; Electron, which knows the scheme, does not.
    const origin = url.startsWith('app://') ? url.split('/').slice(0, 3).join('/') : new URL(url).origin;
    return { parent: frame.parentFrame(), origin, url, postMessage: (...args) => this.postToPage(...args) };
  }

  postToPage(channel: string, message: unknown, transfer: readonly unknown[] = []): void {
    const ports = transfer.map((each) => {
      if (!(each instanceof PortStandIn)) throw new TypeError('Found invalid value in transferList');
      return this.#bridge(each);
    });
    this.#send({ kind: 'message', channel, args: [message], ports });
  }

  /** A message of the page's end of a port; binding calls may overtake each other. */
  receive(message: Extract<FromPage, { kind: 'port' }>): void {
    this.#early.set(message.sequence, message);
    for (let next = this.#early.get(this.#nextSequence); next; next = this.#early.get(this.#nextSequence)) {
      this.#early.delete(this.#nextSequence);
      this.#nextSequence += 1;
      this.#ports.get(next.id)?.postMessage(decode(next.data));
    }
  }

  /** Ends what the document held; called when a new one is loaded (a change of the fragment loads none). */
  closePorts(): void {
    for (const port of this.#ports.values()) port.close();
    this.#ports.clear();
    this.#early.clear();
    this.#outbox.length = 0;
    this.#nextSequence = 1;
  }

  #bridge(port: PortStandIn): number {
    const id = this.#nextPort++;
    this.#ports.set(id, port);
    port.on('message', ({ data }: { data: unknown }) => this.#send({ kind: 'port', id, data: encode(data) }));
    port.on('close', () => {
      if (this.#ports.delete(id)) this.#send({ kind: 'close', id });
    });
    port.start();
    return id;
  }

  /** One delivery at a time, each with all that waits: keeps the order and is quick. */
  #send(message: ToPage): void {
    this.#outbox.push(message);
    if (this.#sending) return;
    this.#sending = true;
    void this.#drain();
  }

  async #drain(): Promise<void> {
    const page = await this.page;
    while (this.#outbox.length > 0 && !page.isClosed()) {
      const batch = this.#outbox.splice(0);
      await page
        .evaluate(({ name, messages }) => Reflect.get(window, name)(messages), { name: deliverName, messages: batch })
        // The page went away in the middle; its ports are closed by the navigation.
        .catch(() => undefined);
    }
    this.#sending = false;
  }
}

export class WindowStandIn extends EventEmitter {
  readonly options: Record<string, unknown>;
  readonly webContents: WebContentsStandIn;
  visible = false;
  readonly #host: WindowHost;
  #closed = false;

  constructor(options: Record<string, unknown>, host: WindowHost) {
    super();
    this.options = options;
    this.#host = host;
    this.webContents = new WebContentsStandIn(host.context.newPage());
    host.created(this);
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.webContents.page;
    this.webContents.expected = true;
    await page.goto(toBrowser(url), { waitUntil: 'domcontentloaded' });
    this.emit('ready-to-show');
  }

  show(): void {
    this.visible = true;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.emit('close', {});
    this.webContents.closePorts();
    void this.webContents.page
      .then((page) => page.close())
      .then(() => {
        this.emit('closed');
        this.#host.closed(this);
      });
  }

  maximize(): void {}
  restore(): void {}
  focus(): void {}
  isMinimized(): boolean {
    return false;
  }
  isMaximized(): boolean {
    return false;
  }
  getNormalBounds(): { x: number; y: number; width: number; height: number } {
    return { x: 10, y: 20, width: 1280, height: 800 };
  }
}

function encode(data: unknown): PortData {
  if (typeof data === 'string') return { text: data };
  if (data instanceof Uint8Array) return { bytes: Buffer.from(data).toString('base64') };
  if (data instanceof ArrayBuffer) return { bytes: Buffer.from(data).toString('base64') };
  throw new Error('The stand-in carries texts and bytes only.');
}

function decode(data: PortData): string | Uint8Array {
  return 'text' in data ? data.text : new Uint8Array(Buffer.from(data.bytes, 'base64'));
}
