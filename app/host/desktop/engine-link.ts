// The main process's end of the engine: starts the utility process, hands ports to it, asks it for texts, ends it cleanly.

import type { MessagePortMain } from 'electron';
import type { GivenLimits } from '../../contract/index.ts';
import type { ElectronApi } from './electron-api.ts';
import { fromEngine, type ToEngine } from './engine-messages.ts';

export interface EngineStart {
  /** File of the engine's process. */
  readonly module: string;
  readonly dbPath: string;
  readonly limits: GivenLimits;
  readonly version: string;
  readonly samples: string;
}

export interface EngineEvents {
  log(line: string): void;
  /** The engine could not open the workspace; the process is still there and should be closed. */
  failed(failure: { code: string; message: string; hint: string | null }): void;
  /** The process ended although nobody closed it. */
  gone(exitCode: number): void;
}

export interface EngineLink {
  /** Resolves to the workspace's path once the engine answers; never when it fails (see `EngineEvents.failed`). */
  readonly ready: Promise<string>;
  /** Serves the contract on a port from now on. */
  connect(port: MessagePortMain): void;
  /** The whole text of a stored body; null when there is none, or when the engine is gone. */
  body(id: number): Promise<string | null>;
  importPaths(paths: readonly string[]): void;
  /** Lets the engine put everything on disk, then ends its process. Waits at most `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

export function launchEngine(electron: ElectronApi, start: EngineStart, events: EngineEvents): EngineLink {
  const child = electron.utilityProcess.fork(start.module, [], {
    serviceName: 'Rollscope engine',
    stdio: 'inherit',
  });
  const bodies = new Map<number, (text: string | null) => void>();
  let requests = 0;
  let closing = false;
  let alive = true;
  const ready = Promise.withResolvers<string>();
  const closed = Promise.withResolvers<void>();
  const say = (message: ToEngine, ports: MessagePortMain[] = []): void => child.postMessage(message, ports);

  child.on('message', (data: unknown) => {
    const message = fromEngine.parse(data);
    switch (message.kind) {
      case 'ready':
        ready.resolve(message.workspace);
        return;
      case 'failed':
        events.failed(message);
        return;
      case 'body':
        bodies.get(message.request)?.(message.text);
        bodies.delete(message.request);
        return;
      case 'log':
        events.log(message.line);
        return;
      case 'closed':
        closed.resolve();
    }
  });
  child.on('exit', (code) => {
    alive = false;
    for (const answer of bodies.values()) answer(null);
    bodies.clear();
    closed.resolve();
    if (!closing) events.gone(code);
  });
  const { dbPath, limits, version, samples } = start;
  say({ kind: 'start', dbPath, limits, version, samples });

  return {
    ready: ready.promise,
    connect: (port) => say({ kind: 'connect' }, [port]),
    body(id) {
      if (!alive) return Promise.resolve(null);
      requests += 1;
      const request = requests;
      return new Promise((resolve) => {
        bodies.set(request, resolve);
        say({ kind: 'body', request, id });
      });
    },
    importPaths: (paths) => say({ kind: 'import', paths: [...paths] }),
    async close(graceMs = 10_000) {
      if (!alive) return;
      closing = true;
      say({ kind: 'close' });
      const timer = setTimeout(closed.resolve, graceMs);
      await closed.promise;
      clearTimeout(timer);
      child.kill();
    },
  };
}
