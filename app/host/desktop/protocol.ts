// app://rollscope/: the built screens and large texts, answered in the main process by the same handler as over http.

import { type HttpContext, handle, plain } from '../http.ts';
import type { ElectronApi } from './electron-api.ts';
import { appScheme, isOwnUrl } from './policy.ts';

/** Must run before the app is ready, once. No bypassCSP, no service workers. */
export function registerScheme(electron: ElectronApi): void {
  electron.protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
}

/** Serves the scheme; must run after the app is ready. */
export function serveScheme(electron: ElectronApi, context: Omit<HttpContext, 'connect'>): void {
  electron.protocol.handle(appScheme, (request) => {
    if (!isOwnUrl(request.url)) return plain(404, 'There is nothing at this address.\n', []);
    return handle(request, { ...context, connect: [] });
  });
}
