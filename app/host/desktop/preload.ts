// Runs in the sandbox before the page. It gives the page four things and no way to send a message of its own choice:
// a nonce, the file dialog, the path of a dropped file, the platform. The port to the engine cannot pass the context
// bridge, so it goes by one window message that carries the nonce.

import { contextBridge, ipcRenderer, webUtils } from 'electron';

// Written out here, not imported: a sandboxed preload is one file, and this is all it shares with policy.ts.
const connectChannel = 'rollscope:connect';
const portChannel = 'rollscope:port';
const pickFilesChannel = 'rollscope:pick-files';

const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
  '',
);

const loaded = new Promise<void>((resolve) => {
  // Module scripts have run by then, so the page listens.
  window.addEventListener('load', () => resolve(), { once: true });
});

ipcRenderer.once(portChannel, (event, answered: unknown) => {
  const port = event.ports[0];
  if (answered !== nonce || !port) return;
  void loaded.then(() => window.postMessage(nonce, window.location.origin, [port]));
});
ipcRenderer.send(connectChannel, nonce);

contextBridge.exposeInMainWorld('rollscopeDesktop', {
  nonce,
  platform: process.platform,
  pickFiles: async (): Promise<string[]> => {
    const paths: unknown = await ipcRenderer.invoke(pickFilesChannel);
    return Array.isArray(paths) ? paths.filter((path) => typeof path === 'string') : [];
  },
  pathOf: (file: File): string => webUtils.getPathForFile(file),
});
