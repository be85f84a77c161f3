// The transport, chosen once at boot: a MessagePort from the desktop shell, else a WebSocket to the host that served the
// page. Everything above sees one client that survives reconnects. Only `data/` and `main.tsx` use this file.

import { createORPCClient } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';
import type { Contract } from '../app/contract/index.ts';
import { createSwitchingLink, type RpcLink, type SwitchingLink } from './switching-link.ts';
import { takeToken } from './token.ts';

export type Client = ContractRouterClient<Contract>;

/** `denied` is final until the page is opened with a valid token; `lost` is retried. */
export type ConnectionState =
  | { readonly status: 'connecting' | 'open' }
  | { readonly status: 'lost'; readonly retryAt: number | null }
  | { readonly status: 'denied'; readonly message: string };

/** What the desktop shell's preload puts on `window`. */
interface DesktopBridge {
  readonly nonce: string;
  readonly platform: string;
  /** Opens the native dialog; empty when it was dismissed. */
  pickFiles(): Promise<string[]>;
  /** Path of a dropped file; empty when it has none. */
  pathOf(file: File): string;
}

declare global {
  interface Window {
    readonly rollscopeDesktop?: DesktopBridge;
  }
}

export interface Connection {
  readonly client: Client;
  readonly desktop: DesktopBridge | null;
  readonly state: () => ConnectionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Tries again at once instead of waiting for the back-off. */
  readonly retry: () => void;
  /** A stored body as text, for texts too long for a reply. Rejects with a message for a person. */
  readonly fetchBody: (id: number, signal?: AbortSignal) => Promise<string>;
  /** Streams a file to the host and gives the path under which it can be imported. */
  readonly upload: (file: File, onProgress: (sentBytes: number) => void) => Promise<string>;
  readonly close: () => void;
}

/** Chooses the transport and starts connecting. Resolves at once; `state` tells how it goes. */
export async function connect(): Promise<Connection> {
  const switching = createSwitchingLink();
  const client: Client = createORPCClient(switching.link);
  const desktop = window.rollscopeDesktop;
  return desktop === undefined ? connectSocket(client, switching) : connectPort(client, switching, desktop);
}

