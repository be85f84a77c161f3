// Entry of the engine's process: an Electron utilityProcess. It makes the engine, serves the contract on every port that
// the main process hands over, and flushes on `close`.

import { RPCHandler } from '@orpc/server/message-port';
// Types only: `process.parentPort` is declared by electron.
import type { MessageEvent, MessagePortMain, ParentPort } from 'electron';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { messageOf, Refusal } from '../../shared/errors.ts';
import { type FromEngine, type ToEngine, toEngine } from './engine-messages.ts';

const parent: ParentPort = process.parentPort;
let engine: Promise<Engine> | undefined;
let handler: RPCHandler<Record<never, never>> | undefined;

function say(message: FromEngine): void {
  parent.postMessage(message);
}

async function start(options: Extract<ToEngine, { kind: 'start' }>): Promise<void> {
  if (engine) return;
  engine = createEngine({
    dbPath: options.dbPath,
    limits: options.limits,
    host: 'desktop',
    version: options.version,
    canPickFiles: true,
    canUpload: false,
    samplesDir: options.samples,
    log: (line) => say({ kind: 'log', line }),
  });
  try {
    const made = await engine;
    handler = new RPCHandler(made.router);
    say({ kind: 'ready', workspace: made.workspacePath });
  } catch (error) {
    say({
      kind: 'failed',
      code: error instanceof Refusal ? error.code : 'engine-failed',
      message: messageOf(error),
      hint: error instanceof Refusal ? (error.hint ?? null) : null,
    });
  }
}

async function connect(port: MessagePortMain): Promise<void> {
  await engine;
  // Messages wait in the port until `start`; a window that asked before the engine was ready loses nothing.
  handler?.upgrade({
    on: (event, callback) => {
      if (event === 'close') port.on('close', () => callback());
      else port.on('message', (message) => callback(message));
    },
    postMessage: (data: unknown) => port.postMessage(data),
  });
  port.start();
}

async function receive(event: MessageEvent): Promise<void> {
  const message = toEngine.parse(event.data);
  switch (message.kind) {
    case 'start':
      return start(message);
    case 'connect': {
      const port = event.ports[0];
      if (port) await connect(port);
      return;
    }
    case 'body': {
      const text = (await (await engine)?.body(message.id)) ?? null;
      say({ kind: 'body', request: message.request, text });
      return;
    }
    case 'import':
      await (await engine)?.client.jobs.start({ kind: 'import', paths: [...message.paths] });
      return;
    case 'close':
      await (await engine?.catch(() => undefined))?.close();
      say({ kind: 'closed' });
  }
}

parent.on('message', (event) => {
  receive(event).catch((error: unknown) => say({ kind: 'log', line: `engine process: ${messageOf(error)}` }));
});
