// Runs in the page before anything else: a `require('electron')` for the real preload, with its ipcRenderer, contextBridge
// and webUtils over one Playwright binding. Self-contained: it is sent to the browser as text.

/** What the page sends through the binding. */
export type FromPage =
  | { readonly kind: 'send' | 'invoke'; readonly channel: string; readonly args: unknown[] }
  | { readonly kind: 'port'; readonly id: number; readonly sequence: number; readonly data: PortData };

/** What is delivered into the page. */
export type ToPage =
  | { readonly kind: 'message'; readonly channel: string; readonly args: unknown[]; readonly ports: number[] }
  | { readonly kind: 'port'; readonly id: number; readonly data: PortData }
  | { readonly kind: 'close'; readonly id: number };

/** Messages of a port as JSON: text, or bytes in base64. */
export type PortData = { readonly text: string } | { readonly bytes: string };

export const bindingName = '__rollscopeStandIn';
export const deliverName = '__rollscopeStandInDeliver';

/** The init script: hosts the preload script `preload` (CommonJS source). */
export function pageScript(preload: string): string {
  return `(${hostPreload.toString()})(${JSON.stringify(bindingName)}, ${JSON.stringify(deliverName)}, function (require, process, module, exports) {
${preload}
});`;
}

function hostPreload(
  binding: string,
  deliver: string,
  preload: (require: unknown, process: unknown, module: unknown, exports: unknown) => void,
): void {
  const call = Reflect.get(window, binding);
  const listeners = new Map<string, Set<(event: { ports: MessagePort[] }, ...args: unknown[]) => void>>();
  const ports = new Map<number, MessagePort>();
  let sequence = 0;

  const encode = (data: unknown): PortData => {
    if (typeof data === 'string') return { text: data };
    const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
    if (!(bytes instanceof Uint8Array)) throw new Error('The stand-in carries texts and bytes only.');
    return { bytes: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
  };
  const decode = (data: PortData): unknown =>
    'text' in data ? data.text : Uint8Array.from(atob(data.bytes), (character) => character.charCodeAt(0));

  const openPort = (id: number): MessagePort => {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, port1);
    port1.onmessage = (event) => {
      sequence += 1;
      call({ kind: 'port', id, sequence, data: encode(event.data) });
    };
    return port2;
  };

  Object.defineProperty(window, deliver, {
    value: (messages: ToPage[]) => {
      for (const message of messages) {
        if (message.kind === 'port') ports.get(message.id)?.postMessage(decode(message.data));
        else if (message.kind === 'close') ports.get(message.id)?.close();
        else {
          const event = { ports: message.ports.map(openPort) };
          for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args);
        }
      }
    },
  });

  const electron = {
    ipcRenderer: {
      send: (channel: string, ...args: unknown[]) => void call({ kind: 'send', channel, args }),
      invoke: (channel: string, ...args: unknown[]) => call({ kind: 'invoke', channel, args }),
      on(channel: string, listener: (event: { ports: MessagePort[] }, ...args: unknown[]) => void) {
        const all = listeners.get(channel) ?? new Set();
        listeners.set(channel, all.add(listener));
      },
      once(channel: string, listener: (event: { ports: MessagePort[] }, ...args: unknown[]) => void) {
        const once = (event: { ports: MessagePort[] }, ...args: unknown[]): void => {
          listeners.get(channel)?.delete(once);
          listener(event, ...args);
        };
        this.on(channel, once);
      },
    },
    contextBridge: {
      exposeInMainWorld(name: string, api: Record<string, unknown>) {
        Object.defineProperty(window, name, { value: Object.freeze({ ...api }), enumerable: true });
      },
    },
    // A browser never tells a file's path: the stand-in says where its tests put the file.
    webUtils: { getPathForFile: (file: File) => `/dropped/${file.name}` },
  };
  const require = (name: string): unknown => {
    if (name === 'electron') return electron;
    throw new Error(`A sandboxed preload cannot require ${name}.`);
  };
  const module = { exports: {} };
  // Electron runs the preload in the top frame only (nodeIntegrationInSubFrames is off).
  if (window.top === window) preload(require, { platform: 'linux' }, module, module.exports);
}