function createStateStore() {
  let state: ConnectionState = { status: 'connecting' };
  const listeners = new Set<() => void>();
  return {
    get: (): ConnectionState => state,
    set(next: ConnectionState): void {
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The desktop shell posts the port when the page has loaded, and reloads the page when it had to restart the engine. */
function connectPort(client: Client, switching: SwitchingLink, desktop: DesktopBridge): Connection {
  const store = createStateStore();
  let current: MessagePort | null = null;
  const onMessage = (event: MessageEvent): void => {
    const port = event.ports[0];
    if (event.source !== window || event.data !== desktop.nonce || port === undefined) return;
    current?.close();
    current = port;
    port.addEventListener('close', () => {
      if (current !== port) return;
      switching.set(null);
      store.set({ status: 'lost', retryAt: null });
    });
    // oRPC's link listens with addEventListener, which does not start the port by itself.
    const link = new PortLink({ port });
    port.start();
    switching.set(link);
    store.set({ status: 'open' });
  };
  window.addEventListener('message', onMessage);
  return {
    client,
    desktop,
    state: store.get,
    subscribe: store.subscribe,
    retry: () => undefined,
    fetchBody: (id, signal) => fetchBody(id, null, signal),
    upload: () => Promise.reject(new Error('The desktop app imports files by their path.')),
    close() {
      window.removeEventListener('message', onMessage);
      current?.close();
    },
  };
}

const greeting = z.object({ ok: z.literal(true) });
const firstDelayMs = 400;
const longestDelayMs = 10_000;
const deniedCode = 4401;

function connectSocket(client: Client, switching: SwitchingLink): Connection {
  const store = createStateStore();
  const token = takeToken();
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = firstDelayMs;
  let closed = false;

  const deny = (message: string): void => {
    switching.fail(new Error(message));
    store.set({ status: 'denied', message });
  };
  const onLost = (): void => {
    socket = null;
    if (closed) return;
    switching.set(null);
    // Jitter keeps many windows of one host from knocking at the same moment.
    const waitMs = delayMs * (0.75 + Math.random() * 0.5);
    delayMs = Math.min(delayMs * 2, longestDelayMs);
    store.set({ status: 'lost', retryAt: Date.now() + waitMs });
    timer = setTimeout(open, waitMs);
  };
  const onReady = (link: RpcLink): void => {
    delayMs = firstDelayMs;
    switching.set(link);
    store.set({ status: 'open' });
  };
  function open(): void {
    if (token === null) return;
    clearTimeout(timer);
    const url = new URL('/rpc', window.location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = '';
    const next = new WebSocket(url);
    // ArrayBuffers are read at once; Blobs would be read asynchronously and could overtake each other.
    next.binaryType = 'arraybuffer';
    socket = next;
    next.addEventListener('open', () => next.send(JSON.stringify({ token })));
    next.addEventListener('message', (event) => onGreeting(next, event.data, onReady), { once: true });
    next.addEventListener('close', (event) => {
      if (event.code === deniedCode) deny('The host did not accept the token of this address.');
      else onLost();
    });
  }

  if (token === null) deny('This address has no token.');
  else open();
  return {
    client,
    desktop: null,
    state: store.get,
    subscribe: store.subscribe,
    retry() {
      if (store.get().status === 'lost') open();
    },
    fetchBody: (id, signal) => fetchBody(id, token, signal),
    upload: (file, onProgress) => upload(file, token, onProgress),
    close() {
      closed = true;
      clearTimeout(timer);
      socket?.close();
    },
  };
}

function onGreeting(socket: WebSocket, data: unknown, onReady: (link: RpcLink) => void): void {
  if (typeof data === 'string' && greeting.safeParse(parseJson(data)).success)
    onReady(new SocketLink({ websocket: quietAfterClose(socket) }));
  else socket.close();
}

/**
 * The socket as oRPC's link sees it. Aborting a stream of a socket that was just lost makes the link send a last frame;
 * it would throw where nobody can catch it. Calls never get here then: the switching link holds them back.
 */
function quietAfterClose(socket: WebSocket): ConstructorParameters<typeof SocketLink>[0]['websocket'] {
  return {
    readyState: WebSocket.OPEN,
    addEventListener: socket.addEventListener.bind(socket),
    removeEventListener: socket.removeEventListener.bind(socket),
    send(data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(data);
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function fetchBody(id: number, token: string | null, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`/body/${id}`, {
    headers: token === null ? {} : { Authorization: `Bearer ${token}` },
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) {
    throw new Error(
      `The full text could not be loaded (the host answered ${response.status}). Reload the page and try again.`,
    );
  }
  return response.text();
}

const uploadAnswer = z.object({ path: z.string() });

/** XMLHttpRequest and not fetch, because only it reports how much of a request body was sent. */
function upload(file: File, token: string | null, onProgress: (sentBytes: number) => void): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = new XMLHttpRequest();
  request.open('PUT', `/upload?name=${encodeURIComponent(file.name)}`);
  if (token !== null) request.setRequestHeader('Authorization', `Bearer ${token}`);
  request.upload.addEventListener('progress', (event) => onProgress(event.loaded));
  request.addEventListener('error', () =>
    reject(new Error(`${file.name}: the upload was interrupted. Drop the file again.`)),
  );
  request.addEventListener('load', () => {
    const answer = uploadAnswer.safeParse(parseJson(request.responseText));
    if (request.status >= 200 && request.status < 300 && answer.success) resolve(answer.data.path);
    else
      reject(
        new Error(
          `${file.name}: the host refused the upload (${request.status}). ${request.responseText.slice(0, 300)}`,
        ),
      );
  });
  request.send(file);
  return promise;
}
